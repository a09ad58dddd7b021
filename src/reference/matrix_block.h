// One block of unknowns of a contact problem in matrix form, and the set that its impulse lies in.
//
// A block has a leading impulse n in [low, high], and up to three groups of further ones y_k that it bounds:
// |y_k| <= coefficient_k n. A contact has n >= 0 along its normal, friction, and perhaps rolling and spinning friction;
// a row of a joint has the leading impulse alone.
#ifndef REFERENCE_MATRIX_BLOCK_H
#define REFERENCE_MATRIX_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { BLOCK_CAPS = 3, BLOCK_MOST_CAP = 2, BLOCK_MOST = 1 + BLOCK_CAPS * BLOCK_MOST_CAP };

typedef struct block_cap {
    uint32_t size;      // 1 or 2 unknowns
    double coefficient; // >= 0
} block_cap;

typedef struct matrix_block {
    uint32_t first, size; // its unknowns
    uint32_t cap_count;   // 0: a row of a joint, or a contact without friction
    block_cap cap[BLOCK_CAPS];
    double low, high; // of the leading impulse; 0 and HUGE_VAL with caps
} matrix_block;

// Weights of the leading impulse and of each cap: the metric in which a block is projected.
typedef struct block_metric {
    double lead, cap[BLOCK_CAPS];
} block_metric;

// The nearest point of the block's set to z. In the convex law nearest in the whole metric; in the exact one the
// leading impulse first, then each cap within what that allows. With z = r - B^-1 u, B the metric, the fixed points are
// the solutions: of the cone complementarity problem, and of Coulomb's law (the function of Alart and Curnier 1991).
void block_project(const matrix_block *block, const block_metric *metric, bool exact, const double *z, double *result);

// An element of the generalised derivative of the same, row-major [size][size].
void block_derivative(const matrix_block *block, const block_metric *metric, bool exact, const double *z,
                      double *derivative);

// Sum over caps of coefficient |u_k|: what de Saxce's change of variable adds to the leading velocity.
double block_slip(const matrix_block *block, const double *u);

#endif
