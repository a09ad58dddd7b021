// The sweeps of Gauss-Seidel, plain and with momentum, the residual, and the effect of impulses as they stand: each
// over the groups of a tile, eight contacts that share no movable body at once.
#include "solve/kernels/contact_lanes.h"

// Bodies of a group that comes soon are asked for now: when bodies do not fit into the caches, waiting for them would
// cost more than relaxing the contacts.
enum { GROUPS_AHEAD = 3 };

static inline void fetch_bodies(const real *bodies, const group *g)
{
    for (int i = 0; i < LANES; i++) {
        __builtin_prefetch(bodies + (size_t)g->a[i] * BODY_REALS, 1);
        __builtin_prefetch(bodies + (size_t)g->b[i] * BODY_REALS, 1);
    }
}

static inline wide_impulse relax(real *bodies, const group *g, wide_impulse start, wide coupling)
{
    wide_body a = load_bodies(bodies, g->a);
    wide_body b = load_bodies(bodies, g->b);
    wide_impulse next = local_step(g, &a, &b, start, coupling, steps_load(g));
    wide_impulse delta = impulse_sub(next, start);
    subtract_impulse(&a, g, delta);
    add_impulse(&b, g, delta);
    store_velocities(bodies, g->a, &a);
    store_velocities(bodies, g->b, &b);
    return next;
}

static double sweep(const contact_problem *problem, problem_tile tile)
{
    real *bodies = problem->bodies;
    group *groups = (group *)problem->groups + tile.first_group;
    wide coupling = wide_set((real)problem->coupling), change = wide_set(0);
    for (size_t i = 0; i < tile.group_count; i++) {
        group *g = &groups[i];
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(bodies, g + GROUPS_AHEAD);
        wide_impulse start = impulse_load(g);
        wide_impulse next = relax(bodies, g, start, coupling);
        impulse_store(g, next);
        wide3 delta = wide3_sub(next.linear, start.linear);
        change = wide_max(change, wide3_dot(delta, delta));
    }
    return wide_largest(change);
}

// The first half of a body, with the inverse mass in it, which stays: it is the same now and before.
static void extrapolate_bodies(real *bodies, const sweep_history *history, size_t tile, real beta)
{
    wide factor = wide_set(beta);
    for (size_t i = history->first_body[tile]; i < history->first_body[tile + 1]; i++) {
        real *body = bodies + (size_t)history->bodies[i] * BODY_REALS;
        real *before = (real *)history->velocities + (size_t)history->bodies[i] * LANES;
        wide now = wide_load(body);
        wide_store(body, now + factor * (now - wide_load(before)));
        wide_store(before, now);
    }
}

static double sweep_onwards(const contact_problem *problem, const sweep_history *history, size_t tile_index,
                            double beta, double *turn)
{
    real *bodies = problem->bodies;
    problem_tile tile = problem->tiles[tile_index];
    extrapolate_bodies(bodies, history, tile_index, (real)beta);
    group *groups = (group *)problem->groups + tile.first_group;
    real(*history_impulses)[3][LANES] = (real(*)[3][LANES])history->impulses + tile.first_group;
    wide coupling = wide_set((real)problem->coupling), factor = wide_set((real)beta);
    wide change = wide_set(0), against = wide_set(0);
    for (size_t i = 0; i < tile.group_count; i++) {
        group *g = &groups[i];
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(bodies, g + GROUPS_AHEAD);
        wide_impulse now = impulse_load(g), before = {wide3_load(history_impulses[i])};
        wide_impulse start = impulse_extrapolate(now, before, factor);
        wide_impulse next = relax(bodies, g, start, coupling);
        impulse_store(g, next);
        wide3_store(history_impulses[i], now.linear);
        wide3 delta = wide3_sub(next.linear, start.linear);
        change = wide_max(change, wide3_dot(delta, delta));
        against -= wide3_dot(delta, wide3_sub(next.linear, now.linear)) / wide_load(g->inverse_normal);
    }
    *turn = wide_sum(against);
    return wide_largest(change);
}

static tile_residual residual_of(const contact_problem *problem, problem_tile tile)
{
    const real *bodies = problem->bodies;
    const group *groups = (const group *)problem->groups + tile.first_group;
    wide coupling = wide_set((real)problem->coupling);
    tile_residual sums = {0};
    for (size_t i = 0; i < tile.group_count; i++) {
        const group *g = &groups[i];
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide_impulse impulse = impulse_load(g);
        wide_impulse next = local_step(g, &a, &b, impulse, coupling, steps_load(g));
        wide3 delta = wide3_sub(next.linear, impulse.linear);
        wide error = wide_sqrt(wide3_dot(delta, delta));
        wide size = wide_sqrt(wide3_dot(impulse.linear, impulse.linear));
        sums.error_sum += wide_sum(error);
        double largest = wide_largest(error);
        sums.error_max = largest > sums.error_max ? largest : sums.error_max;
        sums.impulse_sum += wide_sum(size);
        for (int lane = 0; lane < LANES; lane++)
            sums.loaded += size[lane] > 0;
    }
    return sums;
}

static void apply(const contact_problem *problem, problem_tile tile, const void *impulses)
{
    real *bodies = problem->bodies;
    const group *groups = (const group *)problem->groups + tile.first_group;
    const real(*given)[3][LANES] = impulses;
    for (size_t i = 0; i < tile.group_count; i++) {
        const group *g = &groups[i];
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide_impulse impulse = {wide3_load(given ? given[tile.first_group + i] : g->impulse)};
        subtract_impulse(&a, g, impulse);
        add_impulse(&b, g, impulse);
        store_velocities(bodies, g->a, &a);
        store_velocities(bodies, g->b, &b);
    }
}

const sweep_kernels JOIN(sweep_kernels_, SCREE_KERNEL_SUFFIX) = {sweep, sweep_onwards, residual_of, apply};
