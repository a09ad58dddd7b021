// How the contacts of a wide body answer a change d of its velocity: each takes its local step with the other body's
// own diagonal B alone, p(d) = P(z - B^-1 D^T d), P the projection of contact_lanes.h. On the rim of the cone, with the
// direction e of sliding,
//     -dp = k a b^T du + c (1 - n n^T - e e^T) du,    a = n + mu e,  k = 1 / (B_n + mu^2 B_t),  c = mu p_n / (B_t |y|),
// b = a for the convex law, b = n and k = 1 / B_n for Coulomb's; a contact that sticks has a = b = n, k = 1 / B_n,
// c = 1 / B_t and no e; one that is open has nothing. Rolling and spinning have discs of their own.
#define SCREE_LANES 4
#include "solve/sweep/wide_contacts.h"
#include "base/wide.h"

#if SCREE_REAL_DOUBLE && !SCREE_ISOTROPIC

_Static_assert((int)WIDE_LANES == (int)LANES, "groups are as wide as registers");

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b)       JOIN_AGAIN(a, b)

typedef struct push { // an impulse, or what it is the answer to
    wide3 linear;
#if SCREE_EXTENDED_CONTACT
    wide3 angular;
#endif
} push;

static inline push push_load(const double from[6][LANES])
{
#if SCREE_EXTENDED_CONTACT
    return (push){wide3_load(from), wide3_load(from + 3)};
#else
    return (push){wide3_load(from)};
#endif
}

static inline void push_store(double to[6][LANES], push p)
{
    wide3_store(to, p.linear);
#if SCREE_EXTENDED_CONTACT
    wide3_store(to + 3, p.angular);
#endif
}

static inline push push_sub(push a, push b)
{
#if SCREE_EXTENDED_CONTACT
    return (push){wide3_sub(a.linear, b.linear), wide3_sub(a.angular, b.angular)};
#else
    return (push){wide3_sub(a.linear, b.linear)};
#endif
}

static inline wide3 set3(const double v[3])
{
    return (wide3){wide_set(v[0]), wide_set(v[1]), wide_set(v[2])};
}

#if SCREE_EXTENDED_CONTACT
static inline wide3 zero3(void)
{
    return (wide3){wide_set(0), wide_set(0), wide_set(0)};
}
#endif

// The velocity at the contact, and the spin.
static inline push at_contact(const wide_contacts *g, const double velocity[6])
{
    wide3 linear = wide3_add(set3(velocity), wide3_cross(set3(velocity + 3), wide3_load(g->arm)));
#if SCREE_EXTENDED_CONTACT
    return (push){linear, set3(velocity + 3)};
#else
    return (push){linear};
#endif
}

// z - B^-1 u, part by part.
static inline push step_back(const wide_contacts *g, push z, push u)
{
    wide3 n = wide3_load(g->normal);
    wide along = wide3_dot(n, u.linear), t = wide_load(g->inverse_tangent);
    wide3 step = wide3_add(wide3_scale(u.linear, t), wide3_scale(n, along * (wide_load(g->inverse_normal) - t)));
    z.linear = wide3_sub(z.linear, step);
#if SCREE_EXTENDED_CONTACT
    wide r = wide_load(g->inverse_rolling);
    along = wide3_dot(n, u.angular);
    step = wide3_add(wide3_scale(u.angular, r), wide3_scale(n, along * (wide_load(g->inverse_spinning) - r)));
    z.angular = wide3_sub(z.angular, step);
#endif
    return z;
}

// ---- the projection, with what its derivative needs

typedef struct disc {  // of sliding, rolling or spinning
    wide length, most; // of what a step without limit would give; per unit of normal impulse
    wide pull;         // its part of the diagonal over the normal one, or 0 where it does not act on the normal impulse
    wide3 direction;   // unit, or zero
    wide_mask full;    // on the rim
} disc;

static inline disc make_disc(wide3 y, wide most, wide friction_dilation, wide inverse_normal, wide inverse)
{
    wide length = wide_sqrt(wide3_dot(y, y));
    wide3 direction = wide3_scale(y, wide_set(1) / wide_max(length, wide_set(REAL_TINY)));
    return (disc){
        .length = length, .most = most, .pull = friction_dilation * inverse_normal / inverse, .direction = direction};
}

#if SCREE_EXTENDED_CONTACT
enum { DISCS = 3 };
#else
enum { DISCS = 1 };
#endif

typedef struct answer {
    wide normal; // p_n
    wide3 n;
    disc discs[DISCS]; // sliding, rolling, spinning
    wide stiffness;    // k
} answer;

// Minimises  (p - x)^2 + sum of pull max(0, length - most p)^2  over p >= 0: Newton's method from the left, where all
// discs are full, as in contact_lanes.h.
static inline void project(answer *a, wide x)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide p = zero, below = one;
    for (int pass = 0; pass <= DISCS; pass++) {
        wide above = x;
        below = one;
        for (int i = 0; i < DISCS; i++) {
            disc *d = &a->discs[i];
            d->full = pass == 0 ? (wide_mask)(zero <= zero) : (wide_mask)(d->length >= d->most * p);
            wide pull = wide_select(d->full, d->pull * d->most, zero);
            above += pull * d->length;
            below += pull * d->most;
        }
        p = above / below;
    }
    a->normal = wide_max(p, zero);
    a->stiffness = one / below;
}

static inline answer find_answer(const wide_contacts *g, push z, double friction_dilation)
{
    answer a = {.n = wide3_load(g->normal)};
    wide inverse = wide_load(g->inverse_normal), acts = wide_set(friction_dilation);
    wide x = wide3_dot(a.n, z.linear);
    wide3 y = wide3_sub(z.linear, wide3_scale(a.n, x));
    a.discs[0] = make_disc(y, wide_load(g->friction), acts, inverse, wide_load(g->inverse_tangent));
#if SCREE_EXTENDED_CONTACT
    wide3 spin = wide3_scale(a.n, wide3_dot(a.n, z.angular));
    a.discs[1] =
        make_disc(wide3_sub(z.angular, spin), wide_load(g->rolling), acts, inverse, wide_load(g->inverse_rolling));
    a.discs[2] = make_disc(spin, wide_load(g->spinning), acts, inverse, wide_load(g->inverse_spinning));
#endif
    project(&a, x);
    a.stiffness *= inverse;
    return a;
}

static inline wide3 of_disc(const disc *d, wide p)
{
    return wide3_scale(d->direction, wide_min(d->length, d->most * p));
}

static inline push impulse_of(const answer *a)
{
    wide3 linear = wide3_add(wide3_scale(a->n, a->normal), of_disc(&a->discs[0], a->normal));
#if SCREE_EXTENDED_CONTACT
    return (push){linear, wide3_add(of_disc(&a->discs[1], a->normal), of_disc(&a->discs[2], a->normal))};
#else
    return (push){linear};
#endif
}

// ---- sums on the wide body

static inline void to_wrench(const wide_contacts *g, push p, wide to[6])
{
    wide3 torque = wide3_cross(wide3_load(g->arm), p.linear);
#if SCREE_EXTENDED_CONTACT
    torque = wide3_add(torque, p.angular);
#endif
    to[0] = p.linear.x, to[1] = p.linear.y, to[2] = p.linear.z;
    to[3] = torque.x, to[4] = torque.y, to[5] = torque.z;
}

static inline void add_wrench(const wide_contacts *g, push p, wide sum[6])
{
    wide wrench[6];
    to_wrench(g, p, wrench);
    for (int i = 0; i < 6; i++)
        sum[i] += wrench[i];
}

// slope += factor left right^T
static inline void add_product(wide slope[6][6], wide factor, const wide left[6], const wide right[6])
{
    for (int i = 0; i < 6; i++) {
        wide scaled = factor * left[i];
        for (int j = 0; j < 6; j++)
            slope[i][j] += scaled * right[j];
    }
}

// slope += c times the map from a velocity to the impulse along it at the contact: (1, -[r]; [r], r^2 - r r^T).
static inline void add_even(wide slope[6][6], wide c, wide3 r)
{
    wide x = c * r.x, y = c * r.y, z = c * r.z;
    for (int i = 0; i < 3; i++)
        slope[i][i] += c;
    slope[0][4] += z, slope[0][5] -= y, slope[1][3] -= z, slope[1][5] += x, slope[2][3] += y, slope[2][4] -= x;
    slope[3][1] -= z, slope[3][2] += y, slope[4][0] += z, slope[4][2] -= x, slope[5][0] -= y, slope[5][1] += x;
    slope[3][3] += y * r.y + z * r.z, slope[4][4] += x * r.x + z * r.z, slope[5][5] += x * r.x + y * r.y;
    slope[3][4] -= x * r.y, slope[4][3] -= x * r.y, slope[3][5] -= x * r.z, slope[5][3] -= x * r.z;
    slope[4][5] -= y * r.z, slope[5][4] -= y * r.z;
}

// How much a disc gives way across its direction, and how much less along it.
static inline wide across(const answer *a, const disc *d, wide inverse)
{
    wide rim = inverse * (d->most * a->normal) / wide_max(d->length, wide_set(REAL_TINY));
    return wide_select(a->normal > wide_set(0), wide_select(d->full, rim, inverse), wide_set(0));
}

#if SCREE_EXTENDED_CONTACT

static inline wide3 rim_of(const disc *d)
{
    return wide3_scale(d->direction, wide_select(d->full, d->most, wide_set(0)));
}

static inline void add_angular(wide slope[6][6], const wide_contacts *g, const answer *a)
{
    const wide zero = wide_set(0);
    wide roll = across(a, &a->discs[1], wide_load(g->inverse_rolling));
    wide spin = wide_select(a->discs[2].full, zero, across(a, &a->discs[2], wide_load(g->inverse_spinning)));
    wide along = wide_select(a->discs[1].full, roll, zero);
    wide3 n = a->n, e = a->discs[1].direction;
    const wide normal[6] = {zero, zero, zero, n.x, n.y, n.z}, rolling[6] = {zero, zero, zero, e.x, e.y, e.z};
    for (int i = 3; i < 6; i++)
        slope[i][i] += roll;
    add_product(slope, spin - roll, normal, normal);
    add_product(slope, -along, rolling, rolling);
}

#endif

static inline void add_slope(wide slope[6][6], const wide_contacts *g, const answer *a, double friction_dilation)
{
    const wide zero = wide_set(0);
    const disc *d = &a->discs[0];
    wide slides = wide_select(d->full, d->most, zero), acts = wide_set(friction_dilation);
    wide stiffness = wide_select(a->normal > zero, a->stiffness, zero);
    wide even = across(a, d, wide_load(g->inverse_tangent)), along = wide_select(d->full, even, zero);
    wide left[6], right[6], normal[6], sliding[6];
    push pulls = {.linear = wide3_add(a->n, wide3_scale(d->direction, slides))};
    push feels = {.linear = wide3_add(a->n, wide3_scale(d->direction, slides * acts))};
    push n = {.linear = a->n}, e = {.linear = d->direction};
#if SCREE_EXTENDED_CONTACT
    pulls.angular = wide3_add(rim_of(&a->discs[1]), rim_of(&a->discs[2]));
    feels.angular = wide3_scale(pulls.angular, acts);
    n.angular = e.angular = zero3();
    add_angular(slope, g, a);
#endif
    to_wrench(g, pulls, left);
    to_wrench(g, feels, right);
    to_wrench(g, n, normal);
    to_wrench(g, e, sliding);
    add_even(slope, even, wide3_load(g->arm));
    add_product(slope, stiffness, left, right);
    add_product(slope, -even, normal, normal);
    add_product(slope, -along, sliding, sliding);
}

// ---- the passes

static void begin(wide_contacts *groups, size_t count, const double velocity[6], double beta)
{
    wide factor = wide_set(beta);
    for (wide_contacts *g = groups; g < groups + count; g++) {
        wide3 normal = wide3_load(g->normal);
        push now = push_load(g->impulse), back = push_sub(now, push_load(g->before)), y = now;
        y.linear = wide3_add(now.linear, wide3_scale(back.linear, factor));
        push u = push_sub(at_contact(g, velocity), push_load(g->other));
        wide missing = wide_load(g->bias);
#if SCREE_EXTENDED_CONTACT
        y.angular = wide3_add(now.angular, wide3_scale(back.angular, factor));
        missing += wide_load(g->compliance) * wide3_dot(normal, y.linear);
#endif
        u.linear = wide3_add(u.linear, wide3_scale(normal, missing));
        push_store(g->before, now);
        push_store(g->impulse, y);
        push_store(g->trial, step_back(g, y, u));
    }
}

static inline answer answer_to(const wide_contacts *g, const double change[6], double friction_dilation)
{
    return find_answer(g, step_back(g, push_load(g->trial), at_contact(g, change)), friction_dilation);
}

static wide_answer answer_all(const wide_contacts *groups, size_t count, const double change[6],
                              double friction_dilation)
{
    wide wrench[6], slope[6][6];
    wide_answer sums;
    for (int i = 0; i < 6; i++) {
        wrench[i] = wide_set(0);
        for (int j = 0; j < 6; j++)
            slope[i][j] = wide_set(0);
    }
    for (const wide_contacts *g = groups; g < groups + count; g++) {
        answer a = answer_to(g, change, friction_dilation);
        add_wrench(g, push_sub(impulse_of(&a), push_load(g->impulse)), wrench);
        add_slope(slope, g, &a, friction_dilation);
    }
    for (int i = 0; i < 6; i++) {
        sums.wrench[i] = wide_sum(wrench[i]);
        for (int j = 0; j < 6; j++)
            sums.slope[i][j] = wide_sum(slope[i][j]);
    }
    return sums;
}

// The product of two impulses in the metric B.
static inline wide product(const wide_contacts *g, push a, push b)
{
    wide3 normal = wide3_load(g->normal);
    wide n = wide3_dot(normal, a.linear) * wide3_dot(normal, b.linear);
    wide sum = n / wide_load(g->inverse_normal) + (wide3_dot(a.linear, b.linear) - n) / wide_load(g->inverse_tangent);
#if SCREE_EXTENDED_CONTACT
    n = wide3_dot(normal, a.angular) * wide3_dot(normal, b.angular);
    sum += n / wide_load(g->inverse_spinning) + (wide3_dot(a.angular, b.angular) - n) / wide_load(g->inverse_rolling);
#endif
    return sum;
}

static wide_step finish(wide_contacts *groups, size_t count, const double change[6], double friction_dilation)
{
    wide wrench[6], whole[6], moved = wide_set(0), reversal = wide_set(0), most = wide_set(0);
    wide_step sums;
    for (int i = 0; i < 6; i++)
        wrench[i] = whole[i] = wide_set(0);
    for (wide_contacts *g = groups; g < groups + count; g++) {
        answer a = answer_to(g, change, friction_dilation);
        push next = impulse_of(&a), delta = push_sub(next, push_load(g->impulse));
        push from_now = push_sub(next, push_load(g->before));
        add_wrench(g, delta, wrench);
        add_wrench(g, from_now, whole);
        moved += product(g, delta, delta);
        reversal -= product(g, delta, from_now);
        most = wide_max(most, wide3_dot(delta.linear, delta.linear));
        push_store(g->impulse, next);
        push_store(g->other, delta);
    }
    for (int i = 0; i < 6; i++) {
        sums.wrench[i] = wide_sum(wrench[i]);
        sums.whole[i] = wide_sum(whole[i]);
    }
    sums.moved = wide_sum(moved);
    sums.reversal = wide_sum(reversal);
    sums.change = wide_largest(most);
    return sums;
}

const wide_kernels JOIN(wide_kernels_, SCREE_KERNEL_SUFFIX) = {begin, answer_all, finish};

#endif
