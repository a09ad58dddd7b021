#include "scene/plan.h"

#include <math.h>

// Steps in an interval of time: the nearest whole number.
static uint64_t steps_in(double interval, double step)
{
    double count = interval / step;
    return count < 0x1p62 ? (uint64_t)llround(fmax(count, 0)) : (uint64_t)1 << 62;
}

static uint64_t steps_between(double interval, double step)
{
    uint64_t count = steps_in(interval, step);
    return count + (interval > 0 && count == 0);
}

run_plan scene_plan(const scree_scene *scene, uint64_t steps)
{
    const scene_output *output = &scene->output;
    double step = scene->world.step;
    return (run_plan){.steps = steps ? steps : steps_in(scene->duration, step),
                      .every = steps_between(output->every, step),
                      .checkpoint_every = steps_between(output->checkpoint_every, step),
                      .problems_every = steps_between(output->problems_every, step)};
}
