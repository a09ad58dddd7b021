// Accelerated projected Gauss-Seidel: Nesterov's momentum (momentum.h) around whole sweeps over tiles.
//
//     y = x_k + beta (x_k - x_{k-1}),   x_{k+1} = one sweep from y,   beta = 0 anew when (y - x_{k+1}) . (x_{k+1} -
//     x_k) > 0
//
// Velocities are linear in the impulses, so the same extrapolation keeps both consistent.
// Sweeps run a few at a time without barriers between them, so the sign that asks for a restart is looked at once per
// such run. Where the residual stalls, momentum is held back, and at last given up: then it is plain Gauss-Seidel.
#include <string.h>

#include "base/error.h"
#include "solve/kernels.h"
#include "solve/momentum.h"
#include "solve/solver.h"
#include "solve/stopping.h"
#include "solve/tiles.h"

enum { SWEEPS_AT_ONCE = 4, PLAIN_SWEEPS = 2 };

typedef struct apgs {
    contact_problem *problem;
    const sweep_kernels *kernels;
    sweep_points points;
    int now;        // which of the points is x_k; the problem's impulses and velocities are its
    void *unpushed; // velocities without impulses; NULL where nothing is computed anew
    momentum momentum;
    double betas[SWEEPS_AT_ONCE];
    int threads;
} apgs;

static bool movable(const contact_problem *problem, uint32_t body)
{
    size_t mass = (size_t)body * PROBLEM_BODY_REALS + 3;
    return problem->precision == SCREE_DOUBLE ? ((const double *)problem->velocities)[mass] > 0
                                              : ((const float *)problem->velocities)[mass] > 0;
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
        for (size_t g = problem->tiles[t].first_group;
             g < problem->tiles[t].first_group + problem->tiles[t].group_count; g++) {
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
    run->points.bodies = bodies;
    run->points.first_body = first;
    return true;
}

static bool begin(apgs *run, const scree_solver_def *def, arena *scratch)
{
    const contact_problem *problem = run->problem;
    size_t impulses_size = problem->group_count * problem_impulse_size(problem);
    size_t velocities_size = problem_velocities_size(problem);
    run->points = (sweep_points){.impulses = {problem->impulses, arena_take(scratch, impulses_size)},
                                 .velocities = {problem->velocities, arena_take(scratch, velocities_size)}};
    if (!run->points.impulses[1] || !run->points.velocities[1] || !share_bodies(run, scratch))
        return false;
    // Of no effect where bodies move, since the first beta is 0.
    memset(run->points.impulses[1], 0, impulses_size);
    velocities_keep(problem, run->points.velocities[1], run->threads);
    if (problem->precision == SCREE_SINGLE && def->iterations > MOMENTUM_REFRESH) {
        run->unpushed = arena_take(scratch, velocities_size);
        if (!run->unpushed)
            return false;
        velocities_keep(problem, run->unpushed, run->threads);
    }
    return true;
}

static void set_now(apgs *run, int now)
{
    run->now = now;
    run->problem->impulses = run->points.impulses[now];
    run->problem->velocities = run->points.velocities[now];
}

// The problem's own arrays hold the solution. Its tiles may be a part of those that the arrays are of.
static void end(apgs *run)
{
    if (run->now == 0)
        return;
    set_now(run, 0);
    size_t size = problem_impulse_size(run->problem);
    for (size_t t = 0; t < run->problem->tile_count; t++) {
        problem_tile tile = run->problem->tiles[t];
        memcpy((char *)run->points.impulses[0] + tile.first_group * size,
               (const char *)run->points.impulses[1] + tile.first_group * size, tile.group_count * size);
    }
    velocities_return(run->problem, run->points.velocities[1], run->threads);
}

static void sweep_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *context)
{
    const apgs *run = context;
    tile_result *result = &problem->results[tile];
    int from = (run->now + (int)pass) % 2;
    result->change = run->kernels->sweep_onwards(problem, &run->points, from, tile, run->betas[pass], &result->turn);
}

// The last sweeps before the limit are plain ones: they smooth what momentum has carried too far.
static double next_beta(apgs *run, int left)
{
    double beta = momentum_next(&run->momentum);
    return left <= PLAIN_SWEEPS ? 0 : beta;
}

static void sweep(apgs *run, int sweeps, int left)
{
    for (int i = 0; i < sweeps; i++)
        run->betas[i] = next_beta(run, left - i);
    tile_work work = {sweep_tile, run};
    tiles_run(run->problem, sweeps, work, run->threads);
    set_now(run, (run->now + sweeps) % 2);
    double turn = 0;
    for (size_t t = 0; t < run->problem->tile_count; t++)
        turn += run->problem->results[t].turn;
    if (turn > 0)
        momentum_restart(&run->momentum);
}

// Returns whether there was any momentum left to hold back.
static bool hold_back(momentum *state)
{
    bool any = state->most > 0;
    state->most = state->most > 0.8 ? 0.5 * state->most : 0;
    return any;
}

static void refresh(apgs *run)
{
    momentum_refresh(run->problem, run->unpushed, run->points.impulses[1 - run->now],
                     run->points.velocities[1 - run->now], run->threads);
}

static void iterate(apgs *run, const scree_solver_def *def, solve_result *result)
{
    stopping stop = stopping_begin(def);
    int refreshed = 0;
    do {
        if (stop.stalled && !hold_back(&run->momentum)) {
            result->stop = SCREE_STOPPED_STALLED;
            return;
        }
        int sweeps = stopping_next(&stop, result, result->iterations == 0 ? 1 : SWEEPS_AT_ONCE);
        sweep(run, sweeps, def->iterations - result->iterations);
        result->iterations += sweeps;
        if (run->unpushed && result->iterations - refreshed >= MOMENTUM_REFRESH) {
            refresh(run);
            refreshed = result->iterations;
        }
        stop.stalled = false;
    } while (stopping_go_on(&stop, run->problem, tiles_change(run->problem), run->threads, result));
}

scree_status solve_apgs(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                        solve_result *result, scree_error *error)
{
    apgs run = {.problem = problem, .kernels = sweep_kernels_for(problem), .threads = threads};
    run.momentum = momentum_begin(problem->coupling > 0 ? 1 : 0.9);
    if (!begin(&run, def, scratch))
        return fail_no_memory(error);
    problem_apply_impulses(problem, NULL, threads);
    iterate(&run, def, result);
    end(&run);
    return SCREE_OK;
}
