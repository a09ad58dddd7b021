// Eight contacts at once: loading their bodies, the local step, and what an impulse does; for the files of kernels/.
//
// Local step of contact i (solver notes in docs/methods.md): with the relative velocity u at the contact and the
// contact's own diagonal (B_n, B_t), take x0 = g_n - (u_n + b)/B_n and y = g_t - u_t/B_t, then project (x0, y) onto the
// cone |g_t| <= mu g_n in the metric of that diagonal. Three cases: inside; on the surface at
// x = (B_n x0 + mu B_t |y|) / (B_n + mu^2 B_t); the tip.
//
// A body is 8 reals (problem.h), and 8 more where moments of inertia differ: lanes load whole bodies and transpose them
// in registers, so that a body costs half a cache line in single precision, or one. Only the velocities are written.
//
//     SCREE_ISOTROPIC   bodies with equal moments of inertia
//     SCREE_CENTERED_SPHERES   besides, arms along the normals
//     SCREE_EXTENDED_CONTACT    contacts with compliance, rolling and spinning friction
#ifndef SOLVE_SWEEP_KERNELS_CONTACT_LANES_H
#define SOLVE_SWEEP_KERNELS_CONTACT_LANES_H

#include "base/wide.h"
#include "solve/sweep/kernels.h"

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b)       JOIN_AGAIN(a, b)

#if SCREE_REAL_DOUBLE
#define OF_PRECISION(name) JOIN(name, _f64)
#else
#define OF_PRECISION(name) JOIN(name, _f32)
#endif

#if SCREE_CENTERED_SPHERES
typedef problem_sphere_group group;
#else
typedef OF_PRECISION(problem_group) group;
#endif
typedef OF_PRECISION(problem_extra) extra;

#define EQUAL_MOMENTS (SCREE_ISOTROPIC || SCREE_CENTERED_SPHERES)

_Static_assert((int)PROBLEM_BODY_REALS == (int)LANES, "a body is as many reals as there are lanes");

typedef struct wide_body {
    wide3 velocity, spin;
    wide inverse_mass;
    wide last; // the eighth real as it is: the inverse moment of inertia where moments are equal
#if !EQUAL_MOMENTS
    wide3 diagonal, off_diagonal; // inverse inertia: xx yy zz, xy xz yz
#endif
} wide_body;

static inline void load_rows(const real *bodies, const uint32_t at[LANES], wide rows[LANES])
{
    for (int i = 0; i < LANES; i++)
        rows[i] = wide_load(bodies + at[i]);
    wide_transpose(rows);
}

static inline wide_body load_bodies(const contact_problem *problem, const real *velocities, const uint32_t at[LANES])
{
    wide r[LANES];
    load_rows(velocities, at, r);
    wide_body body = {.velocity = {r[0], r[1], r[2]}, .spin = {r[4], r[5], r[6]}, .inverse_mass = r[3], .last = r[7]};
#if EQUAL_MOMENTS
    (void)problem;
#else
    load_rows(problem->inertia, at, r);
    body.diagonal = (wide3){r[0], r[1], r[2]};
    body.off_diagonal = (wide3){r[3], r[4], r[5]};
#endif
    return body;
}

// Immovable bodies are shared by groups that run at the same time: they are never written.
static inline void store_velocities(real *velocities, const uint32_t at[LANES], const wide_body *body)
{
    wide r[LANES] = {body->velocity.x, body->velocity.y, body->velocity.z, body->inverse_mass,
                     body->spin.x,     body->spin.y,     body->spin.z,     body->last};
    wide_transpose(r);
    bool all = wide_all(body->inverse_mass > wide_set(0));
    for (int i = 0; i < LANES; i++)
        if (all || r[i][3] > 0)
            wide_store(velocities + at[i], r[i]);
}

static inline wide3 apply_inertia(const wide_body *body, wide3 t)
{
#if EQUAL_MOMENTS
    return wide3_scale(t, body->last);
#else
    wide3 d = body->diagonal, o = body->off_diagonal;
    return (wide3){d.x * t.x + o.x * t.y + o.y * t.z, o.x * t.x + d.y * t.y + o.z * t.z,
                   o.y * t.x + o.z * t.y + d.z * t.z};
#endif
}

// ---- rows and impulses

typedef struct row {
    group *g;
#if SCREE_EXTENDED_CONTACT
    extra *e;
#endif
} row;

static inline row row_at(const contact_problem *problem, problem_tile tile, size_t index)
{
    group *g = (group *)(void *)((char *)problem->groups + tile.rows) + index;
#if SCREE_EXTENDED_CONTACT
    return (row){g, (extra *)(void *)((char *)problem->extras + tile.extras) + index};
#else
    return (row){g};
#endif
}

typedef struct wide_impulse { // on b, with the opposite on a
    wide3 linear;
#if SCREE_EXTENDED_CONTACT
    wide3 angular;
#endif
} wide_impulse;

#if SCREE_EXTENDED_CONTACT
enum { IMPULSE_ROWS = 6 };
#define ANGULAR(value) , value
#else
enum { IMPULSE_ROWS = 3 };
#define ANGULAR(value)
#endif

typedef real group_impulse[IMPULSE_ROWS][LANES];

// The impulses of a tile among those of all.
static inline group_impulse *impulses_of(void *all, problem_tile tile)
{
    return (group_impulse *)((real *)all + tile.impulses);
}

static inline wide_impulse impulse_sub(wide_impulse a, wide_impulse b)
{
    return (wide_impulse){wide3_sub(a.linear, b.linear) ANGULAR(wide3_sub(a.angular, b.angular))};
}

static inline wide_impulse impulse_scale(wide_impulse a, wide s)
{
    return (wide_impulse){wide3_scale(a.linear, s) ANGULAR(wide3_scale(a.angular, s))};
}

static inline wide_impulse impulse_negate(wide_impulse a)
{
    const wide3 zero = {wide_set(0), wide_set(0), wide_set(0)};
    return (wide_impulse){wide3_sub(zero, a.linear) ANGULAR(wide3_sub(zero, a.angular))};
}

// a + s (a - before)
static inline wide_impulse impulse_extrapolate(wide_impulse a, wide_impulse before, wide s)
{
    wide_impulse move = impulse_sub(a, before);
    return (wide_impulse){wide3_add(a.linear, wide3_scale(move.linear, s))
                              ANGULAR(wide3_add(a.angular, wide3_scale(move.angular, s)))};
}

static inline wide_impulse impulse_load(const group_impulse *from)
{
    return (wide_impulse){wide3_load(*from) ANGULAR(wide3_load(*from + 3))};
}

static inline void impulse_store(group_impulse *to, wide_impulse impulse)
{
    wide3_store(*to, impulse.linear);
#if SCREE_EXTENDED_CONTACT
    wide3_store(*to + 3, impulse.angular);
#endif
}

// ---- what impulses do

#if SCREE_CENTERED_SPHERES

// The arms are arm_a n and -arm_b n: what turns the one ball turns the other one the same way.
static inline wide3 turn_of_a(row r, wide_impulse impulse)
{
    return wide3_scale(wide3_cross(wide3_load(r.g->normal), impulse.linear), wide_load(r.g->arm_a));
}

static inline wide3 turn_of_b(row r, wide_impulse impulse)
{
    return wide3_scale(wide3_cross(impulse.linear, wide3_load(r.g->normal)), wide_load(r.g->arm_b));
}

static inline wide3 relative_velocity(row r, const wide_body *a, const wide_body *b)
{
    wide3 spin = wide3_add(wide3_scale(a->spin, wide_load(r.g->arm_a)), wide3_scale(b->spin, wide_load(r.g->arm_b)));
    return wide3_sub(wide3_sub(b->velocity, a->velocity), wide3_cross(spin, wide3_load(r.g->normal)));
}

#else

static inline wide3 turn_at(wide3 arm, wide_impulse impulse)
{
    wide3 torque = wide3_cross(arm, impulse.linear);
#if SCREE_EXTENDED_CONTACT
    torque = wide3_add(torque, impulse.angular);
#endif
    return torque;
}

static inline wide3 turn_of_a(row r, wide_impulse impulse)
{
    return turn_at(wide3_load(r.g->arm_a), impulse);
}

static inline wide3 turn_of_b(row r, wide_impulse impulse)
{
    return turn_at(wide3_load(r.g->arm_b), impulse);
}

static inline wide3 velocity_at(const wide_body *body, wide3 arm)
{
    return wide3_add(body->velocity, wide3_cross(body->spin, arm));
}

static inline wide3 relative_velocity(row r, const wide_body *a, const wide_body *b)
{
    return wide3_sub(velocity_at(b, wide3_load(r.g->arm_b)), velocity_at(a, wide3_load(r.g->arm_a)));
}

#endif

static inline void subtract_impulse(wide_body *a, row r, wide_impulse impulse)
{
    a->velocity = wide3_sub(a->velocity, wide3_scale(impulse.linear, a->inverse_mass));
    a->spin = wide3_sub(a->spin, apply_inertia(a, turn_of_a(r, impulse)));
}

static inline void add_impulse(wide_body *b, row r, wide_impulse impulse)
{
    b->velocity = wide3_add(b->velocity, wide3_scale(impulse.linear, b->inverse_mass));
    b->spin = wide3_add(b->spin, apply_inertia(b, turn_of_b(r, impulse)));
}

// ---- the local step

typedef struct wide_steps { // step lengths of the local step: 1 / the contact's diagonal
    wide normal, tangent;
#if SCREE_EXTENDED_CONTACT
    wide rolling, spinning;
#endif
} wide_steps;

#if SCREE_CENTERED_SPHERES

// Empty lanes have a diagonal of one.
static inline wide_steps find_steps(row r, const wide_body *a, const wide_body *b)
{
    const wide one = wide_set(1);
    wide arm_a = wide_load(r.g->arm_a), arm_b = wide_load(r.g->arm_b);
    wide normal = a->inverse_mass + b->inverse_mass;
    normal = wide_select(normal > wide_set(0), normal, one);
    return (wide_steps){one / normal, one / (normal + (a->last * (arm_a * arm_a) + b->last * (arm_b * arm_b)))};
}

#else

static inline wide_steps find_steps(row r, const wide_body *a, const wide_body *b)
{
    (void)a;
    (void)b;
    return (wide_steps){wide_load(r.g->inverse_normal),
                        wide_load(r.g->inverse_tangent) ANGULAR(wide_load(r.e->inverse_rolling))
                            ANGULAR(wide_load(r.e->inverse_spinning))};
}

#endif

// A vector as its part along the normal and the rest.
typedef struct wide_split {
    wide along;
    wide3 rest;
} wide_split;

static inline wide_split split(wide3 normal, wide3 a)
{
    wide along = wide3_dot(normal, a);
    return (wide_split){along, wide3_sub(a, wide3_scale(normal, along))};
}

// The product of two impulses in the metric of the contact's diagonal.
static inline wide impulse_product(row r, wide_steps steps, wide_impulse a, wide_impulse b)
{
    wide3 normal = wide3_load(r.g->normal);
    wide n = wide3_dot(normal, a.linear) * wide3_dot(normal, b.linear);
    wide product = n / steps.normal + (wide3_dot(a.linear, b.linear) - n) / steps.tangent;
#if SCREE_EXTENDED_CONTACT
    n = wide3_dot(normal, a.angular) * wide3_dot(normal, b.angular);
    product += n / steps.spinning + (wide3_dot(a.angular, b.angular) - n) / steps.rolling;
#endif
    return product;
}

#if !SCREE_EXTENDED_CONTACT

// The impulse for (x, y) in the metric with weights 1/inverse_n and 1/inverse_t; y is orthogonal to the normal. With
// friction_dilation 1 it is the projection onto the cone, with 0 Coulomb's law: x as it is, then y against the new x.
static inline wide3 project_cone(wide3 normal, wide x, wide3 y, wide mu, wide friction_dilation, wide inverse_n,
                                 wide inverse_t)
{
    wide length = wide_sqrt(wide3_dot(y, y));
    wide_mask inside = length <= mu * x;
    wide coupled = friction_dilation * mu * inverse_n;
    wide surface = (inverse_t * x + coupled * length) / (inverse_t + mu * coupled);
    surface = wide_max(surface, wide_set(0));
    wide shrink = mu * surface / wide_max(length, wide_set(REAL_TINY));
    // Without friction a tip with nothing tangential counts as inside, also below it: hence the second maximum.
    wide3 stuck = wide3_add(wide3_scale(normal, wide_max(x, wide_set(0))), y);
    wide3 slipping = wide3_add(wide3_scale(normal, surface), wide3_scale(y, shrink));
    return wide3_select(inside, stuck, slipping);
}

// The impulse after one local step from `start`, of which the bodies' velocities know already.
static inline wide_impulse local_step(row r, const wide_body *a, const wide_body *b, wide_impulse start,
                                      wide friction_dilation, wide_steps steps)
{
    wide3 normal = wide3_load(r.g->normal);
    wide_split u = split(normal, relative_velocity(r, a, b)), p = split(normal, start.linear);
    wide x = p.along - steps.normal * (u.along + wide_load(r.g->bias));
    wide3 y = wide3_sub(p.rest, wide3_scale(u.rest, steps.tangent));
    return (wide_impulse){
        project_cone(normal, x, y, wide_load(r.g->friction), friction_dilation, steps.normal, steps.tangent)};
}

#else

// A disc or an interval of a contact: what acts in it has at most the length `most` p for a normal impulse p.
typedef struct wide_cap {
    wide length, most; // of what the step without limit would give; per unit of normal impulse
    wide weight;       // its part of the diagonal over the normal one, or 0 where it does not act on p
} wide_cap;

static inline wide_cap make_cap(wide squared, wide most, wide friction_dilation, wide normal_step, wide step)
{
    return (wide_cap){wide_sqrt(squared), most, friction_dilation * normal_step / step};
}

// Minimises  (p - x)^2 + sum of weight max(0, length - most p)^2  over p >= 0. The derivative is piecewise linear,
// rising and concave, so that Newton's method from the left, where all caps are full, goes up to its zero without
// passing it; each of its steps empties a cap or is the last.
static inline wide project_caps(wide x, const wide_cap caps[3])
{
    const wide zero = wide_set(0);
    wide p = zero;
    for (int pass = 0; pass < 4; pass++) {
        wide above = x, below = wide_set(1);
        for (int i = 0; i < 3; i++) {
            wide pull = caps[i].weight * caps[i].most;
            wide_mask full = pass == 0 ? (wide_mask)(zero <= zero) : (wide_mask)(caps[i].length > caps[i].most * p);
            above += wide_select(full, pull * caps[i].length, zero);
            below += wide_select(full, pull * caps[i].most, zero);
        }
        p = above / below;
    }
    return wide_max(p, zero);
}

static inline wide cap_shrink(const wide_cap *cap, wide p)
{
    wide allowed = cap->most * p;
    return wide_select(cap->length <= allowed, wide_set(1), allowed / wide_max(cap->length, wide_set(REAL_TINY)));
}

// As with general inertia, with compliance along the normal, and with the angular impulse against rolling and spinning.
static inline wide_impulse local_step(row r, const wide_body *a, const wide_body *b, wide_impulse start,
                                      wide friction_dilation, wide_steps steps)
{
    wide3 normal = wide3_load(r.g->normal);
    wide_split u = split(normal, relative_velocity(r, a, b)), p = split(normal, start.linear);
    wide_split w = split(normal, wide3_sub(b->spin, a->spin)), t = split(normal, start.angular);
    wide x = p.along - steps.normal * (u.along + wide_load(r.g->bias) + wide_load(r.e->compliance) * p.along);
    wide3 y = wide3_sub(p.rest, wide3_scale(u.rest, steps.tangent));
    wide3 roll = wide3_sub(t.rest, wide3_scale(w.rest, steps.rolling));
    wide spin = t.along - steps.spinning * w.along;
    const wide_cap caps[3] = {
        make_cap(wide3_dot(y, y), wide_load(r.g->friction), friction_dilation, steps.normal, steps.tangent),
        make_cap(wide3_dot(roll, roll), wide_load(r.e->rolling), friction_dilation, steps.normal, steps.rolling),
        make_cap(spin * spin, wide_load(r.e->spinning), friction_dilation, steps.normal, steps.spinning),
    };
    wide along = project_caps(x, caps);
    return (wide_impulse){
        wide3_add(wide3_scale(normal, along), wide3_scale(y, cap_shrink(&caps[0], along))),
        wide3_add(wide3_scale(normal, spin * cap_shrink(&caps[2], along)),
                  wide3_scale(roll, cap_shrink(&caps[1], along))),
    };
}

#endif

#endif
