#include "dynamics/stale.h"

#include "dynamics/sleep.h"

static const double most_left = 50, most_load = 1000, falls = 100;

enum { MOST_PASSES = 16 };

typedef struct limits {
    double left, load; // of impulses
} limits;

static double speed_of(const body_store *store, size_t slot)
{
    double radius = (double)store->radius.data[slot], spin = vec3_length(store->spin.data[slot]);
    return vec3_length(store->velocity.data[slot]) + (spin > 0 && isfinite(radius) ? spin * radius : 0);
}

static limits find_limits(const scree_world *world)
{
    const body_store *store = &world->bodies;
    double speed = 0, mass = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(max : speed, mass)
    for (size_t i = 0; i < store->count; i++) {
        double mine = speed_of(store, i);
        speed = mine > speed ? mine : speed;
        if (!store->immovable.data[i] && store->mass.data[i] > mass)
            mass = store->mass.data[i];
    }
    double unit = mass * (speed + falls * world->def.step * vec3_length(world->def.gravity));
    return (limits){most_left * unit, most_load * unit};
}

// The largest impulse; larger ones than `most` become as small as that.
static double limit_impulses(scree_world *world, double most)
{
    contact *contacts = world->contacts.data;
    double largest = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(max : largest)
    for (size_t i = 0; i < world->contacts.count; i++) {
        vec3 impulse = vec3_from_f(contacts[i].impulse);
        double square = vec3_dot(impulse, impulse);
        if (square > most * most) {
            contacts[i].impulse = vec3f_from(vec3_scale(impulse, most / sqrt(square)));
            square = most * most;
        }
        largest = square > largest ? square : largest;
    }
    return sqrt(largest);
}

static void add_to_bodies(vec3 *left, const contact *c, double sign)
{
    vec3 impulse = vec3_from_f(c->impulse);
    left[c->a] = vec3_add_scaled(left[c->a], impulse, -sign);
    left[c->b] = vec3_add_scaled(left[c->b], impulse, sign);
}

// Joints carry what contacts leave over, and bodies that do not move carry anything.
static void mark_carried(const scree_world *world, uint8_t *carried)
{
    const body_store *store = &world->bodies;
    for (size_t i = 0; i < store->count; i++)
        carried[i] = store->immovable.data[i] || body_sleeps(store, i);
    for (size_t i = 0; i < world->joints.list.count; i++) {
        const joint *tie = &world->joints.list.data[i];
        for (int k = 0; k < 2; k++) {
            uint32_t slot = tie->def.bodies[k] ? body_slot(store, tie->def.bodies[k]) : NO_SLOT;
            if (slot != NO_SLOT)
                carried[slot] = true;
        }
    }
}

// Contacts of bodies on which too much is left forget; then that may be so of those at their other ends.
static size_t forget_once(scree_world *world, vec3 *left, const uint8_t *carried, double most)
{
    size_t forgotten = 0;
    for (size_t i = 0; i < world->contacts.count; i++) {
        contact *c = &world->contacts.data[i];
        bool of_a = !carried[c->a] && vec3_dot(left[c->a], left[c->a]) > most * most;
        bool of_b = !carried[c->b] && vec3_dot(left[c->b], left[c->b]) > most * most;
        if ((!of_a && !of_b) || (c->impulse.x == 0 && c->impulse.y == 0 && c->impulse.z == 0))
            continue;
        add_to_bodies(left, c, -1);
        c->impulse = (vec3f){0, 0, 0};
        forgotten++;
    }
    return forgotten;
}

bool forget_stale_impulses(scree_world *world)
{
    limits most = find_limits(world);
    if (!(most.left > 0) || limit_impulses(world, most.load) <= most.left)
        return true;
    size_t count = world->bodies.count;
    arena_mark mark = arena_get_mark(&world->scratch);
    vec3 *left = arena_array(&world->scratch, vec3, count);
    uint8_t *carried = arena_array(&world->scratch, uint8_t, count);
    if (!left || !carried)
        return false;
    mark_carried(world, carried);
    for (size_t i = 0; i < count; i++)
        left[i] = vec3_make(0, 0, 0);
    for (size_t i = 0; i < world->contacts.count; i++)
        add_to_bodies(left, &world->contacts.data[i], 1);
    for (int pass = 0; pass < MOST_PASSES && forget_once(world, left, carried, most.left) > 0; pass++)
        ;
    arena_release(&world->scratch, mark);
    return true;
}
