// What is at rest: slower than a small part of the speed that a body gains by falling its own radius, for some times
// as long as that fall takes. Without gravity there is no such measure, and nothing sleeps.
#include "dynamics/sleep.h"

#include <string.h>

#include "base/disjoint.h"

static const double rest_speed = 0.005;    // of sqrt(g r)
static const double jointed_part = 0.1;    // of that, for mechanisms: a slow swing is no rest
static const double rest_time = 4;         // of sqrt(r / g)
static const double least_rest_steps = 50; //

static bool world_sleeps(const scree_world *world)
{
    const scree_solver_def *solver = &world->def.solver;
    if (world->def.method != SCREE_METHOD_COMPLEMENTARITY)
        return false;
    if (solver->sleep == SCREE_SLEEP_AUTO)
        return solver->algorithm == SCREE_AUTO;
    return solver->sleep == SCREE_SLEEP_ON;
}

// -------------------------------------------------------------------------------------------------------------- waking

static void wake(scree_world *world, size_t slot)
{
    if (body_sleeps(&world->bodies, slot)) {
        world->bodies.rest.data[slot] = 0;
        world->sleeping--;
    }
}

void wake_all(scree_world *world)
{
    for (size_t i = 0; world->sleeping > 0 && i < world->bodies.count; i++)
        wake(world, i);
}

static void unite_jointed(const scree_world *world, uint32_t *parent)
{
    const body_store *store = &world->bodies;
    for (size_t i = 0; i < world->joints.list.count; i++) {
        const joint *j = &world->joints.list.data[i];
        uint32_t a = body_slot(store, j->def.bodies[0]), b = body_slot(store, j->def.bodies[1]);
        if (!j->broken && a != NO_SLOT && b != NO_SLOT && !store->immovable.data[a] && !store->immovable.data[b])
            disjoint_unite(parent, a, b);
    }
}

// Marks spread over contacts and joints between bodies that can move; immovable ones only mark what touches them.
static void wake_marked(scree_world *world, uint8_t *marked, uint32_t *parent)
{
    size_t bodies = world->bodies.count;
    const uint8_t *immovable = world->bodies.immovable.data;
    disjoint_begin(parent, bodies);
    for (size_t i = 0; i < world->contacts.count; i++) {
        uint32_t a = world->contacts.data[i].a, b = world->contacts.data[i].b;
        if (!immovable[a] && !immovable[b])
            disjoint_unite(parent, a, b);
    }
    unite_jointed(world, parent);
    for (size_t i = 0; i < world->contacts.count; i++) {
        uint32_t a = world->contacts.data[i].a, b = world->contacts.data[i].b;
        if (immovable[a] && marked[a])
            marked[disjoint_root(parent, b)] = 1;
        if (immovable[b] && marked[b])
            marked[disjoint_root(parent, a)] = 1;
    }
    for (uint32_t i = 0; i < bodies; i++)
        if (!immovable[i] && marked[i])
            marked[disjoint_root(parent, i)] = 1;
    for (uint32_t i = 0; i < bodies; i++)
        if (!immovable[i] && marked[disjoint_root(parent, i)])
            wake(world, i);
}

void wake_bodies(scree_world *world, const scree_id *ids, size_t count)
{
    if (world->sleeping == 0)
        return;
    size_t bodies = world->bodies.count;
    arena_mark mark = arena_get_mark(&world->scratch);
    uint8_t *marked = arena_array(&world->scratch, uint8_t, bodies);
    uint32_t *parent = arena_array(&world->scratch, uint32_t, bodies);
    if (!marked || !parent) {
        wake_all(world);
        return;
    }
    memset(marked, 0, bodies);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = body_slot(&world->bodies, ids[i]);
        if (slot != NO_SLOT)
            marked[slot] = 1;
    }
    wake_marked(world, marked, parent);
    arena_release(&world->scratch, mark);
}

void wake_islands(scree_world *world, const island_set *set)
{
    for (size_t i = 0; world->sleeping > 0 && i < world->bodies.count; i++)
        if (set->of_slot[i] != NO_ISLAND && set->islands[set->of_slot[i]].way != ISLAND_ASLEEP)
            wake(world, i);
}

// ----------------------------------------------------------------------------------------------------- moved bodies

static bool is_moving(const body_store *store, uint32_t slot)
{
    return vec3_length(store->velocity.data[slot]) > 0 || vec3_length(store->spin.data[slot]) > 0;
}

// Is the sphere of a body within the bounds of a moved one, as widened by what that moves in a step?
static bool is_near(const scree_world *world, size_t slot, uint32_t moved)
{
    const body_store *store = &world->bodies;
    double reach = (double)store->radius.data[slot] * 1.01 + (double)store->radius.data[moved] +
                   vec3_length(store->velocity.data[moved]) * world->def.step;
    vec3 between = vec3_sub(store->position.data[slot], store->position.data[moved]);
    return !(vec3_length(between) > reach);
}

static void mark_near_moved(const scree_world *world, uint8_t *marked)
{
    for (size_t m = 0; m < world->motions.count; m++) {
        uint32_t moved = body_slot(&world->bodies, world->motions.data[m].id);
        for (size_t i = 0; is_moving(&world->bodies, moved) && i < world->bodies.count; i++)
            marked[i] = marked[i] || (!world->bodies.immovable.data[i] && is_near(world, i, moved));
    }
    joints_mark_driven(world, marked);
}

// -------------------------------------------------------------------------------------------------- around detection

bool sleepers_find(scree_world *world, sleepers *found)
{
    const body_store *store = &world->bodies;
    *found = (sleepers){.still = store->immovable.data};
    if (world->sleeping == 0)
        return true;
    uint8_t *still = arena_array(&world->scratch, uint8_t, store->count);
    uint32_t *parent = arena_array(&world->scratch, uint32_t, store->count);
    if (!still || !parent)
        return false;
    if (world->motions.count > 0) {
        memset(still, 0, store->count);
        mark_near_moved(world, still);
        wake_marked(world, still, parent);
    }
    for (size_t i = 0; i < store->count; i++)
        still[i] = store->immovable.data[i] || body_sleeps(store, i);
    found->still = still;
    for (size_t i = 0; i < world->contacts.count; i++)
        found->contact_count += still[world->contacts.data[i].a] && still[world->contacts.data[i].b];
    found->contacts = arena_array(&world->scratch, contact, found->contact_count);
    if (!found->contacts)
        return false;
    size_t count = 0;
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        if (still[c->a] && still[c->b])
            found->contacts[count++] = *c;
    }
    return true;
}

// From the back, so that it can be done in place.
bool sleepers_return(scree_world *world, const sleepers *found)
{
    size_t old = found->contact_count, fresh = world->contacts.count;
    if (old == 0)
        return true;
    if (!array_reserve(&world->contacts, old + fresh))
        return false;
    contact *all = world->contacts.data;
    world->contacts.count = old + fresh;
    for (size_t to = old + fresh; old > 0;) {
        bool take_old = fresh == 0 || found->contacts[old - 1].a >= all[fresh - 1].a;
        all[--to] = take_old ? found->contacts[--old] : all[--fresh];
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------ falling asleep

static bool is_slow(const scree_world *world, size_t slot, double gravity, double part)
{
    const body_store *store = &world->bodies;
    double radius = (double)store->radius.data[slot];
    double speed = vec3_length(store->velocity.data[slot]) + radius * vec3_length(store->spin.data[slot]);
    return speed < part * rest_speed * sqrt(gravity * radius);
}

static float wanted_rest(const scree_world *world, size_t slot, double gravity)
{
    double radius = (double)world->bodies.radius.data[slot];
    return (float)fmax(least_rest_steps * world->def.step, rest_time * sqrt(radius / gravity));
}

bool update_rest(scree_world *world, const island_set *set)
{
    body_store *store = &world->bodies;
    double gravity = vec3_length(world->def.gravity);
    if (!world_sleeps(world) || !(gravity > 0) || set->count == 0)
        return true;
    uint8_t *restless = arena_array(&world->scratch, uint8_t, set->count);
    uint8_t *disturbed = arena_array(&world->scratch, uint8_t, store->count);
    if (!restless || !disturbed)
        return false;
    memset(disturbed, 0, store->count);
    mark_near_moved(world, disturbed);
    for (size_t i = 0; i < set->count; i++)
        restless[i] = set->islands[i].way == ISLAND_ASLEEP || !set->islands[i].supported;
    for (size_t i = 0; i < store->count; i++) {
        uint32_t island = set->of_slot[i];
        if (island == NO_ISLAND || set->islands[island].way == ISLAND_ASLEEP)
            continue;
        double part = set->islands[island].row_count > 0 ? jointed_part : 1;
        bool rests = !disturbed[i] && is_slow(world, i, gravity, part);
        store->rest.data[i] = rests ? store->rest.data[i] + (float)world->def.step : 0;
        restless[island] |= store->rest.data[i] < wanted_rest(world, i, gravity);
    }
    for (size_t i = 0; i < store->count; i++) {
        uint32_t island = set->of_slot[i];
        if (island == NO_ISLAND || restless[island])
            continue;
        store->rest.data[i] = ASLEEP;
        store->velocity.data[i] = store->spin.data[i] = vec3_make(0, 0, 0);
        world->sleeping++;
    }
    return true;
}
