// The sweeps of Gauss-Seidel, plain and with momentum, the residual, and the effect of impulses as they stand: each
// over the groups of a tile, eight contacts that share no movable body at once.
#include "solve/sweep/kernels/tile_lanes.h"

enum { GROUPS_AHEAD = 3, ROWS_AHEAD = 8 }; // that bodies are asked for, and rows with their impulses

// One local step from `start`; in *normal the length of steps along the normal.
static inline wide_impulse relax(const contact_problem *problem, real *velocities, row r, wide_impulse start,
                                 wide friction_dilation, wide *normal)
{
    wide_body a = load_bodies(problem, velocities, r.g->a);
    wide_body b = load_bodies(problem, velocities, r.g->b);
    wide_steps steps = find_steps(r, &a, &b);
    wide_impulse next = local_step(r, &a, &b, start, friction_dilation, steps);
    wide_impulse delta = impulse_sub(next, start);
    subtract_impulse(&a, r, delta);
    add_impulse(&b, r, delta);
    store_velocities(velocities, r.g->a, &a);
    store_velocities(velocities, r.g->b, &b);
    *normal = steps.normal;
    return next;
}

static double sweep(const contact_problem *problem, problem_tile tile)
{
    real *velocities = problem->velocities;
    group_impulse *impulses = impulses_of(problem->impulses, tile);
    wide friction_dilation = wide_set((real)problem->friction_dilation), change = wide_set(0), normal;
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(problem, velocities, r.g + GROUPS_AHEAD);
        fetch_stream(r.g + ROWS_AHEAD, sizeof *r.g);
        fetch_stream(&impulses[i + ROWS_AHEAD], sizeof *impulses);
        wide_impulse start = impulse_load(&impulses[i]);
        wide_impulse next = relax(problem, velocities, r, start, friction_dilation, &normal);
        impulse_store(&impulses[i], next);
        wide3 delta = wide3_sub(next.linear, start.linear);
        change = wide_max(change, wide3_dot(delta, delta));
    }
    return wide_largest(change);
}

static inline __attribute__((always_inline)) wide_moves sweep_groups(const contact_problem *problem, problem_tile tile,
                                                                     onward_pass pass, bool watched)
{
    real *velocities = pass.points->velocities[1 - pass.from];
    const group_impulse *impulses = impulses_of(pass.points->impulses[pass.from], tile);
    group_impulse *before = impulses_of(pass.points->impulses[1 - pass.from], tile);
    wide friction_dilation = wide_set((real)problem->friction_dilation), factor = wide_set(pass.beta), normal;
    wide_moves moves = no_moves();
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(problem, velocities, r.g + GROUPS_AHEAD);
        fetch_stream(r.g + ROWS_AHEAD, sizeof *r.g);
        fetch_stream(&impulses[i + ROWS_AHEAD], sizeof *impulses);
        fetch_stream(&before[i + ROWS_AHEAD], sizeof *before);
        wide_impulse now = impulse_load(&impulses[i]);
        wide_impulse start = impulse_extrapolate(now, impulse_load(&before[i]), factor);
        wide_impulse next = relax(problem, velocities, r, start, friction_dilation, &normal);
        impulse_store(&before[i], next);
        if (watched)
            add_move(&moves, r, now, start, next, normal);
    }
    return moves;
}

static double sweep_onwards(const contact_problem *problem, const sweep_points *points, int from, size_t tile_index,
                            double beta, step_sums *sums)
{
    problem_tile tile = problem->tiles[tile_index];
    onward_pass pass = {points, from, (real)beta};
    extrapolate_bodies(problem, points, from, tile_index, (real)beta);
    wide_moves moves = sums ? sweep_groups(problem, tile, pass, true) : sweep_groups(problem, tile, pass, false);
    return sum_moves(&moves, sums);
}

static tile_residual residual_of(const contact_problem *problem, problem_tile tile)
{
    const group_impulse *impulses = impulses_of(problem->impulses, tile);
    wide friction_dilation = wide_set((real)problem->friction_dilation);
    tile_residual sums = {0};
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(problem, problem->velocities, r.g + GROUPS_AHEAD);
        fetch_stream(r.g + ROWS_AHEAD, sizeof *r.g);
        fetch_stream(&impulses[i + ROWS_AHEAD], sizeof *impulses);
        wide_body a = load_bodies(problem, problem->velocities, r.g->a);
        wide_body b = load_bodies(problem, problem->velocities, r.g->b);
        wide_steps steps = find_steps(r, &a, &b);
        wide_impulse impulse = impulse_load(&impulses[i]);
        wide_impulse next = local_step(r, &a, &b, impulse, friction_dilation, steps);
        add_error(&sums, r, steps, impulse, next);
    }
    return sums;
}

static void apply(const contact_problem *problem, problem_tile tile, const void *impulses, double factor)
{
    real *velocities = problem->velocities;
    const group_impulse *given = (const group_impulse *)((const real *)impulses + tile.impulses);
    wide scale = wide_set((real)factor);
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        if (i + GROUPS_AHEAD < tile.group_count)
            fetch_bodies(problem, velocities, r.g + GROUPS_AHEAD);
        wide_body a = load_bodies(problem, velocities, r.g->a);
        wide_body b = load_bodies(problem, velocities, r.g->b);
        wide_impulse impulse = impulse_scale(impulse_load(&given[i]), scale);
        subtract_impulse(&a, r, impulse);
        add_impulse(&b, r, impulse);
        store_velocities(velocities, r.g->a, &a);
        store_velocities(velocities, r.g->b, &b);
    }
}

// The relative velocity with the bias along the normal, times the impulse.
static inline wide work_of(row r, const wide_body *a, const wide_body *b, wide_impulse impulse)
{
    wide3 normal = wide3_load(r.g->normal), u = relative_velocity(r, a, b);
    wide work = wide3_dot(u, impulse.linear) + wide_load(r.g->bias) * wide3_dot(normal, impulse.linear);
#if SCREE_EXTENDED_CONTACT
    work += wide3_dot(wide3_sub(b->spin, a->spin), impulse.angular);
#endif
    return work;
}

static impulse_work work_on(const contact_problem *problem, problem_tile tile, const void *unpushed)
{
    const group_impulse *impulses = impulses_of(problem->impulses, tile);
    impulse_work sums = {0};
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        wide_impulse impulse = impulse_load(&impulses[i]);
        wide_body a = load_bodies(problem, problem->velocities, r.g->a);
        wide_body b = load_bodies(problem, problem->velocities, r.g->b);
        wide now = work_of(r, &a, &b, impulse);
#if SCREE_EXTENDED_CONTACT
        wide along = wide3_dot(wide3_load(r.g->normal), impulse.linear);
        now += wide_load(r.e->compliance) * along * along;
#endif
        a = load_bodies(problem, unpushed, r.g->a);
        b = load_bodies(problem, unpushed, r.g->b);
        sums.now += wide_sum(now);
        sums.unpushed += wide_sum(work_of(r, &a, &b, impulse));
    }
    return sums;
}

const sweep_kernels JOIN(sweep_kernels_, SCREE_KERNEL_SUFFIX) = {sweep, sweep_onwards, residual_of, apply, work_on};
