// Forces between spheres: pairs push them block by block, and then every sphere gathers its rows.
#include "base/isa.h"
#include "base/threads.h"
#include "penalty/penalty.h"

const penalty_kernels *penalty_kernels_here(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &penalty_kernels_f32_avx2;
#endif
    return &penalty_kernels_f32_baseline;
}

static void push_block(void *context, size_t block)
{
    penalty_kernels_here()->pairs(context, block);
}

typedef struct gather_task {
    gather_job job;
    size_t count;
} gather_task;

static void gather_block(void *context, size_t block)
{
    const gather_task *task = context;
    penalty_kernels_here()->gather(&task->job, block * ACTIVE_BLOCK, block_end(block, ACTIVE_BLOCK, task->count));
}

void push_pairs(scree_world *world)
{
    penalty *of = penalty_of(world);
    pair_job job = {.laws = penalty_laws(world),
                    .particles = of->particles.data,
                    .loads = of->loads.data,
                    .a = of->pairs.a.data,
                    .b = of->pairs.b.data,
                    .row_of = of->row_of.data,
                    .rows = of->rows.data,
                    .touches = of->pairs.touches.data,
                    .spring = of->pairs.spring.data,
                    .rolled = of->resists_rolling ? of->pairs.rolled.data : NULL,
                    .block_first = of->block_first.data};
    for_blocks(world->threads, of->block_end.count, push_block, &job);
    gather_task task = {{of->active.data, of->row_end.data, of->rows.data, of->loads.data}, of->active.count};
    for_blocks(world->threads, block_count(task.count, ACTIVE_BLOCK), gather_block, &task);
}
