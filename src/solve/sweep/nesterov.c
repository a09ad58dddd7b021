#include "solve/sweep/nesterov.h"

#include <string.h>

#include "base/threads.h"
#include "solve/sweep/blocks.h"

enum { BLOCK = 1 << 16 }; // bytes

typedef struct copying {
    char *to;
    const char *from;
    size_t size;
} copying;

static void copy_block(void *context, size_t block)
{
    const copying *of = context;
    memcpy(of->to + block * BLOCK, of->from + block * BLOCK, block_end(block, BLOCK, of->size) - block * BLOCK);
}

static void copy(void *to, const void *from, size_t size, int threads)
{
    for_blocks(threads, block_count(size, BLOCK), copy_block, &(copying){to, from, size});
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
    blocks_apply_before(problem);
    velocities_keep(problem, velocities, threads);
    velocities_return(problem, unpushed, threads);
    problem_apply_impulses(problem, NULL, threads);
    blocks_apply(problem);
}
