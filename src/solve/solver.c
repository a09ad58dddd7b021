// Choosing an algorithm, and the residual that all of them are judged by.
#include "solve/solver.h"

#include "base/error.h"
#include "base/threads.h"
#include "solve/kernels.h"

static solve_function *const algorithms[] = {
    [SCREE_AUTO] = solve_gauss_seidel,
    [SCREE_JACOBI] = solve_jacobi,
    [SCREE_GAUSS_SEIDEL] = solve_gauss_seidel,
};

scree_status solve_problem(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                           solve_result *result, scree_error *error)
{
    *result = (solve_result){.algorithm = def->algorithm == SCREE_AUTO ? SCREE_GAUSS_SEIDEL : def->algorithm};
    if (problem->contact_count == 0)
        return SCREE_OK;
    problem_apply_impulses(problem, threads);
    return algorithms[def->algorithm](problem, def, threads, scratch, result, error);
}

residual problem_residual(const contact_problem *problem, int threads)
{
    const kernel_table *kernels = kernels_for(problem->precision);
    tile_result *results = problem->results;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t t = 0; t < problem->tile_count; t++)
        results[t].residual = kernels->residual(problem->bodies, problem->groups, problem->tiles[t].first_group,
                                                problem->tiles[t].group_count);
    tile_residual sum = {0};
    for (size_t t = 0; t < problem->tile_count; t++) {
        const tile_residual *part = &results[t].residual;
        sum.error_sum += part->error_sum;
        sum.error_max = part->error_max > sum.error_max ? part->error_max : sum.error_max;
        sum.impulse_sum += part->impulse_sum;
        sum.loaded += part->loaded;
    }
    if (sum.error_sum == 0)
        return (residual){0, 0};
    double error_mean = sum.error_sum / (double)problem->contact_count;
    // Without any load yet, the step that the first iteration would take is the only scale there is.
    double scale = sum.loaded ? sum.impulse_sum / (double)sum.loaded : sum.error_max;
    return (residual){error_mean / scale, sum.error_max / scale};
}
