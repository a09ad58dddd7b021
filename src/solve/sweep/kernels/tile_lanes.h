// What passes over the groups of a tile have in common: bodies that are asked for and extrapolated, and sums.
#ifndef SOLVE_SWEEP_KERNELS_TILE_LANES_H
#define SOLVE_SWEEP_KERNELS_TILE_LANES_H

#include "base/pages.h"
#include "solve/sweep/kernels/contact_lanes.h"

// Bodies of a group that comes soon are asked for now: when bodies do not fit into the caches, waiting for them would
// cost more than relaxing the contacts.
static inline void fetch_bodies(const contact_problem *problem, const real *velocities, const group *g)
{
    for (int i = 0; i < LANES; i++) {
        __builtin_prefetch(velocities + g->a[i], 1);
        __builtin_prefetch(velocities + g->b[i], 1);
    }
#if EQUAL_MOMENTS
    (void)problem;
#else
    const real *inertia = problem->inertia;
    for (int i = 0; i < LANES; i++) {
        __builtin_prefetch(inertia + g->a[i]);
        __builtin_prefetch(inertia + g->b[i]);
    }
#endif
}

// Rows and impulses come one after the other, and the processor reads ahead of itself, but only to the end of a page of
// 4 KiB: some ten groups of rows. Behind the groups of a tile stand those of the next one; behind the last ones a wish
// is not granted, which does no harm.
static inline void fetch_stream(const void *from, size_t size)
{
    for (size_t at = 0; at < size; at += CACHE_LINE)
        __builtin_prefetch((const char *)from + at);
}

// The inverse mass among the eight stays: it is the same at both points.
static inline void extrapolate_bodies(const contact_problem *problem, const sweep_points *points, int from, size_t tile,
                                      real beta)
{
    wide factor = wide_set(beta);
    const real *velocities = points->velocities[from];
    real *before = points->velocities[1 - from];
    for (size_t i = problem->first_body[tile]; i < problem->first_body[tile + 1]; i++) {
        size_t at = (size_t)problem->bodies[i] * LANES;
        wide now = wide_load(velocities + at);
        wide_store(before + at, now + factor * (now - wide_load(before + at)));
    }
}

// Angular impulses count by what they do to velocities, as normal impulses that do as much.
static inline wide error_squared(row r, wide_steps steps, wide_impulse delta)
{
    wide error = wide3_dot(delta.linear, delta.linear);
#if SCREE_EXTENDED_CONTACT
    wide_split t = split(wide3_load(r.g->normal), delta.angular);
    error += steps.normal * (wide3_dot(t.rest, t.rest) / steps.rolling + t.along * t.along / steps.spinning);
#else
    (void)r;
    (void)steps;
#endif
    return error;
}

static inline void add_error(tile_residual *sums, row r, wide_steps steps, wide_impulse impulse, wide_impulse next)
{
    wide error = wide_sqrt(error_squared(r, steps, impulse_sub(next, impulse)));
    wide size = wide_sqrt(wide3_dot(impulse.linear, impulse.linear));
    sums->error_sum += wide_sum(error);
    double largest = wide_largest(error);
    sums->error_max = largest > sums->error_max ? largest : sums->error_max;
    sums->impulse_sum += wide_sum(size);
    for (int lane = 0; lane < LANES; lane++)
        sums->loaded += size[lane] > 0;
}

typedef struct onward_pass { // from points[from], with momentum
    const sweep_points *points;
    int from;
    real beta;
} onward_pass;

// How far impulses of a sweep moved.
typedef struct wide_moves {
    wide change, moved, against;
    wide load, sliding; // normal impulses: of all contacts, and of those at the limit of friction
} wide_moves;

static inline wide_moves no_moves(void)
{
    return (wide_moves){wide_set(0), wide_set(0), wide_set(0), wide_set(0), wide_set(0)};
}

// A step from `start`, where momentum led from `now`. Normal and tangential parts weigh the same here: signs and orders
// of magnitude matter, and not the values.
static inline void add_move(wide_moves *sums, row r, wide_impulse now, wide_impulse start, wide_impulse next,
                            wide normal_step)
{
    wide3 delta = wide3_sub(next.linear, start.linear);
    wide squared = wide3_dot(delta, delta);
    sums->change = wide_max(sums->change, squared);
    sums->moved += squared / normal_step;
    sums->against -= wide3_dot(delta, wide3_sub(next.linear, now.linear)) / normal_step;
    wide along = wide3_dot(wide3_load(r.g->normal), next.linear), most = wide_load(r.g->friction) * along;
    wide across = wide3_dot(next.linear, next.linear) - along * along;
    sums->load += along;
    sums->sliding += wide_select(across < wide_set((real)0.99) * most * most, wide_set(0), along);
}

// Returns the largest squared change; `sums` may be NULL.
static inline double sum_moves(const wide_moves *moves, step_sums *sums)
{
    if (sums)
        *sums = (step_sums){wide_sum(moves->moved), wide_sum(moves->against), wide_sum(moves->load),
                            wide_sum(moves->sliding)};
    return wide_largest(moves->change);
}

#endif
