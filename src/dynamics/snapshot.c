// The world as named arrays, and back. Whatever takes part in later steps is here, down to the order of bodies and the
// impulses remembered for the warm start; whatever can be derived exactly is not.
#include "dynamics/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/penalty.h"
#include "dynamics/snapshot_layout.h"
#include "geometry/geometry.h"

_Static_assert(sizeof(proxy) == PROXY_WORDS * 4, "proxies are stored as words");
_Static_assert(sizeof(contact) == CONTACT_WORDS * 4, "contacts are stored as words");
_Static_assert(sizeof(touch_record) == TOUCH_WORDS * 4, "touches are stored as words");
_Static_assert(sizeof(scree_id) == 8 && sizeof(vec3) == 24 && sizeof(quat) == 32 && sizeof(vec3f) == 12, "columns");
_Static_assert(sizeof(scree_material_def) == MATERIAL_REALS * sizeof(double) && sizeof(local_pose) == 56 &&
                   sizeof(plane_geometry) == 32,
               "tables");

typedef struct snapshot_scratch { // what is not an array in the world
    double reals[REALS];
    uint64_t integers[INTEGERS];
    float *pairs; // friction to damping as in pair_properties, overridden
    uint64_t *motion_ids, *force_ids, *joint_words;
    double *motions, *forces, *joint_reals;
    uint64_t (*geometries)[GEOMETRY_WORDS];
    geometry_parts parts;
    touch_record_array touches;
} snapshot_scratch;

size_t snapshot_element_size(snapshot_type type)
{
    static const size_t sizes[] = {1, 2, 4, 8, 4, 8};
    return sizes[type];
}

// ----------------------------------------------------------------------------------------------------------- taking

static void add_field(snapshot *fields, const char *name, snapshot_type type, size_t rows, size_t columns,
                      const void *data)
{
    fields->fields[fields->count++] = (snapshot_field){name, type, rows, columns, data};
}

static void take_scalars(const scree_world *world, snapshot_scratch *scratch)
{
    const scree_world_def *def = &world->def;
    const double reals[REALS] = {def->gravity.x,
                                 def->gravity.y,
                                 def->gravity.z,
                                 def->step,
                                 def->solver.tolerance,
                                 def->solver.recovery_speed,
                                 def->solver.omega,
                                 def->solver.lambda,
                                 world->time,
                                 world->travel,
                                 world->radius_sum,
                                 world->solved.residual.mean,
                                 world->solved.residual.max,
                                 def->penalty.tangential_stiffness,
                                 def->penalty.tangential_damping,
                                 def->penalty.terminal_velocity,
                                 penalty_stable_step(world)};
    const uint64_t integers[INTEGERS] = {
        [METHOD] = (uint64_t)def->method,
        [STEPS] = world->steps,
        [STEPS_IN_ORDER] = world->steps_in_order,
        [ALGORITHM] = (uint64_t)def->solver.algorithm,
        [FRICTION] = (uint64_t)def->solver.friction,
        [SLEEP] = (uint64_t)def->solver.sleep,
        [ITERATIONS] = (uint64_t)def->solver.iterations,
        [PRECISION] = (uint64_t)def->solver.precision,
        [WARM_START] = def->solver.warm_start,
        [IDS] = world->bodies.slot_of_id.count,
        [SOLVED_ITERATIONS] = (uint64_t)world->solved.iterations,
        [SOLVED_ALGORITHM] = (uint64_t)world->solved.algorithm,
        [SOLVED_STOP] = (uint64_t)world->solved.stop,
        [MOVABLE_COUNT] = world->movable_count,
        [CONTACTS_PER_PAIR] = (uint64_t)def->contacts_per_pair,
        [WATCH_TOUCHES] = world->watch_touches,
        [FILTERS] = world->bodies.filters.count,
        [CONTACT_LAW] = (uint64_t)def->penalty.law,
        [INTEGRATOR] = (uint64_t)def->penalty.integrator,
    };
    memcpy(scratch->reals, reals, sizeof reals);
    memcpy(scratch->integers, integers, sizeof integers);
}

static void put_vec(double *to, vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void take_motion(const body_motion *m, double *to)
{
    const scree_motion_def *def = &m->def;
    to[0] = (double)def->type;
    put_vec(to + 1, def->axis);
    to[4] = def->amplitude;
    to[5] = def->frequency;
    to[6] = def->phase;
    put_vec(to + 7, def->linear);
    put_vec(to + 10, def->angular);
    put_vec(to + 13, def->centre);
    to[16] = def->speed;
    put_vec(to + 17, m->start.position);
    to[20] = m->start.orientation.w;
    to[21] = m->start.orientation.x;
    to[22] = m->start.orientation.y;
    to[23] = m->start.orientation.z;
    to[24] = m->start_time;
}

static bool take_lists(const scree_world *world, snapshot_scratch *scratch)
{
    scratch->pairs = malloc((world->pairs.count + 1) * PAIR_REALS * sizeof(float));
    scratch->motion_ids = malloc((world->motions.count + 1) * sizeof(uint64_t));
    scratch->motions = malloc((world->motions.count + 1) * MOTION_REALS * sizeof(double));
    scratch->force_ids = malloc((world->forces.count + 1) * sizeof(uint64_t));
    scratch->forces = malloc((world->forces.count + 1) * FORCE_REALS * sizeof(double));
    if (!scratch->pairs || !scratch->motion_ids || !scratch->motions || !scratch->force_ids || !scratch->forces)
        return false;
    for (size_t i = 0; i < world->pairs.count; i++) {
        const pair_properties *p = &world->pairs.data[i];
        const float values[PAIR_REALS] = {p->friction,        p->restitution,   p->rolling,           p->spinning,
                                          p->cohesion,        p->stiffness,     p->damping,           p->contact_time,
                                          p->contact_modulus, p->shear_modulus, p->overridden ? 1 : 0};
        memcpy(scratch->pairs + PAIR_REALS * i, values, sizeof values);
    }
    for (size_t i = 0; i < world->motions.count; i++) {
        scratch->motion_ids[i] = world->motions.data[i].id;
        take_motion(&world->motions.data[i], scratch->motions + i * MOTION_REALS);
    }
    for (size_t i = 0; i < world->forces.count; i++) {
        scratch->force_ids[i] = world->forces.data[i].id;
        put_vec(scratch->forces + i * FORCE_REALS, world->forces.data[i].force);
        put_vec(scratch->forces + i * FORCE_REALS + 3, world->forces.data[i].torque);
    }
    return true;
}

static bool take_joints(const scree_world *world, snapshot_scratch *scratch)
{
    size_t count = world->joints.list.count;
    scratch->joint_words = malloc((count + 1) * JOINT_WORDS * sizeof(uint64_t));
    scratch->joint_reals = malloc((count + 1) * JOINT_REALS * sizeof(double));
    if (!scratch->joint_words || !scratch->joint_reals)
        return false;
    for (size_t i = 0; i < count; i++)
        joint_pack(&world->joints.list.data[i], scratch->joint_words + i * JOINT_WORDS,
                   scratch->joint_reals + i * JOINT_REALS);
    return true;
}

static bool take_geometries(const body_store *store, snapshot_scratch *scratch)
{
    scratch->geometries = malloc((store->geometries.count + 1) * sizeof *scratch->geometries);
    bool done = scratch->geometries;
    for (size_t i = 0; done && i < store->geometries.count; i++) {
        size_t reals = scratch->parts.reals.count, words = scratch->parts.words.count;
        done = geometry_pack(store->geometries.data[i], &scratch->parts);
        scratch->geometries[i][0] = (uint64_t)store->geometries.data[i]->type;
        scratch->geometries[i][1] = scratch->parts.reals.count - reals;
        scratch->geometries[i][2] = scratch->parts.words.count - words;
    }
    return done;
}

scree_status snapshot_take(const scree_world *world, snapshot *fields, scree_error *error)
{
    *fields = (snapshot){0};
    fill_contacts(world);
    snapshot_scratch *scratch = calloc(1, sizeof *scratch);
    fields->owned = scratch;
    if (!scratch || !take_lists(world, scratch) || !take_joints(world, scratch) ||
        !take_geometries(&world->bodies, scratch) || !penalty_remember(world, &scratch->touches)) {
        snapshot_release(fields);
        return fail_no_memory(error);
    }
    take_scalars(world, scratch);
    const body_store *store = &world->bodies;
    size_t n = store->count;
    add_field(fields, "reals", SNAPSHOT_F64, 1, REALS, scratch->reals);
    add_field(fields, "integers", SNAPSHOT_U64, 1, INTEGERS, scratch->integers);
    add_field(fields, "id", SNAPSHOT_U64, n, 1, store->id.data);
    add_field(fields, "position", SNAPSHOT_F64, n, 3, store->position.data);
    add_field(fields, "orientation", SNAPSHOT_F64, n, 4, store->orientation.data);
    add_field(fields, "velocity", SNAPSHOT_F64, n, 3, store->velocity.data);
    add_field(fields, "spin", SNAPSHOT_F64, n, 3, store->spin.data);
    add_field(fields, "mass", SNAPSHOT_F64, n, 1, store->mass.data);
    add_field(fields, "inertia", SNAPSHOT_F32, n, 3, store->inertia.data);
    add_field(fields, "radius", SNAPSHOT_F32, n, 1, store->radius.data);
    add_field(fields, "first_proxy", SNAPSHOT_U32, n + 1, 1, store->first_proxy.data);
    add_field(fields, "frame", SNAPSHOT_U32, n, 1, store->frame.data);
    add_field(fields, "material", SNAPSHOT_U16, n, 1, store->material.data);
    add_field(fields, "filter", SNAPSHOT_U16, n, 1, store->filter.data);
    add_field(fields, "filters", SNAPSHOT_U32, store->filters.count, 2, store->filters.data);
    add_field(fields, "apart", SNAPSHOT_U64, world->apart.count, 2, world->apart.data);
    add_field(fields, "touching", SNAPSHOT_U64, world->touching.count, 2, world->touching.data);
    add_field(fields, "rest", SNAPSHOT_F32, n, 1, store->rest.data);
    add_field(fields, "immovable", SNAPSHOT_U8, n, 1, store->immovable.data);
    add_field(fields, "proxies", SNAPSHOT_U32, store->proxies.count, PROXY_WORDS, store->proxies.data);
    add_field(fields, "locals", SNAPSHOT_F64, store->locals.count, 7, store->locals.data);
    add_field(fields, "planes", SNAPSHOT_F64, store->planes.count, 4, store->planes.data);
    add_field(fields, "geometries", SNAPSHOT_U64, store->geometries.count, GEOMETRY_WORDS, scratch->geometries);
    add_field(fields, "geometry_reals", SNAPSHOT_F64, scratch->parts.reals.count, 1, scratch->parts.reals.data);
    add_field(fields, "geometry_words", SNAPSHOT_U32, scratch->parts.words.count, 1, scratch->parts.words.data);
    add_field(fields, "materials", SNAPSHOT_F64, world->materials.count, MATERIAL_REALS, world->materials.data);
    add_field(fields, "pairs", SNAPSHOT_F32, world->pairs.count, PAIR_REALS, scratch->pairs);
    add_field(fields, "motion_ids", SNAPSHOT_U64, world->motions.count, 1, scratch->motion_ids);
    add_field(fields, "motions", SNAPSHOT_F64, world->motions.count, MOTION_REALS, scratch->motions);
    add_field(fields, "force_ids", SNAPSHOT_U64, world->forces.count, 1, scratch->force_ids);
    add_field(fields, "forces", SNAPSHOT_F64, world->forces.count, FORCE_REALS, scratch->forces);
    add_field(fields, "joint_last_id", SNAPSHOT_U64, 1, 1, &world->joints.last_id);
    add_field(fields, "joint_words", SNAPSHOT_U64, world->joints.list.count, JOINT_WORDS, scratch->joint_words);
    add_field(fields, "joint_reals", SNAPSHOT_F64, world->joints.list.count, JOINT_REALS, scratch->joint_reals);
    add_field(fields, "touches", SNAPSHOT_U32, scratch->touches.count, TOUCH_WORDS, scratch->touches.data);
    add_field(fields, "contacts", SNAPSHOT_U32, world->contacts.count, CONTACT_WORDS, world->contacts.data);
    return SCREE_OK;
}

void snapshot_release(snapshot *fields)
{
    snapshot_scratch *scratch = fields->owned;
    if (scratch) {
        free(scratch->pairs);
        free(scratch->motion_ids);
        free(scratch->motions);
        free(scratch->force_ids);
        free(scratch->forces);
        free(scratch->joint_words);
        free(scratch->joint_reals);
        free(scratch->geometries);
        array_free(&scratch->parts.reals);
        array_free(&scratch->parts.words);
        array_free(&scratch->touches);
    }
    free(scratch);
    *fields = (snapshot){0};
}
