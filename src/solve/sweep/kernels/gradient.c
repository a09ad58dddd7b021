// Steps of all contacts at once, with the velocities of the last iteration: what the fixed point iteration of the paper
// and the accelerated gradient method are made of. What contacts do to bodies goes into slots sorted by body, as
// impulses and torques; each body sums its own in order.
#include "solve/sweep/kernels/contact_lanes.h"

static inline void store_slots(const uint32_t slot[LANES], wide3 impulse, wide3 torque, real *loads)
{
    wide columns[6] = {impulse.x, impulse.y, impulse.z, torque.x, torque.y, torque.z};
    for (int lane = 0; lane < LANES; lane++) {
        if (slot[lane] == UINT32_MAX)
            continue;
        real *to = loads + (size_t)slot[lane] * 6;
        for (int k = 0; k < 6; k++)
            to[k] = columns[k][lane];
    }
}

static inline void give_to_bodies(row r, const reduction_slots *slots, wide_impulse impulse, real *loads)
{
    wide_impulse opposite = impulse_negate(impulse);
    store_slots(slots->a, opposite.linear, turn_of_a(r, opposite), loads);
    store_slots(slots->b, impulse.linear, turn_of_b(r, impulse), loads);
}

// The paper has one step length for the three directions, eta = 3 / trace of the contact's own block.
static inline wide_steps jacobi_steps(wide_steps steps, wide omega)
{
    wide n = steps.normal, t = steps.tangent;
    steps.normal = steps.tangent = omega * (wide_set(3) * n * t / (t + wide_set(2) * n));
#if SCREE_EXTENDED_CONTACT
    steps.rolling *= omega;
    steps.spinning *= omega;
#endif
    return steps;
}

static void jacobi_contacts(const contact_problem *problem, problem_tile tile, const scree_solver_def *def,
                            const reduction *to)
{
    group_impulse *impulses = impulses_of(problem->impulses, tile);
    const reduction_slots *slots = to->slots + tile.first_group;
    wide omega = wide_set((real)def->omega), keep = wide_set((real)(def->lambda - 1));
    wide friction_dilation = wide_set((real)problem->friction_dilation);
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        wide_body a = load_bodies(problem, problem->velocities, r.g->a);
        wide_body b = load_bodies(problem, problem->velocities, r.g->b);
        wide_impulse old = impulse_load(&impulses[i]);
        wide_impulse projected =
            local_step(r, &a, &b, old, friction_dilation, jacobi_steps(find_steps(r, &a, &b), omega));
        wide_impulse next = impulse_extrapolate(projected, old, keep);
        impulse_store(&impulses[i], next);
        give_to_bodies(r, &slots[i], impulse_sub(next, old), to->loads);
    }
}

static inline wide_steps shorter_steps(wide_steps steps, wide length)
{
    steps.normal *= length;
    steps.tangent *= length;
#if SCREE_EXTENDED_CONTACT
    steps.rolling *= length;
    steps.spinning *= length;
#endif
    return steps;
}

static step_sums descend_contacts(const contact_problem *problem, problem_tile tile, const gradient_step *step,
                                  const reduction *to)
{
    group_impulse *impulses = impulses_of(problem->impulses, tile);
    group_impulse *all_now = impulses_of(step->now, tile), *all_before = impulses_of(step->before, tile);
    const reduction_slots *slots = to->slots + tile.first_group;
    wide beta = wide_set((real)step->beta), length = wide_set((real)step->length);
    wide friction_dilation = wide_set((real)problem->friction_dilation);
    step_sums sums = {0};
    for (size_t i = 0; i < tile.group_count; i++) {
        row r = row_at(problem, tile, i);
        if (step->fresh) {
            memcpy(&all_before[i], &all_now[i], sizeof all_now[i]);
            memcpy(&all_now[i], &impulses[i], sizeof all_now[i]);
        }
        wide_impulse now = impulse_load(&all_now[i]);
        wide_impulse start = impulse_extrapolate(now, impulse_load(&all_before[i]), beta);
        wide_body a = load_bodies(problem, problem->velocities, r.g->a);
        wide_body b = load_bodies(problem, problem->velocities, r.g->b);
        wide_steps steps = find_steps(r, &a, &b);
        wide_impulse next = local_step(r, &a, &b, start, friction_dilation, shorter_steps(steps, length));
        impulse_store(&impulses[i], next);
        wide_impulse delta = impulse_sub(next, start);
        give_to_bodies(r, &slots[i], delta, to->loads);
        sums.moved += wide_sum(impulse_product(r, steps, delta, delta));
        sums.reversal -= wide_sum(impulse_product(r, steps, delta, impulse_sub(next, now)));
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
        real *at = (real *)problem->velocities + body * LANES;
        real *to = changes ? (real *)changes + body * LANES : at;
        if (changes)
            memset(to, 0, LANES * sizeof *to);
#if EQUAL_MOMENTS
        const real change[6] = {sum[0] * at[3], sum[1] * at[3], sum[2] * at[3],
                                sum[3] * at[7], sum[4] * at[7], sum[5] * at[7]};
#else
        const real *inertia = (const real *)problem->inertia + body * LANES;
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
        real *at = (real *)problem->velocities + body * LANES;
        real *old = (real *)before + body * LANES;
        wide now = wide_load(at);
        wide_store(at, now + factor * (now - wide_load(old)));
        wide_store(old, now);
    }
}

static void add_changes(const contact_problem *problem, size_t first, size_t count, const void *changes)
{
    for (size_t body = first; body < first + count; body++) {
        real *at = (real *)problem->velocities + body * LANES;
        wide_store(at, wide_load(at) + wide_load((const real *)changes + body * LANES));
    }
}

const gradient_kernels JOIN(gradient_kernels_, SCREE_KERNEL_SUFFIX) = {jacobi_contacts, descend_contacts, gather_loads,
                                                                       extrapolate, add_changes};
