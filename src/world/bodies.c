// Adding, removing, reading and setting bodies through the public interface.
#include <stdio.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sort.h"
#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "world/joints/joints.h"
#include "world/method.h"
#include "world/order.h"
#include "world/wake.h"

scree_body_def scree_default_body_def(void)
{
    return (scree_body_def){.orientation = {1, 0, 0, 0}, .group = 1, .mask = UINT32_MAX};
}

// ----------------------------------------------------------------------------------------------------------- adding

static scree_status check_shapes(const scree_world *world, const scree_body_def *def, size_t index, scree_error *error)
{
    for (size_t i = 0; i < def->shape_count; i++) {
        char where[64];
        snprintf(where, sizeof where, "body %zu, shape %zu", index, i);
        const scree_shape_def *shape = &def->shapes[i];
        scree_status status = shape_validate(shape, where, error);
        if (status)
            return status;
        if (shape->material >= (int)world->materials.count)
            return fail(error, SCREE_ERROR_INVALID, "%s: material %d does not exist", where, shape->material);
        if (!def->fixed && shape_is_fixed_only(shape->type))
            return fail(error, SCREE_ERROR_INVALID,
                        "%s: a plane, mesh or height field can only be a shape of a fixed body", where);
    }
    return SCREE_OK;
}

// Moments and their inverses must be numbers in single precision, too, with room for products.
static bool valid_moment(double moment)
{
    return moment >= 1e-30 && moment <= 1e25;
}

static bool valid_inertia(vec3 inertia)
{
    bool none = inertia.x == 0 && inertia.y == 0 && inertia.z == 0;
    return none || (valid_moment(inertia.x) && valid_moment(inertia.y) && valid_moment(inertia.z));
}

static scree_status check_body(const scree_world *world, const scree_body_def *def, size_t index, scree_error *error)
{
    double norm = quat_length(def->orientation);
    if (def->shape_count == 0 || !def->shapes)
        return fail(error, SCREE_ERROR_INVALID, "body %zu: has no shapes, must have at least one", index);
    if (!vec3_finite(def->position) || !vec3_finite(def->velocity) || !vec3_finite(def->spin))
        return fail(error, SCREE_ERROR_INVALID, "body %zu: position, velocity and spin must be finite", index);
    if (!(norm > 0 && isfinite(norm)))
        return fail(error, SCREE_ERROR_INVALID, "body %zu: orientation must be a quaternion other than zero", index);
    if (!(def->mass >= 0 && isfinite(def->mass)))
        return fail(error, SCREE_ERROR_INVALID,
                    "body %zu: mass is %g, must be greater than 0, or 0 to follow from the shapes", index, def->mass);
    if (!valid_inertia(def->inertia))
        return fail(error, SCREE_ERROR_INVALID,
                    "body %zu: the three moments of inertia must be from 1e-30 to 1e25, or all 0, not (%g, %g, %g)",
                    index, def->inertia.x, def->inertia.y, def->inertia.z);
    if (def->has_center && !vec3_finite(def->center))
        return fail(error, SCREE_ERROR_INVALID, "body %zu: center must be finite", index);
    if (def->material < 0 || def->material >= (int)world->materials.count)
        return fail(error, SCREE_ERROR_INVALID, "body %zu: material %d does not exist; there are 0 to %zu", index,
                    def->material, world->materials.count - 1);
    return check_shapes(world, def, index, error);
}

scree_status scree_world_add_bodies(scree_world *world, const scree_body_def *defs, size_t count, scree_id *ids,
                                    scree_error *error)
{
    if (!world || (!defs && count > 0))
        return fail_null(error, "scree_world_add_bodies");
    for (size_t i = 0; i < count; i++) {
        scree_status status = check_body(world, &defs[i], i, error);
        if (status)
            return status;
    }
    body_store *store = &world->bodies;
    body_room room = body_room_of(defs, count);
    if (store->count + count >= NO_SLOT || store->proxies.count + room.proxies >= NO_SLOT)
        return fail(error, SCREE_ERROR_INVALID, "more than %u bodies or shapes in one world", NO_SLOT - 1);
    for (size_t i = 0; i < count; i++)
        if (body_store_filter(store, (collision_filter){defs[i].group, defs[i].mask}) == NO_FILTER)
            return fail(error, SCREE_ERROR_INVALID, "body %zu: more than %d different filters, or no memory for them",
                        i, NO_FILTER);
    if (!body_store_reserve(store, &room))
        return fail_no_memory(error);
    world->tree.valid = false;
    size_t first = store->count;
    for (size_t i = 0; i < count; i++) {
        scree_id id = body_store_append(store, &defs[i], world->materials.data);
        if (ids)
            ids[i] = id;
    }
    bodies_added(world, first);
    return SCREE_OK;
}

// --------------------------------------------------------------------------------------------------------- removing

static scree_status find_slot(const scree_world *world, scree_id id, uint32_t *slot, scree_error *error)
{
    *slot = body_slot(&world->bodies, id);
    if (*slot == NO_SLOT)
        return fail(error, SCREE_ERROR_INVALID, "body %llu does not exist", (unsigned long long)id);
    return SCREE_OK;
}

static bool pair_exists(const scree_world *world, const scree_body_pair *pair)
{
    return body_slot(&world->bodies, pair->a) != NO_SLOT && body_slot(&world->bodies, pair->b) != NO_SLOT;
}

static void forget_what_is_gone(scree_world *world)
{
    size_t kept = 0;
    for (size_t i = 0; i < world->apart.count; i++)
        if (pair_exists(world, &world->apart.data[i]))
            world->apart.data[kept++] = world->apart.data[i];
    world->apart.count = kept;
    kept = 0;
    for (size_t i = 0; i < world->touching.count; i++)
        if (pair_exists(world, &world->touching.data[i]))
            world->touching.data[kept++] = world->touching.data[i];
    world->touching.count = kept;
    kept = 0;
    for (size_t i = 0; i < world->motions.count; i++)
        if (body_slot(&world->bodies, world->motions.data[i].id) != NO_SLOT)
            world->motions.data[kept++] = world->motions.data[i];
    world->motions.count = kept;
    kept = 0;
    for (size_t i = 0; i < world->forces.count; i++)
        if (body_slot(&world->bodies, world->forces.data[i].id) != NO_SLOT)
            world->forces.data[kept++] = world->forces.data[i];
    world->forces.count = kept;
    joints_forget(world);
}

// What rests on a body that goes begins anew. Where methods make contacts only when they are read, nothing is to begin.
static bool begin_on_removed(scree_world *world, const uint32_t *new_slot)
{
    uint8_t *marked = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!marked)
        return false;
    memset(marked, 0, world->bodies.count);
    for (size_t i = 0; !world->method->contacts_wanted && i < world->contacts.count; i++) {
        uint32_t a = world->contacts.data[i].a, b = world->contacts.data[i].b;
        marked[a] |= new_slot[b] == NO_SLOT;
        marked[b] |= new_slot[a] == NO_SLOT;
    }
    return begin_marked(world, marked);
}

scree_status scree_world_remove_bodies(scree_world *world, const scree_id *ids, size_t count, scree_error *error)
{
    if (!world || (!ids && count > 0))
        return fail_null(error, "scree_world_remove_bodies");
    size_t old_count = world->bodies.count;
    arena_reset(&world->scratch);
    uint32_t *new_slot = arena_array(&world->scratch, uint32_t, old_count);
    uint32_t *old_slots = arena_array(&world->scratch, uint32_t, old_count);
    if (!new_slot || !old_slots)
        return fail_no_memory(error);
    memset(new_slot, 0, old_count * sizeof *new_slot);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        scree_status status = find_slot(world, ids[i], &slot, error);
        if (status)
            return status;
        if (new_slot[slot] == NO_SLOT)
            return fail(error, SCREE_ERROR_INVALID, "body %llu is named twice", (unsigned long long)ids[i]);
        new_slot[slot] = NO_SLOT;
    }
    size_t kept = 0;
    for (uint32_t slot = 0; slot < old_count; slot++)
        if (new_slot[slot] != NO_SLOT) {
            old_slots[kept] = slot;
            new_slot[slot] = (uint32_t)kept++;
        }
    wake_bodies(world, ids, count);
    if (!begin_on_removed(world, new_slot))
        return fail_no_memory(error);
    slots_will_move(world);
    if (!body_store_rearrange(&world->bodies, old_slots, kept))
        return fail_no_memory(error);
    world->tree.valid = false;
    contacts_follow_bodies(world, new_slot, kept);
    forget_what_is_gone(world);
    bodies_added(world, 0);
    return SCREE_OK;
}

// ---------------------------------------------------------------------------------------------------------- reading

size_t scree_world_body_count(const scree_world *world)
{
    if (!world)
        return 0;
    return world->bodies.count;
}

bool scree_world_has_body(const scree_world *world, scree_id id)
{
    if (!world)
        return false;
    return body_slot(&world->bodies, id) != NO_SLOT;
}

void scree_world_body_ids(const scree_world *world, scree_id *ids)
{
    if (!world || !ids)
        return;
    const body_store *store = &world->bodies;
    if (store->count == 0)
        return;
    memcpy(ids, store->id.data, store->count * sizeof *ids);
    sort_items(ids, store->count, sizeof *ids, compare_words);
}

static scree_state state_of(const scree_world *world, uint32_t slot)
{
    const body_store *store = &world->bodies;
    scree_state state = {.position = store->position.data[slot], .orientation = body_frame(store, slot).orientation};
    velocity_at_pose(world, slot, &state.velocity, &state.spin);
    return state;
}

scree_status scree_world_get_states(const scree_world *world, const scree_id *ids, size_t count, scree_state *states,
                                    scree_error *error)
{
    if (!world || (!ids && count > 0) || (!states && count > 0))
        return fail_null(error, "scree_world_get_states");
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        scree_status status = find_slot(world, ids[i], &slot, error);
        if (status)
            return status;
        states[i] = state_of(world, slot);
    }
    return SCREE_OK;
}

scree_status scree_world_get_body(const scree_world *world, scree_id id, scree_body_info *info, scree_error *error)
{
    if (!world || !info)
        return fail_null(error, "scree_world_get_body");
    uint32_t slot;
    scree_status status = find_slot(world, id, &slot, error);
    if (status)
        return status;
    const body_store *store = &world->bodies;
    bool fixed = store->immovable.data[slot];
    bool moved = false;
    for (size_t i = 0; i < world->motions.count; i++)
        moved = moved || world->motions.data[i].id == id;
    *info = (scree_body_info){
        .mass = fixed ? (double)INFINITY : store->mass.data[slot],
        .inertia = fixed ? vec3_make((double)INFINITY, (double)INFINITY, (double)INFINITY)
                         : vec3_from_f(store->inertia.data[slot]),
        .frame = body_frame(store, slot).position,
        .bounding_radius = (double)store->radius.data[slot],
        .material = store->material.data[slot],
        .fixed = fixed,
        .moved = moved,
        .asleep = body_sleeps(store, slot),
        .shape_count = store->first_proxy.data[slot + 1] - store->first_proxy.data[slot],
    };
    return SCREE_OK;
}

// Type, sizes and material; a geometry stands where its own origin is.
static void proxy_shape(const body_store *store, const proxy *p, scree_shape_def *shape)
{
    shape->type = (scree_shape_type)p->type;
    shape->material = (int)p->material;
    vec3 size = {(double)p->size[0], (double)p->size[1], (double)p->size[2]};
    switch (shape->type) {
    case SCREE_SHAPE_PLANE:
        shape->normal = store->planes.data[p->geometry].normal;
        shape->offset = store->planes.data[p->geometry].offset;
        break;
    case SCREE_SHAPE_BOX:
        shape->half = size;
        break;
    case SCREE_SHAPE_ELLIPSOID:
        shape->radii = size;
        break;
    case SCREE_SHAPE_SPHERE:
        shape->radius = size.x;
        break;
    case SCREE_SHAPE_CAPSULE:
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
        shape->radius = size.x;
        shape->half_length = size.y;
        break;
    default:
        shape->geometry = store->geometries.data[p->geometry];
        shape->position = vec3_sub(shape->position, quat_rotate(shape->orientation, shape->geometry->origin));
    }
}

scree_status scree_world_get_shape(const scree_world *world, scree_id id, size_t index, scree_shape_def *shape,
                                   scree_error *error)
{
    if (!world || !shape)
        return fail_null(error, "scree_world_get_shape");
    uint32_t slot;
    scree_status status = find_slot(world, id, &slot, error);
    if (status)
        return status;
    const body_store *store = &world->bodies;
    size_t count = store->first_proxy.data[slot + 1] - store->first_proxy.data[slot];
    if (index >= count)
        return fail(error, SCREE_ERROR_INVALID, "body %llu has %zu shapes, so shape %zu does not exist",
                    (unsigned long long)id, count, index);
    const proxy *p = &store->proxies.data[store->first_proxy.data[slot] + index];
    const local_pose *user = &store->locals.data[store->frame.data[slot]], *local = &store->locals.data[p->local];
    *shape = scree_default_shape_def();
    shape->position = quat_rotate_back(user->orientation, vec3_sub(local->position, user->position));
    shape->orientation = quat_multiply(quat_conjugate(user->orientation), local->orientation);
    proxy_shape(store, p, shape);
    return SCREE_OK;
}

static uint64_t body_hash(const scree_world *world, uint32_t slot)
{
    scree_state s = state_of(world, slot);
    const double values[13] = {s.position.x,    s.position.y,    s.position.z, s.orientation.w, s.orientation.x,
                               s.orientation.y, s.orientation.z, s.velocity.x, s.velocity.y,    s.velocity.z,
                               s.spin.x,        s.spin.y,        s.spin.z};
    uint64_t hash = hash_word(0x5c4ee5c4ee5c4ee5u, world->bodies.id.data[slot]);
    for (int k = 0; k < 13; k++)
        hash = hash_double(hash, values[k]);
    return hash_end(hash);
}

// A sum, so that neither slots nor the order of ids matter.
uint64_t scree_world_hash(const scree_world *world)
{
    if (!world)
        return 0;
    uint64_t sum = 0;
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        sum += body_hash(world, slot);
    return sum;
}

// ---------------------------------------------------------------------------------------------------------- setting

static bool same_vec3(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_state(const scree_state *a, const scree_state *b)
{
    quat p = a->orientation, q = b->orientation;
    return same_vec3(a->position, b->position) && same_vec3(a->velocity, b->velocity) && same_vec3(a->spin, b->spin) &&
           p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

// Bodies begin anew with what they are given; a state that was read and is given back changes nothing.
static bool begin_set(scree_world *world, const scree_id *ids, size_t count, const scree_state *states)
{
    arena_mark mark = arena_get_mark(&world->scratch);
    uint8_t *marked = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!marked)
        return false;
    memset(marked, 0, world->bodies.count);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = body_slot(&world->bodies, ids[i]);
        scree_state now = state_of(world, slot);
        marked[slot] = !same_state(&now, &states[i]);
    }
    bool done = begin_marked(world, marked);
    arena_release(&world->scratch, mark);
    return done;
}

scree_status scree_world_set_states(scree_world *world, const scree_id *ids, size_t count, const scree_state *states,
                                    scree_error *error)
{
    if (!world || (!ids && count > 0) || (!states && count > 0))
        return fail_null(error, "scree_world_set_states");
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        scree_status status = find_slot(world, ids[i], &slot, error);
        if (status)
            return status;
        double norm = quat_length(states[i].orientation);
        if (!vec3_finite(states[i].position) || !vec3_finite(states[i].velocity) || !vec3_finite(states[i].spin) ||
            !(norm > 0 && isfinite(norm)))
            return fail(error, SCREE_ERROR_INVALID,
                        "state of body %llu must be finite with an orientation other than zero",
                        (unsigned long long)ids[i]);
        if (world->bodies.immovable.data[slot])
            return fail(error, SCREE_ERROR_INVALID, "body %llu is fixed; only a motion moves it",
                        (unsigned long long)ids[i]);
    }
    world->tree.valid = false;
    wake_bodies(world, ids, count);
    if (!begin_set(world, ids, count, states))
        return fail_no_memory(error);
    body_store *store = &world->bodies;
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = body_slot(store, ids[i]);
        if (store->instant.data[slot] == VELOCITY_BEHIND)
            continue;
        const local_pose *user = &store->locals.data[store->frame.data[slot]];
        store->position.data[slot] = states[i].position;
        store->orientation.data[slot] =
            quat_multiply(quat_normalize(states[i].orientation), quat_conjugate(user->orientation));
        store->velocity.data[slot] = states[i].velocity;
        store->spin.data[slot] = states[i].spin;
    }
    return SCREE_OK;
}

scree_status scree_world_set_filter(scree_world *world, scree_id id, uint32_t group, uint32_t mask, scree_error *error)
{
    if (!world)
        return fail_null(error, "scree_world_set_filter");
    uint32_t slot;
    scree_status status = find_slot(world, id, &slot, error);
    if (status)
        return status;
    uint16_t filter = body_store_filter(&world->bodies, (collision_filter){group, mask});
    if (filter == NO_FILTER)
        return fail(error, SCREE_ERROR_INVALID, "more than %d different filters, or no memory for them", NO_FILTER);
    world->bodies.filter.data[slot] = filter;
    slots_will_move(world);
    wake_bodies(world, &id, 1);
    return SCREE_OK;
}

scree_status scree_world_keep_apart(scree_world *world, scree_id a, scree_id b, bool apart, scree_error *error)
{
    if (!world)
        return fail_null(error, "scree_world_keep_apart");
    uint32_t slot;
    scree_status status = find_slot(world, a, &slot, error);
    if (!status)
        status = find_slot(world, b, &slot, error);
    if (status)
        return status;
    if (a == b)
        return fail(error, SCREE_ERROR_INVALID, "body %llu cannot be kept apart from itself", (unsigned long long)a);
    scree_body_pair pair = {a < b ? a : b, a < b ? b : a};
    slots_will_move(world);
    wake_bodies(world, &pair.a, 1);
    wake_bodies(world, &pair.b, 1);
    size_t i = 0;
    while (i < world->apart.count && (world->apart.data[i].a != pair.a || world->apart.data[i].b != pair.b))
        i++;
    if (apart && i == world->apart.count)
        return array_push(&world->apart, pair) ? SCREE_OK : fail_no_memory(error);
    if (!apart && i < world->apart.count)
        world->apart.data[i] = world->apart.data[--world->apart.count];
    return SCREE_OK;
}

scree_status scree_world_apply_forces(scree_world *world, const scree_id *ids, const scree_vec3 *forces,
                                      const scree_vec3 *torques, size_t count, scree_error *error)
{
    if (!world || (!ids && count > 0) || (!forces && count > 0))
        return fail_null(error, "scree_world_apply_forces");
    const vec3 none = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        scree_status status = find_slot(world, ids[i], &slot, error);
        if (status)
            return status;
        if (!vec3_finite(forces[i]) || (torques && !vec3_finite(torques[i])))
            return fail(error, SCREE_ERROR_INVALID, "force and torque on body %llu must be finite",
                        (unsigned long long)ids[i]);
    }
    if (!array_reserve(&world->forces, world->forces.count + count))
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++)
        array_push(&world->forces, ((applied_force){ids[i], forces[i], torques ? torques[i] : none}));
    wake_bodies(world, ids, count);
    return SCREE_OK;
}

scree_status scree_world_wake(scree_world *world, const scree_id *ids, size_t count, scree_error *error)
{
    if (!world || (!ids && count > 0))
        return fail_null(error, "scree_world_wake");
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        scree_status status = find_slot(world, ids[i], &slot, error);
        if (status)
            return status;
    }
    wake_bodies(world, ids, count);
    return SCREE_OK;
}
