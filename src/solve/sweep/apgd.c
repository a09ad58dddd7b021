// Accelerated projected gradient descent (Mazhar, Heyn, Negrut and Tasora, Using Nesterov's method to accelerate
// multibody dynamics with friction and contact, 2015), in the metric B of the contacts' own diagonal blocks:
//     x_{k+1} = P(y - B^-1 (D^T v(y) + b) / L),   y = x_{k+1} + beta (x_{k+1} - x_k).
// The line search of the paper wants f(x) <= f(y) + g . (x - y) + L/2 |x - y|^2. For a quadratic f that is
// |v(x) - v(y)|^2_M <= L |x - y|^2_B: what the bodies' changes cost, which is at hand. Blocks (blocks.h) are relaxed
// after each step, from their own y: for them the step is exact, and needs no length.
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/solver.h"
#include "solve/sweep/blocks.h"
#include "solve/sweep/nesterov.h"
#include "solve/sweep/reduction.h"
#include "solve/sweep/stopping.h"
#include "solve/sweep/wide_body.h"

typedef struct apgd {
    contact_problem *problem;
    const gradient_kernels *kernels;
    reduction reduction;
    gradient_step step;
    step_sums *tile_sums;   // by tile
    double *energies;       // by block of bodies
    void *changes, *before; // of velocities, 8 reals a body
    void *unpushed;         // velocities without impulses; NULL where nothing is computed anew
    double curvature;       // L
    nesterov nesterov;
    int threads;
} apgd;

static bool begin(apgd *run, const scree_solver_def *def, arena *scratch)
{
    const contact_problem *problem = run->problem;
    size_t impulses = problem_impulses_size(problem);
    size_t velocities = problem_velocities_size(problem);
    run->step.now = arena_take(scratch, impulses);
    run->step.before = arena_take(scratch, impulses);
    run->changes = arena_take(scratch, velocities);
    run->before = arena_take(scratch, velocities);
    run->tile_sums = arena_array(scratch, step_sums, problem->tile_count);
    run->energies = arena_array(scratch, double, block_count(problem->body_count, REDUCTION_BLOCK));
    if (!run->step.now || !run->step.before || !run->changes || !run->before || !run->tile_sums || !run->energies ||
        !reduction_make(problem, scratch, &run->reduction))
        return false;
    if (problem->precision == SCREE_PRECISION_SINGLE && def->iterations > MOMENTUM_REFRESH) {
        run->unpushed = arena_take(scratch, velocities);
        if (!run->unpushed)
            return false;
        velocities_keep(problem, run->unpushed, run->threads);
    }
    memset(run->step.now, 0, impulses); // of no effect: the first beta is 0
    memset(run->before, 0, velocities);
    return true;
}

// One projected step. Returns whether it was short enough.
static bool try_step(apgd *run, double *reversal)
{
    contact_problem *problem = run->problem;
    size_t blocks = block_count(problem->body_count, REDUCTION_BLOCK);
    run->step.length = 1 / run->curvature;
#pragma omp parallel num_threads(run->threads)
    {
#pragma omp for schedule(static)
        for (size_t t = 0; t < problem->tile_count; t++)
            run->tile_sums[t] = run->kernels->descend_contacts(problem, problem->tiles[t], &run->step, &run->reduction);
#pragma omp for schedule(static)
        for (size_t block = 0; block < blocks; block++) {
            size_t first = block * REDUCTION_BLOCK;
            run->energies[block] = run->kernels->gather_loads(
                problem, first, block_end(block, REDUCTION_BLOCK, problem->body_count) - first, &run->reduction,
                run->changes);
        }
    }
    double energy = 0;
    step_sums sums = {0};
    for (size_t block = 0; block < blocks; block++)
        energy += run->energies[block];
    for (size_t t = 0; t < problem->tile_count; t++) {
        sums.moved += run->tile_sums[t].moved;
        sums.reversal += run->tile_sums[t].reversal;
    }
    *reversal = sums.reversal;
    run->step.fresh = false;
    return energy <= run->curvature * sums.moved;
}

// Before a step (with `before`): velocities of the point that it starts from. After it: those of the new impulses.
static void move_bodies(const apgd *run, bool before)
{
    contact_problem *problem = run->problem;
#pragma omp parallel for num_threads(run->threads) schedule(static)
    for (size_t block = 0; block < block_count(problem->body_count, REDUCTION_BLOCK); block++) {
        size_t first = block * REDUCTION_BLOCK;
        size_t count = block_end(block, REDUCTION_BLOCK, problem->body_count) - first;
        if (before)
            run->kernels->extrapolate(problem, first, count, run->before, run->step.beta);
        else
            run->kernels->add_changes(problem, first, count, run->changes);
    }
}

static void iterate(apgd *run)
{
    const double wider = 2, narrower = 0.9, most = 1e6;
    double reversal;
    run->step.beta = nesterov_next(&run->nesterov);
    run->step.fresh = true;
    if (run->problem->wide)
        wide_bodies_note(run->problem->wide, run->problem, run->problem->velocities, run->before);
    move_bodies(run, true);
    if (run->problem->wide)
        wide_bodies_extrapolate(run->problem->wide, run->problem, run->step.beta);
    while (!try_step(run, &reversal) && run->curvature < most)
        run->curvature *= wider;
    move_bodies(run, false);
    run->curvature = fmax(1, narrower * run->curvature);
    step_sums blocks = {0};
    blocks_relax(run->problem, run->step.beta, &blocks, run->threads);
    if (reversal + blocks.reversal > 0)
        nesterov_restart(&run->nesterov);
}

scree_status solve_apgd(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                        solve_result *result, scree_error *error)
{
    enum { CHECK_EVERY = 16 };
    _Static_assert(MOMENTUM_REFRESH % CHECK_EVERY == 0, "looked at between checks");
    apgd run = {.problem = problem, .kernels = gradient_kernels_for(problem), .curvature = 1, .threads = threads};
    run.nesterov = problem->friction_dilation > 0 ? nesterov_begin(1) : nesterov_begin_exact();
    if (!begin(&run, def, scratch))
        return fail_no_memory(error);
    problem_apply_impulses(problem, NULL, threads);
    blocks_apply(problem);
    stopping stop = stopping_begin(def);
    do {
        int iterations = stopping_next(&stop, result, CHECK_EVERY);
        for (int i = 0; i < iterations; i++)
            iterate(&run);
        result->iterations += iterations;
        if (run.unpushed && result->iterations % MOMENTUM_REFRESH == 0)
            momentum_refresh(problem, run.unpushed, run.step.now, run.before, threads);
    } while (stopping_go_on(&stop, problem, 0, threads, result));
    return SCREE_OK;
}
