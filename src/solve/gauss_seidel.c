// Projected block Gauss-Seidel over tiles: each contact is solved with the newest velocities of its two bodies.
//
// Whether to go on is decided by the true residual, which is computed only once the last change of an impulse suggests
// that it may be small enough.
#include "base/threads.h"
#include "solve/kernels.h"
#include "solve/solver.h"
#include "solve/tiles.h"

enum { MOST_SWEEPS_AT_ONCE = 8 };

static double sweep_tile(contact_problem *problem, size_t tile, const void *context)
{
    const kernel_table *kernels = context;
    return kernels->sweep(problem->bodies, problem->groups, problem->tiles[tile].first_group,
                          problem->tiles[tile].group_count);
}

// One sweep, so that a solution that was good already is seen at once, then more at a time.
static int next_sweeps(int done, int most)
{
    int sweeps = done == 0 ? 1 : done < MOST_SWEEPS_AT_ONCE ? done : MOST_SWEEPS_AT_ONCE;
    return done + sweeps < most ? sweeps : most - done;
}

scree_status solve_gauss_seidel(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                                solve_result *result, scree_error *error)
{
    (void)scratch;
    (void)error;
    tile_work work = {sweep_tile, kernels_for(problem->precision)};
    double threshold = HUGE_VAL; // change of an impulse below which the residual is worth a look
    result->iterations = 0;
    while (result->iterations < def->iterations) {
        int sweeps = next_sweeps(result->iterations, def->iterations);
        tiles_run(problem, sweeps, work, threads);
        result->iterations += sweeps;
        double change = tiles_change(problem);
        if (result->iterations >= def->iterations || change > threshold)
            continue;
        result->residual = problem_residual(problem, threads);
        if (result->residual.max <= def->tolerance)
            return SCREE_OK;
        threshold = change * fmax(0.1, 0.7 * def->tolerance / result->residual.max);
    }
    result->residual = problem_residual(problem, threads);
    return SCREE_OK;
}
