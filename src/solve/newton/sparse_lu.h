// Sparse LU factor of a matrix of 6 x 6 blocks whose structure, but not whose values, is symmetric.
//
// Rows are exchanged within a diagonal block only: it is meant for matrices that are positive definite but for a part
// that is not large.
#ifndef SOLVE_NEWTON_SPARSE_LU_H
#define SOLVE_NEWTON_SPARSE_LU_H

#include "solve/newton/sparse_blocks.h"

// Factors the matrix in place: `below` becomes L, `above` U, `diagonal` the inverses of U's diagonal blocks. False when
// one of them cannot be inverted.
bool sparse_lu_factor(sparse_blocks *matrix);

// x <- A^-1 x, with 6 numbers for each place.
void sparse_lu_solve(const sparse_blocks *factor, double *x);

#endif
