// Sparse Cholesky factor of a symmetric positive definite matrix of 6 x 6 blocks.
#ifndef SOLVE_NEWTON_SPARSE_CHOLESKY_H
#define SOLVE_NEWTON_SPARSE_CHOLESKY_H

#include "solve/newton/sparse_blocks.h"

// Factors the matrix in place: `below` becomes L, `diagonal` the inverses of L's diagonal blocks. Pivots below `least`
// are rounding errors and are raised to it: where the matrix is at least that number times the identity, so are all
// pivots.
void sparse_cholesky_factor(sparse_blocks *matrix, double least);

// x <- A^-1 x, with 6 numbers for each place.
void sparse_cholesky_solve(const sparse_blocks *factor, double *x);

#endif
