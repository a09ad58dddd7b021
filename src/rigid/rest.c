#include "rigid/rest.h"

#include "world/wake.h"

static const double rest_speed = 0.005; // of sqrt(g r)
static const double jointed_part = 0.1; // of that, for mechanisms: a slow swing is no rest
static const double rest_time = 4;      // of sqrt(r / g)
static const double least_rest_steps = 50;

bool may_rest(const step_problem *problem, const island_set *set)
{
    bool by_algorithm = problem->solver.algorithm == SCREE_ALGORITHM_AUTO;
    bool sleeps = problem->solver.sleep == SCREE_SLEEP_AUTO ? by_algorithm : problem->solver.sleep == SCREE_SLEEP_ON;
    return sleeps && problem->gravity_length > 0 && set->count > 0;
}

size_t wake_islands(const island_set *set, size_t body_count, float *rest)
{
    size_t woken = 0;
    for (size_t i = 0; i < body_count; i++) {
        if (!(rest[i] < 0) || set->of_slot[i] == NO_ISLAND || set->islands[set->of_slot[i]].solver == ISLAND_ASLEEP)
            continue;
        rest[i] = 0;
        woken++;
    }
    return woken;
}

static bool is_slow(const step_problem *problem, size_t slot, double part)
{
    double radius = (double)problem->radius[slot];
    double speed = vec3_length(problem->velocity[slot]) + radius * vec3_length(problem->spin[slot]);
    return speed < part * rest_speed * sqrt(problem->gravity_length * radius);
}

static float wanted_rest(const step_problem *problem, size_t slot)
{
    double fall = sqrt((double)problem->radius[slot] / problem->gravity_length);
    return (float)fmax(least_rest_steps * problem->step, rest_time * fall);
}

// Counts the time at rest of a body; returns whether that is long enough.
static bool count_rest(const step_problem *problem, const island_entry *island, bool disturbed, size_t slot,
                       float *rest)
{
    bool rests = !disturbed && is_slow(problem, slot, island->row_count > 0 ? jointed_part : 1);
    *rest = rests ? *rest + (float)problem->step : 0;
    return *rest >= wanted_rest(problem, slot);
}

bool update_rest(const step_problem *problem, const island_set *set, const uint8_t *disturbed, arena *scratch,
                 const step_bodies *bodies, size_t *fell_asleep)
{
    uint8_t *restless = arena_array(scratch, uint8_t, set->count);
    *fell_asleep = 0;
    if (!restless)
        return false;
    for (size_t i = 0; i < set->count; i++)
        restless[i] = set->islands[i].solver == ISLAND_ASLEEP || !set->islands[i].supported;
    for (size_t i = 0; i < problem->body_count; i++) {
        uint32_t island = set->of_slot[i];
        if (island != NO_ISLAND && set->islands[island].solver != ISLAND_ASLEEP)
            restless[island] |= !count_rest(problem, &set->islands[island], disturbed[i], i, &bodies->rest[i]);
    }
    for (size_t i = 0; i < problem->body_count; i++) {
        uint32_t island = set->of_slot[i];
        if (island == NO_ISLAND || restless[island])
            continue;
        bodies->rest[i] = ASLEEP;
        bodies->velocity[i] = bodies->spin[i] = vec3_make(0, 0, 0);
        bodies->instant[i] = VELOCITY_GIVEN;
        ++*fell_asleep;
    }
    return true;
}
