// The world as named arrays, and back. Whatever takes part in later steps is here, down to the order of bodies and the
// impulses remembered for the warm start; whatever can be derived exactly is not.
#include "step/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "step/joint_snapshot.h"
#include "step/snapshot_layout.h"
#include "world/method.h"

_Static_assert(sizeof(proxy) == PROXY_WORDS * 4, "proxies are stored as words");
_Static_assert(sizeof(contact) == CONTACT_WORDS * 4, "contacts are stored as words");
_Static_assert(sizeof(body_push) == PUSH_WORDS * 4, "pushes are stored as words");
_Static_assert(sizeof(half_kick) == HALF_KICK_WORDS * 4, "half kicks are stored as words");
_Static_assert(sizeof(method_record) == TOUCH_WORDS * 4, "touches are stored as words");
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
    method_record_array touches;
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
    const double reals[REALS] = {
        [GRAVITY] = def->gravity.x,
        [GRAVITY + 1] = def->gravity.y,
        [GRAVITY + 2] = def->gravity.z,
        [STEP] = def->step,
        [TOLERANCE] = def->solver.tolerance,
        [RECOVERY_SPEED] = def->solver.recovery_speed,
        [OMEGA] = def->solver.omega,
        [LAMBDA] = def->solver.lambda,
        [TIME] = world->time,
        [ORDER_TRAVEL] = world->travel,
        [RADIUS_SUM] = world->radius_sum,
        [RESIDUAL_MEAN] = world->solved.residual_mean,
        [RESIDUAL_MAX] = world->solved.residual_max,
        [STABLE_STEP] = method_stable_step(world),
        [CELL] = def->solver.cell,
    };
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
        [LAST_ID] = world->bodies.last_id,
        [SOLVED_ITERATIONS] = (uint64_t)world->solved.iterations,
        [SOLVED_ALGORITHM] = (uint64_t)world->solved.algorithm,
        [SOLVED_STOP] = (uint64_t)world->solved.stop,
        [MOVABLE_COUNT] = world->movable_count,
        [CONTACTS_PER_PAIR] = (uint64_t)def->contacts_per_pair,
        [WATCH_TOUCHES] = world->watch_touches,
        [FILTERS] = world->bodies.filters.count,
    };
    memcpy(scratch->reals, reals, sizeof reals);
    memcpy(scratch->integers, integers, sizeof integers);
    settings_put(def, scratch->reals + METHOD_REALS, scratch->integers + METHOD_CHOICES);
}

static void put_vec(double *to, vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void put_quat(double *to, quat q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

static void take_motion(const body_motion *m, double *to)
{
    const scree_motion_def *def = &m->def;
    to[MOTION_TYPE] = (double)def->type;
    put_vec(to + MOTION_AXIS, def->axis);
    to[MOTION_AMPLITUDE] = def->amplitude;
    to[MOTION_FREQUENCY] = def->frequency;
    to[MOTION_PHASE] = def->phase;
    put_vec(to + MOTION_LINEAR, def->linear);
    put_vec(to + MOTION_ANGULAR, def->angular);
    put_vec(to + MOTION_CENTER, def->center);
    to[MOTION_SPEED] = def->speed;
    put_vec(to + MOTION_START_POSITION, m->start.position);
    put_quat(to + MOTION_START_ORIENTATION, m->start.orientation);
    to[MOTION_START_TIME] = m->start_time;
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
        const float values[PAIR_REALS] = {
            [PAIR_FRICTION] = p->friction,
            [PAIR_RESTITUTION] = p->restitution,
            [PAIR_ROLLING] = p->rolling,
            [PAIR_SPINNING] = p->spinning,
            [PAIR_COHESION] = p->cohesion,
            [PAIR_STIFFNESS] = p->stiffness,
            [PAIR_DAMPING] = p->damping,
            [PAIR_CONTACT_TIME] = p->contact_time,
            [PAIR_CONTACT_MODULUS] = p->contact_modulus,
            [PAIR_SHEAR_MODULUS] = p->shear_modulus,
            [PAIR_OVERRIDDEN] = p->overridden ? 1 : 0,
        };
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

static bool take_method(const scree_world *world, snapshot_scratch *scratch)
{
    return !world->method->pack || world->method->pack(world, &scratch->touches);
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
    contacts_wanted(world);
    snapshot_scratch *scratch = calloc(1, sizeof *scratch);
    fields->owned = scratch;
    if (!scratch || !take_lists(world, scratch) || !take_joints(world, scratch) ||
        !take_geometries(&world->bodies, scratch) || !take_method(world, scratch)) {
        snapshot_release(fields);
        return fail_no_memory(error);
    }
    take_scalars(world, scratch);
    const body_store *store = &world->bodies;
    add_field(fields, "reals", SNAPSHOT_F64, 1, REALS, scratch->reals);
    add_field(fields, "integers", SNAPSHOT_U64, 1, INTEGERS, scratch->integers);
#define ADD(type, name)                                                                                                \
    add_field(fields, #name, NUMBERS_OF_##type, store->name.count, WIDTH_OF(type), store->name.data);
    BODY_COLUMNS(ADD)
#undef ADD
    add_field(fields, "filters", SNAPSHOT_U32, store->filters.count, 2, store->filters.data);
    add_field(fields, "apart", SNAPSHOT_U64, world->apart.count, 2, world->apart.data);
    add_field(fields, "touching", SNAPSHOT_U64, world->touching.count, 2, world->touching.data);
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
    add_field(fields, "pushes", SNAPSHOT_U32, world->pushes.count, PUSH_WORDS, world->pushes.data);
    add_field(fields, "half_kicks", SNAPSHOT_U32, world->half_kicks.count, HALF_KICK_WORDS, world->half_kicks.data);
    add_field(fields, "contacts", SNAPSHOT_U32, world->contacts.count, CONTACT_WORDS, world->contacts.data);
    add_field(fields, "angular_impulses", SNAPSHOT_F32, world->angular_impulses.count, 3, world->angular_impulses.data);
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
