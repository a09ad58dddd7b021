#include "rigid/rest.h"

#include <string.h>

#include "contact/sleepers.h"
#include "world/wake.h"

static const double rest_speed = 0.005; // of sqrt(g r)
static const double jointed_part = 0.1; // of that, for mechanisms: a slow swing is no rest
static const double rest_time = 4;      // of sqrt(r / g)
static const double least_rest_steps = 50;

static bool world_sleeps(const scree_world *world)
{
    const scree_solver_def *solver = &world->def.solver;
    if (solver->sleep == SCREE_SLEEP_AUTO)
        return solver->algorithm == SCREE_ALGORITHM_AUTO;
    return solver->sleep == SCREE_SLEEP_ON;
}

void wake_islands(scree_world *world, const island_set *set)
{
    for (size_t i = 0; world->sleeping > 0 && i < world->bodies.count; i++)
        if (set->of_slot[i] != NO_ISLAND && set->islands[set->of_slot[i]].solver != ISLAND_ASLEEP)
            wake_body(world, i);
}

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
    if (!mark_near_moved(world, disturbed))
        return false;
    for (size_t i = 0; i < set->count; i++)
        restless[i] = set->islands[i].solver == ISLAND_ASLEEP || !set->islands[i].supported;
    for (size_t i = 0; i < store->count; i++) {
        uint32_t island = set->of_slot[i];
        if (island == NO_ISLAND || set->islands[island].solver == ISLAND_ASLEEP)
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
