// The diagonals of eight contacts at once: B of docs/methods.md, which bounds each contact's own block of N.
//
// Steps by this diagonal never raise the energy of the problem, also with momentum: B is at least the block, whose
// normal and tangential parts are its normal element and its largest tangential eigenvalue, each enlarged by how
// strongly the two are coupled.
#include "solve/sweep/kernels/contact_lanes.h"

#if !SCREE_CENTERED_SPHERES

typedef struct block {              // without axes across the normal for equal moments, and in them otherwise
    wide normal, tangent, coupling; // its normal element; its largest tangential eigenvalue; |N_nt|^2
} block;

// With the squared difference of the diagonal's elements, and that beside it.
static inline wide larger_eigenvalue(wide sum, wide difference, wide beside)
{
    const wide half = wide_set((real)0.5);
    return half * (sum + wide_sqrt(difference * difference + wide_set(4) * beside));
}

#if EQUAL_MOMENTS

// A body with three equal moments 1/i adds (1/m + i r^2) 1 - i r r^T at the arm r. Along the normal r has n, across it
// the rest t.
typedef struct round_part {
    wide along;   // n
    wide3 across; // t
    wide square;  // i t^2
} round_part;

static inline round_part part_of(const wide_body *body, wide3 arm, wide3 normal)
{
    wide_split r = split(normal, arm);
    return (round_part){r.along, r.rest, body->last * wide3_dot(r.rest, r.rest)};
}

// The tangential block is  (1/m + i r^2) 1 - sum of i t t^T,  whose largest eigenvalue has the smallest of that sum:
// the trace less the larger one.
static inline block block_of(row r, const wide_body *a, const wide_body *b)
{
    wide3 normal = wide3_load(r.g->normal);
    round_part of_a = part_of(a, wide3_load(r.g->arm_a), normal), of_b = part_of(b, wide3_load(r.g->arm_b), normal);
    wide mass = a->inverse_mass + b->inverse_mass, trace = of_a.square + of_b.square;
    wide turn_a = a->last * of_a.along, turn_b = b->last * of_b.along;
    wide between = wide3_dot(of_a.across, of_b.across);
    wide larger = larger_eigenvalue(trace, of_a.square - of_b.square, a->last * b->last * between * between);
    wide3 coupled = wide3_add(wide3_scale(of_a.across, turn_a), wide3_scale(of_b.across, turn_b));
    return (block){mass + trace, mass + turn_a * of_a.along + turn_b * of_b.along + larger,
                   wide3_dot(coupled, coupled)};
}

#else

// What an impulse p at the arm does to the velocity there.
static inline wide3 respond(const wide_body *body, wide3 arm, wide3 p)
{
    wide3 angular = apply_inertia(body, wide3_cross(arm, p));
    return wide3_add(wide3_cross(angular, arm), wide3_scale(p, body->inverse_mass));
}

static inline wide3 any_tangent(wide3 n)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide_mask by_x = wide_abs(n.x) < wide_set((real)0.57);
    wide3 t = wide3_cross(n, (wide3){wide_select(by_x, one, zero), wide_select(by_x, zero, one), zero});
    wide square = wide3_dot(t, t);
    return wide3_scale(t, one / wide_sqrt(wide_select(square > zero, square, one)));
}

static inline block block_of(row r, const wide_body *a, const wide_body *b)
{
    wide3 n = wide3_load(r.g->normal), u = any_tangent(n), w = wide3_cross(n, u);
    wide3 arm_a = wide3_load(r.g->arm_a), arm_b = wide3_load(r.g->arm_b);
    wide3 by_n = wide3_add(respond(a, arm_a, n), respond(b, arm_b, n));
    wide3 by_u = wide3_add(respond(a, arm_a, u), respond(b, arm_b, u));
    wide3 by_w = wide3_add(respond(a, arm_a, w), respond(b, arm_b, w));
    wide uu = wide3_dot(by_u, u), ww = wide3_dot(by_w, w), uw = wide3_dot(by_u, w);
    wide nu = wide3_dot(by_n, u), nw = wide3_dot(by_n, w);
    return (block){wide3_dot(by_n, n), larger_eigenvalue(uu + ww, uu - ww, uw * uw), nu * nu + nw * nw};
}

#endif

// 1 / B; one for a block of nothing, as in empty lanes.
static inline wide inverse(wide diagonal)
{
    const wide one = wide_set(1);
    return wide_select(diagonal > wide_set(0), one / wide_max(diagonal, wide_set(REAL_TINY)), one);
}

#if SCREE_EXTENDED_CONTACT

static inline wide3 turn_both(const wide_body *a, const wide_body *b, wide3 t)
{
    return wide3_add(apply_inertia(a, t), apply_inertia(b, t));
}

// Sliding and rolling are strongly coupled: twice the diagonal for the block, not only half.
static inline void set_angular(row r, const wide_body *a, const wide_body *b, block *of)
{
    const wide one = wide_set(1);
    wide3 n = wide3_load(r.g->normal), u = any_tangent(n), w = wide3_cross(n, u);
    wide3 by_u = turn_both(a, b, u), by_w = turn_both(a, b, w);
    wide uu = wide3_dot(by_u, u), ww = wide3_dot(by_w, w), uw = wide3_dot(by_u, w);
    wide times = wide_select(wide_load(r.e->rolling) > wide_set(0), wide_set(2), one);
    of->normal += wide_load(r.e->compliance);
    of->tangent *= times;
    wide_store(r.e->inverse_rolling, inverse(times * larger_eigenvalue(uu + ww, uu - ww, uw * uw)));
    wide_store(r.e->inverse_spinning, inverse(wide3_dot(turn_both(a, b, n), n)));
}

#endif

static void find_diagonals(const contact_problem *problem, problem_tile tile, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        row r = row_at(problem, tile, i);
        wide_body a = load_bodies(problem, problem->velocities, r.g->a);
        wide_body b = load_bodies(problem, problem->velocities, r.g->b);
        block of = block_of(r, &a, &b);
        wide product = of.normal * of.tangent;
        wide enlarged = wide_set(1) + wide_sqrt(of.coupling * inverse(product));
        of.normal *= enlarged;
        of.tangent *= enlarged;
#if SCREE_EXTENDED_CONTACT
        set_angular(r, &a, &b, &of);
#endif
        wide_store(r.g->inverse_normal, inverse(of.normal));
        wide_store(r.g->inverse_tangent, inverse(of.tangent));
    }
}

const row_kernels JOIN(row_kernels_, SCREE_KERNEL_SUFFIX) = {find_diagonals};

#endif
