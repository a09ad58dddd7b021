// Storing bodies and rows of a contact problem in either precision. The layout itself is decided in layout.c.
#include "solve/problem.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/kernels.h"
#include "solve/layout.h"
#include "solve/tiles.h"

static size_t group_size(scree_precision precision)
{
    return precision == SCREE_DOUBLE ? sizeof(problem_group_f64) : sizeof(problem_group_f32);
}

// An empty lane ties the resting body to itself with nothing to do; its diagonal is one so that no kernel divides by
// zero.
#define CLEAR_GROUPS(type)                                                                                             \
    for (size_t g = first; g < first + count; g++) {                                                                   \
        type *group = (type *)problem->groups + g;                                                                     \
        memset(group, 0, sizeof *group);                                                                               \
        for (int i = 0; i < PROBLEM_LANES; i++) {                                                                      \
            group->a[i] = group->b[i] = (uint32_t)problem->body_count;                                                 \
            group->inverse_normal[i] = group->inverse_tangent[i] = 1;                                                  \
        }                                                                                                              \
    }

static size_t extra_size(scree_precision precision)
{
    return precision == SCREE_DOUBLE ? sizeof(problem_extra_f64) : sizeof(problem_extra_f32);
}

#define CLEAR_EXTRAS(type)                                                                                             \
    for (size_t g = first; g < first + count; g++) {                                                                   \
        type *extra = (type *)problem->extras + g;                                                                     \
        memset(extra, 0, sizeof *extra);                                                                               \
        for (int i = 0; i < PROBLEM_LANES; i++)                                                                        \
            extra->inverse_rolling[i] = extra->inverse_spinning[i] = 1;                                                \
    }

static void clear_groups(contact_problem *problem, size_t first, size_t count)
{
    if (problem->precision == SCREE_DOUBLE)
        CLEAR_GROUPS(problem_group_f64)
    else
        CLEAR_GROUPS(problem_group_f32)
    if (problem->extras && problem->precision == SCREE_DOUBLE)
        CLEAR_EXTRAS(problem_extra_f64)
    else if (problem->extras)
        CLEAR_EXTRAS(problem_extra_f32)
}

size_t problem_real_size(const contact_problem *problem)
{
    return problem->precision == SCREE_DOUBLE ? sizeof(double) : sizeof(float);
}

static size_t body_reals(const contact_problem *problem)
{
    return problem->kind == PROBLEM_ROUND ? PROBLEM_ROUND_REALS : PROBLEM_BODY_REALS;
}

size_t problem_impulse_size(const contact_problem *problem)
{
    return (size_t)(problem->kind == PROBLEM_RICH ? 6 : 3) * PROBLEM_LANES * problem_real_size(problem);
}

size_t problem_body_stride(const contact_problem *problem)
{
    return body_reals(problem) * problem_real_size(problem);
}

scree_status problem_lay_out(contact_problem *problem, scree_precision precision, size_t body_count,
                             const uint8_t *immovable, const problem_ends *ends, size_t contact_count, int threads,
                             arena *scratch, scree_error *error)
{
    return problem_lay_out_kind(problem, precision, PROBLEM_PLAIN, body_count, immovable, ends, contact_count, threads,
                                scratch, error);
}

scree_status problem_lay_out_kind(contact_problem *problem, scree_precision precision, problem_kind kind,
                                  size_t body_count, const uint8_t *immovable, const problem_ends *ends,
                                  size_t contact_count, int threads, arena *scratch, scree_error *error)
{
    *problem = (contact_problem){
        .precision = precision, .kind = kind, .coupling = 1, .body_count = body_count, .contact_count = contact_count};
    size_t stride = problem_body_stride(problem);
    problem->bodies = arena_take_array(scratch, body_count + 1, stride);
    if (!problem->bodies)
        return fail_no_memory(error);
    memset((char *)problem->bodies + body_count * stride, 0, stride);
    scree_status status = layout_contacts(problem, immovable, ends, threads, scratch, error);
    if (status)
        return status;
    problem->groups = arena_take_array(scratch, problem->group_count, group_size(precision));
    if (kind == PROBLEM_RICH)
        problem->extras = arena_take_array(scratch, problem->group_count, extra_size(precision));
    if (!problem->groups || (kind == PROBLEM_RICH && !problem->extras))
        return fail_no_memory(error);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t t = 0; t < problem->tile_count; t++)
        clear_groups(problem, problem->tiles[t].first_group, problem->tiles[t].group_count);
    return SCREE_OK;
}

void problem_set_body(contact_problem *problem, size_t body, const problem_body *values)
{
    const double(*inertia)[3] = values->inverse_inertia.m;
    const double reals[PROBLEM_BODY_REALS] = {
        values->velocity.x,
        values->velocity.y,
        values->velocity.z,
        values->inverse_mass,
        values->spin.x,
        values->spin.y,
        values->spin.z,
        problem->kind == PROBLEM_ROUND ? inertia[0][0] : 0,
        inertia[0][0],
        inertia[1][1],
        inertia[2][2],
        inertia[0][1],
        inertia[0][2],
        inertia[1][2],
        0,
        0,
    };
    size_t count = body_reals(problem);
    if (problem->precision == SCREE_DOUBLE) {
        memcpy((double *)problem->bodies + body * count, reals, count * sizeof *reals);
        return;
    }
    float *to = (float *)problem->bodies + body * count;
    for (size_t i = 0; i < count; i++)
        to[i] = (float)reals[i];
}

typedef struct stored_body {
    double reals[PROBLEM_BODY_REALS];
} stored_body;

static stored_body get_stored(const contact_problem *problem, size_t body)
{
    stored_body stored;
    size_t count = body_reals(problem);
    if (problem->precision == SCREE_DOUBLE) {
        memcpy(stored.reals, (const double *)problem->bodies + body * count, count * sizeof(double));
    } else {
        const float *from = (const float *)problem->bodies + body * count;
        for (size_t i = 0; i < count; i++)
            stored.reals[i] = (double)from[i];
    }
    if (problem->kind == PROBLEM_ROUND) {
        double inertia = stored.reals[7];
        memcpy(stored.reals + 8, (double[8]){inertia, inertia, inertia}, 8 * sizeof(double));
    }
    return stored;
}

static vec3 apply_inertia(const stored_body *body, vec3 t)
{
    const double *i = body->reals + 8; // xx yy zz xy xz yz
    return vec3_make(i[0] * t.x + i[3] * t.y + i[4] * t.z, i[3] * t.x + i[1] * t.y + i[5] * t.z,
                     i[4] * t.x + i[5] * t.y + i[2] * t.z);
}

// What an impulse p at the arm does to the velocity there.
static vec3 respond(const stored_body *body, vec3 arm, vec3 p)
{
    vec3 turn = apply_inertia(body, vec3_cross(arm, p));
    return vec3_add_scaled(vec3_cross(turn, arm), p, body->reals[3]);
}

static vec3 any_tangent(vec3 normal)
{
    vec3 other = fabs(normal.x) < 0.57 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    return vec3_normalize(vec3_cross(normal, other));
}

typedef struct block_diagonal {
    double normal, tangent, rolling, spinning;
} block_diagonal;

static double largest_eigenvalue(double uu, double ww, double uw)
{
    return 0.5 * (uu + ww) + sqrt(0.25 * (uu - ww) * (uu - ww) + uw * uw);
}

// The block of a contact in its own axes: n along the normal, u and w across.
typedef struct contact_block {
    double nn, uu, ww, nu, nw, uw;
} contact_block;

static void add_body(const stored_body *body, vec3 arm, const vec3 axes[3], contact_block *block)
{
    vec3 by_n = respond(body, arm, axes[0]), by_u = respond(body, arm, axes[1]), by_w = respond(body, arm, axes[2]);
    block->nn += vec3_dot(by_n, axes[0]);
    block->uu += vec3_dot(by_u, axes[1]);
    block->ww += vec3_dot(by_w, axes[2]);
    block->nu += vec3_dot(by_n, axes[1]);
    block->nw += vec3_dot(by_n, axes[2]);
    block->uw += vec3_dot(by_u, axes[2]);
}

// Steps by this diagonal B never raise the energy of the problem, also with momentum: B is at least the contact's
// block, whose normal and tangential parts are its normal element and its largest tangential eigenvalue, each enlarged
// by how strongly the two are coupled.
static block_diagonal bound_block(const contact_block *block)
{
    block_diagonal found = {.normal = block->nn, .tangent = largest_eigenvalue(block->uu, block->ww, block->uw)};
    double enlarged = 1 + sqrt((block->nu * block->nu + block->nw * block->nw) / (found.normal * found.tangent));
    found.normal *= enlarged;
    found.tangent *= enlarged;
    return found;
}

// What a body with three equal moments 1/i adds at the arm r: (1/m + i r^2) 1 - i r r^T. Along the normal r has n,
// across it the rest t.
typedef struct round_part {
    double mass, moment; // inverse
    double normal;       // n
    vec3 across;         // t
    double square;       // i t^2
} round_part;

static round_part round_part_of(const contact_problem *problem, uint32_t body, vec3 arm, vec3 normal)
{
    round_part part;
    if (problem->precision == SCREE_DOUBLE) {
        const double *from = (const double *)problem->bodies + (size_t)body * PROBLEM_ROUND_REALS;
        part.mass = from[3], part.moment = from[7];
    } else {
        const float *from = (const float *)problem->bodies + (size_t)body * PROBLEM_ROUND_REALS;
        part.mass = (double)from[3], part.moment = (double)from[7];
    }
    part.normal = vec3_dot(arm, normal);
    part.across = vec3_add_scaled(arm, normal, -part.normal);
    part.square = part.moment * vec3_dot(part.across, part.across);
    return part;
}

// The same bound without axes across. The tangential block is  (1/m + i r^2) 1 - sum of i t t^T,  whose largest
// eigenvalue has the smallest of that sum, which follows from its trace and determinant.
static block_diagonal find_round_diagonal(const contact_problem *problem, const problem_row *row)
{
    vec3 n = row->normal;
    round_part a = round_part_of(problem, row->a, row->arm_a, n), b = round_part_of(problem, row->b, row->arm_b, n);
    double mass = a.mass + b.mass, trace = a.square + b.square;
    double along = a.moment * a.normal * a.normal + b.moment * b.normal * b.normal;
    block_diagonal found = {.normal = mass + trace, .tangent = mass + along + trace};
    if (trace <= 1e-10 * along) // as for any two spheres: nothing is coupled
        return found;
    double spread = vec3_dot(n, vec3_cross(a.across, b.across));
    double determinant = a.moment * b.moment * spread * spread;
    found.tangent -= 0.5 * (trace - sqrt(fmax(trace * trace - 4 * determinant, 0)));
    vec3 coupling = vec3_add_scaled(vec3_scale(a.across, a.moment * a.normal), b.across, b.moment * b.normal);
    double enlarged = 1 + sqrt(vec3_dot(coupling, coupling) / (found.normal * found.tangent));
    found.normal *= enlarged;
    found.tangent *= enlarged;
    return found;
}

static block_diagonal find_diagonal(const contact_problem *problem, const problem_row *row)
{
    if (problem->kind == PROBLEM_ROUND)
        return find_round_diagonal(problem, row);
    vec3 n = row->normal, u = any_tangent(n), w = vec3_cross(n, u);
    const vec3 axes[3] = {n, u, w};
    contact_block block = {0};
    stored_body a = get_stored(problem, row->a), b = get_stored(problem, row->b);
    add_body(&a, row->arm_a, axes, &block);
    add_body(&b, row->arm_b, axes, &block);
    block_diagonal found = bound_block(&block);
    if (problem->kind != PROBLEM_RICH)
        return found;
    vec3 turned_u = vec3_add(apply_inertia(&a, u), apply_inertia(&b, u));
    vec3 turned_w = vec3_add(apply_inertia(&a, w), apply_inertia(&b, w));
    found.normal += row->compliance;
    found.rolling = largest_eigenvalue(vec3_dot(turned_u, u), vec3_dot(turned_w, w), vec3_dot(turned_u, w));
    found.spinning = vec3_dot(vec3_add(apply_inertia(&a, n), apply_inertia(&b, n)), n);
    if (row->rolling > 0) { // sliding and rolling are strongly coupled: twice the diagonal for the block, not only half
        found.tangent *= 2;
        found.rolling *= 2;
    }
    return found;
}

#define SET_VECTOR(real, field, value)                                                                                 \
    (group->field[0][lane] = (real)(value).x, group->field[1][lane] = (real)(value).y,                                 \
     group->field[2][lane] = (real)(value).z)

#define SET_LANE(type, real)                                                                                           \
    {                                                                                                                  \
        type *group = (type *)problem->groups + index / PROBLEM_LANES;                                                 \
        group->a[lane] = row->a;                                                                                       \
        group->b[lane] = row->b;                                                                                       \
        SET_VECTOR(real, normal, row->normal);                                                                         \
        SET_VECTOR(real, arm_a, row->arm_a);                                                                           \
        SET_VECTOR(real, arm_b, row->arm_b);                                                                           \
        SET_VECTOR(real, impulse, row->impulse);                                                                       \
        group->bias[lane] = (real)row->bias;                                                                           \
        group->friction[lane] = (real)row->friction;                                                                   \
        group->inverse_normal[lane] = (real)(1 / diagonal.normal);                                                     \
        group->inverse_tangent[lane] = (real)(1 / diagonal.tangent);                                                   \
    }

#define SET_EXTRA(type, real)                                                                                          \
    {                                                                                                                  \
        type *group = (type *)problem->extras + index / PROBLEM_LANES;                                                 \
        SET_VECTOR(real, angular, row->angular_impulse);                                                               \
        group->compliance[lane] = (real)row->compliance;                                                               \
        group->rolling[lane] = (real)row->rolling;                                                                     \
        group->spinning[lane] = (real)row->spinning;                                                                   \
        group->inverse_rolling[lane] = diagonal.rolling > 0 ? (real)(1 / diagonal.rolling) : 1;                        \
        group->inverse_spinning[lane] = diagonal.spinning > 0 ? (real)(1 / diagonal.spinning) : 1;                     \
    }

void problem_set_contact(contact_problem *problem, size_t contact, const problem_row *row)
{
    block_diagonal diagonal = find_diagonal(problem, row);
    uint32_t index = problem->contact_lane[contact];
    uint32_t lane = index % PROBLEM_LANES;
    if (problem->precision == SCREE_DOUBLE)
        SET_LANE(problem_group_f64, double)
    else
        SET_LANE(problem_group_f32, float)
    if (problem->extras && problem->precision == SCREE_DOUBLE)
        SET_EXTRA(problem_extra_f64, double)
    else if (problem->extras)
        SET_EXTRA(problem_extra_f32, float)
}

static void apply_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *impulses)
{
    (void)pass;
    sweep_kernels_for(problem)->apply(problem, problem->tiles[tile], impulses);
}

void problem_apply_impulses(contact_problem *problem, const void *impulses, int threads)
{
    tile_work work = {apply_tile, impulses};
    tiles_run(problem, 1, work, threads);
}

void problem_set_velocity(contact_problem *problem, size_t body, vec3 velocity, vec3 spin)
{
    const double reals[PROBLEM_VELOCITY_REALS] = {velocity.x, velocity.y, velocity.z, 0, spin.x, spin.y, spin.z, 0};
    size_t first = body * body_reals(problem);
    for (size_t i = 0; i < PROBLEM_VELOCITY_REALS; i++) {
        if (i % 4 == 3)
            continue;
        if (problem->precision == SCREE_DOUBLE)
            ((double *)problem->bodies)[first + i] = reals[i];
        else
            ((float *)problem->bodies)[first + i] = (float)reals[i];
    }
}

void problem_set_impulse(contact_problem *problem, size_t contact, vec3 impulse)
{
    uint32_t index = problem->contact_lane[contact], lane = index % PROBLEM_LANES;
    if (problem->precision == SCREE_DOUBLE) {
        problem_group_f64 *group = (problem_group_f64 *)problem->groups + index / PROBLEM_LANES;
        SET_VECTOR(double, impulse, impulse);
    } else {
        problem_group_f32 *group = (problem_group_f32 *)problem->groups + index / PROBLEM_LANES;
        SET_VECTOR(float, impulse, impulse);
    }
}

void problem_get_velocity(const contact_problem *problem, size_t body, vec3 *velocity, vec3 *spin)
{
    stored_body stored = get_stored(problem, body);
    *velocity = vec3_make(stored.reals[0], stored.reals[1], stored.reals[2]);
    *spin = vec3_make(stored.reals[4], stored.reals[5], stored.reals[6]);
}

vec3 problem_get_impulse(const contact_problem *problem, size_t contact)
{
    uint32_t index = problem->contact_lane[contact];
    uint32_t lane = index % PROBLEM_LANES;
    if (problem->precision == SCREE_DOUBLE) {
        const problem_group_f64 *group = (const problem_group_f64 *)problem->groups + index / PROBLEM_LANES;
        return vec3_make(group->impulse[0][lane], group->impulse[1][lane], group->impulse[2][lane]);
    }
    const problem_group_f32 *group = (const problem_group_f32 *)problem->groups + index / PROBLEM_LANES;
    return vec3_make((double)group->impulse[0][lane], (double)group->impulse[1][lane], (double)group->impulse[2][lane]);
}

vec3 problem_get_angular_impulse(const contact_problem *problem, size_t contact)
{
    uint32_t index = problem->contact_lane[contact], lane = index % PROBLEM_LANES;
    if (!problem->extras)
        return (vec3){0, 0, 0};
    if (problem->precision == SCREE_DOUBLE) {
        const problem_extra_f64 *extra = (const problem_extra_f64 *)problem->extras + index / PROBLEM_LANES;
        return vec3_make(extra->angular[0][lane], extra->angular[1][lane], extra->angular[2][lane]);
    }
    const problem_extra_f32 *extra = (const problem_extra_f32 *)problem->extras + index / PROBLEM_LANES;
    return vec3_make((double)extra->angular[0][lane], (double)extra->angular[1][lane], (double)extra->angular[2][lane]);
}

const uint32_t *problem_group_ends(const contact_problem *problem, size_t group)
{
    return (const uint32_t *)((const char *)problem->groups + group * group_size(problem->precision));
}
