#include "rigid/fast_exits.h"

#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "contact/detect.h"
#include "contact/velocity.h"
#include "geometry/shape.h"
#include "world/view.h"
#include "world/wake.h"

// Parts of a radius: path beyond what was expected that makes a fast exit, overlap that counts as a collision.
static const double unexpected_path = 0.02, unexpected_overlap = 0.025;

// How often a body that is thrown may throw the next within one step.
enum { MOST_PASSED_ON = 4 };

// Distance of a point from the way between the origin and another.
static double distance_from_way(vec3 point, vec3 end)
{
    double square = vec3_dot(end, end), along = square > 0 ? vec3_dot(point, end) / square : 0;
    return vec3_length(vec3_add_scaled(point, end, -fmin(fmax(along, 0), 1)));
}

// Detection looks at where bodies go on as they are, and where either is stopped.
static bool is_fast_exit(const scree_world *world, size_t slot, vec3 reached)
{
    const body_store *store = &world->bodies;
    double h = world->def.step, fall = h * vec3_length(world->def.gravity);
    double unexpected = distance_from_way(reached, store->velocity.data[slot]) - fall;
    return h * unexpected > unexpected_path * (double)store->radius.data[slot];
}

bool fast_exits_find(scree_world *world, const step_solution *solution, fast_exits *exits)
{
    const body_store *store = &world->bodies;
    *exits = (fast_exits){.is_fast_exit = arena_array(&world->scratch, uint8_t, store->count),
                          .reached = arena_array(&world->scratch, body_velocity, store->count)};
    if (!exits->is_fast_exit || !exits->reached)
        return false;
    size_t count = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : count)
    for (size_t i = 0; i < store->count; i++) {
        bool moves = !store->immovable.data[i] && !body_sleeps(store, i);
        exits->reached[i] = !moves               ? world_velocity(world, i)
                            : solution->position ? solution->position[i]
                                                 : solution->end[i];
        exits->is_fast_exit[i] = moves && is_fast_exit(world, i, exits->reached[i].velocity);
        count += exits->is_fast_exit[i];
    }
    exits->count = count;
    return true;
}

// The gap at the end of the step against the one at its beginning, where that was an overlap already.
static bool collides(const scree_world *world, const fast_exits *exits, const contact *c)
{
    const body_store *store = &world->bodies;
    vec3 relative =
        relative_velocity(exits->reached[c->a], vec3_from_f(c->arm), exits->reached[c->b], arm_of_b(world, c));
    double end = (double)c->gap + world->def.step * vec3_dot(vec3_from_f(c->normal), relative);
    double radius = (double)fminf(store->radius.data[c->a], store->radius.data[c->b]);
    return end < fmin(0, (double)c->gap) - unexpected_overlap * radius;
}

bool fast_exit_collides(const scree_world *world, const fast_exits *exits, const contact *c)
{
    return (exits->is_fast_exit[c->a] || exits->is_fast_exit[c->b]) && collides(world, exits, c);
}

// ---------------------------------------------------------------------------------------------------- two detections

bool contacts_keep(scree_world *world, const uint8_t *marked, kept_contacts *kept)
{
    const contact *all = world->contacts.data;
    size_t count = world->contacts.count;
    bool turning = world->extended && world->angular_impulses.count == count;
    *kept = (kept_contacts){.contacts = arena_array(&world->scratch, contact, count),
                            .angular = turning ? arena_array(&world->scratch, vec3f, count) : NULL};
    if (!kept->contacts || (turning && !kept->angular))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (marked && !marked[all[i].a] && !marked[all[i].b])
            continue;
        if (turning)
            kept->angular[kept->count] = world->angular_impulses.data[i];
        kept->contacts[kept->count++] = all[i];
    }
    return true;
}

static void append_contact(scree_world *world, const kept_contacts *from, size_t index)
{
    if (from->angular)
        world->angular_impulses.data[world->contacts.count] = from->angular[index];
    world->contacts.data[world->contacts.count++] = from->contacts[index];
}

bool contacts_put_back(scree_world *world, const kept_contacts *solved, const uint8_t *marked)
{
    kept_contacts found;
    if (!contacts_keep(world, marked, &found))
        return false;
    size_t most = solved->count + found.count, next = 0;
    if (!array_reserve(&world->contacts, most) || (solved->angular && !array_reserve(&world->angular_impulses, most)))
        return false;
    world->contacts.count = 0;
    for (size_t i = 0; i < solved->count; i++) {
        const contact *c = &solved->contacts[i];
        while (next < found.count && found.contacts[next].a < c->a)
            append_contact(world, &found, next++);
        if (!marked[c->a] && !marked[c->b])
            append_contact(world, solved, i);
    }
    while (next < found.count)
        append_contact(world, &found, next++);
    if (solved->angular)
        world->angular_impulses.count = world->contacts.count;
    return true;
}

// ------------------------------------------------------------------------------------------------------ thrown bodies

// What a fast exit runs into is thrown, and may run into others in turn.

static scree_status detect_once(scree_world *world, const fast_exits *exits, const kept_contacts *solved,
                                scree_error *error)
{
    body_velocity *reached = arena_array(&world->scratch, body_velocity, world->bodies.count);
    if (!reached)
        return fail_no_memory(error);
    for (size_t i = 0; i < world->bodies.count; i++)
        reached[i] = exits->is_fast_exit[i] ? exits->reached[i] : world_velocity(world, i);
    return detect_contacts_again(world, reached, exits->is_fast_exit, solved->contacts, error);
}

// The velocity that a blow at a contact gives to body `slot`, the second of its bodies or the first, along the normal.
static vec3 thrown_velocity(const scree_world *world, const fast_exits *exits, const contact *c, bool second)
{
    const body_store *store = &world->bodies;
    uint32_t slot = second ? c->b : c->a, other = second ? c->a : c->b;
    vec3 normal = vec3_from_f(c->normal);
    double speed = vec3_dot(
        normal, relative_velocity(exits->reached[c->a], vec3_from_f(c->arm), exits->reached[c->b], arm_of_b(world, c)));
    double restitution = (double)world->pairs.data[pair_index(world, c->material_a, c->material_b)].restitution;
    double of = store->mass.data[slot], by = store->mass.data[other];
    double share = store->immovable.data[other] ? 1 : by / (of + by);
    return vec3_add_scaled(exits->reached[slot].velocity, normal,
                           (second ? -1 : 1) * (1 + restitution) * share * speed);
}

// Of several blows the hardest counts, wherever bodies stand in memory.
static bool is_harder(vec3 velocity, vec3 than)
{
    double square = vec3_dot(velocity, velocity), other = vec3_dot(than, than);
    if (square != other)
        return square > other;
    return velocity.x != than.x   ? velocity.x > than.x
           : velocity.y != than.y ? velocity.y > than.y
                                  : velocity.z > than.z;
}

static bool copy_exits(scree_world *world, const fast_exits *exits, fast_exits *copy)
{
    size_t bodies = world->bodies.count;
    *copy = (fast_exits){.count = exits->count,
                         .is_fast_exit = arena_array(&world->scratch, uint8_t, bodies),
                         .reached = arena_array(&world->scratch, body_velocity, bodies)};
    if (!copy->is_fast_exit || !copy->reached)
        return false;
    memcpy(copy->is_fast_exit, exits->is_fast_exit, bodies);
    memcpy(copy->reached, exits->reached, bodies * sizeof *copy->reached);
    return true;
}

// Throws the bodies at a contact that are none of the fast exits yet.
static void throw_at(const scree_world *world, const fast_exits *exits, const contact *c, vec3 *thrown)
{
    for (int k = 0; k < 2; k++) {
        uint32_t slot = k ? c->b : c->a;
        if (exits->is_fast_exit[slot] || world->bodies.immovable.data[slot])
            continue;
        vec3 velocity = thrown_velocity(world, exits, c, k);
        if (is_fast_exit(world, slot, velocity) && is_harder(velocity, thrown[slot]))
            thrown[slot] = velocity;
    }
}

// Adds what fast exits run into to them, at the velocities that a blow gives.
static bool pass_on(scree_world *world, fast_exits *copy, bool *added)
{
    size_t bodies = world->bodies.count, before = copy->count;
    arena_mark mark = arena_get_mark(&world->scratch);
    vec3 *thrown = arena_array(&world->scratch, vec3, bodies);
    if (!thrown)
        return false;
    memset(thrown, 0, bodies * sizeof *thrown);
    for (size_t i = 0; i < world->contacts.count; i++)
        if (fast_exit_collides(world, copy, &world->contacts.data[i]))
            throw_at(world, copy, &world->contacts.data[i], thrown);
    for (size_t i = 0; i < bodies; i++) {
        if (!is_harder(thrown[i], vec3_make(0, 0, 0)))
            continue;
        copy->is_fast_exit[i] = 1;
        copy->reached[i].velocity = thrown[i];
        copy->count++;
    }
    *added = copy->count > before;
    arena_release(&world->scratch, mark);
    return true;
}

scree_status fast_exits_detect(scree_world *world, const fast_exits *exits, const kept_contacts *solved,
                               scree_error *error)
{
    fast_exits thrown;
    uint8_t *none = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!none || !copy_exits(world, exits, &thrown))
        return fail_no_memory(error);
    memset(none, 0, world->bodies.count);
    scree_status status = detect_once(world, &thrown, solved, error);
    for (int passed = 0; !status && passed < MOST_PASSED_ON; passed++) {
        bool added;
        if (!pass_on(world, &thrown, &added))
            return fail_no_memory(error);
        if (!added)
            break;
        if (!contacts_put_back(world, solved, none)) // which detection takes over where nothing has changed
            return fail_no_memory(error);
        status = detect_once(world, &thrown, solved, error);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------- a look beforehand

// Detection goes through the whole world for the sake of what may be one body. Whether it can find anything is seen at
// less cost from spheres around the fast exits, in the order of their place along x.
//
//     | low ---- exit ---- |
//            | low ---- exit ---- |            a body may meet those that begin before its end,
//                    | --- body --- |           and not more than the widest before its beginning

typedef struct exit_sphere {
    double low; // along x
    vec3 center;
    double radius;
    uint32_t slot;
} exit_sphere;

typedef struct exit_spheres {
    const scree_world *world;
    const fast_exits *exits;
    proxy_view view;
    const exit_sphere *all;
    size_t count;
    double widest;
} exit_spheres;

// More of them are an explosion, for which detection is the better way.
enum { MOST_EXITS = 128 };

static int compare_exit_spheres(const void *a, const void *b)
{
    const exit_sphere *x = a, *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->slot > y->slot) - (x->slot < y->slot);
}

// How far a body's points may be from its centre within the step.
static double radius_of(const exit_spheres *spheres, size_t slot)
{
    return (double)spheres->world->bodies.radius.data[slot] +
           spheres->world->def.step * vec3_length(spheres->exits->reached[slot].velocity);
}

static bool list_exit_spheres(scree_world *world, const fast_exits *exits, exit_spheres *spheres)
{
    exit_sphere *all = arena_array(&world->scratch, exit_sphere, exits->count);
    if (!all)
        return false;
    *spheres = (exit_spheres){.world = world, .exits = exits, .view = store_view(&world->bodies), .all = all};
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (!exits->is_fast_exit[i])
            continue;
        vec3 center = world->bodies.position.data[i];
        double radius = radius_of(spheres, i);
        all[spheres->count++] = (exit_sphere){center.x - radius, center, radius, (uint32_t)i};
        spheres->widest = fmax(spheres->widest, 2 * radius);
    }
    sort_items(all, spheres->count, sizeof *all, compare_exit_spheres);
    return true;
}

static bool is_ball(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    const proxy *p = &store->proxies.data[store->first_proxy.data[slot]];
    return store->first_proxy.data[slot + 1] - store->first_proxy.data[slot] == 1 && p->type == SCREE_SHAPE_SPHERE &&
           p->local == 0;
}

// How far contacts, which are in single precision, may be off at the end of the step.
static double rounding(const exit_spheres *spheres, size_t a, size_t b, double size, vec3 relative)
{
    const float *radius = spheres->world->bodies.radius.data;
    double turning = 0;
    for (int i = 0; i < 2; i++) {
        size_t slot = i == 0 ? a : b;
        double spin = vec3_length(spheres->exits->reached[slot].spin);
        turning += spin > 0 ? spin * (double)radius[slot] : 0; // bodies with planes are without end
    }
    return 1e-6 * (size + spheres->world->def.step * (vec3_length(relative) + turning));
}

// Whether balls that are apart go past each other, or touch so late that they come no nearer than `least` beyond
// the plane of the touch (impact.h).
static bool balls_pass(const exit_spheres *spheres, vec3 between, vec3 relative, double reach, double least)
{
    double square = vec3_dot(relative, relative), along = vec3_dot(between, relative);
    double outside = vec3_dot(between, between) - reach * reach, root = along * along - square * outside;
    double step = spheres->world->def.step;
    if (outside <= 0.5 * least * reach) // touching balls have the plane of the beginning
        return false;
    if (!(root > 0))
        return true;
    double left = step - outside / (sqrt(root) - along);
    return left * sqrt(root) / reach < least;
}

// Whatever `collides` finds, and next to nothing else.
static bool balls_collide(const exit_spheres *spheres, size_t a, size_t b)
{
    const body_store *store = &spheres->world->bodies;
    double radius_a = (double)store->radius.data[a], radius_b = (double)store->radius.data[b];
    vec3 between = vec3_sub(store->position.data[b], store->position.data[a]);
    vec3 relative = vec3_sub(spheres->exits->reached[b].velocity, spheres->exits->reached[a].velocity);
    double distance = vec3_length(between), gap = distance - radius_a - radius_b;
    double end = gap + spheres->world->def.step * vec3_dot(between, relative) / distance;
    double least = unexpected_overlap * fmin(radius_a, radius_b) - rounding(spheres, a, b, distance, relative);
    return !(end >= fmin(0, gap) - least) && !balls_pass(spheres, between, relative, radius_a + radius_b, least);
}

static bool meets_plane(const exit_spheres *spheres, size_t slot, const proxy *p)
{
    const body_store *store = &spheres->world->bodies;
    const plane_geometry *plane = &spheres->view.planes[p->geometry];
    const body_velocity *moving = &spheres->exits->reached[p->body];
    if (vec3_dot(moving->spin, moving->spin) > 0)
        return true;
    vec3 normal = quat_rotate(proxy_orientation(&spheres->view, p), plane->normal);
    vec3 on = vec3_add_scaled(proxy_center(&spheres->view, p), normal, plane->offset);
    vec3 relative = vec3_sub(spheres->exits->reached[slot].velocity, moving->velocity);
    double radius = (double)store->radius.data[slot];
    double gap = vec3_dot(normal, vec3_sub(store->position.data[slot], on)) - radius;
    double end = gap + spheres->world->def.step * vec3_dot(normal, relative);
    double least = unexpected_overlap * radius - rounding(spheres, slot, p->body, fabs(gap) + radius, relative);
    return !(end >= (is_ball(spheres->world, slot) ? fmin(0, gap) - least : 0));
}

// Whether the sphere around a fast exit comes near the box around a shape.
static bool meets_shape(const exit_spheres *spheres, size_t slot, const proxy *p)
{
    const body_velocity *moving = &spheres->exits->reached[p->body];
    vec3 half = proxy_half_extents(&spheres->view, p);
    vec3 away = vec3_sub(spheres->world->bodies.position.data[slot], proxy_center(&spheres->view, p));
    vec3 outside = {fmax(0, fabs(away.x) - half.x), fmax(0, fabs(away.y) - half.y), fmax(0, fabs(away.z) - half.z)};
    double turning = vec3_length(moving->spin) * (double)spheres->world->bodies.radius.data[p->body];
    double moved = spheres->world->def.step * (vec3_length(moving->velocity) + (turning > 0 ? turning : 0));
    return !(vec3_length(outside) > radius_of(spheres, slot) + moved);
}

static bool may_meet(const exit_spheres *spheres, size_t slot, size_t other)
{
    const body_store *store = &spheres->world->bodies;
    if (slot == other)
        return false;
    if (is_ball(spheres->world, slot) && is_ball(spheres->world, other))
        return balls_collide(spheres, slot, other);
    for (uint32_t k = store->first_proxy.data[other]; k < store->first_proxy.data[other + 1]; k++) {
        const proxy *p = &store->proxies.data[k];
        if (shape_is_unbounded((scree_shape_type)p->type) ? meets_plane(spheres, slot, p)
                                                          : meets_shape(spheres, slot, p))
            return true;
    }
    return false;
}

// The first sphere that begins at `low` or after.
static size_t first_exit_sphere(const exit_spheres *spheres, double low)
{
    size_t first = 0, end = spheres->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (spheres->all[middle].low < low)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool is_near(const exit_sphere *of, vec3 center, double radius)
{
    double most = of->radius + radius;
    return !(fabs(center.x - of->center.x) > most || fabs(center.y - of->center.y) > most ||
             fabs(center.z - of->center.z) > most);
}

static bool meets_any(const exit_spheres *spheres, size_t slot)
{
    vec3 center = spheres->world->bodies.position.data[slot];
    double radius = radius_of(spheres, slot);
    bool bounded = isfinite(radius);
    for (size_t i = bounded ? first_exit_sphere(spheres, center.x - radius - spheres->widest) : 0; i < spheres->count;
         i++) {
        if (bounded && spheres->all[i].low > center.x + radius)
            break;
        if (is_near(&spheres->all[i], center, radius) && may_meet(spheres, spheres->all[i].slot, slot))
            return true;
    }
    return false;
}

bool fast_exits_may_hit(scree_world *world, const fast_exits *exits, bool *may_collide)
{
    *may_collide = exits->count > MOST_EXITS;
    if (exits->count == 0 || *may_collide)
        return true;
    exit_spheres spheres;
    if (!list_exit_spheres(world, exits, &spheres))
        return false;
    int any = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(| : any)
    for (size_t i = 0; i < world->bodies.count; i++)
        any |= !any && meets_any(&spheres, i);
    *may_collide = any;
    return true;
}
