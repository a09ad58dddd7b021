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

// Sets all values to zero; without those above the diagonal where the next ones are symmetric.
void sparse_blocks_clear(sparse_blocks *matrix, bool symmetric);

// Takes the values of another matrix with the same structure, with or without those above the diagonal.
void sparse_blocks_copy(sparse_blocks *matrix, const sparse_blocks *from, bool symmetric);

// Index in `below` of the block in row `row` and column `column` < `row`; it must be in the structure.
size_t sparse_blocks_find(const sparse_blocks *matrix, uint32_t row, uint32_t column);

// What both factors do with blocks and vectors of six.

// y <- block x
static inline void block_apply(double *restrict y, const double *restrict block, const double *restrict x)
{
    for (int i = 0; i < SPARSE_BLOCK; i++)
        y[i] = 0;
    for (int j = 0; j < SPARSE_BLOCK; j++)
        for (int i = 0; i < SPARSE_BLOCK; i++)
            y[i] += block[j * SPARSE_BLOCK + i] * x[j];
}

// y <- y - block x
static inline void block_subtract_applied(double *restrict y, const double *restrict block, const double *restrict x)
{
    for (int j = 0; j < SPARSE_BLOCK; j++)
        for (int i = 0; i < SPARSE_BLOCK; i++)
            y[i] -= block[j * SPARSE_BLOCK + i] * x[j];
}

// Takes a finished column off the columns of its rows: `subtract` gets the entry j of the column and, for the diagonal,
// j again and SIZE_MAX, or an entry i behind it and the block in row rows[i] of column rows[j]. The rows of a column
// below an entry are rows of that entry's column too, so two rising lists are merged to find the blocks.
typedef void block_update(sparse_blocks *factor, size_t j, size_t i, size_t target);

static inline void sparse_blocks_update(sparse_blocks *factor, size_t column, block_update *subtract)
{
    const sparse_structure *s = &factor->structure;
    size_t end = s->column_start[column + 1];
    for (size_t j = s->column_start[column]; j < end; j++) {
        subtract(factor, j, j, SIZE_MAX);
        size_t target = s->column_start[s->rows[j]];
        for (size_t i = j + 1; i < end; i++) {
            while (s->rows[target] != s->rows[i])
                target++;
            subtract(factor, j, i, target);
        }
    }
}

#endif
