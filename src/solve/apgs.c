// Accelerated projected Gauss-Seidel: Nesterov's momentum (momentum.h) around whole sweeps over tiles.
//
//     y = x_k + beta (x_k - x_{k-1}),   x_{k+1} = one sweep from y,   beta = 0 anew when (y - x_{k+1}) . (x_{k+1} - x_k) > 0
//
// Velocities are linear in the impulses, so the same extrapolation keeps both consistent. In single precision momentum
// gathers up the rounding of those updates: now and then both V(x_k) and V(x_{k-1}) are computed anew from the impulses
// (refreshing one of them only would leave their difference wrong).
//
// Sweeps run a few at a time without barriers between them, so the sign that asks for a restart is looked at once per
// such run. Where the residual stalls, momentum is held back, and at last given up: then it is plain Gauss-Seidel.
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/kernels.h"
#include "solve/momentum.h"
#include "solve/solver.h"
#include "solve/stopping.h"
#include "solve/tiles.h"

enum { SWEEPS_AT_ONCE = 2, REFRESH_EVERY = 32, BODY_BLOCK = 4096 };

typedef struct apgs {
    contact_problem *problem;
    const sweep_kernels *kernels;
    sweep_history history;
    void *free_velocities; // as in the history; NULL where nothing is computed anew
    momentum momentum;
    double betas[SWEEPS_AT_ONCE];
    int threads;
} apgs;

static size_t real_size(const contact_problem *problem)
{
    return problem->precision == SCREE_DOUBLE ? sizeof(double) : sizeof(float);
}

static size_t velocity_size(const contact_problem *problem) // the first half of a body
{
    return PROBLEM_BODY_REALS / 2 * real_size(problem);
}

static bool movable(const contact_problem *problem, uint32_t body)
{
    size_t at = (size_t)body * PROBLEM_BODY_REALS + 3;
    return problem->precision == SCREE_DOUBLE ? ((const double *)problem->bodies)[at] > 0
                                              : ((const float *)problem->bodies)[at] > 0;
}

// Which tile extrapolates which bodies: each the ones that no tile before it has touched.
static bool share_bodies(apgs *run, arena *scratch)
{
    const contact_problem *problem = run->problem;
    uint8_t *seen = arena_array(scratch, uint8_t, problem->body_count + 1);
    uint32_t *bodies = arena_array(scratch, uint32_t, problem->body_count);
    uint32_t *first = arena_array(scratch, uint32_t, problem->tile_count + 1);
    if (!seen || !bodies || !first)
        return false;
    memset(seen, 0, problem->body_count);
    seen[problem->body_count] = 1; // the resting body of empty lanes
    uint32_t count = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        first[t] = count;
        for (size_t g = problem->tiles[t].first_group; g < problem->tiles[t].first_group + problem->tiles[t].group_count;
             g++) {
            const uint32_t *ends = problem_group_ends(problem, g);
            for (int i = 0; i < 2 * PROBLEM_LANES; i++) {
                if (seen[ends[i]])
                    continue;
                seen[ends[i]] = 1;
                if (movable(problem, ends[i]))
                    bodies[count++] = ends[i];
            }
        }
    }
    first[problem->tile_count] = count;
    run->history.bodies = bodies;
    run->history.first_body = first;
    return true;
}

// Velocities of all bodies, out of a tight array or into it.
static void copy_velocities(const apgs *run, void *tight, bool out)
{
    contact_problem *problem = run->problem;
    size_t size = velocity_size(problem);
#pragma omp parallel for num_threads(run->threads) schedule(static)
    for (size_t block = 0; block < block_count(problem->body_count, BODY_BLOCK); block++)
        for (size_t i = block * BODY_BLOCK; i < block_end(block, BODY_BLOCK, problem->body_count); i++) {
            char *body = (char *)problem->bodies + 2 * i * size, *other = (char *)tight + i * size;
            memcpy(out ? body : other, out ? other : body, size);
        }
}

static bool begin(apgs *run, const scree_solver_def *def, arena *scratch)
{
    const contact_problem *problem = run->problem;
    size_t impulses_size = problem->group_count * 3 * PROBLEM_LANES * real_size(problem);
    run->history.impulses = arena_take(scratch, impulses_size);
    run->history.velocities = arena_take_array(scratch, problem->body_count, velocity_size(problem));
    if (!run->history.impulses || !run->history.velocities || !share_bodies(run, scratch))
        return false;
    memset(run->history.impulses, 0, impulses_size); // of no effect: the first beta is 0
    memset(run->history.velocities, 0, problem->body_count * velocity_size(problem));
    if (problem->precision == SCREE_SINGLE && def->iterations > REFRESH_EVERY) {
        run->free_velocities = arena_take_array(scratch, problem->body_count, velocity_size(problem));
        if (!run->free_velocities)
            return false;
        copy_velocities(run, run->free_velocities, false);
    }
    return true;
}

static void sweep_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *context)
{
    const apgs *run = context;
    tile_result *result = &problem->results[tile];
    result->change = run->kernels->sweep_onwards(problem, &run->history, tile, run->betas[pass], &result->turn);
}

static void sweep(apgs *run, int sweeps)
{
    for (int i = 0; i < sweeps; i++)
        run->betas[i] = momentum_next(&run->momentum);
    tile_work work = {sweep_tile, run};
    tiles_run(run->problem, sweeps, work, run->threads);
    double turn = 0;
    for (size_t t = 0; t < run->problem->tile_count; t++)
        turn += run->problem->results[t].turn;
    if (turn > 0)
        momentum_restart(&run->momentum);
}

static void refresh(apgs *run)
{
    copy_velocities(run, run->free_velocities, true);
    problem_apply_impulses(run->problem, run->history.impulses, run->threads);
    copy_velocities(run, run->history.velocities, false);
    copy_velocities(run, run->free_velocities, true);
    problem_apply_impulses(run->problem, NULL, run->threads);
}

scree_status solve_apgs(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                        solve_result *result, scree_error *error)
{
    apgs run = {.problem = problem, .kernels = sweep_kernels_for(problem), .threads = threads};
    run.momentum = momentum_begin(problem->coupling > 0 ? 1 : 0.9);
    if (!begin(&run, def, scratch))
        return fail_no_memory(error);
    problem_apply_impulses(problem, NULL, threads);
    stopping stop = stopping_begin(def);
    int refreshed = 0;
    do {
        int sweeps = stopping_next(&stop, result, result->iterations == 0 ? 1 : SWEEPS_AT_ONCE);
        sweep(&run, sweeps);
        result->iterations += sweeps;
        if (run.free_velocities && result->iterations - refreshed >= REFRESH_EVERY) {
            refresh(&run);
            refreshed = result->iterations;
        }
        if (stop.stalled && run.momentum.most == 0) {
            result->stop = SCREE_STOPPED_STALLED;
            return SCREE_OK;
        }
        if (stop.stalled) {
            run.momentum.most = run.momentum.most > 0.8 ? 0.5 * run.momentum.most : 0;
            stop.stalled = false;
        }
    } while (stopping_go_on(&stop, problem, tiles_change(problem), threads, result));
    return SCREE_OK;
}
