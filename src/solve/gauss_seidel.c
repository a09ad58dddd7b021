// Projected block Gauss-Seidel over coloured tiles: each contact is solved with the newest velocities of its two
// bodies.
//
// A sweep is colour after colour; tiles of a colour share no movable body, so threads take them in any order and the
// bits stay the same. Whether to go on is decided by the true residual, which is computed only once the last change of
// an impulse suggests that it may be small enough.
#include "base/threads.h"
#include "solve/kernels.h"
#include "solve/solver.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Returns the largest change of an impulse.
static double sweep_all(contact_problem *problem, const kernel_table *kernels, int threads)
{
    double change = 0;
#pragma omp parallel num_threads(threads) reduction(max : change)
    {
        for (size_t c = 0; c < problem->colour_count; c++) {
#pragma omp for schedule(dynamic)
            for (size_t t = problem->colour_start[c]; t < problem->colour_start[c + 1]; t++)
                change = larger(change, kernels->sweep(problem->bodies, problem->groups, problem->tiles[t].first_group,
                                                       problem->tiles[t].group_count));
        }
#pragma omp single
        for (size_t t = problem->colour_start[problem->colour_count]; t < problem->tile_count; t++)
            change = larger(change, kernels->sweep(problem->bodies, problem->groups, problem->tiles[t].first_group,
                                                   problem->tiles[t].group_count));
    }
    return sqrt(change);
}

scree_status solve_gauss_seidel(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                                solve_result *result, scree_error *error)
{
    (void)scratch;
    (void)error;
    const kernel_table *kernels = kernels_for(problem->precision);
    double threshold = HUGE_VAL; // change of an impulse below which the residual is worth a look
    result->iterations = 0;
    while (result->iterations < def->iterations) {
        double change = sweep_all(problem, kernels, threads);
        result->iterations++;
        if (result->iterations >= def->iterations || change > threshold)
            continue;
        result->residual = problem_residual(problem, threads);
        if (result->residual.max <= def->tolerance)
            return SCREE_OK;
        threshold = change * larger(0.1, 0.7 * def->tolerance / result->residual.max);
    }
    result->residual = problem_residual(problem, threads);
    return SCREE_OK;
}
