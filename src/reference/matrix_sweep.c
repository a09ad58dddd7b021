// Gauss-Seidel sweeps over the blocks, plain and with momentum.
//
// A sweep moves each block by itself with the newest values of the others, in the metric of the block's own diagonal.
// Where normal and tangential directions are coupled within a contact, as they are for anything but spheres, that step
// is too long, by up to the number of weights: the largest eigenvalue of the block in its metric. Plain sweeps bear
// steps of less than twice the right length; momentum does not, so with it none goes too far.
//
// Momentum around whole sweeps follows nesterov.h; it begins anew when the last move and the last sweep point against
// each other (O'Donoghue and Candes 2015) or, in Coulomb's law, which has no objective to descend, when sweeps change
// more than before. No rule is best everywhere, so what stalls falls back to less momentum, and in the end to none.
#include <math.h>

#include "base/error.h"
#include "reference/matrix_iteration.h"
#include "solve/sweep/nesterov.h"

// In right lengths: how far plain sweeps go at most. From 2 on they would not converge.
static const double bearable_length = 1.6;

static void relax_block(const iteration *it, size_t index, double length, double *r)
{
    const matrix_problem *problem = it->problem;
    const matrix_block *block = &problem->blocks[index];
    double u[BLOCK_MOST], z[BLOCK_MOST];
    for (uint32_t k = 0; k < block->size; k++)
        u[k] = length * (problem->q[block->first + k] + sparse_row_dot(&problem->w, block->first + k, r));
    iteration_descend(it, index, r + block->first, u, z);
    block_project(block, &it->metric[index], it->options->exact, z, r + block->first);
}

// `lengths` of the steps by block; NULL for 1.
static void sweep(iteration *it, const double *lengths, double *r)
{
    for (size_t i = 0; i < it->problem->block_count; i++)
        relax_block(it, i, lengths ? lengths[i] : 1, r);
    it->work += 2 * (double)sparse_count(&it->problem->w);
}

// The largest eigenvalue of a block's symmetric part in its metric, by the power method: from 1 to how many weights it
// has.
static double block_stiffness(const iteration *it, size_t index)
{
    const matrix_block *block = &it->problem->blocks[index];
    double matrix[BLOCK_MOST][BLOCK_MOST], x[BLOCK_MOST], y[BLOCK_MOST] = {0}, value = 0;
    for (uint32_t a = 0; a < block->size; a++)
        for (uint32_t b = 0; b < block->size; b++) {
            double entry = sparse_get(&it->problem->w, block->first + a, block->first + b) +
                           sparse_get(&it->problem->w, block->first + b, block->first + a);
            matrix[a][b] = 0.5 * entry / sqrt(iteration_weight(it, index, a) * iteration_weight(it, index, b));
        }
    for (uint32_t a = 0; a < block->size; a++)
        x[a] = 1 + 0.3 * a; // no symmetry to get caught in
    for (int trial = 0; trial < 40; trial++) {
        double square = 0;
        for (uint32_t a = 0; a < block->size; a++) {
            y[a] = 0;
            for (uint32_t b = 0; b < block->size; b++)
                y[a] += matrix[a][b] * x[b];
            square += y[a] * y[a];
        }
        value = sqrt(square);
        for (uint32_t a = 0; a < block->size && value > 0; a++)
            x[a] = y[a] / value;
    }
    return fmax(value, 1);
}

// By block: how much of the step in the metric is taken, so that it is `most` right lengths or less.
static double *find_lengths(iteration *it, double most)
{
    double *lengths = arena_array(&it->memory, double, it->problem->block_count + 1);
    for (size_t i = 0; lengths && i < it->problem->block_count; i++)
        lengths[i] = fmin(1, most / block_stiffness(it, i));
    return lengths;
}

scree_status iterate_gauss_seidel(iteration *it, scree_error *error)
{
    const double *lengths = find_lengths(it, bearable_length);
    if (!lengths)
        return fail_no_memory(error);
    while (iteration_goes_on(it))
        sweep(it, lengths, it->r);
    return SCREE_OK;
}

typedef struct accelerated {
    nesterov nesterov;
    double *before;        // the iterate of one sweep ago
    double *from;          // what the sweep started from
    const double *lengths; // of steps, by block
    double change;         // of the last sweep, in the metric, squared
    double target;         // best residual when progress was last seen
    int deadline;          // no progress until then: stalled
    int patience;
} accelerated;

static void sweep_on(iteration *it, accelerated *a)
{
    size_t size = it->problem->size;
    double beta = nesterov_next(&a->nesterov);
    for (size_t i = 0; i < size; i++) {
        double now = it->r[i];
        it->r[i] = a->from[i] = now + beta * (now - a->before[i]);
        a->before[i] = now;
    }
    sweep(it, a->lengths, it->r);
    double change = iteration_dot(it, it->r, a->from, it->r, a->from);
    bool against = it->options->exact ? change > a->change : iteration_dot(it, a->from, it->r, it->r, a->before) > 0;
    a->change = change;
    if (against)
        nesterov_restart(&a->nesterov);
}

// Where the residual was looked at: back to the best when it has run away, less momentum when it has stalled.
static void watch(iteration *it, accelerated *a)
{
    double now = matrix_worst(&it->residual), best = matrix_worst(&it->best_residual);
    if (!(now <= 1e3 * best)) {
        memcpy(it->r, it->best, it->problem->size * sizeof *it->r);
        memcpy(a->before, it->best, it->problem->size * sizeof *it->r);
        nesterov_restart(&a->nesterov);
    }
    if (best < 0.5 * a->target) {
        a->target = best;
        a->deadline = it->count + a->patience;
    } else if (it->count > a->deadline) {
        static const double less[] = {1, 0.9, 0.6, 0};
        int next = 0;
        while (next < 3 && less[next] >= a->nesterov.most)
            next++;
        a->nesterov = nesterov_begin(a->nesterov.most > 0 ? less[next] : it->options->exact ? 0.9 : 1);
        a->patience *= 2;
        a->deadline = it->count + a->patience;
        a->target = best;
    }
}

scree_status iterate_apgs(iteration *it, scree_error *error)
{
    size_t size = it->problem->size;
    accelerated a = {.nesterov = nesterov_begin(it->options->exact ? 0.9 : 1),
                     .change = HUGE_VAL,
                     .target = HUGE_VAL,
                     .patience = 300};
    a.before = arena_array(&it->memory, double, size + 1);
    a.from = arena_array(&it->memory, double, size + 1);
    a.lengths = find_lengths(it, 1);
    if (!a.before || !a.from || !a.lengths)
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
