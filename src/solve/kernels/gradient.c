// Steps of all contacts at once, with the velocities of the last iteration: what the fixed point iteration of the paper
// and the accelerated gradient method are made of. What contacts do to bodies goes into slots sorted by body, as
// impulses and torques; each body sums its own in order.
#include "solve/kernels/contact_lanes.h"

static inline void store_slots(const uint32_t slot[LANES], wide3 impulse, wide3 turn, real *loads)
{
    wide columns[6] = {impulse.x, impulse.y, impulse.z, turn.x, turn.y, turn.z};
    for (int lane = 0; lane < LANES; lane++) {
        if (slot[lane] == UINT32_MAX)
            continue;
        real *to = loads + (size_t)slot[lane] * 6;
        for (int k = 0; k < 6; k++)
            to[k] = columns[k][lane];
    }
}

static inline void give_to_bodies(const group *g, const reduction_slots *slots, wide_impulse impulse, real *loads)
{
    const wide none = wide_set(0);
    const wide3 zero = {none, none, none}, opposite = wide3_sub(zero, impulse.linear);
    store_slots(slots->a, opposite, wide3_cross(wide3_load(g->arm_a), opposite), loads);
    store_slots(slots->b, impulse.linear, wide3_cross(wide3_load(g->arm_b), impulse.linear), loads);
}

// The paper has one step length for the three directions, eta = 3 / trace of the contact's own block.
static void jacobi_contacts(const contact_problem *problem, problem_tile tile, const scree_solver_def *def,
                            const reduction *to)
{
    const real *bodies = problem->bodies;
    wide w = wide_set((real)def->omega), keep = wide_set((real)(def->lambda - 1));
    wide coupling = wide_set((real)problem->coupling);
    for (size_t i = tile.first_group; i < tile.first_group + tile.group_count; i++) {
        group *g = (group *)problem->groups + i;
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide_steps steps = steps_load(g);
        steps.normal = w * (wide_set(3) * steps.normal * steps.tangent / (steps.tangent + wide_set(2) * steps.normal));
        steps.tangent = steps.normal;
        wide_impulse old = impulse_load(g);
        wide_impulse projected = local_step(g, &a, &b, old, coupling, steps);
        wide_impulse next = impulse_extrapolate(projected, old, keep);
        impulse_store(g, next);
        give_to_bodies(g, &to->slots[i], impulse_sub(next, old), to->loads);
    }
}

// |delta|^2 in the metric of the contact's diagonal, and the product with another change.
static inline wide product(const group *g, wide_impulse delta, wide_impulse other)
{
    wide3 normal = wide3_load(g->normal);
    wide_steps steps = steps_load(g);
    wide n = wide3_dot(normal, delta.linear) * wide3_dot(normal, other.linear);
    return n / steps.normal + (wide3_dot(delta.linear, other.linear) - n) / steps.tangent;
}

static gradient_sums descend_contacts(const contact_problem *problem, problem_tile tile, const gradient_step *step,
                                      const reduction *to)
{
    const real *bodies = problem->bodies;
    wide beta = wide_set((real)step->beta), length = wide_set((real)step->length);
    wide coupling = wide_set((real)problem->coupling);
    gradient_sums sums = {0};
    for (size_t i = tile.first_group; i < tile.first_group + tile.group_count; i++) {
        group *g = (group *)problem->groups + i;
        real(*now_at)[LANES] = ((real(*)[3][LANES])step->now)[i];
        real(*before_at)[LANES] = ((real(*)[3][LANES])step->before)[i];
        if (step->fresh) {
            memcpy(before_at, now_at, sizeof g->impulse);
            memcpy(now_at, g->impulse, sizeof g->impulse);
        }
        wide_impulse now = {wide3_load(now_at)}, before = {wide3_load(before_at)};
        wide_impulse start = impulse_extrapolate(now, before, beta);
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide_steps steps = steps_load(g);
        steps.normal *= length;
        steps.tangent *= length;
        wide_impulse next = local_step(g, &a, &b, start, coupling, steps);
        impulse_store(g, next);
        wide_impulse delta = impulse_sub(next, start);
        give_to_bodies(g, &to->slots[i], delta, to->loads);
        sums.moved += wide_sum(product(g, delta, delta));
        sums.turn -= wide_sum(product(g, delta, impulse_sub(next, now)));
    }
    return sums;
}

// Twice the kinetic energy of the changes of velocity, which are added to the bodies or, when `changes` is given,
// stored there.
static double gather_loads(const contact_problem *problem, size_t first, size_t count, const reduction *from,
                           void *changes)
{
    const real *loads = from->loads;
    double energy = 0;
    for (size_t body = first; body < first + count; body++) {
        real sum[6] = {0};
        for (size_t slot = from->slot_start[body]; slot < from->slot_start[body + 1]; slot++)
            for (int k = 0; k < 6; k++)
                sum[k] += loads[slot * 6 + (size_t)k];
        real *at = (real *)problem->bodies + body * BODY_REALS;
        real *to = changes ? (real *)changes + body * LANES : at;
        if (changes)
            memset(to, 0, LANES * sizeof *to);
#if SCREE_ROUND
        const real change[6] = {sum[0] * at[3], sum[1] * at[3], sum[2] * at[3],
                                sum[3] * at[7], sum[4] * at[7], sum[5] * at[7]};
#else
        const real *inertia = at + 8;
        const real change[6] = {sum[0] * at[3],
                                sum[1] * at[3],
                                sum[2] * at[3],
                                inertia[0] * sum[3] + inertia[3] * sum[4] + inertia[4] * sum[5],
                                inertia[3] * sum[3] + inertia[1] * sum[4] + inertia[5] * sum[5],
                                inertia[4] * sum[3] + inertia[5] * sum[4] + inertia[2] * sum[5]};
#endif
        for (int k = 0; k < 6; k++) {
            to[k < 3 ? k : k + 1] += change[k];
            energy += (double)change[k] * (double)sum[k];
        }
    }
    return energy;
}

static void extrapolate(const contact_problem *problem, size_t first, size_t count, void *before, double beta)
{
    wide factor = wide_set((real)beta);
    for (size_t body = first; body < first + count; body++) {
        real *at = (real *)problem->bodies + body * BODY_REALS;
        real *old = (real *)before + body * LANES;
        wide now = wide_load(at);
        wide_store(at, now + factor * (now - wide_load(old)));
        wide_store(old, now);
    }
}

static void add_changes(const contact_problem *problem, size_t first, size_t count, const void *changes)
{
    for (size_t body = first; body < first + count; body++) {
        real *at = (real *)problem->bodies + body * BODY_REALS;
        wide_store(at, wide_load(at) + wide_load((const real *)changes + body * LANES));
    }
}

const gradient_kernels JOIN(gradient_kernels_, SCREE_KERNEL_SUFFIX) = {jacobi_contacts, descend_contacts, gather_loads,
                                                                       extrapolate, add_changes};
