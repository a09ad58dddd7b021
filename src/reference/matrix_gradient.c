// Methods that move all blocks at once: the paper's fixed point iteration and accelerated projected gradients.
#include <math.h>

#include "base/error.h"
#include "reference/matrix_iteration.h"
#include "solve/sweep/nesterov.h"

// ---------------------------------------------------------------------------------------------------------- jacobi

// Negrut et al. 2010, (12):  r <- P(r - omega eta u), eta = size / trace of the block, with lambda = 1. A step that
// makes things far worse than they were is taken back, and omega halved: on blocks that share a body with many others
// the method diverges otherwise.
scree_status iterate_jacobi(iteration *it, scree_error *error)
{
    const matrix_problem *problem = it->problem;
    static const block_metric fclib_only = {1, {1, 1, 1}};
    double omega = 0.2;
    double *u = arena_array(&it->memory, double, problem->size + 1);
    if (!u)
        return fail_no_memory(error);
    while (iteration_goes_on(it)) {
        if (it->looked && !(matrix_worst(&it->residual) <= 100 * matrix_worst(&it->best_residual))) {
            memcpy(it->r, it->best, problem->size * sizeof *it->r);
            omega *= 0.5;
        }
        iteration_velocities(it, it->r, u);
        for (size_t i = 0; i < problem->block_count; i++) {
            const matrix_block *block = &problem->blocks[i];
            double z[BLOCK_MOST], trace = 0;
            for (uint32_t k = 0; k < block->size; k++)
                trace += sparse_get(&problem->w, block->first + k, block->first + k);
            double step = trace > 0 ? omega * block->size / trace : omega;
            for (uint32_t k = 0; k < block->size; k++)
                z[k] = it->r[block->first + k] - step * u[block->first + k];
            block_project(block, &fclib_only, it->options->exact, z, it->r + block->first);
        }
    }
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------ apgd

// Algorithm 1 of Mazhar et al. 2015 in the metric B of the blocks' diagonals:  x = P(y - B^-1 g(y) / L), L found by
// doubling until the quadratic bound holds and lowered slowly, momentum with restart. Coulomb's law is a fixed point of
// convex problems whose normal term is raised by the slip mu |u_t| (Acary and Cadoux 2013); the slip is brought up to
// date as the convex problem at hand is solved.
typedef struct gradient_state {
    double *before, *from, *slope; // last iterate; y; g(y)
    double *trial, *trial_slope;
    double *slip; // added to q
    double bound; // L
    nesterov nesterov;
} gradient_state;

static double dot(const double *a, const double *b, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

static void project_step(const iteration *it, const gradient_state *g)
{
    const matrix_problem *problem = it->problem;
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        double z[BLOCK_MOST], scaled[BLOCK_MOST];
        for (uint32_t k = 0; k < block->size; k++)
            scaled[k] = (g->slope[block->first + k] + g->slip[block->first + k]) / g->bound;
        iteration_descend(it, i, g->from + block->first, scaled, z);
        block_project(block, &it->metric[i], false, z, g->trial + block->first);
    }
}

// f(x) <= f(y) + g(y) (x - y) + L/2 |x - y|^2, for a quadratic f: (x - y) W (x - y) <= L |x - y|^2.
static void search_step(const iteration *it, gradient_state *g)
{
    size_t size = it->problem->size;
    for (int tries = 0; tries < 60; tries++) {
        project_step(it, g);
        iteration_velocities(it, g->trial, g->trial_slope);
        double curvature = 0;
        for (size_t i = 0; i < size; i++)
            curvature += (g->trial[i] - g->from[i]) * (g->trial_slope[i] - g->slope[i]);
        double square = iteration_dot(it, g->trial, g->from, g->trial, g->from);
        if (curvature <= g->bound * square * (1 + 1e-12))
            return;
        g->bound = fmax(2 * g->bound, fmin(curvature / square, 1e12));
    }
}

static void set_slip(const iteration *it, const double *u, double *slip)
{
    for (size_t i = 0; i < it->problem->block_count; i++) {
        const matrix_block *block = &it->problem->blocks[i];
        slip[block->first] = block_slip(block, u + block->first);
    }
}

static void step_gradient(iteration *it, gradient_state *g)
{
    size_t size = it->problem->size;
    double beta = nesterov_next(&g->nesterov);
    for (size_t i = 0; i < size; i++)
        g->from[i] = it->r[i] + beta * (it->r[i] - g->before[i]);
    iteration_velocities(it, g->from, g->slope);
    search_step(it, g);
    double against = dot(g->slope, g->trial, size) + dot(g->slip, g->trial, size) - dot(g->slope, it->r, size) -
                     dot(g->slip, it->r, size);
    memcpy(g->before, it->r, size * sizeof *it->r);
    memcpy(it->r, g->trial, size * sizeof *it->r);
    if (against > 0)
        nesterov_restart(&g->nesterov);
    g->bound *= 0.9;
    if (it->options->exact)
        set_slip(it, g->trial_slope, g->slip);
}

scree_status iterate_apgd(iteration *it, scree_error *error)
{
    size_t size = it->problem->size;
    gradient_state g = {.bound = 1, .nesterov = nesterov_begin(it->options->exact ? 0.9 : 1)};
    double **arrays[] = {&g.before, &g.from, &g.slope, &g.trial, &g.trial_slope, &g.slip};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = arena_array(&it->memory, double, size + 1)))
            return fail_no_memory(error);
    memcpy(g.before, it->r, size * sizeof *g.before);
    memset(g.slip, 0, (size + 1) * sizeof *g.slip);
    if (it->options->exact) {
        iteration_velocities(it, it->r, g.trial_slope);
        set_slip(it, g.trial_slope, g.slip);
    }
    while (iteration_goes_on(it)) {
        if (it->looked && !(matrix_worst(&it->residual) <= 1e3 * matrix_worst(&it->best_residual))) {
            memcpy(it->r, it->best, size * sizeof *it->r);
            memcpy(g.before, it->best, size * sizeof *it->r);
            nesterov_restart(&g.nesterov);
        }
        step_gradient(it, &g);
    }
    return SCREE_OK;
}
