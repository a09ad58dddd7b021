// Eight contacts at once: loading their bodies, the local step, and what an impulse does; for the files of kernels/.
//
// Local step of contact i (solver notes in docs/methods.md): with the relative velocity u at the contact and the
// contact's own diagonal (B_n, B_t), take x0 = g_n - (u_n + b)/B_n and y = g_t - u_t/B_t, then project (x0, y) onto the
// cone |g_t| <= mu g_n in the metric of that diagonal. Three cases: inside; on the surface at
// x = (B_n x0 + mu B_t |y|) / (B_n + mu^2 B_t); the tip.
//
// A body is 16 reals, or 8 (problem.h): lanes load whole bodies and transpose them in registers, so that a body costs
// one cache line in single precision, or half of one. Only the first 8, the velocities, are written back.
//
//     SCREE_ROUND   bodies of round problems: 8 reals
#ifndef SOLVE_CONTACT_LANES_H
#define SOLVE_CONTACT_LANES_H

#include "base/wide.h"
#include "solve/kernels.h"

#if SCREE_REAL_DOUBLE
typedef problem_group_f64 group;
#else
typedef problem_group_f32 group;
#endif

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b)       JOIN_AGAIN(a, b)

#if SCREE_ROUND
enum { BODY_REALS = PROBLEM_ROUND_REALS };
#else
enum { BODY_REALS = PROBLEM_BODY_REALS };
#endif

typedef struct wide_body {
    wide3 velocity, spin;
    wide inverse_mass;
    wide last; // the eighth real as it is: the inverse moment of inertia in round problems
#if !SCREE_ROUND
    wide3 diagonal, off_diagonal; // inverse inertia: xx yy zz, xy xz yz
#endif
} wide_body;

static inline void load_rows(const real *bodies, const uint32_t index[LANES], size_t half, wide rows[LANES])
{
    for (int i = 0; i < LANES; i++)
        rows[i] = wide_load(bodies + (size_t)index[i] * BODY_REALS + half);
    wide_transpose(rows);
}

static inline wide_body load_bodies(const real *bodies, const uint32_t index[LANES])
{
    wide r[LANES];
    load_rows(bodies, index, 0, r);
    wide_body body = {.velocity = {r[0], r[1], r[2]}, .spin = {r[4], r[5], r[6]}, .inverse_mass = r[3], .last = r[7]};
#if !SCREE_ROUND
    load_rows(bodies, index, LANES, r);
    body.diagonal = (wide3){r[0], r[1], r[2]};
    body.off_diagonal = (wide3){r[3], r[4], r[5]};
#endif
    return body;
}

// Immovable bodies are shared by groups that run at the same time: they are never written.
static inline void store_velocities(real *bodies, const uint32_t index[LANES], const wide_body *body)
{
    wide r[LANES] = {body->velocity.x, body->velocity.y, body->velocity.z, body->inverse_mass,
                     body->spin.x,     body->spin.y,     body->spin.z,     body->last};
    wide_transpose(r);
    bool all = wide_all(body->inverse_mass > wide_set(0));
    for (int i = 0; i < LANES; i++)
        if (all || r[i][3] > 0)
            wide_store(bodies + (size_t)index[i] * BODY_REALS, r[i]);
}

static inline wide3 apply_inertia(const wide_body *body, wide3 t)
{
#if SCREE_ROUND
    return wide3_scale(t, body->last);
#else
    wide3 d = body->diagonal, o = body->off_diagonal;
    return (wide3){d.x * t.x + o.x * t.y + o.y * t.z, o.x * t.x + d.y * t.y + o.z * t.z,
                   o.y * t.x + o.z * t.y + d.z * t.z};
#endif
}

static inline wide3 velocity_at(const wide_body *body, wide3 arm)
{
    return wide3_add(body->velocity, wide3_cross(body->spin, arm));
}

// ---- impulses

typedef struct wide_impulse { // on b, with the opposite on a
    wide3 linear;
} wide_impulse;

static inline wide_impulse impulse_sub(wide_impulse a, wide_impulse b)
{
    return (wide_impulse){wide3_sub(a.linear, b.linear)};
}

// a + s (a - before)
static inline wide_impulse impulse_extrapolate(wide_impulse a, wide_impulse before, wide s)
{
    return (wide_impulse){wide3_add(a.linear, wide3_scale(wide3_sub(a.linear, before.linear), s))};
}

static inline wide_impulse impulse_load(const group *g)
{
    return (wide_impulse){wide3_load(g->impulse)};
}

static inline void impulse_store(group *g, wide_impulse impulse)
{
    wide3_store(g->impulse, impulse.linear);
}

static inline void subtract_impulse(wide_body *a, const group *g, wide_impulse impulse)
{
    wide3 turn = wide3_cross(wide3_load(g->arm_a), impulse.linear);
    a->velocity = wide3_sub(a->velocity, wide3_scale(impulse.linear, a->inverse_mass));
    a->spin = wide3_sub(a->spin, apply_inertia(a, turn));
}

static inline void add_impulse(wide_body *b, const group *g, wide_impulse impulse)
{
    wide3 turn = wide3_cross(wide3_load(g->arm_b), impulse.linear);
    b->velocity = wide3_add(b->velocity, wide3_scale(impulse.linear, b->inverse_mass));
    b->spin = wide3_add(b->spin, apply_inertia(b, turn));
}

// ---- the local step

// The impulse for (x, y) in the metric with weights 1/inverse_n and 1/inverse_t; y is orthogonal to the normal. With
// coupling 1 it is the projection onto the cone, with 0 Coulomb's law: x as it is, then y against the new x.
static inline wide3 project_cone(wide3 normal, wide x, wide3 y, wide mu, wide coupling, wide inverse_n, wide inverse_t)
{
    wide length = wide_sqrt(wide3_dot(y, y));
    wide_mask inside = length <= mu * x;
    wide coupled = coupling * mu * inverse_n;
    wide surface = (inverse_t * x + coupled * length) / (inverse_t + mu * coupled);
    surface = wide_max(surface, wide_set(0));
    wide shrink = mu * surface / wide_max(length, wide_set(REAL_TINY));
    // Without friction a tip with nothing tangential counts as inside, also below it: hence the second maximum.
    wide3 stuck = wide3_add(wide3_scale(normal, wide_max(x, wide_set(0))), y);
    wide3 slipping = wide3_add(wide3_scale(normal, surface), wide3_scale(y, shrink));
    return wide3_select(inside, stuck, slipping);
}

typedef struct wide_steps { // step lengths of the local step
    wide normal, tangent;
} wide_steps;

static inline wide_steps steps_load(const group *g)
{
    return (wide_steps){wide_load(g->inverse_normal), wide_load(g->inverse_tangent)};
}

// The impulse after one local step from `start`, of which the bodies' velocities know already.
static inline wide_impulse local_step(const group *g, const wide_body *a, const wide_body *b, wide_impulse start,
                                      wide coupling, wide_steps steps)
{
    wide3 normal = wide3_load(g->normal);
    wide3 u = wide3_sub(velocity_at(b, wide3_load(g->arm_b)), velocity_at(a, wide3_load(g->arm_a)));
    wide u_n = wide3_dot(normal, u);
    wide g_n = wide3_dot(normal, start.linear);
    wide3 u_t = wide3_sub(u, wide3_scale(normal, u_n));
    wide3 g_t = wide3_sub(start.linear, wide3_scale(normal, g_n));
    wide x = g_n - steps.normal * (u_n + wide_load(g->bias));
    wide3 y = wide3_sub(g_t, wide3_scale(u_t, steps.tangent));
    return (wide_impulse){project_cone(normal, x, y, wide_load(g->friction), coupling, steps.normal, steps.tangent)};
}

#endif
