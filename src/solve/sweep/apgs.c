// Accelerated projected Gauss-Seidel: Nesterov's momentum (nesterov.h) around whole sweeps over tiles.
//
//     y = x_k + beta (x_k - x_{k-1}),   x_{k+1} = one sweep from y,   beta = 0 anew when (y - x_{k+1}) . (x_{k+1} -
//     x_k) > 0
//
// Velocities are linear in the impulses, so the same extrapolation keeps both consistent.
// Sweeps run a few at a time without barriers between them, so the sign that asks for a restart is looked at once per
// such run, and so is the guard against steps that grow. Where the residual stalls, momentum is held back for good, and
// at last given up: then it is plain Gauss-Seidel.
#include <string.h>

#include "base/error.h"
#include "solve/solver.h"
#include "solve/sweep/blocks.h"
#include "solve/sweep/impulse_scale.h"
#include "solve/sweep/nesterov.h"
#include "solve/sweep/stopping.h"
#include "solve/sweep/tiles.h"
#include "solve/sweep/wide_body.h"

enum { SWEEPS_AT_ONCE = 4, PLAIN_SWEEPS = 2, SCALE_EVERY = 16 };

// The part of all sweeps that carry the load of heavy bodies by the convex law, where the exact one is asked for.
static const double convex_part = 0.75;

typedef struct apgs {
    contact_problem *problem;
    const sweep_kernels *kernels;
    sweep_points points;
    size_t touched; // so many of the points' bodies have tiles; the others belong to blocks alone
    size_t bodies;  // all of them
    int now;        // which of the points is x_k; the problem's impulses and velocities are its
    void *unpushed; // velocities without impulses; NULL where nobody needs them
    bool refreshes; // velocities are computed anew
    bool scales;    // impulses are scaled
    double factor;  // by this, the last time
    nesterov nesterov;
    double betas[SWEEPS_AT_ONCE];
    step_sums *block_sums; // of the last sweep's blocks
    double *block_change;  // largest squared change of their impulses
    uint32_t sweeps;       // at once
    int sweeps_taken;      // since momentum began
    int threads;
} apgs;

static bool begin(apgs *run, const scree_solver_def *def, arena *scratch)
{
    const contact_problem *problem = run->problem;
    size_t impulses_size = problem_impulses_size(problem);
    size_t velocities_size = problem_velocities_size(problem);
    run->points = (sweep_points){.impulses = {problem->impulses, arena_take(scratch, impulses_size)},
                                 .velocities = {problem->velocities, arena_take(scratch, velocities_size)}};
    if (!run->points.impulses[1] || !run->points.velocities[1] || !blocks_find_bands(run->problem, scratch))
        return false;
    // These zeros have no effect where bodies move, since the first beta is 0.
    memset(run->points.impulses[1], 0, impulses_size);
    velocities_keep(problem, run->points.velocities[1], run->threads);
    run->scales = problem->has_unlike_masses && !problem->joints;
    run->refreshes = problem->precision == SCREE_PRECISION_SINGLE && def->iterations > MOMENTUM_REFRESH;
    if (run->refreshes || run->scales) {
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
    size_t size = problem_real_size(run->problem);
    for (size_t t = 0; t < run->problem->tile_count; t++) {
        problem_tile tile = run->problem->tiles[t];
        memcpy((char *)run->points.impulses[0] + tile.impulses * size,
               (const char *)run->points.impulses[1] + tile.impulses * size,
               tile.group_count * problem_impulse_reals(tile.kind) * size);
    }
    velocities_return(run->problem, run->points.velocities[1], run->threads);
}

static void sweep_tile(contact_problem *problem, size_t tile, uint32_t pass, const void *context)
{
    const apgs *run = context;
    tile_result *result = &problem->results[tile];
    int from = (run->now + (int)pass) % 2;
    step_sums sums = {0};
    bool last = pass + 1 == run->sweeps; // nobody looks at what the others give
    result->change =
        run->kernels->sweep_onwards(problem, &run->points, from, tile, run->betas[pass], last ? &sums : NULL);
    result->reversal = sums.reversal;
    result->moved = sums.moved;
    result->load = sums.load;
    result->sliding = sums.sliding;
}

// The last sweeps before the limit are plain ones: they smooth what momentum has carried too far.
static double next_beta(apgs *run, int left)
{
    double beta = nesterov_next(&run->nesterov);
    return left <= PLAIN_SWEEPS ? 0 : beta;
}

#define EXTRAPOLATE(real)                                                                                              \
    {                                                                                                                  \
        const real *now = run->points.velocities[from];                                                                \
        real *before = run->points.velocities[1 - from];                                                               \
        const contact_problem *problem = run->problem;                                                                 \
        for (size_t i = problem->first_body[problem->tile_count]; i < problem->movable_count; i++)                     \
            for (size_t k = 0, at = (size_t)problem->bodies[i] * PROBLEM_BODY_REALS; k < PROBLEM_BODY_REALS; k++)      \
                before[at + k] = now[at + k] + (real)beta * (now[at + k] - before[at + k]);                            \
    }

// Bodies that no tile extrapolates.
static void extrapolate_others(const apgs *run, int from, double beta)
{
    if (run->problem->precision == SCREE_PRECISION_DOUBLE)
        EXTRAPOLATE(double)
    else
        EXTRAPOLATE(float)
}

// Blocks come behind the tiles of their pass; no tile touches a wide body.
static void relax_blocks(contact_problem *problem, uint32_t pass, const void *context, int threads)
{
    const apgs *run = context;
    const int from = (run->now + (int)pass) % 2;
    const double beta = run->betas[pass];
    void *velocities = problem->velocities, *impulses = problem->impulses;
    if (problem->wide)
        wide_bodies_note(problem->wide, problem, run->points.velocities[from], run->points.velocities[1 - from]);
    extrapolate_others(run, from, beta);
    problem->velocities = run->points.velocities[1 - from];
    problem->impulses = run->points.impulses[1 - from];
    if (problem->wide)
        wide_bodies_extrapolate(problem->wide, problem, beta);
    *run->block_sums = (step_sums){0};
    *run->block_change = blocks_relax(problem, beta, run->block_sums, threads);
    problem->velocities = velocities;
    problem->impulses = impulses;
}

// Gives back the largest change of an impulse in the last sweep.
static double sweep(apgs *run, int sweeps, int left)
{
    double block_change = 0;
    step_sums sums = {0};
    tile_work work = {sweep_tile, blocks_any(run->problem) ? relax_blocks : NULL, run};
    run->block_sums = &sums;
    run->block_change = &block_change;
    for (int i = 0; i < sweeps; i++)
        run->betas[i] = next_beta(run, left - i);
    run->sweeps = (uint32_t)sweeps;
    tiles_run(run->problem, sweeps, work, run->threads);
    set_now(run, (run->now + sweeps) % 2);
    for (size_t t = 0; t < run->problem->tile_count; t++) {
        sums.reversal += run->problem->results[t].reversal;
        sums.moved += run->problem->results[t].moved;
        sums.load += run->problem->results[t].load;
        sums.sliding += run->problem->results[t].sliding;
    }
    run->sweeps_taken += sweeps;
    if (run->sweeps_taken == 1 + SWEEPS_AT_ONCE && run->problem->friction_dilation == 0)
        nesterov_free(&run->nesterov, sums.sliding, sums.load);
    if (sums.reversal > 0)
        nesterov_restart(&run->nesterov);
    else
        nesterov_watch(&run->nesterov, sums.moved);
    return fmax(sqrt(block_change), tiles_change(run->problem));
}

// Returns whether there was any momentum left to hold back.
static bool hold_back(nesterov *state)
{
    bool any = state->limit > 0;
    nesterov_limit(state, state->limit > 0.8 ? 0.5 * state->limit : 0);
    return any;
}

static void refresh(apgs *run)
{
    momentum_refresh(run->problem, run->unpushed, run->points.impulses[1 - run->now],
                     run->points.velocities[1 - run->now], run->threads);
}

static void scale(apgs *run)
{
    run->factor = impulse_scale_find(run->problem, run->unpushed, run->threads);
    impulse_scale_apply(run->problem, &run->points, run->now, run->unpushed, run->factor, run->threads);
}

// The residual hardly sees that a heavy body is carried by half.
static bool is_carried(const apgs *run)
{
    return !run->scales || fabs(run->factor - 1) < 0.02 || interrupt_asked(run->problem->interrupt);
}

static void iterate(apgs *run, const scree_solver_def *def, solve_result *result)
{
    stopping stop = stopping_begin(def);
    int refreshed = 0, scaled = -SCALE_EVERY;
    double change;
    do {
        if (stop.stalled && !hold_back(&run->nesterov)) {
            result->stop = SCREE_STOP_STALLED;
            return;
        }
        if (run->scales && result->iterations - scaled >= SCALE_EVERY) {
            scale(run);
            scaled = result->iterations;
        }
        int sweeps = stopping_next(&stop, result, result->iterations == 0 ? 1 : SWEEPS_AT_ONCE);
        change = sweep(run, sweeps, def->iterations - result->iterations);
        result->iterations += sweeps;
        if (run->refreshes && result->iterations - refreshed >= MOMENTUM_REFRESH) {
            refresh(run);
            refreshed = result->iterations;
        }
        stop.stalled = false;
    } while (stopping_go_on(&stop, run->problem, change, run->threads, result) ||
             (!is_carried(run) && result->iterations < def->iterations));
}

// Momentum that may come near 1 carries the load of a heavy body down through light ones in sweeps by the root of the
// ratio of masses; with the limit of the exact law it takes many more. Impulses of the convex law carry it as well, and
// are a start from which the exact law has only friction to set right.
static void carry_loads(apgs *run, const scree_solver_def *def, solve_result *result)
{
    scree_solver_def first = *def;
    first.iterations = (int)(convex_part * def->iterations);
    run->problem->friction_dilation = 1;
    run->nesterov = nesterov_begin(1);
    iterate(run, &first, result);
    run->problem->friction_dilation = 0;
}

scree_status solve_apgs(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                        solve_result *result, scree_error *error)
{
    apgs run = {.problem = problem, .kernels = sweep_kernels_for(problem), .threads = threads};
    if (!begin(&run, def, scratch))
        return fail_no_memory(error);
    problem_apply_impulses(problem, NULL, threads);
    blocks_apply(problem);
    if (problem->carries_heavy && problem->friction_dilation == 0)
        carry_loads(&run, def, result);
    run.sweeps_taken = 0;
    run.nesterov = problem->friction_dilation > 0 ? nesterov_begin(1) : nesterov_begin_exact();
    iterate(&run, def, result);
    end(&run);
    return SCREE_OK;
}
