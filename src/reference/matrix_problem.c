#include "reference/matrix_problem.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "reference/matrix_dense.h"

enum { MOST_PART = 6000 }; // freedoms of a part of M: 288 MB of factor

void matrix_problem_free(matrix_problem *problem)
{
    sparse_free(&problem->w);
    free(problem->q);
    free(problem->start);
    free(problem->blocks);
    *problem = (matrix_problem){0};
}

void matrix_global_free(matrix_global *problem)
{
    sparse_free(&problem->mass);
    sparse_free(&problem->directions);
    free(problem->force);
    free(problem->bias);
    free(problem->compliance);
    free(problem->start);
    free(problem->blocks);
    *problem = (matrix_global){0};
}

scree_status matrix_problem_allocate(matrix_problem *problem, size_t size, size_t block_count, scree_error *error)
{
    *problem = (matrix_problem){.size = size, .block_count = block_count};
    problem->q = calloc(size + 1, sizeof *problem->q);
    problem->start = calloc(size + 1, sizeof *problem->start);
    problem->blocks = calloc(block_count + 1, sizeof *problem->blocks);
    if (problem->q && problem->start && problem->blocks)
        return SCREE_OK;
    matrix_problem_free(problem);
    return fail_no_memory(error);
}

scree_status matrix_global_allocate(matrix_global *problem, size_t size, size_t block_count, size_t freedoms,
                                    scree_error *error)
{
    *problem = (matrix_global){.size = size, .block_count = block_count};
    problem->force = calloc(freedoms + 1, sizeof *problem->force);
    problem->bias = calloc(size + 1, sizeof *problem->bias);
    problem->compliance = calloc(size + 1, sizeof *problem->compliance);
    problem->start = calloc(size + 1, sizeof *problem->start);
    problem->blocks = calloc(block_count + 1, sizeof *problem->blocks);
    if (problem->force && problem->bias && problem->compliance && problem->start && problem->blocks)
        return SCREE_OK;
    matrix_global_free(problem);
    return fail_no_memory(error);
}

// ------------------------------------------------------------------------------------------------------- reduction

typedef struct mass_part { // freedoms of M that hang together, with the columns of D that touch them
    const uint32_t *members;
    size_t count;
    double *factor; // L, [count][count]
    double *solved; // L^-1 [D f], [count][columns + 1]
    uint32_t *columns;
    size_t column_count;
} mass_part;

typedef struct reduction {
    const matrix_global *global;
    size_t freedoms;
    uint32_t *part_of;   // freedom -> part
    size_t *part_start;  // [parts + 1] into members
    uint32_t *members;   // freedoms, part by part
    uint32_t *place_of;  // freedom -> place in its part
    uint32_t *column_at; // column of D -> place among those of the part at hand, UINT32_MAX otherwise
    size_t parts;
    entry_array entries; // of W
} reduction;

static void reduction_free(reduction *r)
{
    free(r->part_of);
    free(r->part_start);
    free(r->members);
    free(r->place_of);
    free(r->column_at);
    array_free(&r->entries);
}

static bool reduction_begin(reduction *r, const matrix_global *global)
{
    size_t freedoms = global->mass.rows;
    *r = (reduction){.global = global, .freedoms = freedoms};
    r->part_of = malloc((freedoms + 1) * sizeof *r->part_of);
    r->part_start = calloc(freedoms + 2, sizeof *r->part_start);
    r->members = malloc((freedoms + 1) * sizeof *r->members);
    r->place_of = malloc((freedoms + 1) * sizeof *r->place_of);
    r->column_at = malloc((global->size + 1) * sizeof *r->column_at);
    if (!r->part_of || !r->part_start || !r->members || !r->place_of || !r->column_at)
        return false;
    const sparse_matrix *mass = &global->mass;
    group_begin(r->part_of, freedoms);
    for (size_t i = 0; i < freedoms; i++)
        for (size_t k = mass->start[i]; k < mass->start[i + 1]; k++)
            if (mass->value[k] != 0)
                group_join(r->part_of, (uint32_t)i, mass->column[k]);
    r->parts = group_number(r->part_of, freedoms);
    for (size_t i = 0; i < freedoms; i++)
        r->place_of[i] = (uint32_t)r->part_start[r->part_of[i] + 1]++;
    for (size_t p = 0; p < r->parts; p++)
        r->part_start[p + 1] += r->part_start[p];
    for (size_t i = 0; i < freedoms; i++)
        r->members[r->part_start[r->part_of[i]] + r->place_of[i]] = (uint32_t)i;
    for (size_t c = 0; c < global->size; c++)
        r->column_at[c] = UINT32_MAX;
    return true;
}

static void part_free(mass_part *part)
{
    free(part->factor);
    free(part->solved);
    free(part->columns);
}

static bool find_columns(reduction *r, mass_part *part)
{
    const sparse_matrix *d = &r->global->directions;
    size_t most = 0;
    for (size_t i = 0; i < part->count; i++)
        most += d->start[part->members[i] + 1] - d->start[part->members[i]];
    part->columns = malloc((most + 1) * sizeof *part->columns);
    if (!part->columns)
        return false;
    for (size_t i = 0; i < part->count; i++)
        for (size_t k = d->start[part->members[i]]; k < d->start[part->members[i] + 1]; k++)
            if (r->column_at[d->column[k]] == UINT32_MAX) {
                r->column_at[d->column[k]] = (uint32_t)part->column_count;
                part->columns[part->column_count++] = d->column[k];
            }
    return true;
}

static bool fill_part(const reduction *r, mass_part *part)
{
    const sparse_matrix *d = &r->global->directions, *mass = &r->global->mass;
    size_t width = part->column_count + 1;
    part->factor = calloc(part->count * part->count, sizeof *part->factor);
    part->solved = calloc(part->count * width, sizeof *part->solved);
    if (!part->factor || !part->solved)
        return false;
    for (size_t i = 0; i < part->count; i++) {
        size_t freedom = part->members[i];
        for (size_t k = mass->start[freedom]; k < mass->start[freedom + 1]; k++)
            if (mass->value[k] != 0) {
                size_t j = r->place_of[mass->column[k]];
                part->factor[i * part->count + j] += 0.5 * mass->value[k];
                part->factor[j * part->count + i] += 0.5 * mass->value[k];
            }
        for (size_t k = d->start[freedom]; k < d->start[freedom + 1]; k++)
            part->solved[i * width + r->column_at[d->column[k]]] = d->value[k];
        part->solved[i * width + part->column_count] = r->global->force[freedom];
    }
    return true;
}

// With L L^T the symmetric part of M and Y = L^-1 [D f]:  W = Y^T Y, and its last column adds to q.
static bool add_part(reduction *r, const mass_part *part, double *q)
{
    size_t columns = part->column_count, width = columns + 1;
    if (!array_reserve(&r->entries, r->entries.count + columns * columns))
        return false;
    double *sums = calloc(width + 1, sizeof *sums);
    if (!sums)
        return false;
    for (size_t a = 0; a < columns; a++) {
        for (size_t b = 0; b < width; b++)
            sums[b] = 0;
        for (size_t i = 0; i < part->count; i++) {
            const double *row = part->solved + i * width;
            for (size_t b = 0; row[a] != 0 && b < width; b++)
                sums[b] += row[a] * row[b];
        }
        for (size_t b = 0; b < columns; b++)
            r->entries.data[r->entries.count++] = (sparse_entry){part->columns[a], part->columns[b], sums[b]};
        q[part->columns[a]] += sums[columns];
    }
    free(sums);
    return true;
}

static scree_status reduce_part(reduction *r, size_t index, double *q, scree_error *error)
{
    mass_part part = {.members = r->members + r->part_start[index],
                      .count = r->part_start[index + 1] - r->part_start[index]};
    if (part.count > MOST_PART)
        return fail(error, SCREE_ERROR_INVALID, "M couples %zu freedoms with each other; up to %d are accepted",
                    part.count, MOST_PART);
    scree_status status = SCREE_OK;
    if (!find_columns(r, &part) || !fill_part(r, &part))
        status = fail_no_memory(error);
    else if (!dense_cholesky(part.factor, part.count))
        status = fail(error, SCREE_ERROR_INVALID, "M is not positive definite around row %zu", (size_t)part.members[0]);
    if (status == SCREE_OK) {
        dense_forward(part.factor, part.count, part.solved, part.column_count + 1);
        if (!add_part(r, &part, q))
            status = fail_no_memory(error);
    }
    for (size_t c = 0; c < part.column_count; c++)
        r->column_at[part.columns[c]] = UINT32_MAX;
    part_free(&part);
    return status;
}

scree_status matrix_reduce(const matrix_global *global, matrix_problem *problem, scree_error *error)
{
    reduction r;
    scree_status status = matrix_problem_allocate(problem, global->size, global->block_count, error);
    if (status != SCREE_OK)
        return status;
    if (!reduction_begin(&r, global))
        status = fail_no_memory(error);
    memcpy(problem->q, global->bias, global->size * sizeof *problem->q);
    memcpy(problem->start, global->start, global->size * sizeof *problem->start);
    memcpy(problem->blocks, global->blocks, global->block_count * sizeof *problem->blocks);
    for (size_t p = 0; status == SCREE_OK && p < r.parts; p++)
        status = reduce_part(&r, p, problem->q, error);
    for (uint32_t i = 0; status == SCREE_OK && i < global->size; i++)
        if (!array_push(&r.entries, ((sparse_entry){i, i, global->compliance[i]})))
            status = fail_no_memory(error);
    if (status == SCREE_OK)
        status = sparse_from_entries(&problem->w, global->size, global->size, r.entries.data, r.entries.count, error);
    reduction_free(&r);
    if (status != SCREE_OK)
        matrix_problem_free(problem);
    return status;
}
