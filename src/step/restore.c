// A world from a snapshot. The snapshot may come from a damaged or hostile file, so every value is checked against
// what the engine relies on before the world is handed out.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geometry/kind.h"
#include "geometry/shape.h"
#include "step/joint_snapshot.h"
#include "step/methods.h"
#include "step/snapshot.h"
#include "step/snapshot_layout.h"
#include "world/wake.h"

enum { ANY_ROWS = -1 };

static const snapshot_field *find_field(const snapshot *from, const char *name, snapshot_type type, size_t columns,
                                        scree_error *error)
{
    for (size_t i = 0; i < from->count; i++) {
        const snapshot_field *field = &from->fields[i];
        if (strcmp(field->name, name) != 0)
            continue;
        if (field->type != type || (field->columns != columns && field->rows > 0)) {
            fail(error, SCREE_ERROR_INVALID, "field '%s' has the wrong type or width", name);
            return NULL;
        }
        return field;
    }
    fail(error, SCREE_ERROR_INVALID, "field '%s' is missing", name);
    return NULL;
}

static bool copy_rows(void **data, size_t *count, size_t *capacity, size_t element, const snapshot *from,
                      const char *name, snapshot_type type, size_t columns, long long rows, scree_error *error)
{
    const snapshot_field *field = find_field(from, name, type, columns, error);
    if (!field)
        return false;
    if (rows != ANY_ROWS && field->rows != (size_t)rows) {
        fail(error, SCREE_ERROR_INVALID, "field '%s' has %zu rows, must have %lld", name, field->rows, rows);
        return false;
    }
    if (!array_reserve_bytes(data, capacity, field->rows + 1, element, false)) {
        fail_no_memory(error);
        return false;
    }
    if (field->rows)
        memcpy(*data, field->data, field->rows * element);
    *count = field->rows;
    return true;
}

#define COPY(array, name, type, columns, rows)                                                                         \
    copy_rows((void **)&(array)->data, &(array)->count, &(array)->capacity, sizeof *(array)->data, from, name, type,   \
              columns, (long long)(rows), error)

static bool refuse(scree_error *error, const char *field, size_t row)
{
    fail(error, SCREE_ERROR_INVALID, "field '%s' has an impossible value in row %zu", field, row);
    return false;
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static vec3 get_vec(const double *from)
{
    return vec3_make(from[0], from[1], from[2]);
}

static quat get_quat(const double *from)
{
    return (quat){from[0], from[1], from[2], from[3]};
}

// -------------------------------------------------------------------------------------------------- world and tables

static scree_world *create_world(const snapshot *from, int threads, scree_error *error)
{
    const snapshot_field *reals = find_field(from, "reals", SNAPSHOT_F64, REALS, error);
    const snapshot_field *integers = reals ? find_field(from, "integers", SNAPSHOT_U64, INTEGERS, error) : NULL;
    if (!integers)
        return NULL;
    if (reals->rows != 1 || integers->rows != 1) {
        fail(error, SCREE_ERROR_INVALID, "fields 'reals' and 'integers' must have one row");
        return NULL;
    }
    double r[REALS];
    uint64_t k[INTEGERS];
    scree_world_def def = {.threads = threads};
    memcpy(r, reals->data, sizeof r);
    memcpy(k, integers->data, sizeof k);
    if (!all_finite(r, REALS) || !method_numbered(k[METHOD]) || k[ALGORITHM] > SCREE_ALGORITHM_NEWTON ||
        k[ITERATIONS] > INT32_MAX || k[PRECISION] > 1 || k[WARM_START] > 1 || k[STEPS] >> 52 ||
        k[STEPS_IN_ORDER] > UINT32_MAX || k[LAST_ID] >> 62 || k[CONTACTS_PER_PAIR] > INT32_MAX ||
        k[WATCH_TOUCHES] > 1 || k[FILTERS] < 1 || k[FILTERS] > NO_FILTER || k[SOLVED_ITERATIONS] > INT32_MAX ||
        k[SOLVED_ALGORITHM] > SCREE_ALGORITHM_NEWTON || k[SOLVED_STOP] > SCREE_STOP_STALLED ||
        k[FRICTION] > SCREE_FRICTION_EXACT || k[SLEEP] > SCREE_SLEEP_ON || !(r[RADIUS_SUM] >= 0) ||
        !settings_get(&def, r + METHOD_REALS, k + METHOD_CHOICES)) {
        refuse(error, "integers", 0);
        return NULL;
    }
    def.method = (scree_method)k[METHOD];
    def.gravity = get_vec(r + GRAVITY);
    def.step = r[STEP];
    def.contacts_per_pair = (int)k[CONTACTS_PER_PAIR];
    def.solver = (scree_solver_def){.algorithm = (scree_algorithm)k[ALGORITHM],
                                    .friction = (scree_friction)k[FRICTION],
                                    .sleep = (scree_sleep)k[SLEEP],
                                    .iterations = (int)k[ITERATIONS],
                                    .tolerance = r[TOLERANCE],
                                    .precision = (scree_precision)k[PRECISION],
                                    .warm_start = k[WARM_START] != 0,
                                    .recovery_speed = r[RECOVERY_SPEED],
                                    .omega = r[OMEGA],
                                    .lambda = r[LAMBDA],
                                    .cell = r[CELL]};
    scree_world *world;
    if (scree_world_create(&def, &world, error) != SCREE_OK)
        return NULL;
    world->steps = k[STEPS];
    world->watch_touches = k[WATCH_TOUCHES] != 0;
    world->steps_in_order = (uint32_t)k[STEPS_IN_ORDER];
    world->time = r[TIME];
    world->travel = r[ORDER_TRAVEL];
    world->radius_sum = r[RADIUS_SUM];
    world->movable_count = (size_t)k[MOVABLE_COUNT];
    world->solved = (step_outcome){.algorithm = (scree_algorithm)k[SOLVED_ALGORITHM],
                                   .iterations = (int)k[SOLVED_ITERATIONS],
                                   .residual_mean = r[RESIDUAL_MEAN],
                                   .residual_max = r[RESIDUAL_MAX],
                                   .stop = (scree_stop)k[SOLVED_STOP]};
    world->bodies.filters.count = 0;
    world->bodies.last_id = k[LAST_ID];
    if (!array_resize(&world->bodies.filters, (size_t)k[FILTERS])) {
        fail_no_memory(error);
        scree_world_destroy(world);
        return NULL;
    }
    return world;
}

static bool restore_materials(scree_world *world, const snapshot *from, scree_error *error)
{
    const snapshot_field *materials = find_field(from, "materials", SNAPSHOT_F64, MATERIAL_REALS, error);
    if (!materials)
        return false;
    const scree_material_def *defs = materials->data;
    for (size_t i = 0; i < materials->rows; i++) {
        int index = 0;
        scree_status status = i == 0 ? scree_world_set_material(world, 0, &defs[0], error)
                                     : scree_world_add_material(world, &defs[i], &index, error);
        if (status)
            return false;
    }
    const snapshot_field *pairs = find_field(from, "pairs", SNAPSHOT_F32, PAIR_REALS, error);
    if (!pairs)
        return false;
    size_t n = world->materials.count;
    if (materials->rows != n || pairs->rows != n * n)
        return refuse(error, "pairs", pairs->rows);
    const float *values = pairs->data;
    for (size_t i = 0; i < pairs->rows; i++) {
        const float *v = values + PAIR_REALS * i;
        if (v[PAIR_OVERRIDDEN] == 0)
            continue;
        scree_pair_def def = {.friction = (double)v[PAIR_FRICTION],
                              .restitution = (double)v[PAIR_RESTITUTION],
                              .rolling_friction = (double)v[PAIR_ROLLING],
                              .spinning_friction = (double)v[PAIR_SPINNING],
                              .cohesion = (double)v[PAIR_COHESION],
                              .stiffness = (double)v[PAIR_STIFFNESS],
                              .damping = (double)v[PAIR_DAMPING],
                              .contact_time = (double)v[PAIR_CONTACT_TIME],
                              .contact_modulus = (double)v[PAIR_CONTACT_MODULUS],
                              .shear_modulus = (double)v[PAIR_SHEAR_MODULUS]};
        if (scree_world_set_pair(world, (int)(i / n), (int)(i % n), &def, error))
            return false;
    }
    return true;
}

// ----------------------------------------------------------------------------------------------------------- bodies

// Proxies have one more row than bodies: those of a body end where those of the next begin.
static size_t column_rows(const body_store *store, const void *column)
{
    return store->count + (column == (const void *)&store->first_proxy);
}

static bool copy_bodies(body_store *store, const snapshot *from, scree_error *error)
{
    const snapshot_field *ids = find_field(from, "id", SNAPSHOT_U64, 1, error);
    if (!ids)
        return false;
    if (ids->rows >= NO_SLOT)
        return refuse(error, "id", ids->rows);
    store->count = ids->rows;
    bool done = true;
#define COPY_COLUMN(type, name)                                                                                        \
    done = done && COPY(&store->name, #name, NUMBERS_OF_##type, WIDTH_OF(type), column_rows(store, &store->name));
    BODY_COLUMNS(COPY_COLUMN)
#undef COPY_COLUMN
    return done && COPY(&store->filters, "filters", SNAPSHOT_U32, 2, store->filters.count) &&
           COPY(&store->proxies, "proxies", SNAPSHOT_U32, PROXY_WORDS, ANY_ROWS) &&
           COPY(&store->locals, "locals", SNAPSHOT_F64, 7, ANY_ROWS) &&
           COPY(&store->planes, "planes", SNAPSHOT_F64, 4, ANY_ROWS);
}

static bool restore_geometries(body_store *store, const snapshot *from, scree_error *error)
{
    const snapshot_field *table = find_field(from, "geometries", SNAPSHOT_U64, GEOMETRY_WORDS, error);
    const snapshot_field *reals = table ? find_field(from, "geometry_reals", SNAPSHOT_F64, 1, error) : NULL;
    const snapshot_field *words = reals ? find_field(from, "geometry_words", SNAPSHOT_U32, 1, error) : NULL;
    if (!words)
        return false;
    size_t real = 0, word = 0;
    const uint64_t(*rows)[GEOMETRY_WORDS] = table->data;
    for (size_t i = 0; i < table->rows; i++) {
        if (rows[i][0] >= SCREE_SHAPE_TYPES || rows[i][1] > reals->rows - real || rows[i][2] > words->rows - word)
            return refuse(error, "geometries", i);
        packed_geometry packed = {(const double *)reals->data + real, (const uint32_t *)words->data + word,
                                  (size_t)rows[i][1], (size_t)rows[i][2]};
        scree_geometry *geometry;
        if (geometry_unpack((scree_shape_type)rows[i][0], &packed, &geometry, error))
            return false;
        if (!array_push(&store->geometries, geometry)) {
            scree_geometry_release(geometry);
            fail_no_memory(error);
            return false;
        }
        real += packed.real_count;
        word += packed.word_count;
    }
    return (real == reals->rows && word == words->rows) || refuse(error, "geometries", table->rows);
}

static bool unit_quat(quat q)
{
    return fabs(quat_length(q) - 1) < 1e-6;
}

static bool positive(float x)
{
    return x > 0 && isfinite(x);
}

static bool check_tables(const body_store *store, scree_error *error)
{
    if (store->filters.data[0].group != 1 || store->filters.data[0].mask != UINT32_MAX)
        return refuse(error, "filters", 0);
    if (store->locals.count == 0)
        return refuse(error, "locals", 0);
    for (size_t i = 0; i < store->locals.count; i++)
        if (!vec3_finite(store->locals.data[i].position) || !unit_quat(store->locals.data[i].orientation))
            return refuse(error, "locals", i);
    local_pose first = store->locals.data[0];
    if (vec3_length(first.position) != 0 || first.orientation.w != 1)
        return refuse(error, "locals", 0);
    for (size_t i = 0; i < store->planes.count; i++) {
        plane_geometry plane = store->planes.data[i];
        if (!(fabs(vec3_length(plane.normal) - 1) < 1e-6) || !isfinite(plane.offset))
            return refuse(error, "planes", i);
    }
    return true;
}

static bool check_proxy(const scree_world *world, size_t index, uint32_t body)
{
    const body_store *store = &world->bodies;
    const proxy *p = &store->proxies.data[index];
    if (p->type >= SCREE_SHAPE_TYPES || p->body != body || p->local >= store->locals.count ||
        p->material >= world->materials.count)
        return false;
    if (p->type == SCREE_SHAPE_PLANE)
        return p->geometry < store->planes.count && store->immovable.data[body];
    if (proxy_has_geometry(p))
        return p->geometry < store->geometries.count && store->geometries.data[p->geometry]->type == p->type &&
               (store->immovable.data[body] || !shape_is_fixed_only((scree_shape_type)p->type));
    static const int sizes[SCREE_SHAPE_TYPES] = {
        [SCREE_SHAPE_SPHERE] = 1,  [SCREE_SHAPE_BOX] = 3,      [SCREE_SHAPE_ELLIPSOID] = 3,
        [SCREE_SHAPE_CAPSULE] = 2, [SCREE_SHAPE_CYLINDER] = 2, [SCREE_SHAPE_CONE] = 2};
    bool good = sizes[p->type] > 0;
    for (int i = 0; i < sizes[p->type]; i++)
        good = good && shape_size_valid((double)p->size[i]);
    return good;
}

static bool check_rest(const body_store *store, size_t i)
{
    if (!body_sleeps(store, i))
        return isfinite(store->rest.data[i]) && store->rest.data[i] >= 0;
    return !store->immovable.data[i] && vec3_length(store->velocity.data[i]) == 0 &&
           vec3_length(store->spin.data[i]) == 0;
}

static bool check_body_values(const scree_world *world, size_t i)
{
    const body_store *store = &world->bodies;
    vec3f inertia = store->inertia.data[i];
    bool heavy = store->mass.data[i] > 0 && isfinite(store->mass.data[i]) && positive(inertia.x) &&
                 positive(inertia.y) && positive(inertia.z) && isfinite(store->radius.data[i]);
    return store->id.data[i] >= 1 && store->id.data[i] <= store->last_id && vec3_finite(store->position.data[i]) &&
           unit_quat(store->orientation.data[i]) && vec3_finite(store->velocity.data[i]) &&
           vec3_finite(store->spin.data[i]) && store->immovable.data[i] <= 1 && (store->immovable.data[i] || heavy) &&
           store->radius.data[i] > 0 && store->frame.data[i] < store->locals.count &&
           store->material.data[i] < world->materials.count && store->filter.data[i] < store->filters.count &&
           store->solved_by.data[i] < SOLVED_WAYS && store->instant.data[i] < VELOCITY_INSTANTS && check_rest(store, i);
}

static bool restore_bodies(scree_world *world, const snapshot *from, scree_error *error)
{
    body_store *store = &world->bodies;
    if (!copy_bodies(store, from, error) || !check_tables(store, error) || !restore_geometries(store, from, error))
        return false;
    size_t movable = 0;
    if (!id_map_reserve(&store->slots, store->id.data, store->count)) {
        fail_no_memory(error);
        return false;
    }
    if (store->first_proxy.data[0] != 0 || store->first_proxy.data[store->count] != store->proxies.count)
        return refuse(error, "first_proxy", 0);
    for (size_t i = 0; i < store->count; i++) {
        uint32_t first = store->first_proxy.data[i], end = store->first_proxy.data[i + 1];
        if (first >= end || end > store->proxies.count)
            return refuse(error, "first_proxy", i);
        if (!check_body_values(world, i))
            return refuse(error, "bodies", i);
        for (uint32_t k = first; k < end; k++)
            if (!check_proxy(world, k, (uint32_t)i))
                return refuse(error, "proxies", k);
        if (body_slot(store, store->id.data[i]) != NO_SLOT)
            return refuse(error, "id", i);
        id_map_insert(&store->slots, store->id.data[i], (uint32_t)i);
        movable += !store->immovable.data[i];
        world->sleeping += body_sleeps(store, i);
    }
    if (movable != world->movable_count || (movable > 0 && !(world->radius_sum > 0)))
        return refuse(error, "integers", 0);
    return true;
}

// -------------------------------------------------------------------------------------- motions, forces, contacts

static bool restore_motions(scree_world *world, const snapshot *from, scree_error *error)
{
    const snapshot_field *ids = find_field(from, "motion_ids", SNAPSHOT_U64, 1, error);
    const snapshot_field *reals = ids ? find_field(from, "motions", SNAPSHOT_F64, MOTION_REALS, error) : NULL;
    if (!reals)
        return false;
    if (ids->rows != reals->rows)
        return refuse(error, "motions", reals->rows);
    for (size_t i = 0; i < ids->rows; i++) {
        const double *r = (const double *)reals->data + i * MOTION_REALS;
        if (!all_finite(r, MOTION_REALS) || !(r[MOTION_TYPE] >= 1 && r[MOTION_TYPE] <= SCREE_MOTION_ROTATION))
            return refuse(error, "motions", i);
        scree_motion_def def = {.type = (scree_motion_type)r[MOTION_TYPE],
                                .axis = get_vec(r + MOTION_AXIS),
                                .amplitude = r[MOTION_AMPLITUDE],
                                .frequency = r[MOTION_FREQUENCY],
                                .phase = r[MOTION_PHASE],
                                .linear = get_vec(r + MOTION_LINEAR),
                                .angular = get_vec(r + MOTION_ANGULAR),
                                .center = get_vec(r + MOTION_CENTER),
                                .speed = r[MOTION_SPEED]};
        size_t before = world->motions.count;
        if (scree_world_set_motion(world, ((const uint64_t *)ids->data)[i], &def, error))
            return false;
        if (world->motions.count == before)
            return refuse(error, "motion_ids", i);
        body_motion *motion = &world->motions.data[before];
        motion->def.axis = def.axis;
        motion->start = (scree_pose){get_vec(r + MOTION_START_POSITION), get_quat(r + MOTION_START_ORIENTATION)};
        motion->start_time = r[MOTION_START_TIME];
        if (!unit_quat(motion->start.orientation))
            return refuse(error, "motions", i);
    }
    return true;
}

static bool restore_forces(scree_world *world, const snapshot *from, scree_error *error)
{
    const snapshot_field *ids = find_field(from, "force_ids", SNAPSHOT_U64, 1, error);
    const snapshot_field *reals = ids ? find_field(from, "forces", SNAPSHOT_F64, FORCE_REALS, error) : NULL;
    if (!reals)
        return false;
    if (ids->rows != reals->rows)
        return refuse(error, "forces", reals->rows);
    for (size_t i = 0; i < ids->rows; i++) {
        const double *r = (const double *)reals->data + i * FORCE_REALS;
        vec3 force = get_vec(r), torque = get_vec(r + 3);
        if (scree_world_apply_forces(world, (const uint64_t *)ids->data + i, &force, &torque, 1, error))
            return false;
    }
    return true;
}

static bool restore_joints(scree_world *world, const snapshot *from, scree_error *error)
{
    const snapshot_field *last = find_field(from, "joint_last_id", SNAPSHOT_U64, 1, error);
    const snapshot_field *words = last ? find_field(from, "joint_words", SNAPSHOT_U64, JOINT_WORDS, error) : NULL;
    const snapshot_field *reals = words ? find_field(from, "joint_reals", SNAPSHOT_F64, JOINT_REALS, error) : NULL;
    if (!reals)
        return false;
    if (last->rows != 1 || words->rows != reals->rows || words->rows >= NO_SLOT)
        return refuse(error, "joint_words", words->rows);
    world->joints.last_id = *(const uint64_t *)last->data;
    if (world->joints.last_id >> 62)
        return refuse(error, "joint_last_id", 0);
    for (size_t i = 0; i < words->rows; i++)
        if (joint_unpack(world, (const uint64_t *)words->data + i * JOINT_WORDS,
                         (const double *)reals->data + i * JOINT_REALS, error))
            return false;
    return true;
}

static bool valid_pair(const scree_world *world, const scree_body_pair *pair)
{
    return pair->a < pair->b && body_slot(&world->bodies, pair->a) != NO_SLOT &&
           body_slot(&world->bodies, pair->b) != NO_SLOT;
}

// Pairs of different bodies that exist; a < b. Touching ones also come in rising order.
static bool restore_pairs_of_bodies(scree_world *world, const snapshot *from, scree_error *error)
{
    if (!COPY(&world->apart, "apart", SNAPSHOT_U64, 2, ANY_ROWS) ||
        !COPY(&world->touching, "touching", SNAPSHOT_U64, 2, ANY_ROWS))
        return false;
    for (size_t i = 0; i < world->apart.count; i++)
        if (!valid_pair(world, &world->apart.data[i]))
            return refuse(error, "apart", i);
    for (size_t i = 0; i < world->touching.count; i++) {
        const scree_body_pair *pair = &world->touching.data[i];
        if (!valid_pair(world, pair) ||
            (i > 0 && (pair[-1].a > pair->a || (pair[-1].a == pair->a && pair[-1].b >= pair->b))))
            return refuse(error, "touching", i);
    }
    return world->watch_touches || world->touching.count == 0 || refuse(error, "touching", 0);
}

static bool check_contact(const scree_world *world, size_t i, uint32_t at_least)
{
    const contact *c = &world->contacts.data[i];
    size_t n = world->bodies.count, materials = world->materials.count;
    return c->a >= at_least && c->a < n && c->b < n && c->a != c->b && c->material_a < materials &&
           c->material_b < materials && vec3_finite(vec3_from_f(c->normal)) && vec3_finite(vec3_from_f(c->arm)) &&
           isfinite(c->gap) && vec3_finite(vec3_from_f(c->impulse));
}

static bool restore_contacts(scree_world *world, const snapshot *from, scree_error *error)
{
    if (!COPY(&world->contacts, "contacts", SNAPSHOT_U32, CONTACT_WORDS, ANY_ROWS))
        return false;
    uint32_t last = 0;
    for (size_t i = 0; i < world->contacts.count; i++) {
        if (!check_contact(world, i, last))
            return refuse(error, "contacts", i);
        last = world->contacts.data[i].a;
    }
    return true;
}

// Restores angular impulses: as many as there are contacts, or none.
static bool restore_angular_impulses(scree_world *world, const snapshot *from, scree_error *error)
{
    if (!COPY(&world->angular_impulses, "angular_impulses", SNAPSHOT_F32, 3, ANY_ROWS))
        return false;
    size_t count = world->angular_impulses.count;
    if (count != 0 && count != world->contacts.count)
        return refuse(error, "angular_impulses", count);
    for (size_t i = 0; i < count; i++)
        if (!vec3_finite(vec3_from_f(world->angular_impulses.data[i])))
            return refuse(error, "angular_impulses", i);
    return true;
}

static bool restore_pushes(scree_world *world, const snapshot *from, scree_error *error)
{
    if (!COPY(&world->pushes, "pushes", SNAPSHOT_U32, PUSH_WORDS, ANY_ROWS))
        return false;
    for (size_t i = 0; i < world->pushes.count; i++) {
        const body_push *push = &world->pushes.data[i];
        if (push->slot >= world->bodies.count || (i > 0 && push[-1].slot >= push->slot) || push->unused != 0 ||
            !vec3_finite(push->path) || (push->path.x == 0 && push->path.y == 0 && push->path.z == 0))
            return refuse(error, "pushes", i);
    }
    return true;
}

// Restores half kicks, which bodies with joints have.
static bool restore_half_kicks(scree_world *world, const snapshot *from, scree_error *error)
{
    if (!COPY(&world->half_kicks, "half_kicks", SNAPSHOT_U32, HALF_KICK_WORDS, ANY_ROWS))
        return false;
    for (size_t i = 0; i < world->half_kicks.count; i++) {
        const half_kick *kick = &world->half_kicks.data[i];
        if (kick->slot >= world->bodies.count || (i > 0 && kick[-1].slot >= kick->slot) || kick->unused != 0 ||
            !vec3_finite(kick->velocity) || !vec3_finite(kick->momentum) || world->bodies.immovable.data[kick->slot])
            return refuse(error, "half_kicks", i);
    }
    return world->half_kicks.count == 0 || world->joints.list.count > 0 || refuse(error, "half_kicks", 0);
}

static bool restore_touches(scree_world *world, const snapshot *from, scree_error *error)
{
    const snapshot_field *field = find_field(from, "touches", SNAPSHOT_U32, TOUCH_WORDS, error);
    const snapshot_field *reals = find_field(from, "reals", SNAPSHOT_F64, REALS, error);
    if (!field || !reals)
        return false;
    if (!world->method->unpack)
        return field->rows == 0 || refuse(error, "touches", 0);
    return world->method->unpack(world, field->data, field->rows, ((const double *)reals->data)[STABLE_STEP], error) ==
           SCREE_OK;
}

scree_status snapshot_restore(const snapshot *from, int threads, scree_world **world, scree_error *error)
{
    scree_error reason = {0};
    scree_world *made = create_world(from, threads, &reason);
    bool done = made && restore_materials(made, from, &reason) && restore_bodies(made, from, &reason) &&
                restore_pairs_of_bodies(made, from, &reason) && restore_motions(made, from, &reason) &&
                restore_forces(made, from, &reason) && restore_joints(made, from, &reason) &&
                restore_contacts(made, from, &reason) && restore_angular_impulses(made, from, &reason) &&
                restore_pushes(made, from, &reason) && restore_half_kicks(made, from, &reason) &&
                restore_touches(made, from, &reason);
    if (!done) {
        scree_world_destroy(made);
        return fail(error, reason.status ? reason.status : SCREE_ERROR_INVALID, "%s", reason.message);
    }
    *world = made;
    return SCREE_OK;
}
