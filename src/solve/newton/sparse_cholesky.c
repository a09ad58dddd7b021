// Right-looking block Cholesky: each column, once finished, is taken off the columns of its rows.
#include "solve/newton/sparse_cholesky.h"

#include <math.h>
#include <string.h>

enum { N = SPARSE_BLOCK, BLOCK = SPARSE_BLOCK_REALS };

// The block becomes the inverse of its lower Cholesky factor, with zeros above the diagonal.
static void factor_diagonal(double *a, double least)
{
    double lower[N][N], inverse[N][N] = {{0}}; // [row][column]
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++) {
            double sum = a[j * N + i];
            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            lower[i][j] = i == j ? sqrt(fmax(sum, least)) : sum * inverse[j][j];
            if (i == j)
                inverse[j][j] = 1 / lower[j][j];
        }
    for (int j = 0; j < N; j++)
        for (int i = j + 1; i < N; i++) {
            double sum = 0;
            for (int k = j; k < i; k++)
                sum += lower[i][k] * inverse[k][j];
            inverse[i][j] = -sum * inverse[i][i];
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[j * N + i] = inverse[i][j];
}

// a <- a inverse^T, with a lower triangular inverse.
static void scale_block(double *restrict a, const double *restrict inverse)
{
    double result[BLOCK] = {0};
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= j; k++)
            for (int i = 0; i < N; i++)
                result[j * N + i] += a[k * N + i] * inverse[k * N + j];
    memcpy(a, result, sizeof result);
}

// c <- c - a b^T
static void subtract_product(double *restrict c, const double *restrict a, const double *restrict b)
{
    for (int j = 0; j < N; j++) {
        double column[N];
        for (int i = 0; i < N; i++)
            column[i] = c[j * N + i];
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                column[i] -= a[k * N + i] * b[k * N + j];
        for (int i = 0; i < N; i++)
            c[j * N + i] = column[i];
    }
}

static void subtract_pair(sparse_blocks *factor, size_t j, size_t i, size_t target)
{
    const double *b = factor->below + BLOCK * j;
    double *to = target == SIZE_MAX ? factor->diagonal + (size_t)BLOCK * factor->structure.rows[j]
                                    : factor->below + BLOCK * target;
    subtract_product(to, factor->below + BLOCK * i, b);
}

void sparse_cholesky_factor(sparse_blocks *factor, double least)
{
    const sparse_structure *s = &factor->structure;
    for (size_t column = 0; column < s->count; column++) {
        double *diagonal = factor->diagonal + BLOCK * column;
        factor_diagonal(diagonal, least);
        for (size_t i = s->column_start[column]; i < s->column_start[column + 1]; i++)
            scale_block(factor->below + BLOCK * i, diagonal);
        sparse_blocks_update(factor, column, subtract_pair);
    }
}

void sparse_cholesky_solve(const sparse_blocks *factor, double *x)
{
    const sparse_structure *s = &factor->structure;
    for (size_t column = 0; column < s->count; column++) {
        const double *inverse = factor->diagonal + BLOCK * column;
        double *at = x + N * column, y[N];
        block_apply(y, inverse, at);
        memcpy(at, y, sizeof y);
        for (size_t r = s->column_start[column]; r < s->column_start[column + 1]; r++)
            block_subtract_applied(x + (size_t)N * s->rows[r], factor->below + BLOCK * r, y);
    }
    for (size_t column = s->count; column-- > 0;) {
        const double *inverse = factor->diagonal + BLOCK * column;
        double *at = x + N * column, y[N];
        memcpy(y, at, sizeof y);
        for (size_t r = s->column_start[column]; r < s->column_start[column + 1]; r++) {
            const double *block = factor->below + BLOCK * r;
            const double *from = x + (size_t)N * s->rows[r];
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    y[j] -= block[j * N + i] * from[i];
        }
        for (int j = 0; j < N; j++) {
            at[j] = 0;
            for (int i = 0; i < N; i++)
                at[j] += inverse[j * N + i] * y[i];
        }
    }
}
