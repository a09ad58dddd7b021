// Small dense linear algebra in row-major storage: Cholesky for mass matrices, LU for Newton steps.
#ifndef REFERENCE_MATRIX_DENSE_H
#define REFERENCE_MATRIX_DENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Replaces the lower triangle of a symmetric matrix by L with L L^T = A. False when it is not positive definite.
bool dense_cholesky(double *a, size_t size);

// x <- L^-1 x for `columns` right-hand sides that are the columns of x [size][columns].
void dense_forward(const double *factor, size_t size, double *x, size_t columns);

// Replaces A by its factors with rows exchanged as `pivot` tells. False when it is singular.
bool dense_lu(double *a, size_t size, uint32_t *pivot);
void dense_lu_solve(const double *factors, const uint32_t *pivot, size_t size, double *x);

#endif
