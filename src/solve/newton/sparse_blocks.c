// Memory of block matrices, and finding a block.
#include "solve/newton/sparse_blocks.h"

#include <string.h>

#include "base/error.h"

scree_status sparse_blocks_prepare(sparse_blocks *matrix, bool symmetric, arena *scratch, scree_error *error)
{
    const sparse_structure *s = &matrix->structure;
    size_t blocks = s->column_start[s->count];
    matrix->diagonal = arena_array(scratch, double, SPARSE_BLOCK_REALS * s->count);
    matrix->below = arena_array(scratch, double, SPARSE_BLOCK_REALS *blocks);
    matrix->above = symmetric ? NULL : arena_array(scratch, double, SPARSE_BLOCK_REALS *blocks);
    bool all = matrix->diagonal && matrix->below && (symmetric || matrix->above);
    return all ? SCREE_OK : fail_no_memory(error);
}

void sparse_blocks_clear(sparse_blocks *matrix, bool symmetric)
{
    const sparse_structure *s = &matrix->structure;
    size_t blocks = s->column_start[s->count];
    memset(matrix->diagonal, 0, SPARSE_BLOCK_REALS * s->count * sizeof(double));
    memset(matrix->below, 0, SPARSE_BLOCK_REALS * blocks * sizeof(double));
    if (!symmetric)
        memset(matrix->above, 0, SPARSE_BLOCK_REALS * blocks * sizeof(double));
}

void sparse_blocks_copy(sparse_blocks *matrix, const sparse_blocks *from, bool symmetric)
{
    const sparse_structure *s = &matrix->structure;
    size_t blocks = s->column_start[s->count];
    memcpy(matrix->diagonal, from->diagonal, SPARSE_BLOCK_REALS * s->count * sizeof(double));
    memcpy(matrix->below, from->below, SPARSE_BLOCK_REALS * blocks * sizeof(double));
    if (!symmetric)
        memcpy(matrix->above, from->above, SPARSE_BLOCK_REALS * blocks * sizeof(double));
}

size_t sparse_blocks_find(const sparse_blocks *matrix, uint32_t row, uint32_t column)
{
    const sparse_structure *s = &matrix->structure;
    size_t low = s->column_start[column], high = s->column_start[column + 1];
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (s->rows[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}
