// Choosing an algorithm, and the residual that all of them are judged by.
#include "solve/solver.h"

#include "base/error.h"
#include "base/threads.h"
#include "solve/sweep/blocks.h"

static solve_function *const algorithms[] = {
    [SCREE_ALGORITHM_JACOBI] = solve_jacobi,
    [SCREE_ALGORITHM_GAUSS_SEIDEL] = solve_gauss_seidel,
    [SCREE_ALGORITHM_APGD] = solve_apgd,
    [SCREE_ALGORITHM_APGS] = solve_apgs,
};

scree_status solve_problem(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                           solve_result *result, scree_error *error)
{
    *result =
        (solve_result){.algorithm = def->algorithm == SCREE_ALGORITHM_AUTO ? SCREE_ALGORITHM_APGS : def->algorithm};
    if (problem->contact_count == 0 && !blocks_any(problem))
        return SCREE_OK;
    problem->friction_dilation = def->friction == SCREE_FRICTION_EXACT ? 0 : 1;
    return algorithms[result->algorithm](problem, def, threads, scratch, result, error);
}

typedef struct residual_task {
    const contact_problem *problem;
    const sweep_kernels *kernels;
} residual_task;

static void find_residual(void *context, size_t tile)
{
    const residual_task *task = context;
    task->problem->results[tile].residual = task->kernels->residual(task->problem, task->problem->tiles[tile]);
}

residual problem_residual(const contact_problem *problem, int threads)
{
    const sweep_kernels *kernels = sweep_kernels_for(problem);
    tile_result *results = problem->results;
    for_blocks(threads, problem->tile_count, find_residual, &(residual_task){problem, kernels});
    tile_residual sum = {0};
    for (size_t t = 0; t < problem->tile_count; t++) {
        const tile_residual *part = &results[t].residual;
        sum.error_sum += part->error_sum;
        sum.error_max = part->error_max > sum.error_max ? part->error_max : sum.error_max;
        sum.impulse_sum += part->impulse_sum;
        sum.loaded += part->loaded;
    }
    size_t constraints = problem->contact_count + blocks_residual(problem, &sum);
    if (sum.error_sum == 0)
        return (residual){0, 0};
    double error_mean = sum.error_sum / (double)constraints;
    // Without any load yet, the step that the first iteration would take is the only scale there is.
    double scale = sum.loaded ? sum.impulse_sum / (double)sum.loaded : sum.error_max;
    return (residual){error_mean / scale, sum.error_max / scale};
}
