// Storing bodies and rows of a contact problem in either precision. The layout itself is decided in layout.c.
#include "solve/problem.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/kernels.h"
#include "solve/layout.h"
#include "solve/tiles.h"

size_t problem_real_size(const contact_problem *problem)
{
    return problem->precision == SCREE_DOUBLE ? sizeof(double) : sizeof(float);
}

static bool is_round(problem_kind kind)
{
    return kind == PROBLEM_ROUND || kind == PROBLEM_BALLS;
}

static size_t group_size(const contact_problem *problem)
{
    if (problem->kind == PROBLEM_BALLS)
        return sizeof(problem_ball_group);
    return problem->precision == SCREE_DOUBLE ? sizeof(problem_group_f64) : sizeof(problem_group_f32);
}

static size_t extra_size(const contact_problem *problem)
{
    return problem->precision == SCREE_DOUBLE ? sizeof(problem_extra_f64) : sizeof(problem_extra_f32);
}

size_t problem_impulse_size(const contact_problem *problem)
{
    return (size_t)(problem->kind == PROBLEM_RICH ? 6 : 3) * PROBLEM_LANES * problem_real_size(problem);
}

static size_t body_size(const contact_problem *problem)
{
    return PROBLEM_BODY_REALS * problem_real_size(problem);
}

size_t problem_velocities_size(const contact_problem *problem)
{
    return (problem->body_count + 1) * body_size(problem);
}

size_t problem_contact_bytes(const contact_problem *problem)
{
    enum { CONTACTS_PER_BODY = 2 }; // or more
    size_t rows = group_size(problem) + (problem->kind == PROBLEM_RICH ? extra_size(problem) : 0);
    size_t bodies = (is_round(problem->kind) ? 2 : 3) * body_size(problem) / CONTACTS_PER_BODY;
    return (rows + 2 * problem_impulse_size(problem)) / PROBLEM_LANES + bodies;
}

// ---- arrays of either precision

static void store_real(const contact_problem *problem, void *array, size_t index, double value)
{
    if (problem->precision == SCREE_DOUBLE)
        ((double *)array)[index] = value;
    else
        ((float *)array)[index] = (float)value;
}

static double load_real(const contact_problem *problem, const void *array, size_t index)
{
    return problem->precision == SCREE_DOUBLE ? ((const double *)array)[index] : (double)((const float *)array)[index];
}

static void store_body(const contact_problem *problem, void *array, size_t body, const double reals[PROBLEM_BODY_REALS])
{
    for (size_t i = 0; i < PROBLEM_BODY_REALS; i++)
        store_real(problem, array, body * PROBLEM_BODY_REALS + i, reals[i]);
}

// Where the impulse of a contact begins, its angular one with `row` 3; its parts are PROBLEM_LANES apart.
static size_t impulse_index(const contact_problem *problem, size_t contact, size_t row)
{
    size_t rows = problem->kind == PROBLEM_RICH ? 6 : 3;
    uint32_t lane = problem->contact_lane[contact];
    return (lane / PROBLEM_LANES * rows + row) * PROBLEM_LANES + lane % PROBLEM_LANES;
}

static void store_impulse(contact_problem *problem, size_t contact, size_t row, vec3 impulse)
{
    size_t index = impulse_index(problem, contact, row);
    store_real(problem, problem->impulses, index, impulse.x);
    store_real(problem, problem->impulses, index + PROBLEM_LANES, impulse.y);
    store_real(problem, problem->impulses, index + 2 * PROBLEM_LANES, impulse.z);
}

static vec3 load_impulse(const contact_problem *problem, size_t contact, size_t row)
{
    size_t index = impulse_index(problem, contact, row);
    return vec3_make(load_real(problem, problem->impulses, index),
                     load_real(problem, problem->impulses, index + PROBLEM_LANES),
                     load_real(problem, problem->impulses, index + 2 * PROBLEM_LANES));
}

// ---- laying out

// An empty lane ties the resting body to itself with nothing to do; its diagonal is one so that no kernel divides by
// zero.
#define CLEAR_DIAGONAL(type)                                                                                           \
    for (size_t g = first; g < first + count; g++)                                                                     \
        for (int i = 0; i < PROBLEM_LANES; i++)                                                                        \
            ((type *)problem->groups)[g].inverse_normal[i] = ((type *)problem->groups)[g].inverse_tangent[i] = 1;

#define CLEAR_EXTRAS(type)                                                                                             \
    for (size_t g = first; g < first + count; g++)                                                                     \
        for (int i = 0; i < PROBLEM_LANES; i++)                                                                        \
            ((type *)problem->extras)[g].inverse_rolling[i] = ((type *)problem->extras)[g].inverse_spinning[i] = 1;

static void clear_array(void *array, size_t first, size_t count, size_t size)
{
    memset((char *)array + first * size, 0, count * size);
}

static void clear_groups(contact_problem *problem, size_t first, size_t count)
{
    bool is_double = problem->precision == SCREE_DOUBLE;
    clear_array(problem->groups, first, count, group_size(problem));
    clear_array(problem->impulses, first, count, problem_impulse_size(problem));
    for (size_t g = first; g < first + count; g++) {
        uint32_t *ends = (uint32_t *)((char *)problem->groups + g * group_size(problem));
        for (int i = 0; i < 2 * PROBLEM_LANES; i++)
            ends[i] = (uint32_t)problem->body_count;
    }
    if (problem->kind != PROBLEM_BALLS && is_double)
        CLEAR_DIAGONAL(problem_group_f64)
    else if (problem->kind != PROBLEM_BALLS)
        CLEAR_DIAGONAL(problem_group_f32)
    if (!problem->extras)
        return;
    clear_array(problem->extras, first, count, extra_size(problem));
    if (is_double)
        CLEAR_EXTRAS(problem_extra_f64)
    else
        CLEAR_EXTRAS(problem_extra_f32)
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
    if (kind == PROBLEM_BALLS && precision == SCREE_DOUBLE)
        kind = PROBLEM_ROUND;
    *problem = (contact_problem){
        .precision = precision, .kind = kind, .coupling = 1, .body_count = body_count, .contact_count = contact_count};
    problem->velocities = arena_take(scratch, problem_velocities_size(problem));
    if (!is_round(kind))
        problem->inertia = arena_take(scratch, problem_velocities_size(problem));
    if (!problem->velocities || (!is_round(kind) && !problem->inertia))
        return fail_no_memory(error);
    const double resting[PROBLEM_BODY_REALS] = {0};
    store_body(problem, problem->velocities, body_count, resting);
    if (problem->inertia)
        store_body(problem, problem->inertia, body_count, resting);
    scree_status status = layout_contacts(problem, immovable, ends, threads, scratch, error);
    if (status)
        return status;
    problem->groups = arena_take_array(scratch, problem->group_count, group_size(problem));
    problem->impulses = arena_take_array(scratch, problem->group_count, problem_impulse_size(problem));
    if (kind == PROBLEM_RICH)
        problem->extras = arena_take_array(scratch, problem->group_count, extra_size(problem));
    if (!problem->groups || !problem->impulses || (kind == PROBLEM_RICH && !problem->extras))
        return fail_no_memory(error);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t t = 0; t < problem->tile_count; t++)
        clear_groups(problem, problem->tiles[t].first_group, problem->tiles[t].group_count);
    return SCREE_OK;
}

void problem_set_body(contact_problem *problem, size_t body, const problem_body *values)
{
    vec3 v = values->velocity, w = values->spin;
    const double(*inertia)[3] = values->inverse_inertia.m;
    double moment = is_round(problem->kind) ? inertia[0][0] : 0;
    store_body(problem, problem->velocities, body,
               (const double[PROBLEM_BODY_REALS]){v.x, v.y, v.z, values->inverse_mass, w.x, w.y, w.z, moment});
    if (problem->inertia)
        store_body(problem, problem->inertia, body,
                   (const double[PROBLEM_BODY_REALS]){inertia[0][0], inertia[1][1], inertia[2][2], inertia[0][1],
                                                      inertia[0][2], inertia[1][2]});
}

// ---- rows

typedef struct stored_body {
    double velocity[PROBLEM_BODY_REALS], inertia[PROBLEM_BODY_REALS];
} stored_body;

static stored_body get_stored(const contact_problem *problem, size_t body)
{
    stored_body stored;
    for (size_t i = 0; i < PROBLEM_BODY_REALS; i++) {
        stored.velocity[i] = load_real(problem, problem->velocities, body * PROBLEM_BODY_REALS + i);
        if (problem->inertia)
            stored.inertia[i] = load_real(problem, problem->inertia, body * PROBLEM_BODY_REALS + i);
    }
    return stored;
}

static vec3 apply_inertia(const stored_body *body, vec3 t)
{
    const double *i = body->inertia; // xx yy zz xy xz yz
    return vec3_make(i[0] * t.x + i[3] * t.y + i[4] * t.z, i[3] * t.x + i[1] * t.y + i[5] * t.z,
                     i[4] * t.x + i[5] * t.y + i[2] * t.z);
}

// What an impulse p at the arm does to the velocity there.
static vec3 respond(const stored_body *body, vec3 arm, vec3 p)
{
    vec3 turn = apply_inertia(body, vec3_cross(arm, p));
    return vec3_add_scaled(vec3_cross(turn, arm), p, body->velocity[3]);
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
    size_t first = (size_t)body * PROBLEM_BODY_REALS;
    round_part part = {.mass = load_real(problem, problem->velocities, first + 3),
                       .moment = load_real(problem, problem->velocities, first + 7)};
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
        group->bias[lane] = (real)row->bias;                                                                           \
        group->friction[lane] = (real)row->friction;                                                                   \
        group->inverse_normal[lane] = (real)(1 / diagonal.normal);                                                     \
        group->inverse_tangent[lane] = (real)(1 / diagonal.tangent);                                                   \
    }

#define SET_EXTRA(type, real)                                                                                          \
    {                                                                                                                  \
        type *group = (type *)problem->extras + index / PROBLEM_LANES;                                                 \
        group->compliance[lane] = (real)row->compliance;                                                               \
        group->rolling[lane] = (real)row->rolling;                                                                     \
        group->spinning[lane] = (real)row->spinning;                                                                   \
        group->inverse_rolling[lane] = diagonal.rolling > 0 ? (real)(1 / diagonal.rolling) : 1;                        \
        group->inverse_spinning[lane] = diagonal.spinning > 0 ? (real)(1 / diagonal.spinning) : 1;                     \
    }

static bool is_movable(const contact_problem *problem, uint32_t body)
{
    return load_real(problem, problem->velocities, (size_t)body * PROBLEM_BODY_REALS + 3) > 0;
}

static void set_balls(contact_problem *problem, uint32_t index, const problem_row *row)
{
    uint32_t lane = index % PROBLEM_LANES;
    problem_ball_group *group = (problem_ball_group *)problem->groups + index / PROBLEM_LANES;
    group->a[lane] = row->a;
    group->b[lane] = row->b;
    SET_VECTOR(float, normal, row->normal);
    group->bias[lane] = (float)row->bias;
    group->friction[lane] = (float)row->friction;
    group->reach_a[lane] = is_movable(problem, row->a) ? (float)vec3_dot(row->arm_a, row->normal) : 0;
    group->reach_b[lane] = is_movable(problem, row->b) ? -(float)vec3_dot(row->arm_b, row->normal) : 0;
}

static void set_lane(contact_problem *problem, uint32_t index, const problem_row *row)
{
    uint32_t lane = index % PROBLEM_LANES;
    block_diagonal diagonal = find_diagonal(problem, row);
    if (problem->precision == SCREE_DOUBLE)
        SET_LANE(problem_group_f64, double)
    else
        SET_LANE(problem_group_f32, float)
    if (problem->extras && problem->precision == SCREE_DOUBLE)
        SET_EXTRA(problem_extra_f64, double)
    else if (problem->extras)
        SET_EXTRA(problem_extra_f32, float)
}

void problem_set_contact(contact_problem *problem, size_t contact, const problem_row *row)
{
    if (problem->kind == PROBLEM_BALLS)
        set_balls(problem, problem->contact_lane[contact], row);
    else
        set_lane(problem, problem->contact_lane[contact], row);
    store_impulse(problem, contact, 0, row->impulse);
    if (problem->kind == PROBLEM_RICH)
        store_impulse(problem, contact, 3, row->angular_impulse);
}

typedef struct applied_impulses {
    const void *impulses;
    double factor;
} applied_impulses;

static void apply_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *context)
{
    (void)pass;
    const applied_impulses *applied = context;
    sweep_kernels_for(problem)->apply(problem, problem->tiles[tile], applied->impulses, applied->factor);
}

void problem_apply_impulses(contact_problem *problem, const void *impulses, int threads)
{
    tile_work work = {apply_tile, &(applied_impulses){impulses ? impulses : problem->impulses, 1}};
    tiles_run(problem, 1, work, threads);
}

void problem_take_off_impulses(contact_problem *problem, int threads)
{
    tile_work work = {apply_tile, &(applied_impulses){problem->impulses, -1}};
    tiles_run(problem, 1, work, threads);
}

// ---- reading and changing

void problem_set_velocity(contact_problem *problem, size_t body, vec3 velocity, vec3 spin)
{
    const double reals[PROBLEM_BODY_REALS] = {velocity.x, velocity.y, velocity.z, 0, spin.x, spin.y, spin.z, 0};
    for (size_t i = 0; i < PROBLEM_BODY_REALS; i++)
        if (i % 4 < 3)
            store_real(problem, problem->velocities, body * PROBLEM_BODY_REALS + i, reals[i]);
}

void problem_get_velocity(const contact_problem *problem, size_t body, vec3 *velocity, vec3 *spin)
{
    double reals[PROBLEM_BODY_REALS];
    for (size_t i = 0; i < PROBLEM_BODY_REALS; i++)
        reals[i] = load_real(problem, problem->velocities, body * PROBLEM_BODY_REALS + i);
    *velocity = vec3_make(reals[0], reals[1], reals[2]);
    *spin = vec3_make(reals[4], reals[5], reals[6]);
}

void problem_set_impulse(contact_problem *problem, size_t contact, vec3 impulse)
{
    store_impulse(problem, contact, 0, impulse);
}

vec3 problem_get_impulse(const contact_problem *problem, size_t contact)
{
    return load_impulse(problem, contact, 0);
}

vec3 problem_get_angular_impulse(const contact_problem *problem, size_t contact)
{
    return problem->kind == PROBLEM_RICH ? load_impulse(problem, contact, 3) : (vec3){0, 0, 0};
}

const uint32_t *problem_group_ends(const contact_problem *problem, size_t group)
{
    return (const uint32_t *)((const char *)problem->groups + group * group_size(problem));
}
