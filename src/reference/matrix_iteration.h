// What the algorithms of matrix_solver.h share: the iterate, the metric, and the watch over the residual.
//
// An algorithm is a function that improves iteration->r in a loop of `while (iteration_goes_on(it))`, one iteration per
// turn. The residual is looked at in widening intervals, never more than an eighth of the iterations so far apart.
#ifndef REFERENCE_MATRIX_ITERATION_H
#define REFERENCE_MATRIX_ITERATION_H

#include "base/arena.h"
#include "reference/matrix_solver.h"

typedef struct iteration {
    const matrix_problem *problem;
    const matrix_options *options;
    arena memory; // lives until the solve ends
    block_metric *metric;
    uint32_t *block_of; // unknown -> block
    double *r;          // the iterate
    double *u;          // W r + q where the residual was last looked at
    double *best;       // the iterate with the least residual so far
    matrix_residual residual, best_residual;
    matrix_algorithm algorithm;
    int count, next_look; // iterations taken; when to look again
    int until;            // the algorithm at work gives up here
    double work;          // about how many operations were spent
    bool looked;          // at the last iteration
    bool solved, expired; // to the tolerance; out of time
    double begun;         // clock
} iteration;

// Ends the iteration before it, if any. False when it is time to stop: solved, or no more iterations or time.
bool iteration_goes_on(iteration *it);

// Looks at the residual of it->r now.
void iteration_look(iteration *it);

// The metric's weight of the k-th unknown of a block.
double iteration_weight(const iteration *it, size_t block, uint32_t k);

// z = r - B^-1 u of a block, B its metric.
void iteration_descend(const iteration *it, size_t block, const double *r, const double *u, double *z);

// u = W r + q.
void iteration_velocities(const iteration *it, const double *r, double *u);

// (a - b) . (c - d) in the metric.
double iteration_dot(const iteration *it, const double *a, const double *b, const double *c, const double *d);

typedef scree_status matrix_function(iteration *it, scree_error *error);
matrix_function iterate_jacobi, iterate_gauss_seidel, iterate_apgd, iterate_apgs, iterate_newton, iterate_interior;

#endif
