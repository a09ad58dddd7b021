// The fixed point iteration of Negrut et al. 2010, equations (12)-(14) and Algorithm 1, steps 6 to 10: every contact is
// projected with the velocities of the last iteration,
//     g <- lambda P(g - omega eta (D^T v + b)) + (1 - lambda) g,   eta = 3 / trace of the contact's block,
// and each body sums what its contacts did to it in order (reduction.h). The rows of joints take their steps from the
// same velocities, without a projection but for their bounds, eta = 1 / own diagonal (13).
// Wide bodies are relaxed after each iteration.
#include "base/error.h"
#include "base/threads.h"
#include "solve/solver.h"
#include "solve/sweep/articulation.h"
#include "solve/sweep/blocks.h"
#include "solve/sweep/reduction.h"
#include "solve/sweep/stopping.h"

static void iterate(contact_problem *problem, const gradient_kernels *kernels, const scree_solver_def *def,
                    const reduction *r, int threads)
{
    if (problem->joints)
        articulation_begin_jacobi(problem->joints, problem, def->omega, def->lambda);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t t = 0; t < problem->tile_count; t++)
            kernels->jacobi_contacts(problem, problem->tiles[t], def, r);
#pragma omp for schedule(static)
        for (size_t block = 0; block < block_count(problem->body_count, REDUCTION_BLOCK); block++) {
            size_t first = block * REDUCTION_BLOCK;
            kernels->gather_loads(problem, first, block_end(block, REDUCTION_BLOCK, problem->body_count) - first, r,
                                  NULL);
        }
    }
    if (problem->joints)
        articulation_finish_jacobi(problem->joints, problem);
    step_sums unused = {0};
    wide_blocks_relax(problem, 0, &unused, threads);
}

scree_status solve_jacobi(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                          solve_result *result, scree_error *error)
{
    enum { CHECK_EVERY = 10 };
    const gradient_kernels *kernels = gradient_kernels_for(problem);
    reduction r;
    if (!reduction_make(problem, scratch, &r))
        return fail_no_memory(error);
    problem_apply_impulses(problem, NULL, threads);
    blocks_apply(problem);
    stopping stop = stopping_begin(def);
    do {
        int iterations = stopping_next(&stop, result, CHECK_EVERY);
        for (int i = 0; i < iterations; i++)
            iterate(problem, kernels, def, &r, threads);
        result->iterations += iterations;
    } while (stopping_go_on(&stop, problem, 0, threads, result));
    return SCREE_OK;
}
