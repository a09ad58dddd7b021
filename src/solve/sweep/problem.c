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

// An empty lane ties the resting body to itself with nothing to do.
static void clear_tile(void *context, size_t index)
{
    contact_problem *problem = context;
    const problem_tile *tile = &problem->tiles[index];
    size_t size = problem_group_size(problem, tile->kind), real = problem_real_size(problem);
    char *rows = (char *)problem->groups + tile->rows, *extras = (char *)problem->extras + tile->extras;
    memset(rows, 0, tile->group_count * size);
    memset((char *)problem->impulses + tile->impulses * real, 0,
           tile->group_count * problem_impulse_reals(tile->kind) * real);
    for (size_t g = 0; g < tile->group_count; g++)
        for (int i = 0; i < 2 * PROBLEM_LANES; i++)
            ((uint32_t *)(void *)(rows + g * size))[i] = (uint32_t)problem->body_count * PROBLEM_BODY_REALS;
    if (tile->kind == PROBLEM_EXTENDED_CONTACT)
        memset(extras, 0, tile->group_count * problem_extra_size(problem));
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
    }

#define SET_EXTRA(type, real)                                                                                          \
    {                                                                                                                  \
        type *group = (type *)(void *)((char *)problem->extras + tile->extras) + index / PROBLEM_LANES;                \
        group->compliance[lane] = (real)row->compliance;                                                               \
        group->rolling[lane] = (real)row->rolling;                                                                     \
        group->spinning[lane] = (real)row->spinning;                                                                   \
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
    const problem_tile *tile = &problem->tiles[problem_tile_of(problem, contact)];
    set_contact(problem, tile, contact, row);
    row_kernels_for(problem)->find_diagonals(problem, *tile, problem->contact_lane[contact] / PROBLEM_LANES, 1);
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
    row_kernels_for(set->problem)->find_diagonals(set->problem, *tile, 0, tile->group_count);
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
