#include "solve/sweep/impulse_scale.h"

#include <math.h>

#include "base/threads.h"
#include "solve/sweep/wide_body.h"

enum { BLOCK = 1 << 14 }; // reals

// What is further off is left to the next time: x.Nx may be no more than rounding.
static const double least_factor = 0.1, most_factor = 10;

typedef struct work_task {
    const contact_problem *problem;
    const void *unpushed;
} work_task;

static void find_work(void *context, size_t tile)
{
    const work_task *task = context;
    const contact_problem *problem = task->problem;
    problem->results[tile].work = sweep_kernels_for(problem)->work(problem, problem->tiles[tile], task->unpushed);
}

double impulse_scale_find(const contact_problem *problem, const void *unpushed, int threads)
{
    impulse_work sum = {0};
    for_blocks(threads, problem->tile_count, find_work, &(work_task){problem, unpushed});
    for (size_t t = 0; t < problem->tile_count; t++) {
        sum.now += problem->results[t].work.now;
        sum.unpushed += problem->results[t].work.unpushed;
    }
    if (problem->wide)
        wide_bodies_add_work(problem->wide, problem, &sum);
    double square = sum.now - sum.unpushed; // x.Nx
    return square > 0 ? fmin(fmax(-sum.unpushed / square, least_factor), most_factor) : 1;
}

typedef struct scaling { // to = around + factor (to - around)
    scree_precision precision;
    void *to;
    const void *around; // NULL: zero
    size_t count;
    double factor;
} scaling;

#define SCALE(real)                                                                                                    \
    {                                                                                                                  \
        real *to = of->to, factor = (real)of->factor;                                                                  \
        const real *around = of->around;                                                                               \
        for (size_t i = block * BLOCK; i < block_end(block, BLOCK, of->count); i++)                                    \
            to[i] = around ? around[i] + factor * (to[i] - around[i]) : factor * to[i];                                \
    }

static void scale_block(void *context, size_t block)
{
    const scaling *of = context;
    if (of->precision == SCREE_PRECISION_DOUBLE)
        SCALE(double)
    else
        SCALE(float)
}

static void scale(scaling of, int threads)
{
    for_blocks(threads, block_count(of.count, BLOCK), scale_block, &of);
}

void impulse_scale_apply(contact_problem *problem, const sweep_points *points, int now, const void *unpushed,
                         double factor, int threads)
{
    size_t reals = (problem->body_count + 1) * PROBLEM_BODY_REALS;
    void *const *velocities = points->velocities;
    if (problem->wide)
        wide_bodies_note(problem->wide, problem, velocities[now], velocities[1 - now]);
    for (int k = 0; k < 2; k++) {
        scale((scaling){problem->precision, points->impulses[k], NULL, problem->impulse_reals, factor}, threads);
        scale((scaling){problem->precision, velocities[k], unpushed, reals, factor}, threads);
    }
    if (problem->wide)
        wide_bodies_scale(problem->wide, problem, velocities[now], velocities[1 - now], factor);
}
