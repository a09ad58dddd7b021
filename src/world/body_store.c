#include "world/body_store.h"

#include <stdlib.h>

#include "geometry/shape.h"
#include "geometry/sphere_set.h"
#include "world/instant.h"

#define EACH_COLUMN(action) BODY_COLUMNS(action)

bool body_store_init(body_store *store)
{
    *store = (body_store){0};
    local_pose identity = {{0, 0, 0}, {1, 0, 0, 0}};
    return array_push(&store->first_proxy, 0) && array_push(&store->locals, identity) &&
           array_push(&store->filters, ((collision_filter){1, UINT32_MAX}));
}

void body_store_free(body_store *store)
{
#define FREE(type, name) array_free(&store->name);
    EACH_COLUMN(FREE)
#undef FREE
    array_free(&store->proxies);
    array_free(&store->filters);
    array_free(&store->locals);
    array_free(&store->planes);
    for (size_t i = 0; i < store->geometries.count; i++)
        scree_geometry_release(store->geometries.data[i]);
    array_free(&store->geometries);
    scree_geometry_release(store->last_set.set);
    id_map_free(&store->slots);
}

size_t body_store_bytes(const body_store *store)
{
    size_t bytes = array_bytes(&store->proxies) + array_bytes(&store->locals) + array_bytes(&store->planes) +
                   array_bytes(&store->filters) + array_bytes(&store->geometries) + array_bytes(&store->slots.entries);
#define ADD(type, name) bytes += array_bytes(&store->name);
    EACH_COLUMN(ADD)
#undef ADD
    return bytes;
}

uint16_t body_store_filter(body_store *store, collision_filter filter)
{
    for (size_t i = store->filters.count; i-- > 0;) // most are like the one before
        if (store->filters.data[i].group == filter.group && store->filters.data[i].mask == filter.mask)
            return (uint16_t)i;
    if (store->filters.count >= NO_FILTER || !array_push(&store->filters, filter))
        return NO_FILTER;
    return (uint16_t)(store->filters.count - 1);
}

body_room body_room_of(const scree_body_def *defs, size_t count)
{
    body_room room = {.bodies = count};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < defs[i].shape_count; k++) {
            const scree_shape_def *shape = &defs[i].shapes[k];
            room.proxies += shape->type == SCREE_SHAPE_SPHERES ? shape->geometry->spheres->count : 1;
            room.planes += shape->type == SCREE_SHAPE_PLANE;
            room.geometries += shape->geometry && shape->type != SCREE_SHAPE_SPHERES;
        }
    return room;
}

bool body_store_reserve(body_store *store, const body_room *room)
{
    size_t n = store->count + room->bodies + 1;
    bool enough = true;
#define RESERVE(type, name) enough = enough && array_reserve(&store->name, n);
    EACH_COLUMN(RESERVE)
#undef RESERVE
    return enough && array_reserve(&store->proxies, store->proxies.count + room->proxies) &&
           array_reserve(&store->locals, store->locals.count + room->proxies + room->bodies) &&
           array_reserve(&store->planes, store->planes.count + room->planes) &&
           array_reserve(&store->geometries, store->geometries.count + room->geometries) &&
           id_map_reserve(&store->slots, store->id.data, store->count + room->bodies);
}

// ----------------------------------------------------------------------------------------------------------- adding

typedef struct body_frame_of_mass { // the internal frame in the user's
    vec3 center;
    quat axes;
    double mass;
    vec3 inertia;
} body_frame_of_mass;

static int shape_material(const scree_body_def *def, const scree_shape_def *shape)
{
    return shape->material == SCREE_MATERIAL_OF_BODY ? def->material : shape->material;
}

// Inertia about a point at `arm` from the centre of mass: the parallel axis theorem.
static mat3 move_inertia(const mass_properties *of, vec3 arm)
{
    mat3 inertia = of->inertia;
    double square = vec3_dot(arm, arm);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia.m[i][j] += of->mass * ((i == j ? square : 0) - vec3_get(arm, i) * vec3_get(arm, j));
    return inertia;
}

static mass_properties join_masses(const mass_properties *a, const mass_properties *b)
{
    mass_properties sum = {.mass = a->mass + b->mass};
    sum.center = vec3_add_scaled(a->center, vec3_sub(b->center, a->center), b->mass / sum.mass);
    mat3 from_a = move_inertia(a, vec3_sub(a->center, sum.center));
    mat3 from_b = move_inertia(b, vec3_sub(b->center, sum.center));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum.inertia.m[i][j] = from_a.m[i][j] + from_b.m[i][j];
    return sum;
}

// Mass, centre and principal axes from the shapes, where the definition does not say otherwise.
static body_frame_of_mass frame_of_mass(const scree_body_def *def, const scree_material_def *materials)
{
    mass_properties sum = {0};
    for (size_t i = 0; i < def->shape_count; i++) {
        double density = materials[shape_material(def, &def->shapes[i])].density;
        mass_properties one = shapes_mass_properties(&def->shapes[i], &density, 1);
        sum = i == 0 ? one : join_masses(&sum, &one);
    }
    double scale = def->mass > 0 ? def->mass / sum.mass : 1;
    body_frame_of_mass frame = {sum.center, quat_identity(), sum.mass * scale, {0, 0, 0}};
    if (def->has_center)
        frame.center = def->center;
    if (def->inertia.x > 0) {
        frame.inertia = def->inertia;
        return frame;
    }
    mat3 inertia = move_inertia(&sum, vec3_sub(frame.center, sum.center));
    mat3_diagonalize(&inertia, &frame.inertia, &frame.axes);
    frame.inertia = vec3_scale(frame.inertia, scale);
    return frame;
}

static bool is_identity(const local_pose *pose)
{
    return vec3_dot(pose->position, pose->position) == 0 && pose->orientation.x == 0 && pose->orientation.y == 0 &&
           pose->orientation.z == 0;
}

static uint32_t add_local(body_store *store, const local_pose *pose)
{
    if (is_identity(pose))
        return 0;
    array_push(&store->locals, *pose);
    return (uint32_t)store->locals.count - 1;
}

// Index of a geometry in the store's table; most bodies share theirs with the one before.
static uint32_t add_geometry(body_store *store, const scree_geometry *geometry)
{
    for (size_t i = store->geometries.count; i-- > 0;)
        if (store->geometries.data[i] == geometry)
            return (uint32_t)i;
    array_push(&store->geometries, scree_geometry_retain(geometry));
    return (uint32_t)store->geometries.count - 1;
}

static proxy start_proxy(const body_store *store, const scree_body_def *def, const scree_shape_def *shape)
{
    uint32_t first = store->first_proxy.data[store->count];
    return (proxy){.body = (uint32_t)store->count,
                   .type = (unsigned)shape->type & 31,
                   .material = (unsigned)shape_material(def, shape) & (MOST_MATERIALS - 1),
                   .ordinal = (store->proxies.count - first) & 0x1ffff};
}

static bool same_pose(const local_pose *a, const local_pose *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Each sphere becomes a proxy of its own. Bodies that follow one another with the same set share their local poses.
static void add_sphere_set(body_store *store, const scree_body_def *def, const scree_shape_def *shape,
                           const local_pose *place)
{
    const sphere_set *set = shape->geometry->spheres;
    const local_run *last = &store->last_set;
    if (last->set != shape->geometry || !same_pose(&last->place, place)) {
        scree_geometry_release(last->set);
        store->last_set = (local_run){scree_geometry_retain(shape->geometry), *place, (uint32_t)store->locals.count};
        for (size_t i = 0; i < set->count; i++) {
            vec3 center = vec3_add(place->position, quat_rotate(place->orientation, set->balls[i].position));
            array_push(&store->locals, ((local_pose){center, place->orientation}));
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        proxy p = start_proxy(store, def, shape);
        p.type = SCREE_SHAPE_SPHERE;
        p.size[0] = (float)set->balls[i].radius;
        p.local = last->first + (uint32_t)i;
        array_push(&store->proxies, p);
    }
}

static void set_size(proxy *p, double x, double y, double z)
{
    p->size[0] = (float)x;
    p->size[1] = (float)y;
    p->size[2] = (float)z;
}

static void add_proxy(body_store *store, const scree_body_def *def, const scree_shape_def *shape,
                      const body_frame_of_mass *frame)
{
    quat turned = quat_normalize(shape->orientation), back = quat_conjugate(frame->axes);
    vec3 center = shape->position;
    if (shape->geometry)
        center = vec3_add(center, quat_rotate(turned, shape->geometry->origin));
    local_pose place = {quat_rotate(back, vec3_sub(center, frame->center)), quat_multiply(back, turned)};
    if (shape->type == SCREE_SHAPE_SPHERES) {
        add_sphere_set(store, def, shape, &place);
        return;
    }
    proxy p = start_proxy(store, def, shape);
    p.local = add_local(store, &place);
    switch (shape->type) {
    case SCREE_SHAPE_PLANE:
        p.geometry = (uint32_t)store->planes.count;
        array_push(&store->planes, ((plane_geometry){vec3_normalize(shape->normal), shape->offset}));
        break;
    case SCREE_SHAPE_BOX:
        set_size(&p, shape->half.x, shape->half.y, shape->half.z);
        break;
    case SCREE_SHAPE_ELLIPSOID:
        set_size(&p, shape->radii.x, shape->radii.y, shape->radii.z);
        break;
    case SCREE_SHAPE_SPHERE:
        set_size(&p, shape->radius, 0, 0);
        break;
    case SCREE_SHAPE_CAPSULE:
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
        set_size(&p, shape->radius, shape->half_length, 0);
        break;
    default:
        p.geometry = add_geometry(store, shape->geometry);
    }
    array_push(&store->proxies, p);
}

static double bounding_radius(const scree_body_def *def, vec3 center)
{
    double radius = 0;
    for (size_t i = 0; i < def->shape_count; i++)
        radius = fmax(radius, shape_reach_from(&def->shapes[i], center));
    return radius;
}

scree_id body_store_append(body_store *store, const scree_body_def *def, const scree_material_def *materials)
{
    body_frame_of_mass frame = {.axes = quat_identity()};
    if (!def->fixed)
        frame = frame_of_mass(def, materials);
    for (size_t i = 0; i < def->shape_count; i++)
        add_proxy(store, def, &def->shapes[i], &frame);
    quat turned = quat_normalize(def->orientation);
    local_pose user_frame = {quat_rotate_back(frame.axes, vec3_negate(frame.center)), quat_conjugate(frame.axes)};
    scree_id id = ++store->last_id;
    id_map_insert(&store->slots, id, (uint32_t)store->count);
    array_push(&store->id, id);
    array_push(&store->position, vec3_add(def->position, quat_rotate(turned, frame.center)));
    array_push(&store->orientation, quat_multiply(turned, frame.axes));
    array_push(&store->velocity, def->fixed ? vec3_make(0, 0, 0) : def->velocity);
    array_push(&store->spin, def->fixed ? vec3_make(0, 0, 0) : def->spin);
    array_push(&store->mass, frame.mass);
    array_push(&store->inertia, vec3f_from(frame.inertia));
    array_push(&store->radius, (float)bounding_radius(def, frame.center));
    array_push(&store->first_proxy, (uint32_t)store->proxies.count);
    array_push(&store->frame, add_local(store, &user_frame));
    array_push(&store->material, (uint16_t)def->material);
    array_push(&store->filter, body_store_filter(store, (collision_filter){def->group, def->mask}));
    array_push(&store->immovable, def->fixed);
    array_push(&store->rest, 0);
    array_push(&store->solved_by, NEVER_SOLVED);
    array_push(&store->instant, VELOCITY_GIVEN);
    store->count++;
    return id;
}

// ------------------------------------------------------------------------------------------------------ rearranging

// What moves from one store to the next, with the new places of table entries that several proxies may share.
typedef struct rearranging {
    const body_store *from;
    body_store *to;
    uint32_t *new_local, *new_geometry; // by old index; 0: not moved yet, else one more than the new index
} rearranging;

static bool take_local(rearranging *move, uint32_t *index)
{
    if (*index == 0)
        return true;
    uint32_t *moved = &move->new_local[*index];
    if (*moved == 0) {
        if (!array_push(&move->to->locals, move->from->locals.data[*index]))
            return false;
        *moved = (uint32_t)move->to->locals.count;
    }
    *index = *moved - 1;
    return true;
}

static bool take_geometry(rearranging *move, proxy *p)
{
    if (p->type == SCREE_SHAPE_PLANE) {
        if (!array_push(&move->to->planes, move->from->planes.data[p->geometry]))
            return false;
        p->geometry = (uint32_t)move->to->planes.count - 1;
        return true;
    }
    if (!proxy_has_geometry(p))
        return true;
    uint32_t *moved = &move->new_geometry[p->geometry];
    if (*moved == 0) {
        if (!array_reserve(&move->to->geometries, move->to->geometries.count + 1))
            return false;
        array_push(&move->to->geometries, scree_geometry_retain(move->from->geometries.data[p->geometry]));
        *moved = (uint32_t)move->to->geometries.count;
    }
    p->geometry = *moved - 1;
    return true;
}

static bool take_body(rearranging *move, uint32_t slot)
{
    body_store *to = move->to;
    const body_store *from = move->from;
    uint32_t place = (uint32_t)to->count, first_proxy = (uint32_t)to->proxies.count;
    for (uint32_t i = from->first_proxy.data[slot]; i < from->first_proxy.data[slot + 1]; i++) {
        proxy p = from->proxies.data[i];
        p.body = place;
        if (!take_local(move, &p.local) || !take_geometry(move, &p) || !array_push(&to->proxies, p))
            return false;
    }
#define TAKE(type, name) to->name.data[place] = from->name.data[slot];
    EACH_COLUMN(TAKE)
#undef TAKE
    to->first_proxy.data[place] = first_proxy;
    to->first_proxy.data[place + 1] = (uint32_t)to->proxies.count;
    to->count++;
    return take_local(move, &to->frame.data[place]);
}

static bool take_bodies(body_store *next, const body_store *store, const uint32_t *old_slots, size_t kept)
{
    rearranging move = {store, next, calloc(store->locals.count + 1, sizeof(uint32_t)),
                        calloc(store->geometries.count + 1, sizeof(uint32_t))};
    bool done = move.new_local && move.new_geometry && array_reserve_exact(&next->filters, store->filters.count);
    for (size_t i = 1; done && i < store->filters.count; i++)
        array_push(&next->filters, store->filters.data[i]);
#define SIZE(type, name) done = done && array_reserve_exact(&next->name, kept + 1);
    EACH_COLUMN(SIZE)
#undef SIZE
    done = done && array_reserve_exact(&next->proxies, store->proxies.count);
    for (size_t i = 0; done && i < kept; i++)
        done = take_body(&move, old_slots[i]);
    free(move.new_local);
    free(move.new_geometry);
    return done;
}

bool body_store_rearrange(body_store *store, const uint32_t *old_slots, size_t kept)
{
    body_store next;
    if (!body_store_init(&next) || !take_bodies(&next, store, old_slots, kept) ||
        !id_map_build(&next.slots, next.id.data, kept)) {
        body_store_free(&next);
        return false;
    }
#define COUNT(type, name) next.name.count = kept;
    EACH_COLUMN(COUNT)
#undef COUNT
    next.first_proxy.count = kept + 1;
    next.last_id = store->last_id;
    body_store_free(store);
    *store = next;
    return true;
}

// ----------------------------------------------------------------------------------------------------------- frames

scree_pose body_frame(const body_store *store, uint32_t slot)
{
    vec3 position = store->position.data[slot];
    quat orientation = store->orientation.data[slot];
    uint32_t frame = store->frame.data[slot];
    if (frame == 0)
        return (scree_pose){position, orientation};
    const local_pose *local = &store->locals.data[frame];
    return (scree_pose){vec3_add(position, quat_rotate(orientation, local->position)),
                        quat_multiply(orientation, local->orientation)};
}

scree_pose body_pose_of_frame(const body_store *store, uint32_t slot, const scree_pose *frame)
{
    const local_pose *local = &store->locals.data[store->frame.data[slot]];
    quat orientation = quat_multiply(frame->orientation, quat_conjugate(local->orientation));
    return (scree_pose){vec3_sub(frame->position, quat_rotate(orientation, local->position)), orientation};
}

void body_set_frame(body_store *store, uint32_t slot, const scree_pose *pose)
{
    scree_pose internal = body_pose_of_frame(store, slot, pose);
    store->orientation.data[slot] = internal.orientation;
    store->position.data[slot] = internal.position;
}
