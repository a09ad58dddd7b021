// Storing bodies and rows of a contact problem in either precision. The layout itself is decided in layout.c.
#include "solve/sweep/problem.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/sweep/kernels.h"
#include "solve/sweep/layout.h"
#include "solve/sweep/tiles.h"

size_t problem_real_size(const contact_problem *problem)
{
    return problem->precision == SCREE_PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

size_t problem_group_size(const contact_problem *problem, problem_kind kind)
{
    if (kind == PROBLEM_CENTERED_SPHERES)
        return sizeof(problem_sphere_group);
    return problem->precision == SCREE_PRECISION_DOUBLE ? sizeof(problem_group_f64) : sizeof(problem_group_f32);
}

size_t problem_extra_size(const contact_problem *problem)
{
    return problem->precision == SCREE_PRECISION_DOUBLE ? sizeof(problem_extra_f64) : sizeof(problem_extra_f32);
}

size_t problem_impulse_reals(problem_kind kind)
{
    return (size_t)(kind == PROBLEM_EXTENDED_CONTACT ? 6 : 3) * PROBLEM_LANES;
}

static size_t body_size(const contact_problem *problem)
{
    return PROBLEM_BODY_REALS * problem_real_size(problem);
}

size_t velocities_size(scree_precision precision, size_t body_count)
{
    return (body_count + 1) * PROBLEM_BODY_REALS *
           (precision == SCREE_PRECISION_DOUBLE ? sizeof(double) : sizeof(float));
}

size_t problem_velocities_size(const contact_problem *problem)
{
    return velocities_size(problem->precision, problem->body_count);
}

size_t problem_impulses_size(const contact_problem *problem)
{
    return problem->impulse_reals * problem_real_size(problem);
}

static bool is_general(const contact_problem *problem)
{
    return problem->kinds >> PROBLEM_GENERAL_INERTIA;
}

size_t problem_contact_bytes(const contact_problem *problem)
{
    enum { CONTACTS_PER_BODY = 2 }; // or more
    size_t lanes = problem->group_count > 0 ? problem->group_count * PROBLEM_LANES : 1;
    size_t rows = problem->row_bytes + problem->extra_bytes + 2 * problem_impulses_size(problem);
    return rows / lanes + (is_general(problem) ? 3 : 2) * body_size(problem) / CONTACTS_PER_BODY;
}

size_t problem_tile_of(const contact_problem *problem, size_t contact)
{
    size_t low = 0, high = problem->tile_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (problem->tiles[middle].first_contact <= contact)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---- arrays of either precision

static void store_real(const contact_problem *problem, void *array, size_t index, double value)
{
    if (problem->precision == SCREE_PRECISION_DOUBLE)
        ((double *)array)[index] = value;
    else
        ((float *)array)[index] = (float)value;
}

static double load_real(const contact_problem *problem, const void *array, size_t index)
{
    return problem->precision == SCREE_PRECISION_DOUBLE ? ((const double *)array)[index]
                                                        : (double)((const float *)array)[index];
}

static void store_body(const contact_problem *problem, void *array, size_t body, const double reals[PROBLEM_BODY_REALS])
{
    for (size_t i = 0; i < PROBLEM_BODY_REALS; i++)
        store_real(problem, array, body * PROBLEM_BODY_REALS + i, reals[i]);
}

// The index of a contact's impulse, of its angular one with `row` 3; its parts are PROBLEM_LANES apart.
static size_t impulse_index(const contact_problem *problem, const problem_tile *tile, size_t contact, size_t row)
{
    size_t lane = problem->contact_lane[contact];
    return tile->impulses + lane / PROBLEM_LANES * problem_impulse_reals(tile->kind) + row * PROBLEM_LANES +
           lane % PROBLEM_LANES;
}

static void store_impulse(contact_problem *problem, size_t index, vec3 impulse)
{
    store_real(problem, problem->impulses, index, impulse.x);
    store_real(problem, problem->impulses, index + PROBLEM_LANES, impulse.y);
    store_real(problem, problem->impulses, index + 2 * PROBLEM_LANES, impulse.z);
}

static vec3 load_impulse(const contact_problem *problem, size_t index)
{
    return vec3_make(load_real(problem, problem->impulses, index),
                     load_real(problem, problem->impulses, index + PROBLEM_LANES),
                     load_real(problem, problem->impulses, index + 2 * PROBLEM_LANES));
}

// ---- laying out

// An empty lane ties the resting body to itself with nothing to do; its diagonal is one so that no kernel divides by
// zero.
#define CLEAR_DIAGONAL(type)                                                                                           \
    for (size_t g = 0; g < tile->group_count; g++)                                                                     \
        for (int i = 0; i < PROBLEM_LANES; i++)                                                                        \
            ((type *)rows)[g].inverse_normal[i] = ((type *)rows)[g].inverse_tangent[i] = 1;

#define CLEAR_EXTRAS(type)                                                                                             \
    for (size_t g = 0; g < tile->group_count; g++)                                                                     \
        for (int i = 0; i < PROBLEM_LANES; i++)                                                                        \
            ((type *)extras)[g].inverse_rolling[i] = ((type *)extras)[g].inverse_spinning[i] = 1;

static void clear_tile(void *context, size_t index)
{
    contact_problem *problem = context;
    const problem_tile *tile = &problem->tiles[index];
    bool is_double = problem->precision == SCREE_PRECISION_DOUBLE;
    size_t size = problem_group_size(problem, tile->kind), real = problem_real_size(problem);
    char *rows = (char *)problem->groups + tile->rows, *extras = (char *)problem->extras + tile->extras;
    memset(rows, 0, tile->group_count * size);
    memset((char *)problem->impulses + tile->impulses * real, 0,
           tile->group_count * problem_impulse_reals(tile->kind) * real);
    for (size_t g = 0; g < tile->group_count; g++)
        for (int i = 0; i < 2 * PROBLEM_LANES; i++)
            ((uint32_t *)(void *)(rows + g * size))[i] = (uint32_t)problem->body_count * PROBLEM_BODY_REALS;
    if (tile->kind != PROBLEM_CENTERED_SPHERES && is_double)
        CLEAR_DIAGONAL(problem_group_f64)
    else if (tile->kind != PROBLEM_CENTERED_SPHERES)
        CLEAR_DIAGONAL(problem_group_f32)
    if (tile->kind != PROBLEM_EXTENDED_CONTACT)
        return;
    memset(extras, 0, tile->group_count * problem_extra_size(problem));
    if (is_double)
        CLEAR_EXTRAS(problem_extra_f64)
    else
        CLEAR_EXTRAS(problem_extra_f32)
}

static bool take_bodies(contact_problem *problem, void *given, arena *scratch)
{
    const double resting[PROBLEM_BODY_REALS] = {0};
    problem->velocities = given ? given : arena_take(scratch, problem_velocities_size(problem));
    if (!problem->velocities)
        return false;
    store_body(problem, problem->velocities, problem->body_count, resting);
    return true;
}

static bool take_rows(contact_problem *problem, arena *scratch)
{
    const double resting[PROBLEM_BODY_REALS] = {0};
    if (is_general(problem)) {
        problem->inertia = arena_take(scratch, problem_velocities_size(problem));
        if (!problem->inertia)
            return false;
        store_body(problem, problem->inertia, problem->body_count, resting);
    }
    problem->groups = arena_take(scratch, problem->row_bytes);
    problem->extras = arena_take(scratch, problem->extra_bytes);
    problem->impulses = arena_take(scratch, problem_impulses_size(problem));
    return problem->groups && problem->extras && problem->impulses;
}

scree_status problem_lay_out(contact_problem *problem, const problem_spec *spec, int threads, arena *scratch,
                             scree_error *error)
{
    *problem = (contact_problem){.precision = spec->precision,
                                 .friction_dilation = 1,
                                 .body_count = spec->body_count,
                                 .contact_count = spec->contact_count};
    if (spec->body_count >= UINT32_MAX / PROBLEM_BODY_REALS || !take_bodies(problem, spec->velocities, scratch))
        return fail_no_memory(error);
    scree_status status = layout_contacts(problem, spec, threads, scratch, error);
    if (status)
        return status;
    if (!take_rows(problem, scratch))
        return fail_no_memory(error);
    for_blocks(threads, problem->tile_count, clear_tile, problem);
    return SCREE_OK;
}

void problem_set_body(contact_problem *problem, size_t body, const problem_body *values)
{
    vec3 v = values->velocity, w = values->spin;
    const double(*inertia)[3] = values->inverse_inertia.m;
    bool equal = inertia[0][0] == inertia[1][1] && inertia[1][1] == inertia[2][2];
    store_body(problem, problem->velocities, body,
               (const double[PROBLEM_BODY_REALS]){v.x, v.y, v.z, values->inverse_mass, w.x, w.y, w.z,
                                                  equal ? inertia[0][0] : 0});
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
    vec3 angular = apply_inertia(body, vec3_cross(arm, p));
    return vec3_add_scaled(vec3_cross(angular, arm), p, body->velocity[3]);
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

static inline round_part round_part_of(const contact_problem *problem, uint32_t body, vec3 arm, vec3 normal)
{
    size_t first = (size_t)body * PROBLEM_BODY_REALS;
    round_part part;
    if (problem->precision == SCREE_PRECISION_DOUBLE) {
        const double *reals = (const double *)problem->velocities + first;
        part.mass = reals[3], part.moment = reals[7];
    } else {
        const float *reals = (const float *)problem->velocities + first;
        part.mass = (double)reals[3], part.moment = (double)reals[7];
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
    double squared = trace * trace - 4 * determinant;
    found.tangent -= 0.5 * (trace - sqrt(squared > 0 ? squared : 0));
    vec3 cross_term = vec3_add_scaled(vec3_scale(a.across, a.moment * a.normal), b.across, b.moment * b.normal);
    double enlarged = 1 + sqrt(vec3_dot(cross_term, cross_term) / (found.normal * found.tangent));
    found.normal *= enlarged;
    found.tangent *= enlarged;
    return found;
}

static block_diagonal find_diagonal(const contact_problem *problem, problem_kind kind, const problem_row *row)
{
    if (kind == PROBLEM_ISOTROPIC)
        return find_round_diagonal(problem, row);
    vec3 n = row->normal, u = any_tangent(n), w = vec3_cross(n, u);
    const vec3 axes[3] = {n, u, w};
    contact_block block = {0};
    stored_body a = get_stored(problem, row->a), b = get_stored(problem, row->b);
    add_body(&a, row->arm_a, axes, &block);
    add_body(&b, row->arm_b, axes, &block);
    block_diagonal found = bound_block(&block);
    if (kind != PROBLEM_EXTENDED_CONTACT)
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
        type *group = (type *)(void *)((char *)problem->groups + tile->rows) + index / PROBLEM_LANES;                  \
        group->a[lane] = row->a * PROBLEM_BODY_REALS;                                                                  \
        group->b[lane] = row->b * PROBLEM_BODY_REALS;                                                                  \
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
        type *group = (type *)(void *)((char *)problem->extras + tile->extras) + index / PROBLEM_LANES;                \
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

static void set_balls(contact_problem *problem, const problem_tile *tile, uint32_t index, const problem_row *row)
{
    uint32_t lane = index % PROBLEM_LANES;
    problem_sphere_group *group =
        (problem_sphere_group *)(void *)((char *)problem->groups + tile->rows) + index / PROBLEM_LANES;
    group->a[lane] = row->a * PROBLEM_BODY_REALS;
    group->b[lane] = row->b * PROBLEM_BODY_REALS;
    SET_VECTOR(float, normal, row->normal);
    group->bias[lane] = (float)row->bias;
    group->friction[lane] = (float)row->friction;
    group->arm_a[lane] = is_movable(problem, row->a) ? (float)vec3_dot(row->arm_a, row->normal) : 0;
    group->arm_b[lane] = is_movable(problem, row->b) ? -(float)vec3_dot(row->arm_b, row->normal) : 0;
}

static void set_lane(contact_problem *problem, const problem_tile *tile, uint32_t index, const problem_row *row)
{
    uint32_t lane = index % PROBLEM_LANES;
    block_diagonal diagonal = find_diagonal(problem, tile->kind, row);
    if (problem->precision == SCREE_PRECISION_DOUBLE)
        SET_LANE(problem_group_f64, double)
    else
        SET_LANE(problem_group_f32, float)
    if (tile->kind != PROBLEM_EXTENDED_CONTACT)
        return;
    if (problem->precision == SCREE_PRECISION_DOUBLE)
        SET_EXTRA(problem_extra_f64, double)
    else
        SET_EXTRA(problem_extra_f32, float)
}

static void set_contact(contact_problem *problem, const problem_tile *tile, size_t contact, const problem_row *row)
{
    uint32_t index = problem->contact_lane[contact];
    if (tile->kind == PROBLEM_CENTERED_SPHERES)
        set_balls(problem, tile, index, row);
    else
        set_lane(problem, tile, index, row);
    store_impulse(problem, impulse_index(problem, tile, contact, 0), row->impulse);
    if (tile->kind == PROBLEM_EXTENDED_CONTACT)
        store_impulse(problem, impulse_index(problem, tile, contact, 3), row->angular_impulse);
}

void problem_set_contact(contact_problem *problem, size_t contact, const problem_row *row)
{
    set_contact(problem, &problem->tiles[problem_tile_of(problem, contact)], contact, row);
}

typedef struct row_setter {
    contact_problem *problem;
    problem_row_function *row;
    const void *context;
} row_setter;

static void set_tile(void *context, size_t index)
{
    const row_setter *set = context;
    const problem_tile *tile = &set->problem->tiles[index];
    for (size_t i = tile->first_contact; i < tile->first_contact + tile->contact_count; i++) {
        problem_row made;
        set->row(set->context, i, &made);
        set_contact(set->problem, tile, i, &made);
    }
}

void problem_set_contacts(contact_problem *problem, problem_row_function *row, const void *context, int threads)
{
    for_blocks(threads, problem->tile_count, set_tile, &(row_setter){problem, row, context});
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
    tile_work work = {.run = apply_tile, .context = &(applied_impulses){impulses ? impulses : problem->impulses, 1}};
    tiles_run(problem, 1, work, threads);
}

void problem_take_off_impulses(contact_problem *problem, int threads)
{
    tile_work work = {.run = apply_tile, .context = &(applied_impulses){problem->impulses, -1}};
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

void velocities_get(scree_precision precision, const void *velocities, size_t body, vec3 *velocity, vec3 *spin)
{
    if (precision == SCREE_PRECISION_DOUBLE) {
        const double *v = (const double *)velocities + body * PROBLEM_BODY_REALS;
        *velocity = vec3_make(v[0], v[1], v[2]);
        *spin = vec3_make(v[4], v[5], v[6]);
    } else {
        const float *v = (const float *)velocities + body * PROBLEM_BODY_REALS;
        *velocity = vec3_make((double)v[0], (double)v[1], (double)v[2]);
        *spin = vec3_make((double)v[4], (double)v[5], (double)v[6]);
    }
}

void problem_get_velocity(const contact_problem *problem, size_t body, vec3 *velocity, vec3 *spin)
{
    velocities_get(problem->precision, problem->velocities, body, velocity, spin);
}

void problem_set_impulse(contact_problem *problem, size_t contact, vec3 impulse)
{
    const problem_tile *tile = &problem->tiles[problem_tile_of(problem, contact)];
    store_impulse(problem, impulse_index(problem, tile, contact, 0), impulse);
}

vec3 problem_get_impulse(const contact_problem *problem, size_t contact)
{
    const problem_tile *tile = &problem->tiles[problem_tile_of(problem, contact)];
    return load_impulse(problem, impulse_index(problem, tile, contact, 0));
}

static vec3 get_angular_impulse(const contact_problem *problem, const problem_tile *tile, size_t contact)
{
    return tile->kind == PROBLEM_EXTENDED_CONTACT ? load_impulse(problem, impulse_index(problem, tile, contact, 3))
                                                  : (vec3){0, 0, 0};
}

vec3 problem_get_angular_impulse(const contact_problem *problem, size_t contact)
{
    return get_angular_impulse(problem, &problem->tiles[problem_tile_of(problem, contact)], contact);
}

typedef struct impulse_reader {
    const contact_problem *problem;
    problem_impulse_function *take;
    void *context;
} impulse_reader;

static void read_tile(void *context, size_t index)
{
    const impulse_reader *read = context;
    const contact_problem *problem = read->problem;
    const problem_tile *tile = &problem->tiles[index];
    for (size_t i = tile->first_contact; i < tile->first_contact + tile->contact_count; i++)
        read->take(read->context, i, load_impulse(problem, impulse_index(problem, tile, i, 0)),
                   get_angular_impulse(problem, tile, i));
}

void problem_get_impulses(const contact_problem *problem, problem_impulse_function *take, void *context, int threads)
{
    for_blocks(threads, problem->tile_count, read_tile, &(impulse_reader){problem, take, context});
}

void problem_get_ends(const contact_problem *problem, const problem_tile *tile, size_t group_in_tile,
                      uint32_t ends[2 * PROBLEM_LANES])
{
    size_t size = problem_group_size(problem, tile->kind);
    memcpy(ends, (const char *)problem->groups + tile->rows + group_in_tile * size, 2 * PROBLEM_LANES * sizeof *ends);
    for (int i = 0; i < 2 * PROBLEM_LANES; i++)
        ends[i] /= PROBLEM_BODY_REALS;
}
