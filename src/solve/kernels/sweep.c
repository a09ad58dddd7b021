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

static inline wide_impulse relax(real *bodies, row r, wide_impulse start, wide coupling)
{
    wide_body a = load_bodies(bodies, r.g->a);
    wide_body b = load_bodies(bodies, r.g->b);
    wide_impulse next = local_step(r, &a, &b, start, coupling, steps_load(r));
    wide_impulse delta = impulse_sub(next, start);
    subtract_impulse(&a, r, delta);
    add_impulse(&b, r, delta);
    store_velocities(bodies, r.g->a, &a);
    store_velocities(bodies, r.g->b, &b);
    return next;
}

static double sweep(const contact_problem *problem, problem_tile tile)
{
    real *bodies = problem->bodies;
    wide coupling = wide_set((real)problem->coupling), change = wide_set(0);
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile.first_group + i);
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(bodies, r.g + GROUPS_AHEAD);
        wide_impulse start = impulse_load(r);
        wide_impulse next = relax(bodies, r, start, coupling);
        impulse_store(r, next);
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
    kept_impulse *kept = (kept_impulse *)history->impulses + tile.first_group;
    wide coupling = wide_set((real)problem->coupling), factor = wide_set((real)beta);
    wide change = wide_set(0), against = wide_set(0);
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile.first_group + i);
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(bodies, r.g + GROUPS_AHEAD);
        wide_impulse now = impulse_load(r);
        wide_impulse start = impulse_extrapolate(now, impulse_load_kept(&kept[i]), factor);
        wide_impulse next = relax(bodies, r, start, coupling);
        impulse_store(r, next);
        impulse_keep(&kept[i], now);
        wide3 delta = wide3_sub(next.linear, start.linear);
        change = wide_max(change, wide3_dot(delta, delta));
        // Normal and tangential parts weigh the same here: the sign matters, and not the value.
        against -= wide3_dot(delta, wide3_sub(next.linear, now.linear)) / wide_load(r.g->inverse_normal);
    }
    *turn = wide_sum(against);
    return wide_largest(change);
}

// Angular impulses count by what they do to velocities, as normal impulses that do as much.
static inline wide error_squared(row r, wide_impulse delta)
{
    wide error = wide3_dot(delta.linear, delta.linear);
#if SCREE_RICH
    wide_steps steps = steps_load(r);
    wide_split t = split(wide3_load(r.g->normal), delta.angular);
    error += steps.normal * (wide3_dot(t.rest, t.rest) / steps.rolling + t.along * t.along / steps.spinning);
#else
    (void)r;
#endif
    return error;
}

static tile_residual residual_of(const contact_problem *problem, problem_tile tile)
{
    const real *bodies = problem->bodies;
    wide coupling = wide_set((real)problem->coupling);
    tile_residual sums = {0};
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile.first_group + i);
        wide_body a = load_bodies(bodies, r.g->a);
        wide_body b = load_bodies(bodies, r.g->b);
        wide_impulse impulse = impulse_load(r);
        wide_impulse next = local_step(r, &a, &b, impulse, coupling, steps_load(r));
        wide error = wide_sqrt(error_squared(r, impulse_sub(next, impulse)));
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
    const kept_impulse *given = impulses;
    for (size_t i = tile.first_group; i < tile.first_group + tile.group_count; i++) {
        row r = row_at(problem, i);
        wide_body a = load_bodies(bodies, r.g->a);
        wide_body b = load_bodies(bodies, r.g->b);
        wide_impulse impulse = given ? impulse_load_kept(&given[i]) : impulse_load(r);
        subtract_impulse(&a, r, impulse);
        add_impulse(&b, r, impulse);
        store_velocities(bodies, r.g->a, &a);
        store_velocities(bodies, r.g->b, &b);
    }
}

const sweep_kernels JOIN(sweep_kernels_, SCREE_KERNEL_SUFFIX) = {sweep, sweep_onwards, residual_of, apply};
