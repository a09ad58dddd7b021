// The difference a - b of two convex cores, seen through its support function, and the distance of the origin from it
// (Gilbert, Johnson, Keerthi 1988).
#ifndef COLLIDE_CONVEX_GJK_H
#define COLLIDE_CONVEX_GJK_H

#include "collide/convex/convex.h"

// A point of the difference, and the points of the two cores that it comes from.
typedef struct difference_point {
    vec3 w, a, b;
} difference_point;

typedef struct difference {
    const convex *a, *b;
    uint32_t start_a, start_b; // where the last climb over a hull ended
} difference;

// The point of a - b that is farthest along a direction.
difference_point difference_support(difference *d, vec3 direction);

typedef struct simplex {
    int count;
    difference_point points[4];
    double weights[4]; // of the point nearest to the origin
} simplex;

typedef enum gjk_outcome {
    GJK_BEYOND,  // farther apart than the limit
    GJK_APART,   // distance found
    GJK_TOUCHING // no distance: the simplex holds the origin, or all but
} gjk_outcome;

typedef struct gjk_result {
    simplex simplex;
    double distance;
    vec3 normal; // unit, from a to b
    double size; // of the largest coordinate of the difference that was met: rounding is relative to that
} gjk_result;

// `first` is the direction from b to a to look along first: the nearer to the normal the better, but any will do.
gjk_outcome gjk_distance(difference *d, vec3 first, double limit, gjk_result *result);

// Points on a and b for the weights of the simplex.
void simplex_witness(const simplex *s, vec3 *on_a, vec3 *on_b);

#endif
