// The three wide functions on four pairs of ellipsoids at once; the formulas are in ellipsoid_lanes.h. Always in
// double: the iteration ends where single precision would stop far short of the normal.
#undef SCREE_REAL_DOUBLE
#define SCREE_REAL_DOUBLE 1
#define SCREE_LANES       4
#include "collide/narrow/ellipsoid.h"

#include "collide/narrow/ellipsoid_lanes.h"

#define NAME_(name, isa) name##_##isa
#define NAME(name, isa)  NAME_(name, isa)

static ellipsoid_pair load_pair(const ellipsoid_pairs *pairs)
{
    return (ellipsoid_pair){wide_symmetric_load(pairs->matrices[0]), wide_symmetric_load(pairs->matrices[1]),
                            wide3_load(pairs->between)};
}

// How far a gap may be off by rounding: products of matrices are exact to their largest entries, whose part in the
// reach of a thin ellipsoid grows with the greatest radius over the least.
static inline wide rounding(const ellipsoid_pair *pair, const ellipsoid_gap *at)
{
    return wide_set(16 * 0x1p-53) *
           (wide_sqrt(wide3_dot(pair->between, pair->between)) + wide_symmetric_trace(&pair->first) * at->per_first +
            wide_symmetric_trace(&pair->second) * at->per_second);
}

// Unit, or the z axis where the length is lost to underflow.
static inline wide3 unit(wide3 v)
{
    wide square = wide3_dot(v, v);
    wide_mask lost = ~(square > REAL_TINY);
    wide scale = 1 / wide_sqrt(wide_select(lost, wide_set(1), square));
    return wide3_select(lost, (wide3){wide_set(0), wide_set(0), wide_set(1)}, wide3_scale(v, scale));
}

static wide least_square(const real radii[3][LANES])
{
    wide least = wide_min(wide_load(radii[0]), wide_min(wide_load(radii[1]), wide_load(radii[2])));
    return least * least;
}

static void prepare(const ellipsoid_poses *poses, ellipsoid_pairs *pairs)
{
    for (int i = 0; i < 2; i++) {
        wide_symmetric m = ellipsoid_matrix(poses->orientations[i], poses->radii[i]);
        wide rows[6] = {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
        for (int k = 0; k < 6; k++)
            wide_store(pairs->matrices[i][k], rows[k]);
        wide_store(pairs->least_squares[i], least_square(poses->radii[i]));
    }
    wide3 between = wide3_load(poses->between);
    wide3_store(pairs->between, between);
    wide_store(pairs->margin, wide_load(poses->margin));
    wide3_store(pairs->direction, unit(between));
}

// The polynomial's sign is taken through the gap along its own normal n(zeta_3): the two agree exactly in exact
// arithmetic, but a gap is a proof whatever became of the polynomial's coefficients in rounding, and it can be compared
// with a margin. Without a turning point to the right of zero (rule (a) of the paper) lanes are in contact.
static unsigned may_touch(ellipsoid_pairs *pairs)
{
    ellipsoid_pair pair = load_pair(pairs);
    ellipsoid_polynomial p = ellipsoid_characteristic(&pair);
    wide s = ellipsoid_turning_point(&p);
    wide balance = wide_sqrt(wide_symmetric_trace(&pair.first) / wide_symmetric_trace(&pair.second));
    wide_mask bends = s > 0;
    s = wide_select(bends, s, balance);
    wide3 normal = unit(wide3_add(p.n0, wide3_scale(wide3_add(p.n1, wide3_scale(p.n2, s)), s)));
    ellipsoid_gap at = ellipsoid_gap_along(&pair, normal);
    wide noise = rounding(&pair, &at);
    wide3_store(pairs->direction, normal);
    return wide_bits(~(at.gap > wide_load(pairs->margin) + noise));
}

// A step in the tangent plane: Newton's where the Hessian is definite and the step is no longer than `trust`, else one
// with the Hessian shifted by so much that both hold.
typedef struct tangent_step {
    wide3 move;
    wide length;
    wide gain;      // expected of the quadratic model
    wide_mask full; // Newton's own
} tangent_step;

static inline tangent_step find_step(const ellipsoid_pair *pair, const ellipsoid_gap *at, wide slope_square, wide trust)
{
    wide_symmetric bend = ellipsoid_curvature(pair, at);
    wide trace = wide_symmetric_trace(&bend), minors = wide_symmetric_minors(&bend);
    wide spread = wide_sqrt(wide_max(trace * trace * wide_set(0.25) - minors, wide_set(0)));
    wide least = at->gap + trace * wide_set(0.5) - spread; // eigenvalue of the Hessian
    wide3 bent = wide_symmetric_apply(&bend, at->slope);
    wide3 newton = wide3_sub(wide3_scale(at->slope, trace + at->gap), bent); // times the determinant
    wide det = minors + at->gap * (trace + at->gap), most = trust * det;
    tangent_step step = {.full = (least > 0) & (det > 0) & (wide3_dot(newton, newton) <= most * most)};
    wide mu = wide_select(step.full, wide_set(0), wide_sqrt(slope_square) / trust - least);
    wide shift = at->gap + mu;
    det = wide_max(minors + shift * (trace + shift), wide_set(REAL_TINY));
    step.move = wide3_scale(wide3_sub(wide3_scale(at->slope, trace + shift), bent), 1 / det);
    wide square = wide3_dot(step.move, step.move);
    step.length = wide_sqrt(square);
    step.gain = wide_set(0.5) * (wide3_dot(at->slope, step.move) + mu * square);
    return step;
}

static inline ellipsoid_gap gap_select(wide_mask mask, const ellipsoid_gap *yes, const ellipsoid_gap *no)
{
    return (ellipsoid_gap){wide_select(mask, yes->gap, no->gap),
                           wide3_select(mask, yes->slope, no->slope),
                           wide3_select(mask, yes->first, no->first),
                           wide3_select(mask, yes->second, no->second),
                           wide_select(mask, yes->reach_first, no->reach_first),
                           wide_select(mask, yes->reach_second, no->reach_second),
                           wide_select(mask, yes->per_first, no->per_first),
                           wide_select(mask, yes->per_second, no->per_second)};
}

// Into an ellipsoid of least radius r fits a ball of radius r^2 / h that touches it at its support point: its centre is
// (M - r^2) c / h, and by Cauchy and Schwarz u.(M - r^2) c + r^2 <= h(u) h(c) for every u. The sum of two such balls is
// a ball in the sum of the ellipsoids. If it is no smaller than the depth, no way out is shorter than this one.
static inline wide inscribed(const ellipsoid_pairs *pairs, const ellipsoid_gap *at)
{
    return wide_load(pairs->least_squares[0]) * at->per_first + wide_load(pairs->least_squares[1]) * at->per_second;
}

// Newton's iteration within a trust region (Nocedal and Wright 2006, chapter 4). A lane is done when it takes a full
// step so short that the error after it, its square, is of no account, or when the slope is lost in rounding. It is
// given up when what a full step may gain leaves it below the goal.
static void contact(const ellipsoid_pairs *pairs, double goal, ellipsoid_contacts *contacts)
{
    const wide short_step = wide_set(1e-7), long_step = wide_set(1);
    ellipsoid_pair pair = load_pair(pairs);
    wide3 c = wide3_load(pairs->direction);
    ellipsoid_gap at = ellipsoid_gap_along(&pair, c);
    wide trust = wide_set(0.5), steps = wide_set(0);
    wide noise = rounding(&pair, &at);
    wide_mask done = wide_set(0) > 0;
    for (int round = 0; round < ELLIPSOID_STEPS; round++) {
        wide slope_square = wide3_dot(at.slope, at.slope);
        done = done | (slope_square <= noise * noise);
        if (wide_bits(done) == (1u << LANES) - 1)
            break;
        tangent_step step = find_step(&pair, &at, slope_square, trust);
        wide3 turned = unit(wide3_add(c, step.move));
        ellipsoid_gap there = ellipsoid_gap_along(&pair, turned);
        wide gain = there.gap - at.gap + noise;
        wide_mask taken = ~done & (gain >= wide_set(0.01) * step.gain);
        steps = steps + wide_select(done, wide_set(0), wide_set(1));
        c = wide3_select(taken, turned, c);
        at = gap_select(taken, &there, &at);
        wide_mask poor = gain<wide_set(0.25) * step.gain, good = gain> wide_set(0.75) * step.gain;
        wide wider = wide_min(wide_select(good & ~step.full, trust + trust, trust), long_step);
        trust = wide_select(poor, wide_min(step.length, trust) * wide_set(0.25), wider);
        wide_mask arrived = step.length <= short_step, hopeless = at.gap + 4 * step.gain < goal;
        done = done | (taken & ((step.full & arrived) | hopeless));
    }
    for (int i = 0; i < LANES; i++)
        contacts->steps[i] = (unsigned)steps[i];
    wide3_store(contacts->normal, c);
    wide3_store(contacts->point, wide3_add(at.first, wide3_scale(c, at.gap * wide_set(0.5))));
    wide_store(contacts->gap, at.gap);
    contacts->near = wide_bits(at.gap <= wide_load(pairs->margin) + noise);
    contacts->certain = wide_bits(done & (at.gap + noise >= -inscribed(pairs, &at)));
}

const ellipsoid_kernels NAME(ellipsoid_kernels, SCREE_ISA) = {prepare, may_touch, contact};
