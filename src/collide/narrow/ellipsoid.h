// Two ellipsoids: do they touch, and where. No knowledge of worlds: sizes, turns and the vector between the centres.
//
// The method is that of Pazouki, Mazhar and Negrut 2012 ("Parallel collision detection of ellipsoids"), four pairs at
// a time: ChM decides by the characteristic polynomial of a pair whether it may touch, OpM finds the common normal and
// with it the contact. The arithmetic is in ellipsoid_lanes.h; what is exact and what is certain is said in
// ellipsoid.c.
#ifndef COLLIDE_NARROW_ELLIPSOID_H
#define COLLIDE_NARROW_ELLIPSOID_H

#include "base/vec.h"

enum { ELLIPSOID_LANES = 4, ELLIPSOID_STEPS = 32 };

// Pairs of ellipsoids in numbers, lane by lane; [0] is the first ellipsoid, [1] the second.
typedef struct ellipsoid_poses {
    double radii[2][3][ELLIPSOID_LANES];
    double orientations[2][4][ELLIPSOID_LANES]; // unit quaternions: w, x, y, z
    double between[3][ELLIPSOID_LANES];         // from the first centre to the second
    double margin[ELLIPSOID_LANES];             // gaps up to this are contacts
} ellipsoid_poses;

// Rows of lanes: everything the iteration needs, so that lanes can be moved from group to group.
typedef struct ellipsoid_pairs {
    double matrices[2][6][ELLIPSOID_LANES]; // M = A R^2 A^T: xx, yy, zz, xy, xz, yz
    double between[3][ELLIPSOID_LANES];
    double margin[ELLIPSOID_LANES];
    double least_squares[2][ELLIPSOID_LANES]; // of the least radii
    double direction[3][ELLIPSOID_LANES];     // unit: where OpM starts
} ellipsoid_pairs;

typedef struct ellipsoid_contacts {
    double normal[3][ELLIPSOID_LANES]; // unit, from the first to the second
    double point[3][ELLIPSOID_LANES];  // midway between the surfaces, from the first centre
    double gap[ELLIPSOID_LANES];       // signed distance of the surfaces along the normal
    unsigned near;                     // bit per lane: the gap is at most the margin, rounding allowed for
    unsigned certain;                  // bit per lane: converged, and no other normal gives a greater gap
    unsigned steps[ELLIPSOID_LANES];   // Newton steps taken
} ellipsoid_contacts;

// The wide functions, compiled per instruction set from kernels/ellipsoid.c. All builds give the same bits.
typedef struct ellipsoid_kernels {
    // Matrices, least radii and, as direction, that between the centres.
    void (*prepare)(const ellipsoid_poses *poses, ellipsoid_pairs *pairs);
    // ChM. Bit i is set when lane i may be nearer than its margin; the others are surely farther apart. Directions
    // become those of the characteristic polynomial's root, from which OpM needs few steps.
    unsigned (*may_touch)(ellipsoid_pairs *pairs);
    // OpM from the given directions. Lanes that seem to stay below a gap of `goal` are given up on the way and are not
    // to be used: -INFINITY to see all of them through.
    void (*contact)(const ellipsoid_pairs *pairs, double goal, ellipsoid_contacts *contacts);
} ellipsoid_kernels;

// The widest build that this machine runs.
const ellipsoid_kernels *ellipsoid_kernels_here(void);

extern const ellipsoid_kernels ellipsoid_kernels_baseline, ellipsoid_kernels_avx2;

// OpM with certainty: lanes of `contacts` that are not certain, among those in `wanted`, are sought again from sixteen
// directions each, and the least depth of them is taken.
void ellipsoid_contacts_settle(const ellipsoid_kernels *kernels, const ellipsoid_poses *poses,
                               const ellipsoid_pairs *pairs, unsigned wanted, ellipsoid_contacts *contacts);

// Copies lane `from` of `source` to lane `to`.
void ellipsoid_pairs_copy_lane(ellipsoid_pairs *target, int to, const ellipsoid_pairs *source, int from);

// The point of an ellipsoid farthest along a direction, in the ellipsoid's own axes; the length of the direction
// is of no matter, but it must not be zero.
static inline vec3 ellipsoid_support(vec3 radii, vec3 direction)
{
    vec3 scaled = vec3_multiply(radii, direction);
    return vec3_scale(vec3_multiply(radii, scaled), 1 / vec3_length(scaled));
}

#endif
