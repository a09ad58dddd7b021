// A proximal point method with a semismooth Newton method inside: for small and ill-conditioned problems, to full
// accuracy.
//
// W is often singular (a table on four legs) and the natural map only piecewise smooth. The proximal problem around a
// centre c,   u = W r + q + alpha B (r - c),   is regular; its natural map
//     F(r) = r - P(r - B^-1 u)
// is brought to zero by Newton steps with a line search on |F|, and the centre moves there. As long as that goes well
// alpha falls, and the method becomes Newton's on the problem itself (Rockafellar 1976; Alart and Curnier 1991). Blocks
// whose projection is locally constant, such as open contacts, leave the linear system, which then falls into parts
// that are solved one by one.
#include <math.h>

#include "base/error.h"
#include "reference/matrix_dense.h"
#include "reference/matrix_iteration.h"

enum { MOST_DENSE = 5000, INNER = 20, HALVINGS = 8 };

static const double least_alpha = 1e-10, most_alpha = 1;

typedef struct newton_state {
    double alpha;
    double *center, *z, *f, *step, *trial; // [size]
    double *derivative;                    // of each block's projection, [BLOCK_MOST * BLOCK_MOST] each
    uint32_t *part_of;                     // block -> part of the linear system
    uint32_t *place;                       // unknown -> place in its part
    uint32_t *members;                     // blocks, part by part
    size_t *part_start, *part_size;        // of each part: into members; unknowns
    double *matrix, *right;                // of the part at hand
    uint32_t *pivot;
    size_t room; // for `matrix`: size of the largest part so far
} newton_state;

// z and F at r; |F|^2 in the metric.
static double evaluate(iteration *it, newton_state *s, const double *r)
{
    const matrix_problem *problem = it->problem;
    double sum = 0;
    it->work += 2 * (double)sparse_count(&problem->w);
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        size_t at = block->first;
        double u[BLOCK_MOST];
        for (uint32_t k = 0; k < block->size; k++)
            u[k] = problem->q[at + k] + sparse_row_dot(&problem->w, at + k, r) +
                   s->alpha * iteration_weight(it, i, k) * (r[at + k] - s->center[at + k]);
        iteration_descend(it, i, r + at, u, s->z + at);
        block_project(block, &it->metric[i], it->options->exact, s->z + at, s->f + at);
        for (uint32_t k = 0; k < block->size; k++) {
            s->f[at + k] = r[at + k] - s->f[at + k];
            sum += iteration_weight(it, i, k) * s->f[at + k] * s->f[at + k];
        }
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------- linear system

static bool is_constant(const newton_state *s, size_t block, uint32_t size)
{
    const double *d = s->derivative + block * BLOCK_MOST * BLOCK_MOST;
    for (uint32_t k = 0; k < size * size; k++)
        if (d[k] != 0)
            return false;
    return true;
}

// Parts: blocks that move and see each other through W. Constant blocks are parts of their own.
static size_t find_parts(const iteration *it, newton_state *s)
{
    const matrix_problem *problem = it->problem;
    group_begin(s->part_of, problem->block_count);
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        if (is_constant(s, i, block->size))
            continue;
        for (size_t k = problem->w.start[block->first]; k < problem->w.start[block->first + block->size]; k++) {
            uint32_t other = it->block_of[problem->w.column[k]];
            if (problem->w.value[k] != 0 && !is_constant(s, other, problem->blocks[other].size))
                group_join(s->part_of, (uint32_t)i, other);
        }
    }
    return group_number(s->part_of, problem->block_count);
}

// Row by row:  ((1 - D) + alpha D + D B^-1 W) step = -F, with the steps of constant blocks known.
static void assemble_block(const iteration *it, const newton_state *s, size_t index, size_t size)
{
    const matrix_problem *problem = it->problem;
    const matrix_block *block = &problem->blocks[index];
    const double *d = s->derivative + index * BLOCK_MOST * BLOCK_MOST;
    for (uint32_t a = 0; a < block->size; a++) {
        size_t row = s->place[block->first + a];
        double *to = s->matrix + row * size;
        s->right[row] = -s->f[block->first + a];
        to[row] += 1;
        for (uint32_t b = 0; b < block->size; b++) {
            double factor = d[a * block->size + b];
            if (factor == 0)
                continue;
            to[s->place[block->first + b]] += (s->alpha - 1) * factor;
            factor /= iteration_weight(it, index, b);
            size_t line = block->first + b;
            for (size_t k = problem->w.start[line]; k < problem->w.start[line + 1]; k++) {
                uint32_t column = problem->w.column[k];
                if (s->part_of[it->block_of[column]] == s->part_of[index])
                    to[s->place[column]] += factor * problem->w.value[k];
                else // constant: all that moves and is seen from here is in the same part
                    s->right[row] -= factor * problem->w.value[k] * s->step[column];
            }
        }
    }
}

static bool make_room(iteration *it, newton_state *s, size_t size)
{
    if (size <= s->room)
        return true;
    s->room = size;
    s->matrix = arena_array(&it->memory, double, size *size);
    s->right = arena_array(&it->memory, double, size);
    s->pivot = arena_array(&it->memory, uint32_t, size);
    return s->matrix && s->right && s->pivot;
}

static bool solve_part(iteration *it, newton_state *s, const uint32_t *blocks, size_t count, size_t size)
{
    memset(s->matrix, 0, size * size * sizeof *s->matrix);
    for (size_t i = 0; i < count; i++)
        assemble_block(it, s, blocks[i], size);
    it->work += 2.0 / 3.0 * (double)size * (double)size * (double)size;
    if (!dense_lu(s->matrix, size, s->pivot))
        return false;
    dense_lu_solve(s->matrix, s->pivot, size, s->right);
    for (size_t i = 0; i < count; i++) {
        const matrix_block *block = &it->problem->blocks[blocks[i]];
        for (uint32_t k = 0; k < block->size; k++)
            s->step[block->first + k] = s->right[s->place[block->first + k]];
    }
    return true;
}

// Sorts the blocks by part.
static size_t list_parts(const iteration *it, newton_state *s)
{
    size_t blocks = it->problem->block_count, parts = find_parts(it, s);
    memset(s->part_start, 0, (parts + 2) * sizeof *s->part_start);
    memset(s->part_size, 0, (parts + 1) * sizeof *s->part_size);
    for (size_t i = 0; i < blocks; i++) {
        const matrix_block *block = &it->problem->blocks[i];
        s->part_start[s->part_of[i] + 2]++;
        for (uint32_t k = 0; k < block->size; k++)
            s->place[block->first + k] = (uint32_t)s->part_size[s->part_of[i]]++;
    }
    for (size_t p = 0; p < parts; p++)
        s->part_start[p + 2] += s->part_start[p + 1];
    for (size_t i = 0; i < blocks; i++)
        s->members[s->part_start[s->part_of[i] + 1]++] = (uint32_t)i;
    return parts;
}

typedef enum step_outcome { STEP_FOUND, STEP_SINGULAR, STEP_TOO_LARGE, STEP_NO_MEMORY } step_outcome;

// The Newton step at the point that was evaluated last.
static step_outcome find_step(iteration *it, newton_state *s)
{
    const matrix_problem *problem = it->problem;
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        block_derivative(block, &it->metric[i], it->options->exact, s->z + block->first,
                         s->derivative + i * BLOCK_MOST * BLOCK_MOST);
    }
    for (size_t i = 0; i < problem->size; i++)
        s->step[i] = -s->f[i];
    size_t parts = list_parts(it, s);
    for (size_t p = 0; p < parts; p++) {
        const uint32_t *blocks = s->members + s->part_start[p];
        if (is_constant(s, blocks[0], problem->blocks[blocks[0]].size))
            continue;
        if (s->part_size[p] > MOST_DENSE)
            return STEP_TOO_LARGE;
        if (!make_room(it, s, s->part_size[p]))
            return STEP_NO_MEMORY;
        if (!solve_part(it, s, blocks, s->part_start[p + 1] - s->part_start[p], s->part_size[p]))
            return STEP_SINGULAR;
    }
    return STEP_FOUND;
}

// --------------------------------------------------------------------------------------------------------- iterations

// Halves the step until |F| falls. False when it does not.
static bool search(iteration *it, newton_state *s, double *merit)
{
    double factor = 1;
    for (int tries = 0; tries < HALVINGS; tries++, factor *= 0.5) {
        for (size_t i = 0; i < it->problem->size; i++)
            s->trial[i] = it->r[i] + factor * s->step[i];
        double now = evaluate(it, s, s->trial);
        if (now < (1 - 0.1 * factor) * *merit) {
            memcpy(it->r, s->trial, it->problem->size * sizeof *it->r);
            *merit = now;
            return true;
        }
    }
    return false;
}

static bool newton_begin(iteration *it, newton_state *s)
{
    const matrix_problem *problem = it->problem;
    double **arrays[] = {&s->center, &s->z, &s->f, &s->step, &s->trial};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = arena_array(&it->memory, double, problem->size + 1)))
            return false;
    s->derivative = arena_array(&it->memory, double, problem->block_count *BLOCK_MOST *BLOCK_MOST + 1);
    s->place = arena_array(&it->memory, uint32_t, problem->size + 1);
    s->part_of = arena_array(&it->memory, uint32_t, problem->block_count + 1);
    s->members = arena_array(&it->memory, uint32_t, problem->block_count + 1);
    s->part_start = arena_array(&it->memory, size_t, problem->block_count + 2);
    s->part_size = arena_array(&it->memory, size_t, problem->block_count + 1);
    if (!s->derivative || !s->place || !s->part_of || !s->members || !s->part_start || !s->part_size)
        return false;
    memcpy(s->center, it->r, problem->size * sizeof *s->center);
    return true;
}

// A new centre, nearer to the problem itself when the last was reached easily, further from it when it was not.
static double recenter(iteration *it, newton_state *s, double factor)
{
    s->alpha = fmin(fmax(s->alpha * factor, least_alpha), most_alpha);
    memcpy(s->center, it->r, it->problem->size * sizeof *s->center);
    return evaluate(it, s, it->r);
}

scree_status iterate_newton(iteration *it, scree_error *error)
{
    newton_state s = {.alpha = 1e-3};
    if (!newton_begin(it, &s))
        return fail_no_memory(error);
    double merit = evaluate(it, &s, it->r);
    int inner = 0;
    it->next_look = it->count; // steps are dear: look at each
    while (iteration_goes_on(it)) {
        it->next_look = it->count;
        step_outcome outcome = find_step(it, &s);
        if (outcome == STEP_NO_MEMORY)
            return fail_no_memory(error);
        if (outcome == STEP_TOO_LARGE)
            return it->options->algorithm == MATRIX_NEWTON
                       ? fail(error, SCREE_ERROR_INVALID, "newton takes up to %d unknowns that depend on each other",
                              (int)MOST_DENSE)
                       : SCREE_OK;
        bool found = outcome == STEP_FOUND && search(it, &s, &merit);
        inner++;
        double near = iteration_dot(it, it->r, s.center, it->r, s.center);
        if (found && merit <= 0.01 * s.alpha * s.alpha * near) {
            merit = recenter(it, &s, inner <= 5 ? 0.1 : 1);
            inner = 0;
        } else if (!found || inner >= INNER) {
            merit = recenter(it, &s, s.alpha < most_alpha ? 10 : 0.01);
            inner = 0;
        }
    }
    return SCREE_OK;
}
