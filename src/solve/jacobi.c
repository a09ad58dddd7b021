// The fixed point iteration of Negrut et al. 2010, equations (12)-(14) and Algorithm 1, steps 6 to 10: every contact is
// projected with the velocities of the last iteration,
//     g <- lambda P(g - omega eta (D^T v + b)) + (1 - lambda) g,   eta = 3 / trace of the contact's block,
// its two velocity changes go into slots of a reduction buffer sorted by body, and each body sums its slots in order:
//
//     body 0 | c0.a c1.a c7.b | body 1 | c0.b c2.a | body 2 | ...     slot_start: 0 3 5 ...
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/kernels.h"
#include "solve/solver.h"

enum { BODY_BLOCK = 1024 };

typedef struct reduction {
    uint32_t *slot_start; // [body_count + 1]
    jacobi_slots *slots;  // by group
    void *changes;        // 6 reals a slot
} reduction;

static void group_ends(const contact_problem *problem, size_t group, const uint32_t **a, const uint32_t **b)
{
    if (problem->precision == SCREE_DOUBLE) {
        *a = ((const problem_group_f64 *)problem->groups)[group].a;
        *b = ((const problem_group_f64 *)problem->groups)[group].b;
    } else {
        *a = ((const problem_group_f32 *)problem->groups)[group].a;
        *b = ((const problem_group_f32 *)problem->groups)[group].b;
    }
}

static uint32_t take_slot(uint32_t *cursor, uint32_t body, size_t body_count)
{
    return body < body_count ? cursor[body]++ : UINT32_MAX;
}

static bool make_reduction(const contact_problem *problem, arena *scratch, reduction *r)
{
    size_t bodies = problem->body_count, groups = problem->group_count;
    size_t real_size = problem->precision == SCREE_DOUBLE ? sizeof(double) : sizeof(float);
    r->slot_start = arena_array(scratch, uint32_t, bodies + 1);
    r->slots = arena_array(scratch, jacobi_slots, groups);
    r->changes = arena_take_array(scratch, 2 * problem->contact_count, 6 * real_size);
    uint32_t *cursor = arena_array(scratch, uint32_t, bodies + 1);
    if (!r->slot_start || !r->slots || !r->changes || !cursor)
        return false;
    memset(cursor, 0, (bodies + 1) * sizeof *cursor);
    const uint32_t *a, *b;
    for (size_t g = 0; g < groups; g++) {
        group_ends(problem, g, &a, &b);
        for (int i = 0; i < PROBLEM_LANES; i++) {
            cursor[a[i]]++;
            cursor[b[i]]++;
        }
    }
    uint32_t sum = 0;
    for (size_t body = 0; body < bodies; body++) {
        uint32_t count = cursor[body];
        cursor[body] = r->slot_start[body] = sum;
        sum += count;
    }
    r->slot_start[bodies] = sum;
    for (size_t g = 0; g < groups; g++) {
        group_ends(problem, g, &a, &b);
        for (int i = 0; i < PROBLEM_LANES; i++) {
            r->slots[g].a[i] = take_slot(cursor, a[i], bodies);
            r->slots[g].b[i] = take_slot(cursor, b[i], bodies);
        }
    }
    return true;
}

static void iterate(contact_problem *problem, const kernel_table *kernels, const scree_solver_def *def,
                    const reduction *r, int threads)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t t = 0; t < problem->tile_count; t++) {
            problem_tile tile = problem->tiles[t];
            kernels->jacobi_contacts(problem->bodies, problem->groups, tile.first_group, tile.group_count, def->omega,
                                     def->lambda, r->slots + tile.first_group, r->changes);
        }
#pragma omp for schedule(static)
        for (size_t block = 0; block < block_count(problem->body_count, BODY_BLOCK); block++) {
            size_t first = block * BODY_BLOCK;
            kernels->jacobi_bodies(problem->bodies, r->slot_start, first,
                                   block_end(block, BODY_BLOCK, problem->body_count) - first, r->changes);
        }
    }
}

scree_status solve_jacobi(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                          solve_result *result, scree_error *error)
{
    enum { CHECK_EVERY = 10 };
    const kernel_table *kernels = kernels_for(problem->precision);
    reduction r;
    if (!make_reduction(problem, scratch, &r))
        return fail_no_memory(error);
    for (result->iterations = 0; result->iterations < def->iterations;) {
        iterate(problem, kernels, def, &r, threads);
        result->iterations++;
        if (result->iterations % CHECK_EVERY == 0 && result->iterations < def->iterations) {
            result->residual = problem_residual(problem, threads);
            if (result->residual.max <= def->tolerance)
                return SCREE_OK;
        }
    }
    result->residual = problem_residual(problem, threads);
    return SCREE_OK;
}
