// Sparse matrices as FCLIB stores them, turned into ours with everything checked.
//
// `nz` tells the storage: -1 compressed columns (p: n + 1 starts, i: rows), -2 compressed rows (p: m + 1 starts, i:
// columns), else triplets (p: columns, i: rows) whose duplicates add up.
#ifndef RECORD_PROBLEM_PROBLEM_MATRIX_H
#define RECORD_PROBLEM_PROBLEM_MATRIX_H

#include "reference/matrix_sparse.h"

typedef struct stored_matrix {
    int64_t m, n, nz; // rows, columns, storage
    const int64_t *p, *i;
    const double *x;
    size_t p_count, i_count, x_count;
} stored_matrix;

// The most rows or columns that are accepted.
enum { MATRIX_MOST = 100000000 };

// `name` is for messages. SCREE_ERROR_INVALID where sizes, indices or values are wrong.
scree_status stored_matrix_convert(const stored_matrix *stored, const char *name, sparse_matrix *matrix,
                                   scree_error *error);

#endif
