// The arithmetic of a pair of ellipsoids in double lanes: support functions and the signed gap with its first and
// second derivative (OpM), the characteristic polynomial and its turning point (ChM). Numbers in brackets are
// equations of Pazouki, Mazhar and Negrut 2012.
//
// OpM there minimises |P1 - P2|^2 (2) over the direction c. Here the signed gap
//
//     g(c) = c.d - h1(c) - h2(c),   h(c) = sqrt(c^T M c) = 2 lambda,   |c| = 1,   d = b2 - b1
//
// is maximised instead: the width of the slab between the two tangent planes with normal c. Both have the same
// solution, the point nearest to d on the boundary of the sum of the ellipsoids, but g is concave where it is positive,
// has no false minimum where the points coincide, and its Hessian needs dP/dc only, where that of (2) needs the
// next order. Every value of g is a proof: ellipsoids with g(c) > 0 for any c are apart.
//
// Vectors of the tangent plane stay vectors of space, with no polar angles and so no poles: the Hessian is a symmetric
// 3x3 matrix H with H c = 0, its two other eigenvalues follow from its invariants, and by Cayley and Hamilton
// (H + mu)^-1 t = ((tr H + mu) t - H t) / (det' H + mu tr H + mu^2) there, det' being the sum of the principal minors.
#ifndef COLLIDE_NARROW_ELLIPSOID_LANES_H
#define COLLIDE_NARROW_ELLIPSOID_LANES_H

#include "base/wide.h"

typedef struct wide_symmetric {
    wide xx, yy, zz, xy, xz, yz;
} wide_symmetric;

static inline wide_symmetric wide_symmetric_load(const real from[6][LANES])
{
    return (wide_symmetric){wide_load(from[0]), wide_load(from[1]), wide_load(from[2]),
                            wide_load(from[3]), wide_load(from[4]), wide_load(from[5])};
}
static inline wide3 wide_symmetric_apply(const wide_symmetric *m, wide3 v)
{
    return (wide3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                   m->xz * v.x + m->yz * v.y + m->zz * v.z};
}
static inline wide wide_symmetric_trace(const wide_symmetric *m)
{
    return m->xx + m->yy + m->zz;
}
// The trace of the product of two.
static inline wide wide_symmetric_product(const wide_symmetric *a, const wide_symmetric *b)
{
    wide off = a->xy * b->xy + a->xz * b->xz + a->yz * b->yz;
    return a->xx * b->xx + a->yy * b->yy + a->zz * b->zz + (off + off);
}
// Sum of the principal 2x2 minors.
static inline wide wide_symmetric_minors(const wide_symmetric *m)
{
    return (m->xx * m->yy - m->xy * m->xy) + (m->xx * m->zz - m->xz * m->xz) + (m->yy * m->zz - m->yz * m->yz);
}
static inline wide_symmetric wide_symmetric_adjugate(const wide_symmetric *m)
{
    return (wide_symmetric){m->yy * m->zz - m->yz * m->yz, m->xx * m->zz - m->xz * m->xz,
                            m->xx * m->yy - m->xy * m->xy, m->xz * m->yz - m->xy * m->zz,
                            m->xy * m->yz - m->xz * m->yy, m->xy * m->xz - m->yz * m->xx};
}
// The factor of s in adj(a + s b) = adj a + s (this) + s^2 adj b.
static inline wide_symmetric wide_symmetric_mixed_adjugate(const wide_symmetric *a, const wide_symmetric *b)
{
    wide yz = a->yz * b->yz, xz = a->xz * b->xz, xy = a->xy * b->xy;
    return (wide_symmetric){a->yy * b->zz + a->zz * b->yy - (yz + yz),
                            a->xx * b->zz + a->zz * b->xx - (xz + xz),
                            a->xx * b->yy + a->yy * b->xx - (xy + xy),
                            a->xz * b->yz + a->yz * b->xz - a->xy * b->zz - a->zz * b->xy,
                            a->xy * b->yz + a->yz * b->xy - a->xz * b->yy - a->yy * b->xz,
                            a->xy * b->xz + a->xz * b->xy - a->yz * b->xx - a->xx * b->yz};
}

// M = A R^2 A^T from a unit quaternion and the radii.
static inline wide_symmetric ellipsoid_matrix(const real orientation[4][LANES], const real radii[3][LANES])
{
    wide w = wide_load(orientation[0]), x = wide_load(orientation[1]), y = wide_load(orientation[2]),
         z = wide_load(orientation[3]);
    wide p = wide_load(radii[0]), q = wide_load(radii[1]), r = wide_load(radii[2]);
    wide x2 = x + x, y2 = y + y, z2 = z + z;
    wide xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    wide wx = w * x2, wy = w * y2, wz = w * z2;
    wide3 a = {p * (1 - (yy + zz)), p * (xy + wz), p * (xz - wy)}; // columns of A R
    wide3 b = {q * (xy - wz), q * (1 - (xx + zz)), q * (yz + wx)};
    wide3 c = {r * (xz + wy), r * (yz - wx), r * (1 - (xx + yy))};
    return (wide_symmetric){a.x * a.x + b.x * b.x + c.x * c.x, a.y * a.y + b.y * b.y + c.y * c.y,
                            a.z * a.z + b.z * b.z + c.z * c.z, a.x * a.y + b.x * b.y + c.x * c.y,
                            a.x * a.z + b.x * b.z + c.x * c.z, a.y * a.z + b.y * b.z + c.y * c.z};
}

typedef struct ellipsoid_pair {
    wide_symmetric first, second; // M1, M2
    wide3 between;                // d
} ellipsoid_pair;

// The two ellipsoids seen along a unit direction c.
typedef struct ellipsoid_gap {
    wide gap;
    wide3 slope;         // gradient of g along the sphere: P2 - P1 without its part along c
    wide3 first, second; // support points M c / h, from the centres; the second one's is taken negative
    wide reach_first, reach_second; // h1, h2
    wide per_first, per_second;     // 1 / h1, 1 / h2
} ellipsoid_gap;

static inline ellipsoid_gap ellipsoid_gap_along(const ellipsoid_pair *pair, wide3 c)
{
    wide3 first = wide_symmetric_apply(&pair->first, c), second = wide_symmetric_apply(&pair->second, c);
    ellipsoid_gap at = {.reach_first = wide_sqrt(wide3_dot(c, first)), .reach_second = wide_sqrt(wide3_dot(c, second))};
    at.per_first = 1 / at.reach_first;
    at.per_second = 1 / at.reach_second;
    at.first = wide3_scale(first, at.per_first);
    at.second = wide3_scale(second, at.per_second);
    wide3 apart = wide3_sub(wide3_sub(pair->between, at.first), at.second);
    at.gap = wide3_dot(c, pair->between) - (at.reach_first + at.reach_second);
    at.slope = wide3_sub(apart, wide3_scale(c, wide3_dot(c, apart)));
    return at;
}

// (M - P P^T) / h: how a support point moves with the direction.
static inline wide_symmetric ellipsoid_turning(const wide_symmetric *m, wide3 p, wide s)
{
    return (wide_symmetric){(m->xx - p.x * p.x) * s, (m->yy - p.y * p.y) * s, (m->zz - p.z * p.z) * s,
                            (m->xy - p.x * p.y) * s, (m->xz - p.x * p.z) * s, (m->yz - p.y * p.z) * s};
}

// dP1/dc - dP2/dc. The Hessian of -g in the tangent plane is this plus the gap times the identity.
static inline wide_symmetric ellipsoid_curvature(const ellipsoid_pair *pair, const ellipsoid_gap *at)
{
    wide_symmetric a = ellipsoid_turning(&pair->first, at->first, at->per_first);
    wide_symmetric b = ellipsoid_turning(&pair->second, at->second, at->per_second);
    return (wide_symmetric){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

// The characteristic polynomial (8) of a pair, in the sense of positive multiples for s > 0:
//
//     p(s) = (1 + s) det(M1 + s M2) - s d^T adj(M1 + s M2) d
//
// and the parts of n(s) = adj(M1 + s M2) d. The ellipsoids are apart where p(s) < 0 for some s > 0; there n(s) is the
// normal of a plane between them at the s where p has its least value.
typedef struct ellipsoid_polynomial {
    wide b0, b1, b2, b3, b4;
    wide3 n0, n1, n2;
} ellipsoid_polynomial;

static inline ellipsoid_polynomial ellipsoid_characteristic(const ellipsoid_pair *pair)
{
    const wide_symmetric *a = &pair->first, *b = &pair->second;
    wide_symmetric adjugate_a = wide_symmetric_adjugate(a), adjugate_b = wide_symmetric_adjugate(b);
    wide_symmetric mixed = wide_symmetric_mixed_adjugate(a, b);
    wide3 d = pair->between;
    ellipsoid_polynomial p = {.n0 = wide_symmetric_apply(&adjugate_a, d),
                              .n1 = wide_symmetric_apply(&mixed, d),
                              .n2 = wide_symmetric_apply(&adjugate_b, d)};
    wide det0 = a->xx * adjugate_a.xx + a->xy * adjugate_a.xy + a->xz * adjugate_a.xz;
    wide det1 = wide_symmetric_product(&adjugate_a, b), det2 = wide_symmetric_product(a, &adjugate_b);
    wide det3 = b->xx * adjugate_b.xx + b->xy * adjugate_b.xy + b->xz * adjugate_b.xz;
    p.b0 = det0;
    p.b1 = det0 + det1 - wide3_dot(d, p.n0);
    p.b2 = det1 + det2 - wide3_dot(d, p.n1);
    p.b3 = det2 + det3 - wide3_dot(d, p.n2);
    p.b4 = det3;
    return p;
}

// zeta_3: the greatest root of p', where p has its least value for positive s. Since p(0) > 0 always, the sign of
// p(zeta_3) answers both cases of rule (b) of the paper, and no bisection is needed.
//
// With s = m + k t, m the mean of the roots, p' = 0 becomes t^3 - 3 t = v, and chi < 0 means |v| < 2. In place of the
// cosine of a third of an angle: t = 1 + x with x sqrt(3 + x) = sqrt(2 + v), smooth down to the double root at
// v = -2, where one Newton step from the first guess is good to 1e-6. Lanes in which p' has but one root, and that one
// to the left, have no such point: they get zero.
static inline wide ellipsoid_turning_point(const ellipsoid_polynomial *p)
{
    wide scale = 1 / (4 * p->b4);
    wide a2 = 3 * p->b3 * scale, a1 = 2 * p->b2 * scale, a0 = p->b1 * scale; // (10)
    wide mean = a2 * wide_set(-1.0 / 3);
    wide square = mean * mean - a1 * wide_set(1.0 / 3);
    wide_mask bends = square > 0;
    wide k = wide_sqrt(wide_select(bends, square, wide_set(1)));
    wide constant = ((mean + a2) * mean + a1) * mean + a0;
    wide v = -constant / (k * k * k);
    wide_mask exists = bends & (v >= -2);
    wide w = wide_sqrt(wide_select(exists, v + 2, wide_set(0)));
    wide x = w / wide_sqrt(3 + w * wide_set(0.5));
    wide root = wide_sqrt(3 + x);
    x = x - (x * (root * root) - w * root) / (3 + x * wide_set(1.5));
    wide s = mean + k * (1 + x);
    return wide_select(exists & (s > 0), s, wide_set(0));
}

#endif
