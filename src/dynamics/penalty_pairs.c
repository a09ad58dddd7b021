// Forces between spheres: pairs push them block by block, and blocks hand over what goes to other blocks.
#include "base/isa.h"
#include "base/threads.h"
#include "dynamics/penalty.h"

const penalty_kernels *penalty_kernels_here(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &penalty_kernels_f32_avx2;
#endif
    return &penalty_kernels_f32_baseline;
}

static void empty_outboxes(penalty *of)
{
    for (size_t b = 0; b < of->block_end.count; b++)
        for (size_t i = of->outbox_first.data[b]; i < of->outbox_first.data[b] + of->outbox_count.data[b]; i++) {
            float *to = (float *)&of->loads.data[of->outbox_particle.data[i]];
            const float *from = (const float *)&of->outbox.data[i];
            for (int k = 0; k < 8; k++)
                to[k] += from[k];
        }
}

static void push_block(void *context, size_t block)
{
    penalty_kernels_here()->pairs(context, block);
}

void push_pairs(scree_world *world)
{
    penalty *of = world->penalty;
    pair_job job = {.laws = penalty_laws(world),
                    .unit = (float)of->unit,
                    .particles = of->particles.data,
                    .loads = of->loads.data,
                    .a = of->pairs.a.data,
                    .b = of->pairs.b.data,
                    .touches = of->pairs.touches.data,
                    .spring = of->pairs.spring.data,
                    .rolled = of->rich ? of->pairs.rolled.data : NULL,
                    .force = of->force.data,
                    .block_first = of->block_first.data,
                    .block_end = of->block_end.data,
                    .outbox_first = of->outbox_first.data,
                    .outbox_count = of->outbox_count.data,
                    .outbox_particle = of->outbox_particle.data,
                    .outbox = of->outbox.data};
    for_blocks(world->threads, of->block_end.count, push_block, &job);
    empty_outboxes(of);
}
