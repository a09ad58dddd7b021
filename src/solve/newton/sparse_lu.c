// Right-looking block LU, as sparse_cholesky.c: A(i, j) <- A(i, j) - A(i, k) A(k, k)^-1 A(k, j) for all i, j below k.
#include "solve/newton/sparse_lu.h"

#include <math.h>
#include <string.h>

enum { N = SPARSE_BLOCK, BLOCK = SPARSE_BLOCK_REALS };

static void swap_rows(double *a, double *b)
{
    for (int j = 0; j < N; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

// Gauss-Jordan with the largest pivot of each column.
static bool invert_block(double *block)
{
    double a[N][N], inverse[N][N] = {{0}}; // [row][column]
    for (int i = 0; i < N; i++) {
        inverse[i][i] = 1;
        for (int j = 0; j < N; j++)
            a[i][j] = block[j * N + i];
    }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        if (!(fabs(a[pivot][k]) > 0))
            return false;
        swap_rows(a[k], a[pivot]);
        swap_rows(inverse[k], inverse[pivot]);
        double scale = 1 / a[k][k];
        for (int j = 0; j < N; j++) {
            a[k][j] *= scale;
            inverse[k][j] *= scale;
        }
        for (int i = 0; i < N; i++) {
            double factor = i == k ? 0 : a[i][k];
            for (int j = 0; j < N; j++) {
                a[i][j] -= factor * a[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            block[j * N + i] = inverse[i][j];
    return true;
}

// c <- a b
static void multiply(double *restrict c, const double *restrict a, const double *restrict b)
{
    memset(c, 0, BLOCK * sizeof *c);
    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                c[j * N + i] += a[k * N + i] * b[j * N + k];
}

// c <- c - a b
static void subtract_product(double *restrict c, const double *restrict a, const double *restrict b)
{
    for (int j = 0; j < N; j++) {
        double column[N];
        for (int i = 0; i < N; i++)
            column[i] = c[j * N + i];
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                column[i] -= a[k * N + i] * b[j * N + k];
        for (int i = 0; i < N; i++)
            c[j * N + i] = column[i];
    }
}

static void subtract_pair(sparse_blocks *factor, size_t j, size_t i, size_t target)
{
    const double *below = factor->below + BLOCK * j, *above = factor->above + BLOCK * j;
    if (target == SIZE_MAX) {
        subtract_product(factor->diagonal + (size_t)BLOCK * factor->structure.rows[j], below, above);
        return;
    }
    subtract_product(factor->below + BLOCK * target, factor->below + BLOCK * i, above);
    subtract_product(factor->above + BLOCK * target, below, factor->above + BLOCK * i);
}

bool sparse_lu_factor(sparse_blocks *factor)
{
    const sparse_structure *s = &factor->structure;
    for (size_t column = 0; column < s->count; column++) {
        double *diagonal = factor->diagonal + BLOCK * column;
        if (!invert_block(diagonal))
            return false;
        for (size_t i = s->column_start[column]; i < s->column_start[column + 1]; i++) {
            double product[BLOCK];
            multiply(product, factor->below + BLOCK * i, diagonal);
            memcpy(factor->below + BLOCK * i, product, sizeof product);
        }
        sparse_blocks_update(factor, column, subtract_pair);
    }
    return true;
}

void sparse_lu_solve(const sparse_blocks *factor, double *x)
{
    const sparse_structure *s = &factor->structure;
    for (size_t column = 0; column < s->count; column++)
        for (size_t r = s->column_start[column]; r < s->column_start[column + 1]; r++)
            block_subtract_applied(x + (size_t)N * s->rows[r], factor->below + BLOCK * r, x + N * column);
    for (size_t column = s->count; column-- > 0;) {
        const double *inverse = factor->diagonal + BLOCK * column;
        double *at = x + N * column, y[N];
        memcpy(y, at, sizeof y);
        for (size_t r = s->column_start[column]; r < s->column_start[column + 1]; r++)
            block_subtract_applied(y, factor->above + BLOCK * r, x + (size_t)N * s->rows[r]);
        block_apply(at, inverse, y);
    }
}
