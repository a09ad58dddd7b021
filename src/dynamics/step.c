// Stepping a world by its method.
#include "base/error.h"
#include "dynamics/world.h"

typedef scree_status (*step_function)(scree_world *world, scree_error *error);

static const step_function methods[] = {[SCREE_METHOD_COMPLEMENTARITY] = step_complementarity};

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
    scree_status status = methods[world->def.method](world, error);
    if (status == SCREE_OK)
        add_times(&world->total, &world->last);
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
