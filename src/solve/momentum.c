#include "solve/momentum.h"

#include <string.h>

#include "base/threads.h"

enum { BLOCK = 1 << 16 }; // bytes

static void copy(void *to, const void *from, size_t size, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t block = 0; block < block_count(size, BLOCK); block++)
        memcpy((char *)to + block * BLOCK, (const char *)from + block * BLOCK,
               block_end(block, BLOCK, size) - block * BLOCK);
}

void velocities_keep(const contact_problem *problem, void *to, int threads)
{
    copy(to, problem->velocities, problem_velocities_size(problem), threads);
}

void velocities_return(contact_problem *problem, const void *from, int threads)
{
    copy(problem->velocities, from, problem_velocities_size(problem), threads);
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
