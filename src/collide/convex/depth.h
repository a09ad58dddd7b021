// How deep the origin lies in the difference of two convex cores that touch or overlap.
#ifndef COLLIDE_CONVEX_DEPTH_H
#define COLLIDE_CONVEX_DEPTH_H

#include "collide/convex/gjk.h"

typedef struct depth_result {
    double depth; // along the normal; negative by a rounding error or so where the cores do not quite touch
    vec3 normal;  // unit, from a to b: moving b by the depth along it ends the overlap
    vec3 on_a, on_b;
} depth_result;

// The shallowest way out. `found` is what gjk_distance left behind.
void find_depth(difference *d, const gjk_result *found, depth_result *result);

#endif
