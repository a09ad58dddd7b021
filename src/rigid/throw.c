#include "rigid/throw.h"

#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "contact/detect.h"
#include "contact/velocity.h"
#include "geometry/shape.h"
#include "world/view.h"
#include "world/wake.h"

// Parts of a radius: path beyond what was expected that counts as thrown, overlap that counts as a collision.
static const double unexpected_path = 0.05, unexpected_overlap = 0.025;

static bool is_thrown(const scree_world *world, size_t slot, vec3 reached)
{
    const body_store *store = &world->bodies;
    double h = world->def.step, fall = h * vec3_length(world->def.gravity);
    double expected = vec3_length(store->velocity.data[slot]) + fall;
    return h * (vec3_length(reached) - expected) > unexpected_path * (double)store->radius.data[slot];
}

bool thrown_find(scree_world *world, const step_solution *solution, thrown_bodies *thrown)
{
    const body_store *store = &world->bodies;
    *thrown = (thrown_bodies){.is_thrown = arena_array(&world->scratch, uint8_t, store->count),
                              .reached = arena_array(&world->scratch, body_velocity, store->count)};
    if (!thrown->is_thrown || !thrown->reached)
        return false;
    size_t count = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : count)
    for (size_t i = 0; i < store->count; i++) {
        bool moves = !store->immovable.data[i] && !body_sleeps(store, i);
        thrown->reached[i] = !moves               ? world_velocity(world, i)
                             : solution->position ? solution->position[i]
                                                  : solution->end[i];
        thrown->is_thrown[i] = moves && is_thrown(world, i, thrown->reached[i].velocity);
        count += thrown->is_thrown[i];
    }
    thrown->count = count;
    return true;
}

// The gap at the end of the step against the one at its beginning, where that was an overlap already.
static bool collides(const scree_world *world, const thrown_bodies *thrown, const contact *c)
{
    const body_store *store = &world->bodies;
    vec3 relative =
        relative_velocity(thrown->reached[c->a], vec3_from_f(c->arm), thrown->reached[c->b], arm_of_b(world, c));
    double end = (double)c->gap + world->def.step * vec3_dot(vec3_from_f(c->normal), relative);
    double radius = (double)fminf(store->radius.data[c->a], store->radius.data[c->b]);
    return end < fmin(0, (double)c->gap) - unexpected_overlap * radius;
}

bool thrown_collides(const scree_world *world, const thrown_bodies *thrown, const contact *c)
{
    return (thrown->is_thrown[c->a] || thrown->is_thrown[c->b]) && collides(world, thrown, c);
}

scree_status thrown_detect(scree_world *world, const thrown_bodies *thrown, scree_error *error)
{
    body_velocity *reached = arena_array(&world->scratch, body_velocity, world->bodies.count);
    if (!reached)
        return fail_no_memory(error);
    for (size_t i = 0; i < world->bodies.count; i++)
        reached[i] = thrown->is_thrown[i] ? thrown->reached[i] : world_velocity(world, i);
    return detect_contacts(world, reached, error);
}

// ---------------------------------------------------------------------------------------------------- two detections

bool contacts_keep(scree_world *world, const uint8_t *marked, kept_contacts *kept)
{
    const contact *all = world->contacts.data;
    size_t count = world->contacts.count;
    bool turning = world->rich && world->angular_impulses.count == count;
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

// ------------------------------------------------------------------------------------------------- a look beforehand

// Detection goes through the whole world for the sake of what may be one body. Whether it can find anything is seen at
// less cost from spheres around the thrown bodies, in the order of their place along x.
//
//     | low --- thrown ---- |
//            | low --- thrown ---- |            a body may meet those that begin before its end,
//                    | --- body --- |           and not more than the widest before its beginning

typedef struct flight {
    double low; // along x
    vec3 centre;
    double reach;
    uint32_t slot;
} flight;

typedef struct flights {
    const scree_world *world;
    const thrown_bodies *thrown;
    proxy_view view;
    const flight *all;
    size_t count;
    double widest;
} flights;

// More of them are an explosion, for which detection is the better way.
enum { MOST_FLIGHTS = 128 };

static int compare_flights(const void *a, const void *b)
{
    const flight *x = a, *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->slot > y->slot) - (x->slot < y->slot);
}

// How far a body's points may be from its centre within the step.
static double reach_of(const flights *f, size_t slot)
{
    return (double)f->world->bodies.radius.data[slot] +
           f->world->def.step * vec3_length(f->thrown->reached[slot].velocity);
}

static bool list_flights(scree_world *world, const thrown_bodies *thrown, flights *f)
{
    flight *all = arena_array(&world->scratch, flight, thrown->count);
    if (!all)
        return false;
    *f = (flights){.world = world, .thrown = thrown, .view = store_view(&world->bodies), .all = all};
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (!thrown->is_thrown[i])
            continue;
        vec3 centre = world->bodies.position.data[i];
        double reach = reach_of(f, i);
        all[f->count++] = (flight){centre.x - reach, centre, reach, (uint32_t)i};
        f->widest = fmax(f->widest, 2 * reach);
    }
    sort_items(all, f->count, sizeof *all, compare_flights);
    return true;
}

static bool is_ball(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    const proxy *p = &store->proxies.data[store->first_proxy.data[slot]];
    return store->first_proxy.data[slot + 1] - store->first_proxy.data[slot] == 1 && p->type == SCREE_SPHERE &&
           p->local == 0;
}

// How far contacts, which are in single precision, may be off at the end of the step.
static double rounding(const flights *f, size_t a, size_t b, double size, vec3 relative)
{
    const float *radius = f->world->bodies.radius.data;
    double turning = 0;
    for (int i = 0; i < 2; i++) {
        size_t slot = i == 0 ? a : b;
        double spin = vec3_length(f->thrown->reached[slot].spin);
        turning += spin > 0 ? spin * (double)radius[slot] : 0; // bodies with planes are without end
    }
    return 1e-6 * (size + f->world->def.step * (vec3_length(relative) + turning));
}

// Whatever `collides` finds, and next to nothing else.
static bool balls_collide(const flights *f, size_t a, size_t b)
{
    const body_store *store = &f->world->bodies;
    double radius_a = (double)store->radius.data[a], radius_b = (double)store->radius.data[b];
    vec3 between = vec3_sub(store->position.data[b], store->position.data[a]);
    vec3 relative = vec3_sub(f->thrown->reached[b].velocity, f->thrown->reached[a].velocity);
    double distance = vec3_length(between), gap = distance - radius_a - radius_b;
    double end = gap + f->world->def.step * vec3_dot(between, relative) / distance;
    double least = unexpected_overlap * fmin(radius_a, radius_b) - rounding(f, a, b, distance, relative);
    return !(end >= fmin(0, gap) - least);
}

static bool meets_plane(const flights *f, size_t slot, const proxy *p)
{
    const body_store *store = &f->world->bodies;
    const plane_geometry *plane = &f->view.planes[p->geometry];
    const body_velocity *moving = &f->thrown->reached[p->body];
    if (vec3_dot(moving->spin, moving->spin) > 0)
        return true;
    vec3 normal = quat_rotate(proxy_orientation(&f->view, p), plane->normal);
    vec3 on = vec3_add_scaled(proxy_centre(&f->view, p), normal, plane->offset);
    vec3 relative = vec3_sub(f->thrown->reached[slot].velocity, moving->velocity);
    double radius = (double)store->radius.data[slot];
    double gap = vec3_dot(normal, vec3_sub(store->position.data[slot], on)) - radius;
    double end = gap + f->world->def.step * vec3_dot(normal, relative);
    double least = unexpected_overlap * radius - rounding(f, slot, p->body, fabs(gap) + radius, relative);
    return !(end >= (is_ball(f->world, slot) ? fmin(0, gap) - least : 0));
}

// Whether the sphere around a thrown body comes near the box around a shape.
static bool meets_shape(const flights *f, size_t slot, const proxy *p)
{
    const body_velocity *moving = &f->thrown->reached[p->body];
    vec3 half = proxy_half_extents(&f->view, p);
    vec3 away = vec3_sub(f->world->bodies.position.data[slot], proxy_centre(&f->view, p));
    vec3 outside = {fmax(0, fabs(away.x) - half.x), fmax(0, fabs(away.y) - half.y), fmax(0, fabs(away.z) - half.z)};
    double turning = vec3_length(moving->spin) * (double)f->world->bodies.radius.data[p->body];
    double moved = f->world->def.step * (vec3_length(moving->velocity) + (turning > 0 ? turning : 0));
    return !(vec3_length(outside) > reach_of(f, slot) + moved);
}

static bool may_meet(const flights *f, size_t slot, size_t other)
{
    const body_store *store = &f->world->bodies;
    if (slot == other)
        return false;
    if (is_ball(f->world, slot) && is_ball(f->world, other))
        return balls_collide(f, slot, other);
    for (uint32_t k = store->first_proxy.data[other]; k < store->first_proxy.data[other + 1]; k++) {
        const proxy *p = &store->proxies.data[k];
        if (shape_is_unbounded((scree_shape_type)p->type) ? meets_plane(f, slot, p) : meets_shape(f, slot, p))
            return true;
    }
    return false;
}

// The first flight that begins at `low` or after.
static size_t first_flight(const flights *f, double low)
{
    size_t first = 0, end = f->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (f->all[middle].low < low)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool is_near(const flight *of, vec3 centre, double reach)
{
    double most = of->reach + reach;
    return !(fabs(centre.x - of->centre.x) > most || fabs(centre.y - of->centre.y) > most ||
             fabs(centre.z - of->centre.z) > most);
}

static bool meets_any(const flights *f, size_t slot)
{
    vec3 centre = f->world->bodies.position.data[slot];
    double reach = reach_of(f, slot);
    bool bounded = isfinite(reach);
    for (size_t i = bounded ? first_flight(f, centre.x - reach - f->widest) : 0; i < f->count; i++) {
        if (bounded && f->all[i].low > centre.x + reach)
            break;
        if (is_near(&f->all[i], centre, reach) && may_meet(f, f->all[i].slot, slot))
            return true;
    }
    return false;
}

bool thrown_look(scree_world *world, const thrown_bodies *thrown, bool *may_collide)
{
    *may_collide = thrown->count > MOST_FLIGHTS;
    if (thrown->count == 0 || *may_collide)
        return true;
    flights f;
    if (!list_flights(world, thrown, &f))
        return false;
    int any = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(| : any)
    for (size_t i = 0; i < world->bodies.count; i++)
        any |= !any && meets_any(&f, i);
    *may_collide = any;
    return true;
}
