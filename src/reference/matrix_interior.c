// An interior point method: Newton's method along the central path, for problems on which everything else stalls at the
// edges of the cones. Few steps, each of the cost of a dense factorisation of everything that hangs together.
//
// Impulses stay strictly inside of their sets by the barrier phi, -log(c^2 n^2 - |y|^2) for each cap, and
//     G(r) = u + slip(u) + t grad phi(r) = 0,    u = W r + q,
// is followed from a large t, where its solution is in the middle of the sets, to 0, where it is the problem's. The
// slip is that of de Saxce in the exact law (smoothed near 0) and nothing in the convex one, in which this is the
// classical barrier method for a convex quadratic objective.
#include <math.h>

#include "base/error.h"
#include "reference/matrix_dense.h"
#include "reference/matrix_iteration.h"

enum { MOST_DENSE = 3000, HALVINGS = 12 };

typedef struct interior {
    double t;
    double smooth;            // length below which slip speeds are rounded off
    double *g, *step, *trial; // [size]; G
    uint32_t *part_of;        // block -> part of W
    uint32_t *place;          // unknown -> place in its part
    size_t *part_size;
    size_t parts;
    double *matrix, *right;
    uint32_t *pivot;
} interior;

// Unknowns whose bound is zero whatever the leading impulse is do not take part.
static bool is_held(const matrix_block *block, uint32_t k)
{
    for (uint32_t c = 0, end = 1; k > 0 && c < block->cap_count; c++)
        if (k < (end += block->cap[c].size))
            return block->cap[c].coefficient == 0;
    return false;
}

// ---------------------------------------------------------------------------------------------------------- the
// barrier

// Gradient of phi, and its second derivative [size][size] where wanted.
static void barrier(const matrix_block *block, const double *r, double *gradient, double *hessian)
{
    uint32_t size = block->size, at = 1;
    bool bounded = false; // by a cap that opens with the leading impulse
    for (uint32_t k = 0; k < size; k++)
        gradient[k] = 0;
    for (uint32_t k = 0; hessian && k < size * size; k++)
        hessian[k] = 0;
    for (uint32_t c = 0; c < block->cap_count; at += block->cap[c++].size) {
        double square = block->cap[c].coefficient * block->cap[c].coefficient, room = square * r[0] * r[0];
        if (square == 0)
            continue;
        bounded = true;
        for (uint32_t k = at; k < at + block->cap[c].size; k++)
            room -= r[k] * r[k];
        double change[BLOCK_MOST] = {square * r[0] / room}; // half the gradient of room, over room
        for (uint32_t k = at; k < at + block->cap[c].size; k++)
            change[k] = -r[k] / room;
        for (uint32_t a = 0; a < size; a++)
            gradient[a] -= 2 * change[a];
        for (uint32_t a = 0; hessian && a < size; a++) {
            for (uint32_t b = 0; b < size; b++)
                hessian[a * size + b] += 4 * change[a] * change[b];
            if (a == 0)
                hessian[0] -= 2 * square / room;
            else if (a >= at && a < at + block->cap[c].size)
                hessian[a * size + a] += 2 / room;
        }
    }
    double below = r[0] - block->low, above = block->high - r[0];
    if (!bounded && isfinite(below)) {
        gradient[0] -= 1 / below;
        if (hessian)
            hessian[0] += 1 / (below * below);
    }
    if (isfinite(above)) {
        gradient[0] += 1 / above;
        if (hessian)
            hessian[0] += 1 / (above * above);
    }
}

// The largest part of a step that stays inside.
static double step_inside(const matrix_block *block, const double *r, const double *d)
{
    double most = HUGE_VAL;
    uint32_t at = 1;
    if (d[0] < 0 && isfinite(block->low))
        most = fmin(most, (block->low - r[0]) / d[0]);
    if (d[0] > 0 && isfinite(block->high))
        most = fmin(most, (block->high - r[0]) / d[0]);
    for (uint32_t c = 0; c < block->cap_count; at += block->cap[c++].size) {
        double square = block->cap[c].coefficient * block->cap[c].coefficient;
        double a = square * d[0] * d[0], b = square * r[0] * d[0], room = square * r[0] * r[0];
        for (uint32_t k = at; k < at + block->cap[c].size; k++) {
            a -= d[k] * d[k];
            b -= r[k] * d[k];
            room -= r[k] * r[k];
        }
        double root = b * b - a * room; // room + 2 b s + a s^2 = 0
        if (square == 0 || root < 0 || (a >= 0 && b >= 0))
            continue;
        most = fmin(most, room / (sqrt(root) - b));
    }
    return most;
}

// ----------------------------------------------------------------------------------------------------------------- G

// G at r; its square in the metric's inverse, which is an energy like t.
static double evaluate(iteration *it, const interior *in, const double *r, double *g)
{
    const matrix_problem *problem = it->problem;
    double sum = 0;
    iteration_velocities(it, r, g);
    it->work += 2 * (double)sparse_count(&problem->w);
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        double *u = g + block->first, gradient[BLOCK_MOST];
        if (it->options->exact) {
            double slip = 0;
            for (uint32_t c = 0, at = 1; c < block->cap_count; at += block->cap[c++].size) {
                double second = block->cap[c].size == 2 ? u[at + 1] : 0;
                slip += block->cap[c].coefficient *
                        (sqrt(u[at] * u[at] + second * second + in->smooth * in->smooth) - in->smooth);
            }
            u[0] += slip;
        }
        barrier(block, r + block->first, gradient, NULL);
        for (uint32_t k = 0; k < block->size; k++) {
            u[k] = is_held(block, k) ? 0 : u[k] + in->t * gradient[k];
            sum += u[k] * u[k] / iteration_weight(it, i, k);
        }
    }
    return sum;
}

// Adds `factor` times a row of W to a row of the part's matrix.
static void add_row(const iteration *it, const interior *in, size_t line, double factor, double *to)
{
    const sparse_matrix *w = &it->problem->w;
    for (size_t k = w->start[line]; k < w->start[line + 1]; k++)
        to[in->place[w->column[k]]] += factor * w->value[k];
}

static void assemble_block(const iteration *it, const interior *in, size_t index, size_t size)
{
    const matrix_block *block = &it->problem->blocks[index];
    double gradient[BLOCK_MOST], hessian[BLOCK_MOST * BLOCK_MOST];
    barrier(block, it->r + block->first, gradient, hessian);
    for (uint32_t k = 0; k < block->size; k++) {
        size_t row = in->place[block->first + k];
        double *to = in->matrix + row * size;
        in->right[row] = -in->g[block->first + k];
        if (is_held(block, k)) {
            to[row] = 1;
            continue;
        }
        add_row(it, in, block->first + k, 1, to);
        for (uint32_t j = 0; j < block->size; j++)
            to[in->place[block->first + j]] += in->t * hessian[k * block->size + j];
    }
    if (!it->options->exact)
        return;
    double *lead = in->matrix + in->place[block->first] * size;
    for (uint32_t c = 0, at = 1; c < block->cap_count; at += block->cap[c++].size) {
        const double *u = it->u + block->first + at;
        double second = block->cap[c].size == 2 ? u[1] : 0;
        double length = sqrt(u[0] * u[0] + second * second + in->smooth * in->smooth);
        for (uint32_t j = 0; j < block->cap[c].size && length > 0; j++)
            add_row(it, in, block->first + at + j, block->cap[c].coefficient * u[j] / length, lead);
    }
}

// The Newton step of all parts. False when one is singular.
static bool find_step(iteration *it, interior *in)
{
    const matrix_problem *problem = it->problem;
    iteration_velocities(it, it->r, it->u);
    for (size_t part = 0; part < in->parts; part++) {
        size_t size = in->part_size[part];
        memset(in->matrix, 0, size * size * sizeof *in->matrix);
        for (size_t i = 0; i < problem->block_count; i++)
            if (in->part_of[i] == part)
                assemble_block(it, in, i, size);
        it->work += 2.0 / 3.0 * (double)size * (double)size * (double)size;
        if (!dense_lu(in->matrix, size, in->pivot))
            return false;
        dense_lu_solve(in->matrix, in->pivot, size, in->right);
        for (size_t i = 0; i < problem->size; i++)
            if (in->part_of[it->block_of[i]] == part)
                in->step[i] = in->right[in->place[i]];
    }
    return true;
}

static bool take_step(iteration *it, interior *in, double *merit)
{
    double length = 1;
    for (size_t i = 0; i < it->problem->block_count; i++) {
        size_t at = it->problem->blocks[i].first;
        length = fmin(length, 0.95 * step_inside(&it->problem->blocks[i], it->r + at, in->step + at));
    }
    for (int tries = 0; tries < HALVINGS; tries++, length *= 0.5) {
        for (size_t i = 0; i < it->problem->size; i++)
            in->trial[i] = it->r[i] + length * in->step[i];
        double now = evaluate(it, in, in->trial, in->g);
        if (now < (1 - 0.1 * length) * *merit) {
            memcpy(it->r, in->trial, it->problem->size * sizeof *it->r);
            *merit = now;
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------- iterations

static bool find_parts(iteration *it, interior *in, size_t *largest)
{
    const matrix_problem *problem = it->problem;
    in->part_of = arena_array(&it->memory, uint32_t, problem->block_count + 1);
    in->place = arena_array(&it->memory, uint32_t, problem->size + 1);
    in->part_size = arena_array(&it->memory, size_t, problem->block_count + 1);
    if (!in->part_of || !in->place || !in->part_size)
        return false;
    group_begin(in->part_of, problem->block_count);
    for (size_t row = 0; row < problem->size; row++)
        for (size_t k = problem->w.start[row]; k < problem->w.start[row + 1]; k++)
            if (problem->w.value[k] != 0)
                group_join(in->part_of, it->block_of[row], it->block_of[problem->w.column[k]]);
    in->parts = group_number(in->part_of, problem->block_count);
    memset(in->part_size, 0, (problem->block_count + 1) * sizeof *in->part_size);
    for (size_t i = 0; i < problem->size; i++)
        in->place[i] = (uint32_t)in->part_size[in->part_of[it->block_of[i]]]++;
    *largest = 0;
    for (size_t part = 0; part < in->parts; part++)
        *largest = in->part_size[part] > *largest ? in->part_size[part] : *largest;
    return true;
}

// In the middle of the sets, with impulses that would change speeds by about those of q.
static void begin_inside(iteration *it, interior *in)
{
    const matrix_problem *problem = it->problem;
    double square = 0, impulse = 0;
    for (size_t i = 0; i < problem->size; i++)
        square += problem->q[i] * problem->q[i];
    double speed = sqrt(square / (double)problem->size);
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        double *r = it->r + block->first, guess = speed / it->metric[i].lead;
        for (uint32_t k = 0; k < block->size; k++)
            r[k] = 0;
        if (isfinite(block->low) && isfinite(block->high))
            r[0] = 0.5 * (block->low + block->high);
        else if (isfinite(block->low) || isfinite(block->high))
            r[0] = isfinite(block->low) ? block->low + guess : block->high - guess;
        impulse = fmax(impulse, guess);
    }
    in->t = speed * impulse;
    in->smooth = speed;
}

// From the inside to the edge, where contacts that carry nothing carry exactly nothing.
static void leave_inside(iteration *it)
{
    iteration_velocities(it, it->r, it->u);
    for (size_t i = 0; i < it->problem->block_count; i++) {
        const matrix_block *block = &it->problem->blocks[i];
        double z[BLOCK_MOST];
        iteration_descend(it, i, it->r + block->first, it->u + block->first, z);
        block_project(block, &it->metric[i], it->options->exact, z, it->r + block->first);
    }
    iteration_look(it);
}

scree_status iterate_interior(iteration *it, scree_error *error)
{
    interior in = {0};
    size_t largest, size = it->problem->size;
    if (!find_parts(it, &in, &largest))
        return fail_no_memory(error);
    if (largest > MOST_DENSE)
        return it->options->algorithm == MATRIX_INTERIOR
                   ? fail(error, SCREE_ERROR_INVALID,
                          "interior takes up to %d unknowns that depend on each other; here are %zu", (int)MOST_DENSE,
                          largest)
                   : SCREE_OK;
    in.g = arena_array(&it->memory, double, size + 1);
    in.step = arena_array(&it->memory, double, size + 1);
    in.trial = arena_array(&it->memory, double, size + 1);
    in.matrix = arena_array(&it->memory, double, largest *largest);
    in.right = arena_array(&it->memory, double, largest);
    in.pivot = arena_array(&it->memory, uint32_t, largest);
    if (!in.g || !in.step || !in.trial || !in.matrix || !in.right || !in.pivot)
        return fail_no_memory(error);
    begin_inside(it, &in);
    double least = in.t * 1e-22;
    double merit = evaluate(it, &in, it->r, in.g);
    it->next_look = it->count;
    while (in.t > least && iteration_goes_on(it)) {
        it->next_look = it->count;
        bool stepped = find_step(it, &in) && take_step(it, &in, &merit);
        if (stepped && merit > 0.1 * in.t)
            continue;
        in.t *= 0.1;
        in.smooth *= 0.1;
        merit = evaluate(it, &in, it->r, in.g);
    }
    if (in.t <= least)
        leave_inside(it);
    return SCREE_OK;
}
