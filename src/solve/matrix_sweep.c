// Gauss-Seidel sweeps over the blocks, plain and with momentum.
//
// A sweep solves each block by itself with the newest values of the others, in the metric of the block's own diagonal.
// Momentum around whole sweeps follows momentum.h; it begins anew when the last move and the last sweep point against
// each other (O'Donoghue and Candes 2015) or, in Coulomb's law, which has no objective to descend, when sweeps change
// more than before. No rule is best everywhere, so what stalls falls back to less momentum, and in the end to none.
#include <math.h>

#include "base/error.h"
#include "solve/matrix_iteration.h"
#include "solve/momentum.h"

static void relax_block(const iteration *it, size_t index, double *r)
{
    const matrix_problem *problem = it->problem;
    const matrix_block *block = &problem->blocks[index];
    double u[BLOCK_MOST], z[BLOCK_MOST];
    for (uint32_t k = 0; k < block->size; k++)
        u[k] = problem->q[block->first + k] + sparse_row_dot(&problem->w, block->first + k, r);
    iteration_descend(it, index, r + block->first, u, z);
    block_project(block, &it->metric[index], it->options->exact, z, r + block->first);
}

static void sweep(const iteration *it, double *r)
{
    for (size_t i = 0; i < it->problem->block_count; i++)
        relax_block(it, i, r);
}

scree_status iterate_gauss_seidel(iteration *it, scree_error *error)
{
    (void)error;
    while (iteration_goes_on(it))
        sweep(it, it->r);
    return SCREE_OK;
}

typedef struct accelerated {
    momentum momentum;
    double *before; // the iterate of one sweep ago
    double *from;   // what the sweep started from
    double change;  // of the last sweep, in the metric, squared
    double target;  // best residual when progress was last seen
    int deadline;   // no progress until then: stalled
    int patience;
} accelerated;

static void sweep_on(iteration *it, accelerated *a)
{
    size_t size = it->problem->size;
    double beta = momentum_next(&a->momentum);
    for (size_t i = 0; i < size; i++) {
        double now = it->r[i];
        it->r[i] = a->from[i] = now + beta * (now - a->before[i]);
        a->before[i] = now;
    }
    sweep(it, it->r);
    double change = iteration_dot(it, it->r, a->from, it->r, a->from);
    bool against = it->options->exact ? change > a->change : iteration_dot(it, a->from, it->r, it->r, a->before) > 0;
    a->change = change;
    if (against)
        momentum_restart(&a->momentum);
}

// Where the residual was looked at: back to the best when it has run away, less momentum when it has stalled.
static void watch(iteration *it, accelerated *a)
{
    double now = matrix_worst(&it->residual), best = matrix_worst(&it->best_residual);
    if (!(now <= 1e3 * best)) {
        memcpy(it->r, it->best, it->problem->size * sizeof *it->r);
        memcpy(a->before, it->best, it->problem->size * sizeof *it->r);
        momentum_restart(&a->momentum);
    }
    if (best < 0.5 * a->target) {
        a->target = best;
        a->deadline = it->count + a->patience;
    } else if (it->count > a->deadline) {
        static const double less[] = {1, 0.9, 0.6, 0};
        int next = 0;
        while (next < 3 && less[next] >= a->momentum.most)
            next++;
        a->momentum = momentum_begin(a->momentum.most > 0 ? less[next] : it->options->exact ? 0.9 : 1);
        a->patience *= 2;
        a->deadline = it->count + a->patience;
        a->target = best;
    }
}

scree_status iterate_apgs(iteration *it, scree_error *error)
{
    size_t size = it->problem->size;
    accelerated a = {.momentum = momentum_begin(it->options->exact ? 0.9 : 1),
                     .change = HUGE_VAL,
                     .target = HUGE_VAL,
                     .patience = 300};
    a.before = arena_array(&it->memory, double, size + 1);
    a.from = arena_array(&it->memory, double, size + 1);
    if (!a.before || !a.from)
        return fail_no_memory(error);
    memcpy(a.before, it->r, size * sizeof *a.before);
    a.deadline = it->count + a.patience;
    while (iteration_goes_on(it)) {
        if (it->looked)
            watch(it, &a);
        sweep_on(it, &a);
    }
    return SCREE_OK;
}
