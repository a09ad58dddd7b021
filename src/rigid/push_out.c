#include "rigid/push_out.h"

#include <string.h>

#include "base/error.h"
#include "rigid/direct.h"
#include "rigid/swept.h"
#include "solve/sweep/nesterov.h"

static bool keep_velocities(island_run *run)
{
    if (!run->is_direct) {
        velocities_keep(&run->swept, run->position_velocities, run->threads);
        for (size_t i = 0; i < run->heavy_count; i++)
            run->heavy[i].position = run->heavy[i].end;
        return true;
    }
    run->position_velocity = arena_array(run->scratch, body_velocity, run->island->body_count);
    if (!run->position_velocity)
        return false;
    for (size_t i = 0; i < run->island->body_count; i++)
        run->position_velocity[i] = run_velocity(run, i);
    return true;
}

scree_status split_push_out(island_run *run, scree_error *error)
{
    if (!run->island->pushed)
        return SCREE_OK;
    if (!keep_velocities(run))
        return fail_no_memory(error);
    if (run->is_direct || run->island->flies)
        return run_solve_again(run, bias_without_push_out, run->problem->solver.iterations, error);
    int iterations = (run->problem->solver.iterations + 3) / 4;
    bool blocks = run->swept.joints || run->swept.wide; // which a part of the problem does not have
    return blocks ? swept_solve_again(run, bias_without_push_out, iterations, error)
                  : swept_solve_pushed(run, bias_without_push_out, iterations, error);
}
