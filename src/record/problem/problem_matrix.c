#include "record/problem/problem_matrix.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"

static scree_status check_sizes(const stored_matrix *s, const char *name, size_t *count, scree_error *error)
{
    if (s->m < 0 || s->n < 0 || s->m > MATRIX_MOST || s->n > MATRIX_MOST)
        return fail(error, SCREE_ERROR_INVALID, "%s is %" PRId64 " x %" PRId64 ", must be from 0 to %d each way", name,
                    s->m, s->n, (int)MATRIX_MOST);
    if (s->nz < -2)
        return fail(error, SCREE_ERROR_INVALID,
                    "%s/nz is %" PRId64
                    ", must be -1 (compressed columns), -2 (compressed rows) or a count of triplets",
                    name, s->nz);
    size_t lines = (size_t)(s->nz == -1 ? s->n : s->m);
    if (s->nz < 0 && s->p_count != lines + 1)
        return fail(error, SCREE_ERROR_INVALID, "%s/p has %zu entries, must have %zu", name, s->p_count, lines + 1);
    if (s->nz >= 0 && s->p_count < (size_t)s->nz)
        return fail(error, SCREE_ERROR_INVALID, "%s/p has %zu entries, must have nz = %" PRId64, name, s->p_count,
                    s->nz);
    int64_t entries = s->nz >= 0 ? s->nz : s->p[lines];
    if (entries < 0 || (uint64_t)entries > s->i_count || (uint64_t)entries > s->x_count)
        return fail(error, SCREE_ERROR_INVALID, "%s has %" PRId64 " entries, but %zu indices in i and %zu values in x",
                    name, entries, s->i_count, s->x_count);
    *count = (size_t)entries;
    return SCREE_OK;
}

static scree_status take_entry(const stored_matrix *s, const char *name, size_t k, int64_t row, int64_t column,
                               sparse_entry *entry, scree_error *error)
{
    if (row < 0 || row >= s->m || column < 0 || column >= s->n)
        return fail(error, SCREE_ERROR_INVALID,
                    "entry %zu of %s is at (%" PRId64 ", %" PRId64 "), outside of %" PRId64 " x %" PRId64, k, name, row,
                    column, s->m, s->n);
    if (!isfinite(s->x[k]))
        return fail(error, SCREE_ERROR_INVALID, "entry %zu of %s is not finite", k, name);
    *entry = (sparse_entry){(uint32_t)row, (uint32_t)column, s->x[k]};
    return SCREE_OK;
}

static scree_status take_entries(const stored_matrix *s, const char *name, size_t count, entry_array *entries,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    if (s->nz >= 0) {
        for (size_t k = 0; status == SCREE_OK && k < count; k++)
            status = take_entry(s, name, k, s->i[k], s->p[k], &entries->data[k], error);
        return status;
    }
    int64_t lines = s->nz == -1 ? s->n : s->m;
    if (s->p[0] != 0)
        return fail(error, SCREE_ERROR_INVALID, "%s/p begins with %" PRId64 ", must with 0", name, s->p[0]);
    for (int64_t line = 0; status == SCREE_OK && line < lines; line++) {
        if (s->p[line + 1] < s->p[line] || s->p[line + 1] > s->p[lines])
            return fail(error, SCREE_ERROR_INVALID, "%s/p falls after entry %" PRId64, name, line);
        for (int64_t k = s->p[line]; status == SCREE_OK && k < s->p[line + 1]; k++) {
            int64_t row = s->nz == -1 ? s->i[k] : line, column = s->nz == -1 ? line : s->i[k];
            status = take_entry(s, name, (size_t)k, row, column, &entries->data[k], error);
        }
    }
    return status;
}

scree_status stored_matrix_convert(const stored_matrix *stored, const char *name, sparse_matrix *matrix,
                                   scree_error *error)
{
    entry_array entries = {0};
    size_t count = 0;
    *matrix = (sparse_matrix){0};
    scree_status status = check_sizes(stored, name, &count, error);
    if (status == SCREE_OK && !array_resize(&entries, count))
        status = fail_no_memory(error);
    if (status == SCREE_OK)
        status = take_entries(stored, name, count, &entries, error);
    if (status == SCREE_OK)
        status = sparse_from_entries(matrix, (size_t)stored->m, (size_t)stored->n, entries.data, count, error);
    array_free(&entries);
    return status;
}
