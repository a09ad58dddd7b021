#include "reference/matrix_solver.h"

#include <limits.h>
#include <math.h>

#include "base/clock.h"
#include "base/elementary.h"
#include "base/error.h"
#include "reference/matrix_iteration.h"

const char *const matrix_algorithm_names[MATRIX_ALGORITHMS] = {
    [MATRIX_AUTO] = "auto", [MATRIX_JACOBI] = "jacobi", [MATRIX_GAUSS_SEIDEL] = "gauss-seidel", [MATRIX_APGD] = "apgd",
    [MATRIX_APGS] = "apgs", [MATRIX_NEWTON] = "newton", [MATRIX_INTERIOR] = "interior",
};

static scree_status iterate_auto(iteration *it, scree_error *error);

static matrix_function *const algorithms[MATRIX_ALGORITHMS] = {
    [MATRIX_AUTO] = iterate_auto,
    [MATRIX_JACOBI] = iterate_jacobi,
    [MATRIX_GAUSS_SEIDEL] = iterate_gauss_seidel,
    [MATRIX_APGD] = iterate_apgd,
    [MATRIX_APGS] = iterate_apgs,
    [MATRIX_NEWTON] = iterate_newton,
    [MATRIX_INTERIOR] = iterate_interior,
};

// ------------------------------------------------------------------------------------------------------- residuals

double matrix_worst(const matrix_residual *residual)
{
    return fmax(residual->max, residual->fclib);
}

double iteration_weight(const iteration *it, size_t block, uint32_t k)
{
    const matrix_block *b = &it->problem->blocks[block];
    if (k == 0)
        return it->metric[block].lead;
    for (uint32_t c = 0, end = 1;; c++)
        if (k < (end += b->cap[c].size))
            return it->metric[block].cap[c];
}

void iteration_descend(const iteration *it, size_t block, const double *r, const double *u, double *z)
{
    const matrix_block *b = &it->problem->blocks[block];
    const block_metric *metric = &it->metric[block];
    z[0] = r[0] - u[0] / metric->lead;
    uint32_t at = 1;
    for (uint32_t k = 0; k < b->cap_count; k++)
        for (uint32_t i = 0; i < b->cap[k].size; i++, at++)
            z[at] = r[at] - u[at] / metric->cap[k];
}

// Impulses of rolling and spinning are moments: they count by what they do, in the metric against that of the normal.
static double block_length(const matrix_block *block, const block_metric *metric, const double *r)
{
    double sum = r[0] * r[0];
    uint32_t at = 1;
    for (uint32_t k = 0; k < block->cap_count; k++) {
        double weight = k == 0 ? 1 : metric->cap[k] / metric->lead;
        for (uint32_t i = 0; i < block->cap[k].size; i++, at++)
            sum += weight * r[at] * r[at];
    }
    return sqrt(sum);
}

static double fclib_error(const matrix_block *block, bool exact, const double *r, const double *u)
{
    static const block_metric fclib_only = {1, {1, 1, 1}};
    double z[BLOCK_MOST], projected[BLOCK_MOST], sum = 0;
    for (uint32_t i = 0; i < block->size; i++)
        z[i] = r[i] - u[i];
    if (exact)
        z[0] -= block_slip(block, u);
    block_project(block, &fclib_only, false, z, projected);
    for (uint32_t i = 0; i < block->size; i++)
        sum += (r[i] - projected[i]) * (r[i] - projected[i]);
    return sum;
}

static matrix_residual residual_of(const iteration *it)
{
    const matrix_problem *problem = it->problem;
    bool exact = it->options->exact;
    double error_sum = 0, error_max = 0, load = 0, fclib = 0, q = 0;
    size_t loaded = 0;
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        const double *r = it->r + block->first, *u = it->u + block->first;
        double z[BLOCK_MOST], step[BLOCK_MOST];
        iteration_descend(it, i, r, u, z);
        block_project(block, &it->metric[i], exact, z, step);
        for (uint32_t k = 0; k < block->size; k++)
            step[k] -= r[k];
        double error = block_length(block, &it->metric[i], step), size = block_length(block, &it->metric[i], r);
        error_sum += error;
        error_max = error > error_max || isnan(error) ? error : error_max;
        load += size;
        loaded += size > 0;
        fclib += fclib_error(block, exact, r, u);
    }
    for (size_t i = 0; i < problem->size; i++)
        q += problem->q[i] * problem->q[i];
    if (error_sum == 0)
        return (matrix_residual){0};
    // Without any load yet, the step that the first iteration would take is the only scale there is.
    double scale = loaded ? load / (double)loaded : error_max;
    return (matrix_residual){error_sum / scale / (double)problem->block_count, error_max / scale,
                             q > 0 ? sqrt(fclib / q) : sqrt(fclib)};
}

void iteration_velocities(const iteration *it, const double *r, double *u)
{
    sparse_multiply(&it->problem->w, r, u);
    for (size_t i = 0; i < it->problem->size; i++)
        u[i] += it->problem->q[i];
}

double iteration_dot(const iteration *it, const double *a, const double *b, const double *c, const double *d)
{
    double sum = 0;
    for (size_t i = 0; i < it->problem->block_count; i++) {
        const matrix_block *block = &it->problem->blocks[i];
        size_t at = block->first;
        sum += it->metric[i].lead * (a[at] - b[at]) * (c[at] - d[at]);
        at++;
        for (uint32_t k = 0; k < block->cap_count; k++)
            for (uint32_t j = 0; j < block->cap[k].size; j++, at++)
                sum += it->metric[i].cap[k] * (a[at] - b[at]) * (c[at] - d[at]);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------- iterating

void iteration_look(iteration *it)
{
    iteration_velocities(it, it->r, it->u);
    it->residual = residual_of(it);
    if (!(matrix_worst(&it->residual) >= matrix_worst(&it->best_residual))) {
        it->best_residual = it->residual;
        memcpy(it->best, it->r, it->problem->size * sizeof *it->best);
    }
    it->looked = true;
    it->solved = matrix_worst(&it->residual) <= it->options->tolerance;
    if (it->options->report) {
        const matrix_progress progress = {it->algorithm, it->count, clock_seconds() - it->begun, it->residual};
        it->options->report(it->options->context, &progress);
    }
}

bool iteration_goes_on(iteration *it)
{
    int limit = it->until < it->options->iterations ? it->until : it->options->iterations;
    it->looked = false;
    if (it->count >= it->next_look || it->count >= limit) {
        iteration_look(it);
        int wait = it->count / 8;
        it->next_look = it->count + (wait < 1 ? 1 : wait > 32 ? 32 : wait);
        it->expired = it->options->seconds > 0 && clock_seconds() - it->begun > it->options->seconds;
        if (it->solved || it->expired)
            return false;
    }
    if (it->count >= limit)
        return false;
    it->count++;
    return true;
}

// Larger eigenvalue of the symmetric part of a diagonal block of one or two rows.
static double cap_weight(const sparse_matrix *w, size_t first, uint32_t size)
{
    double a = sparse_get(w, first, first);
    if (size == 1)
        return a;
    double b = sparse_get(w, first + 1, first + 1);
    double c = 0.5 * (sparse_get(w, first, first + 1) + sparse_get(w, first + 1, first));
    return 0.5 * (a + b) + hypotenuse(0.5 * (a - b), c);
}

// A direction that moves nothing has no scale of its own; any does.
static double or_one(double weight)
{
    return weight > 0 && isfinite(weight) ? weight : 1;
}

static void set_metric(iteration *it)
{
    const matrix_problem *problem = it->problem;
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *block = &problem->blocks[i];
        size_t at = block->first + 1;
        it->metric[i].lead = or_one(sparse_get(&problem->w, block->first, block->first));
        for (uint32_t k = 0; k < block->cap_count; at += block->cap[k++].size)
            it->metric[i].cap[k] = or_one(cap_weight(&problem->w, at, block->cap[k].size));
    }
}

static bool iteration_begin(iteration *it, const matrix_problem *problem, const matrix_options *options, double *r)
{
    *it = (iteration){.problem = problem, .options = options, .r = r, .until = INT_MAX, .begun = clock_seconds()};
    it->algorithm = options->algorithm;
    it->best_residual = (matrix_residual){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    it->metric = arena_array(&it->memory, block_metric, problem->block_count + 1);
    it->u = arena_array(&it->memory, double, problem->size + 1);
    it->best = arena_array(&it->memory, double, problem->size + 1);
    it->block_of = arena_array(&it->memory, uint32_t, problem->size + 1);
    if (!it->metric || !it->u || !it->best || !it->block_of)
        return false;
    for (size_t i = 0; i < problem->block_count; i++)
        for (uint32_t k = 0; k < problem->blocks[i].size; k++)
            it->block_of[problem->blocks[i].first + k] = (uint32_t)i;
    set_metric(it);
    return true;
}

scree_status matrix_solve(const matrix_problem *problem, const matrix_options *options, double *r,
                          matrix_result *result, scree_error *error)
{
    iteration it;
    *result = (matrix_result){.algorithm = options->algorithm};
    scree_status status = SCREE_OK;
    if (!iteration_begin(&it, problem, options, r))
        status = fail_no_memory(error);
    if (status == SCREE_OK) {
        memcpy(it.best, r, problem->size * sizeof *r);
        status = algorithms[options->algorithm](&it, error);
    }
    if (status == SCREE_OK) {
        memcpy(r, it.best, problem->size * sizeof *r);
        *result = (matrix_result){it.algorithm, it.count, clock_seconds() - it.begun, it.best_residual,
                                  matrix_worst(&it.best_residual) <= options->tolerance};
    }
    arena_free(&it.memory);
    return status;
}

scree_status matrix_measure(const matrix_problem *problem, bool exact, const double *r, matrix_residual *residual,
                            scree_error *error)
{
    iteration it;
    const matrix_options options = {.exact = exact};
    scree_status status = SCREE_OK;
    if (!iteration_begin(&it, problem, &options, NULL) || !(it.r = arena_array(&it.memory, double, problem->size)))
        status = fail_no_memory(error);
    if (status == SCREE_OK) {
        memcpy(it.r, r, problem->size * sizeof *r);
        iteration_look(&it);
        *residual = it.residual;
    }
    arena_free(&it.memory);
    return status;
}

static bool is_over(const iteration *it)
{
    return it->solved || it->expired || it->count >= it->options->iterations;
}

static scree_status take_turn(iteration *it, matrix_algorithm algorithm, double iterations, scree_error *error)
{
    if (is_over(it))
        return SCREE_OK;
    it->algorithm = algorithm;
    it->until = (int)fmin(it->count + iterations, INT_MAX);
    arena_mark mark = arena_get_mark(&it->memory);
    scree_status status = algorithms[algorithm](it, error);
    arena_release(&it->memory, mark);
    memcpy(it->r, it->best, it->problem->size * sizeof *it->r);
    return status;
}

// Sweeps are cheap and do well on most problems; where they are slow, Newton's method starts from what they reached. It
// gets more steps each time, and the sweeps in between as many as cost the same. What neither has solved after two
// turns goes through the interior, and again with more steps after each further turn. Sweeps take no more than a part
// of the iterations that are left, so that the others come to theirs.
static scree_status iterate_auto(iteration *it, scree_error *error)
{
    enum { FIRST_SWEEPS = 100, FIRST_STEPS = 25, INTERIOR_SHARE = 4, LEFT_SHARE = 8 };
    double sweep_work = 2 * (double)sparse_count(&it->problem->w) + 1, newton_work = 0;
    scree_status status = SCREE_OK;
    for (int steps = FIRST_STEPS; status == SCREE_OK && !is_over(it); steps += steps < INT_MAX / 4 ? steps : 0) {
        double left = fmax(FIRST_SWEEPS, (it->options->iterations - it->count) / LEFT_SHARE);
        double sweeps = fmin(fmax(FIRST_SWEEPS, newton_work / sweep_work), left);
        status = take_turn(it, MATRIX_APGS, sweeps, error);
        newton_work = -it->work;
        if (status == SCREE_OK)
            status = take_turn(it, MATRIX_NEWTON, steps, error);
        newton_work += it->work;
        if (status == SCREE_OK && steps >= 2 * FIRST_STEPS)
            status = take_turn(it, MATRIX_INTERIOR, INTERIOR_SHARE * (double)steps, error);
    }
    return status;
}
