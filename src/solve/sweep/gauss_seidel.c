// Projected block Gauss-Seidel over tiles: each contact is solved with the newest velocities of its two bodies.
#include <math.h>

#include "base/threads.h"
#include "solve/solver.h"
#include "solve/sweep/blocks.h"
#include "solve/sweep/kernels.h"
#include "solve/sweep/stopping.h"
#include "solve/sweep/tiles.h"

enum { MOST_SWEEPS_AT_ONCE = 8 };

static void sweep_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *kernels)
{
    (void)pass;
    problem->results[tile].change = ((const sweep_kernels *)kernels)->sweep(problem, problem->tiles[tile]);
}

// These give back the largest change of an impulse in the last sweep.
static double sweep(contact_problem *problem, int sweeps, int threads)
{
    tile_work work = {sweep_tile, sweep_kernels_for(problem)};
    tiles_run(problem, sweeps, work, threads);
    return tiles_change(problem);
}

static double sweep_with_blocks(contact_problem *problem, int sweeps, int threads)
{
    double change = 0;
    for (int i = 0; i < sweeps; i++) {
        step_sums unused = {0};
        change = sweep(problem, 1, threads);
        change = fmax(change, sqrt(blocks_relax(problem, 0, &unused, threads)));
    }
    return change;
}

scree_status solve_gauss_seidel(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                                solve_result *result, scree_error *error)
{
    (void)scratch;
    (void)error;
    stopping stop = stopping_begin(def);
    problem_apply_impulses(problem, NULL, threads);
    blocks_apply(problem);
    double change;
    do {
        // One sweep, so that a solution that was good already is seen at once, then more at a time.
        int done = result->iterations;
        int sweeps = stopping_next(&stop, result,
                                   done == 0                    ? 1
                                   : done < MOST_SWEEPS_AT_ONCE ? done
                                                                : MOST_SWEEPS_AT_ONCE);
        change = blocks_any(problem) ? sweep_with_blocks(problem, sweeps, threads) : sweep(problem, sweeps, threads);
        result->iterations += sweeps;
    } while (stopping_go_on(&stop, problem, change, threads, result));
    return SCREE_OK;
}
