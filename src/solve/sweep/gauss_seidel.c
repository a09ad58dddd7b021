// Projected block Gauss-Seidel over tiles: each contact is solved with the newest velocities of its two bodies.
#include <math.h>

#include "base/error.h"
#include "solve/solver.h"
#include "solve/sweep/blocks.h"
#include "solve/sweep/kernels.h"
#include "solve/sweep/stopping.h"
#include "solve/sweep/tiles.h"

enum { MOST_SWEEPS_AT_ONCE = 8 };

typedef struct plain_sweep {
    const sweep_kernels *kernels;
    double *block_change; // largest squared change of a block's impulse in the last sweep
} plain_sweep;

static void sweep_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *context)
{
    (void)pass;
    const plain_sweep *run = context;
    problem->results[tile].change = run->kernels->sweep(problem, problem->tiles[tile]);
}

static void relax_blocks(contact_problem *problem, uint32_t pass, const void *context, int threads)
{
    (void)pass;
    const plain_sweep *run = context;
    step_sums unused = {0};
    *run->block_change = blocks_relax(problem, 0, &unused, threads);
}

// Gives back the largest change of an impulse in the last sweep.
static double sweep(contact_problem *problem, int sweeps, int threads)
{
    double block_change = 0;
    tile_work work = {.run = sweep_tile,
                      .relax_blocks = blocks_any(problem) ? relax_blocks : NULL,
                      .context = &(plain_sweep){sweep_kernels_for(problem), &block_change}};
    tiles_run(problem, sweeps, work, threads);
    return fmax(sqrt(block_change), tiles_change(problem));
}

scree_status solve_gauss_seidel(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                                solve_result *result, scree_error *error)
{
    if (!blocks_find_bands(problem, scratch))
        return fail_no_memory(error);
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
        change = sweep(problem, sweeps, threads);
        result->iterations += sweeps;
    } while (stopping_go_on(&stop, problem, change, threads, result));
    return SCREE_OK;
}
