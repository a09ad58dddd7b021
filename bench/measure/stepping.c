// Steps, their stages, their solver's figures and the memory they needed.
#include "bench/measure/stepping.h"

#include <math.h>

#include "base/error.h"

enum { STAGES = 5 };

static void add_figures(step_result *result, const scree_figures *figures, double share)
{
    const scree_stage_times *last = &figures->last;
    const double seconds[STAGES] = {last->broad, last->narrow, last->prepare, last->solve, last->integrate};
    for (int i = 0; i < STAGES; i++)
        result->stage_ms[i] += 1e3 * seconds[i] * share;
    result->iterations += figures->iterations * share;
    result->residual_max = fmax(result->residual_max, figures->residual_max);
}

static scree_status take_steps(scree_world *world, const bench_options *options, before_step *before, void *context,
                               step_times *times, step_result *result, scree_error *error)
{
    for (size_t step = 0; step < options->steps; step++) {
        bool timed = step + options->last >= options->steps;
        scree_status status = before ? before(context, error) : SCREE_OK;
        step_times_start(times);
        if (status == SCREE_OK)
            status = scree_world_step(world, 1, error);
        step_times_stop(times, timed);
        if (status != SCREE_OK)
            return status;
        if (timed) {
            scree_figures figures = scree_world_figures(world);
            add_figures(result, &figures, 1 / (double)options->last);
        }
    }
    return SCREE_OK;
}

scree_status step_world(scree_world *world, const bench_options *options, size_t bodies, double resident_before,
                        step_result *result, scree_error *error)
{
    return step_world_after(world, options, bodies, resident_before, NULL, NULL, result, error);
}

scree_status step_world_after(scree_world *world, const bench_options *options, size_t bodies, double resident_before,
                              before_step *before, void *context, step_result *result, scree_error *error)
{
    static const char *const names[STAGES] = {"broad", "narrow", "prepare", "solve", "integrate"};
    step_times times;
    *result = (step_result){.bodies = bodies, .threads = options->threads};
    for (int i = 0; i < STAGES; i++)
        result->stage_names[i] = names[i];
    if (!step_times_make(&times, options->last))
        return fail_no_memory(error);
    double begun = scree_world_figures(world).time;
    scree_status status = take_steps(world, options, before, context, &times, result, error);
    scree_figures figures = scree_world_figures(world);
    result->time = step_times_timing(&times);
    result->warm_up = options->steps - result->time.count;
    result->step_s = (figures.time - begun) / (double)options->steps;
    result->contacts = figures.contacts;
    result->bytes_per_body = (double)figures.memory_bytes / (double)bodies;
    result->resident_per_body = (memory_resident_bytes() - resident_before) / (double)bodies;
    result->memory_bytes = memory_peak_bytes();
    step_times_free(&times);
    return status;
}
