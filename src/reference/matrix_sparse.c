#include "reference/matrix_sparse.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static bool allocate(sparse_matrix *matrix, size_t rows, size_t columns, size_t count)
{
    *matrix = (sparse_matrix){.rows = rows, .columns = columns};
    matrix->start = calloc(rows + 1, sizeof *matrix->start);
    matrix->column = calloc(count + 1, sizeof *matrix->column);
    matrix->value = calloc(count + 1, sizeof *matrix->value);
    if (matrix->start && matrix->column && matrix->value)
        return true;
    sparse_free(matrix);
    return false;
}

void sparse_free(sparse_matrix *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (sparse_matrix){0};
}

size_t sparse_count(const sparse_matrix *matrix)
{
    return matrix->start ? matrix->start[matrix->rows] : 0;
}

scree_status sparse_transpose(const sparse_matrix *matrix, sparse_matrix *result, scree_error *error)
{
    size_t count = sparse_count(matrix);
    if (!allocate(result, matrix->columns, matrix->rows, count))
        return fail_no_memory(error);
    size_t *start = result->start;
    for (size_t k = 0; k < count; k++)
        start[matrix->column[k] + 1]++;
    for (size_t c = 0; c < matrix->columns; c++)
        start[c + 1] += start[c];
    for (size_t r = 0; r < matrix->rows; r++)
        for (size_t k = matrix->start[r]; k < matrix->start[r + 1]; k++) {
            size_t place = start[matrix->column[k]]++;
            result->column[place] = (uint32_t)r;
            result->value[place] = matrix->value[k];
        }
    for (size_t c = matrix->columns; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
    return SCREE_OK;
}

// Neighbours of equal column in sorted rows become one.
static void add_up(sparse_matrix *matrix)
{
    size_t kept = 0, begin = 0;
    for (size_t r = 0; r < matrix->rows; r++) {
        size_t end = matrix->start[r + 1], first = kept;
        for (size_t k = begin; k < end; k++) {
            if (kept > first && matrix->column[kept - 1] == matrix->column[k]) {
                matrix->value[kept - 1] += matrix->value[k];
                continue;
            }
            matrix->column[kept] = matrix->column[k];
            matrix->value[kept++] = matrix->value[k];
        }
        begin = end;
        matrix->start[r + 1] = kept;
    }
}

// Buckets by column first; the transpose of that has its rows in rising columns, duplicates in the order given.
scree_status sparse_from_entries(sparse_matrix *matrix, size_t rows, size_t columns, const sparse_entry *entries,
                                 size_t count, scree_error *error)
{
    *matrix = (sparse_matrix){0};
    sparse_matrix turned;
    if (!allocate(&turned, columns, rows, count))
        return fail_no_memory(error);
    for (size_t k = 0; k < count; k++)
        turned.start[entries[k].column + 1]++;
    for (size_t c = 0; c < columns; c++)
        turned.start[c + 1] += turned.start[c];
    for (size_t k = 0; k < count; k++) {
        size_t place = turned.start[entries[k].column]++;
        turned.column[place] = entries[k].row;
        turned.value[place] = entries[k].value;
    }
    for (size_t c = columns; c > 0; c--)
        turned.start[c] = turned.start[c - 1];
    turned.start[0] = 0;
    scree_status status = sparse_transpose(&turned, matrix, error);
    sparse_free(&turned);
    if (status == SCREE_OK)
        add_up(matrix);
    return status;
}

double sparse_row_dot(const sparse_matrix *matrix, size_t row, const double *x)
{
    double sum = 0;
    for (size_t k = matrix->start[row]; k < matrix->start[row + 1]; k++)
        sum += matrix->value[k] * x[matrix->column[k]];
    return sum;
}

void sparse_multiply(const sparse_matrix *matrix, const double *x, double *result)
{
    for (size_t r = 0; r < matrix->rows; r++)
        result[r] = sparse_row_dot(matrix, r, x);
}

double sparse_get(const sparse_matrix *matrix, size_t row, size_t column)
{
    size_t low = matrix->start[row], high = matrix->start[row + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (matrix->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < matrix->start[row + 1] && matrix->column[low] == column ? matrix->value[low] : 0;
}

double sparse_asymmetry(const sparse_matrix *matrix)
{
    double largest = 0, difference = 0;
    for (size_t r = 0; r < matrix->rows; r++)
        for (size_t k = matrix->start[r]; k < matrix->start[r + 1]; k++) {
            double other = sparse_get(matrix, matrix->column[k], r);
            largest = fmax(largest, fabs(matrix->value[k]));
            difference = fmax(difference, fabs(matrix->value[k] - other));
        }
    return largest > 0 ? difference / largest : 0;
}

void group_begin(uint32_t *parent, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parent[i] = (uint32_t)i;
}

static uint32_t root_of(uint32_t *parent, uint32_t item)
{
    while (parent[item] != item) {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

// The smaller root wins, so that a group's root is its first member.
void group_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    uint32_t root_a = root_of(parent, a), root_b = root_of(parent, b);
    if (root_a < root_b)
        parent[root_b] = root_a;
    else
        parent[root_a] = root_b;
}

size_t group_number(uint32_t *parent, size_t count)
{
    for (size_t i = 0; i < count; i++) // first, while trees are whole: every item points at its root
        parent[i] = root_of(parent, (uint32_t)i);
    size_t groups = 0;
    for (size_t i = 0; i < count; i++) // a root comes before its members and holds its number when they ask
        parent[i] = parent[i] == i ? (uint32_t)groups++ : parent[parent[i]];
    return groups;
}
