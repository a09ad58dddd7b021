// The fixed point iteration of Negrut et al. 2010, equations (12)-(14) and Algorithm 1, steps 6 to 10: every contact is
// projected with the velocities of the last iteration,
//     g <- lambda P(g - omega eta (D^T v + b)) + (1 - lambda) g,   eta = 3 / trace of the contact's block,
// and each body sums what its contacts did to it in order (reduction.h).
#include "base/error.h"
#include "base/threads.h"
#include "solve/reduction.h"
#include "solve/solver.h"
#include "solve/stopping.h"

static void iterate(contact_problem *problem, const gradient_kernels *kernels, const scree_solver_def *def,
                    const reduction *r, int threads)
{
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
    stopping stop = stopping_begin(def);
    do {
        int iterations = stopping_next(&stop, result, CHECK_EVERY);
        for (int i = 0; i < iterations; i++)
            iterate(problem, kernels, def, &r, threads);
        result->iterations += iterations;
    } while (stopping_go_on(&stop, problem, 0, threads, result));
    return SCREE_OK;
}
