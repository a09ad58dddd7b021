#include "solve/momentum.h"

#include <string.h>

#include "base/threads.h"

enum { BODY_BLOCK = 4096 };

void velocities_keep(const contact_problem *problem, void *tight, int threads)
{
    size_t size = PROBLEM_VELOCITY_REALS * problem_real_size(problem), stride = problem_body_stride(problem);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t block = 0; block < block_count(problem->body_count, BODY_BLOCK); block++)
        for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, problem->body_count); i++)
            memcpy((char *)tight + i * size, (const char *)problem->bodies + i * stride, size);
}

void velocities_return(contact_problem *problem, const void *tight, int threads)
{
    size_t size = PROBLEM_VELOCITY_REALS * problem_real_size(problem), stride = problem_body_stride(problem);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t block = 0; block < block_count(problem->body_count, BODY_BLOCK); block++)
        for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, problem->body_count); i++)
            memcpy((char *)problem->bodies + i * stride, (const char *)tight + i * size, size);
}

void momentum_refresh(contact_problem *problem, const void *unpushed, const void *impulses, void *velocities,
                      int threads)
{
    velocities_return(problem, unpushed, threads);
    problem_apply_impulses(problem, impulses, threads);
    velocities_keep(problem, velocities, threads);
    velocities_return(problem, unpushed, threads);
    problem_apply_impulses(problem, NULL, threads);
}
