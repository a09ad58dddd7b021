// Sparse matrices in double precision, in compressed rows, and what the matrix form of a contact problem asks of them:
// products, transposes, and the groups of unknowns that do not see each other.
#ifndef REFERENCE_MATRIX_SPARSE_H
#define REFERENCE_MATRIX_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "scree/status.h"

typedef struct sparse_entry {
    uint32_t row, column;
    double value;
} sparse_entry;

typedef ARRAY(sparse_entry) entry_array;

typedef struct sparse_matrix {
    size_t rows, columns;
    size_t *start;    // [rows + 1] into the arrays below
    uint32_t *column; // rising within a row
    double *value;
} sparse_matrix;

// Entries in any order, within the sizes; those of one place are added up, in the order given. SCREE_ERROR_NO_MEMORY
// leaves nothing to free.
scree_status sparse_from_entries(sparse_matrix *matrix, size_t rows, size_t columns, const sparse_entry *entries,
                                 size_t count, scree_error *error);
void sparse_free(sparse_matrix *matrix);

size_t sparse_count(const sparse_matrix *matrix);
scree_status sparse_transpose(const sparse_matrix *matrix, sparse_matrix *result, scree_error *error);

double sparse_row_dot(const sparse_matrix *matrix, size_t row, const double *x);
void sparse_multiply(const sparse_matrix *matrix, const double *x, double *result);

// The entry at (row, column), or 0 where none is stored.
double sparse_get(const sparse_matrix *matrix, size_t row, size_t column);

// How far a square matrix is from its transpose: largest difference over the largest entry.
double sparse_asymmetry(const sparse_matrix *matrix);

// Numbers the groups of a partition: `parent[i]` is i's tree of a union-find forest over `count` items, made by
// group_join, and becomes the number of its group, counted from 0 in the order of the first members. Returns how many.
void group_begin(uint32_t *parent, size_t count);
void group_join(uint32_t *parent, uint32_t a, uint32_t b);
size_t group_number(uint32_t *parent, size_t count);

#endif
