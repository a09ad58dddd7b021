// A square matrix of 6 x 6 blocks, one block row per body, in the structure of its factor.
//
// The order and the structure come once from sparse_order; values may then be set, factored (sparse_cholesky.h,
// sparse_lu.h) and used many times. Vectors and blocks are addressed by places in that order (`structure.place`), so
// nothing is permuted in between. A block is stored by columns.
#ifndef SOLVE_NEWTON_SPARSE_BLOCKS_H
#define SOLVE_NEWTON_SPARSE_BLOCKS_H

#include "solve/newton/sparse_order.h"

enum { SPARSE_BLOCK = 6, SPARSE_BLOCK_REALS = SPARSE_BLOCK * SPARSE_BLOCK };

typedef struct sparse_blocks {
    sparse_structure structure;
    double *diagonal; // [count] blocks
    double *below;    // the block in row rows[i] of the structure and its column
    double *above;    // the block in that column's row and column rows[i]; NULL: symmetric, from the diagonal down
} sparse_blocks;

// Takes the arrays for `matrix->structure`.
scree_status sparse_blocks_prepare(sparse_blocks *matrix, bool symmetric, arena *scratch, scree_error *error);

void sparse_blocks_clear(sparse_blocks *matrix);

// Index in `below` of the block in row `row` and column `column` < `row`; it must be in the structure.
size_t sparse_blocks_find(const sparse_blocks *matrix, uint32_t row, uint32_t column);

#endif
