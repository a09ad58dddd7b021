// Stepping a world by its method.
#include "base/error.h"
#include "dynamics/penalty.h"

typedef scree_status (*step_function)(scree_world *world, scree_error *error);

static const step_function methods[] = {[SCREE_METHOD_COMPLEMENTARITY] = step_complementarity,
                                        [SCREE_METHOD_PENALTY] = step_penalty,
                                        [SCREE_METHOD_FFD] = step_ffd};

bool method_exists(scree_method method)
{
    return (size_t)method < sizeof methods / sizeof methods[0] && methods[method];
}

static void add_times(scree_stage_times *sum, const scree_stage_times *last)
{
    sum->broad += last->broad;
    sum->narrow += last->narrow;
    sum->prepare += last->prepare;
    sum->solve += last->solve;
    sum->integrate += last->integrate;
}

static scree_status step_once(scree_world *world, scree_error *error)
{
    world->last = (scree_stage_times){0};
    scree_status status = methods[world->def.method](world, error);
    if (status == SCREE_OK)
        add_times(&world->total, &world->last);
    return status;
}

scree_status scree_world_check(scree_world *world, double *longest_step, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool limited = world->def.method == SCREE_METHOD_PENALTY;
    if (limited)
        status = penalty_begin(world, error);
    if (longest_step)
        *longest_step = limited && world->penalty ? world->penalty->longest_step : HUGE_VAL;
    return status;
}

scree_status scree_world_step(scree_world *world, int steps, scree_error *error)
{
    if (steps < 0)
        return fail(error, SCREE_INVALID, "number of steps is %d, must be at least 0", steps);
    if (world->diverged)
        return fail(error, SCREE_DIVERGED, "this world has diverged at step %llu and cannot be stepped on",
                    (unsigned long long)world->steps);
    scree_status status = SCREE_OK;
    world->tree.valid = false;
    for (int i = 0; i < steps && status == SCREE_OK; i++) {
        status = step_once(world, error);
        if (status == SCREE_NO_MEMORY)
            world->contacts.count = 0;
    }
    return status;
}
