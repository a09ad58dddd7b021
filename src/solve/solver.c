// Choosing an algorithm, and the residual that all of them are judged by.
#include "solve/solver.h"

#include "base/error.h"
#include "base/threads.h"
#include "solve/kernels.h"

static solve_function *const algorithms[] = {
    [SCREE_JACOBI] = solve_jacobi,
    [SCREE_GAUSS_SEIDEL] = solve_gauss_seidel,
    [SCREE_APGD] = solve_apgd,
    [SCREE_APGS] = solve_apgs,
};

scree_status solve_problem(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                           solve_result *result, scree_error *error)
{
    *result = (solve_result){.algorithm = def->algorithm == SCREE_AUTO ? SCREE_APGS : def->algorithm};
    if (problem->contact_count == 0 && !problem->joints)
        return SCREE_OK;
    if (problem->joints) // which have no momentum
        result->algorithm = SCREE_GAUSS_SEIDEL;
    problem->coupling = def->friction == SCREE_FRICTION_EXACT ? 0 : 1;
    return algorithms[result->algorithm](problem, def, threads, scratch, result, error);
}

residual problem_residual(const contact_problem *problem, int threads)
{
    const sweep_kernels *kernels = sweep_kernels_for(problem);
    tile_result *results = problem->results;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t t = 0; t < problem->tile_count; t++)
        results[t].residual = kernels->residual(problem, problem->tiles[t]);
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
