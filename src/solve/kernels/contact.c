// The wide inner loops of the contact solvers: eight contacts that share no movable body are relaxed at once.
//
// Local step of contact i (solver notes in docs/methods.md): with the relative velocity u at the contact and the
// contact's own diagonal (B_n, B_t), take x0 = g_n - (u_n + b)/B_n and y = g_t - u_t/B_t, then project (x0, y) onto the
// cone |g_t| <= mu g_n in the metric of that diagonal. Three cases: inside; on the surface at
// x = (B_n x0 + mu B_t |y|) / (B_n + mu^2 B_t); the tip.
//
// A body is 16 reals (problem.h): lanes load whole bodies and transpose them in registers, so that a body costs one
// cache line in single precision. Only the first half, the velocities, is written back.
#include "solve/kernels.h"

#include "base/wide.h"

#if SCREE_REAL_DOUBLE
typedef problem_group_f64 group;
#else
typedef problem_group_f32 group;
#endif

typedef struct wide_body {
    wide3 velocity, spin;
    wide inverse_mass;
    wide3 diagonal, off_diagonal; // inverse inertia: xx yy zz, xy xz yz
} wide_body;

static inline void load_rows(const real *bodies, const uint32_t index[LANES], size_t half, wide rows[LANES])
{
    for (int i = 0; i < LANES; i++)
        rows[i] = wide_load(bodies + (size_t)index[i] * PROBLEM_BODY_REALS + half);
    wide_transpose(rows);
}

static inline wide_body load_bodies(const real *bodies, const uint32_t index[LANES])
{
    wide r[LANES], s[LANES];
    load_rows(bodies, index, 0, r);
    load_rows(bodies, index, LANES, s);
    return (wide_body){{r[0], r[1], r[2]}, {r[4], r[5], r[6]}, r[3], {s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
}

// Immovable bodies are shared by groups that run at the same time: they are never written.
static inline void store_velocities(real *bodies, const uint32_t index[LANES], const wide_body *body)
{
    wide r[LANES] = {body->velocity.x, body->velocity.y, body->velocity.z, body->inverse_mass,
                     body->spin.x,     body->spin.y,     body->spin.z,     wide_set(0)};
    wide_transpose(r);
    for (int i = 0; i < LANES; i++)
        if (r[i][3] > 0)
            wide_store(bodies + (size_t)index[i] * PROBLEM_BODY_REALS, r[i]);
}

static inline wide3 apply_inertia(const wide_body *body, wide3 t)
{
    wide3 d = body->diagonal, o = body->off_diagonal;
    return (wide3){d.x * t.x + o.x * t.y + o.y * t.z, o.x * t.x + d.y * t.y + o.z * t.z,
                   o.y * t.x + o.z * t.y + d.z * t.z};
}

static inline void add_impulse(wide_body *body, wide3 arm, wide3 impulse)
{
    body->velocity = wide3_add(body->velocity, wide3_scale(impulse, body->inverse_mass));
    body->spin = wide3_add(body->spin, apply_inertia(body, wide3_cross(arm, impulse)));
}

static inline void subtract_impulse(wide_body *body, wide3 arm, wide3 impulse)
{
    body->velocity = wide3_sub(body->velocity, wide3_scale(impulse, body->inverse_mass));
    body->spin = wide3_sub(body->spin, apply_inertia(body, wide3_cross(arm, impulse)));
}

static inline wide3 velocity_at(const wide_body *body, wide3 arm)
{
    return wide3_add(body->velocity, wide3_cross(body->spin, arm));
}

// The projection of (x, y) in the metric with weights 1/inverse_n and 1/inverse_t; y is orthogonal to the normal.
static inline wide3 project_cone(wide3 normal, wide x, wide3 y, wide mu, wide inverse_n, wide inverse_t)
{
    wide length = wide_sqrt(wide3_dot(y, y));
    wide_mask inside = length <= mu * x;
    wide surface = (inverse_t * x + mu * inverse_n * length) / (inverse_t + mu * mu * inverse_n);
    surface = wide_max(surface, wide_set(0));
    wide shrink = mu * surface / wide_max(length, wide_set(REAL_TINY));
    // Without friction a tip with nothing tangential counts as inside, also below it: hence the second maximum.
    wide3 stuck = wide3_add(wide3_scale(normal, wide_max(x, wide_set(0))), y);
    wide3 slipping = wide3_add(wide3_scale(normal, surface), wide3_scale(y, shrink));
    return wide3_select(inside, stuck, slipping);
}

// The impulse after one local step from the group's present impulse at relative velocity u, with step lengths given.
static inline wide3 local_step(const group *g, wide3 u, wide step_n, wide step_t)
{
    wide3 normal = wide3_load(g->normal);
    wide3 impulse = wide3_load(g->impulse);
    wide u_n = wide3_dot(normal, u);
    wide g_n = wide3_dot(normal, impulse);
    wide3 u_t = wide3_sub(u, wide3_scale(normal, u_n));
    wide3 g_t = wide3_sub(impulse, wide3_scale(normal, g_n));
    wide x = g_n - step_n * (u_n + wide_load(g->bias));
    wide3 y = wide3_sub(g_t, wide3_scale(u_t, step_t));
    return project_cone(normal, x, y, wide_load(g->friction), step_n, step_t);
}

static inline wide3 relative_velocity(const group *g, const wide_body *a, const wide_body *b)
{
    return wide3_sub(velocity_at(b, wide3_load(g->arm_b)), velocity_at(a, wide3_load(g->arm_a)));
}

// Bodies of a group that comes soon are asked for now: when bodies do not fit into the caches, waiting for them would
// cost more than relaxing the contacts.
enum { GROUPS_AHEAD = 3 };

static inline void fetch_bodies(const real *bodies, const group *g)
{
    for (int i = 0; i < LANES; i++) {
        __builtin_prefetch(bodies + (size_t)g->a[i] * PROBLEM_BODY_REALS, 1);
        __builtin_prefetch(bodies + (size_t)g->b[i] * PROBLEM_BODY_REALS, 1);
    }
}

static double sweep(void *body_array, void *group_array, size_t first, size_t count)
{
    real *bodies = body_array;
    group *groups = (group *)group_array + first;
    wide change = wide_set(0);
    for (size_t i = 0; i < count; i++) {
        group *g = &groups[i];
        if (i + GROUPS_AHEAD < count)
            fetch_bodies(bodies, g + GROUPS_AHEAD);
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide3 u = relative_velocity(g, &a, &b);
        wide3 next = local_step(g, u, wide_load(g->inverse_normal), wide_load(g->inverse_tangent));
        wide3 delta = wide3_sub(next, wide3_load(g->impulse));
        wide3_store(g->impulse, next);
        subtract_impulse(&a, wide3_load(g->arm_a), delta);
        add_impulse(&b, wide3_load(g->arm_b), delta);
        store_velocities(bodies, g->a, &a);
        store_velocities(bodies, g->b, &b);
        change = wide_max(change, wide3_dot(delta, delta));
    }
    return wide_largest(change);
}

static tile_residual residual_of(const void *body_array, const void *group_array, size_t first, size_t count)
{
    const real *bodies = body_array;
    const group *groups = (const group *)group_array + first;
    tile_residual sums = {0};
    for (size_t i = 0; i < count; i++) {
        const group *g = &groups[i];
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide3 impulse = wide3_load(g->impulse);
        wide3 u = relative_velocity(g, &a, &b);
        wide3 next = local_step(g, u, wide_load(g->inverse_normal), wide_load(g->inverse_tangent));
        wide3 delta = wide3_sub(next, impulse);
        wide error = wide_sqrt(wide3_dot(delta, delta));
        wide size = wide_sqrt(wide3_dot(impulse, impulse));
        sums.error_sum += wide_sum(error);
        double largest = wide_largest(error);
        sums.error_max = largest > sums.error_max ? largest : sums.error_max;
        sums.impulse_sum += wide_sum(size);
        for (int lane = 0; lane < LANES; lane++)
            sums.loaded += size[lane] > 0;
    }
    return sums;
}

static void apply(void *body_array, const void *group_array, size_t first, size_t count)
{
    real *bodies = body_array;
    const group *groups = (const group *)group_array + first;
    for (size_t i = 0; i < count; i++) {
        const group *g = &groups[i];
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide3 impulse = wide3_load(g->impulse);
        subtract_impulse(&a, wide3_load(g->arm_a), impulse);
        add_impulse(&b, wide3_load(g->arm_b), impulse);
        store_velocities(bodies, g->a, &a);
        store_velocities(bodies, g->b, &b);
    }
}

static inline void store_changes(const uint32_t slot[LANES], const wide_body *change, real *reduction)
{
    wide columns[6] = {change->velocity.x, change->velocity.y, change->velocity.z,
                       change->spin.x,     change->spin.y,     change->spin.z};
    for (int lane = 0; lane < LANES; lane++) {
        if (slot[lane] == UINT32_MAX)
            continue;
        real *to = reduction + (size_t)slot[lane] * 6;
        for (int k = 0; k < 6; k++)
            to[k] = columns[k][lane];
    }
}

static double jacobi_contacts(const void *body_array, void *group_array, size_t first, size_t count, double omega,
                              double lambda, const jacobi_slots *slots, void *reduction)
{
    const real *bodies = body_array;
    group *groups = (group *)group_array + first;
    wide w = wide_set((real)omega), keep = wide_set((real)(1 - lambda)), take = wide_set((real)lambda);
    wide change = wide_set(0);
    const wide3 none = {wide_set(0), wide_set(0), wide_set(0)};
    for (size_t i = 0; i < count; i++) {
        group *g = &groups[i];
        wide_body a = load_bodies(bodies, g->a);
        wide_body b = load_bodies(bodies, g->b);
        wide3 u = relative_velocity(g, &a, &b);
        // The paper has one step length for the three directions, eta = 3 / trace of the contact's own block.
        wide n = wide_load(g->inverse_normal), t = wide_load(g->inverse_tangent);
        wide step = w * (wide_set(3) * n * t / (t + wide_set(2) * n));
        wide3 projected = local_step(g, u, step, step);
        wide3 old = wide3_load(g->impulse);
        wide3 next = wide3_add(wide3_scale(projected, take), wide3_scale(old, keep));
        wide3 delta = wide3_sub(next, old);
        wide3_store(g->impulse, next);
        a.velocity = a.spin = b.velocity = b.spin = none;
        subtract_impulse(&a, wide3_load(g->arm_a), delta);
        add_impulse(&b, wide3_load(g->arm_b), delta);
        store_changes(slots[i].a, &a, reduction);
        store_changes(slots[i].b, &b, reduction);
        change = wide_max(change, wide3_dot(delta, delta));
    }
    return wide_largest(change);
}

static void jacobi_bodies(void *body_array, const uint32_t *slot_start, size_t first, size_t count,
                          const void *reduction)
{
    real *bodies = body_array;
    const real *changes = reduction;
    for (size_t body = first; body < first + count; body++) {
        real sum[6] = {0};
        for (size_t slot = slot_start[body]; slot < slot_start[body + 1]; slot++)
            for (int k = 0; k < 6; k++)
                sum[k] += changes[slot * 6 + (size_t)k];
        real *to = bodies + body * PROBLEM_BODY_REALS;
        for (int k = 0; k < 3; k++) {
            to[k] += sum[k];
            to[k + 4] += sum[k + 3];
        }
    }
}

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b)       JOIN_AGAIN(a, b)

const kernel_table JOIN(kernels_, SCREE_KERNEL_SUFFIX) = {sweep, residual_of, apply, jacobi_contacts, jacobi_bodies};
