// The flat or straight part of a convex shape that faces a direction.
#ifndef COLLIDE_CONVEX_FEATURE_H
#define COLLIDE_CONVEX_FEATURE_H

#include "collide/convex/convex.h"

enum { FEATURE_CORNERS = 32 };

typedef struct convex_feature {
    int count;                     // 1: a point; 2: a straight line; else the corners of a flat polygon
    vec3 corners[FEATURE_CORNERS]; // on the surface; counter-clockwise from outside
    vec3 normal;                   // of a polygon: outward, unit
    uint32_t name;                 // tells the features of a shape apart
} convex_feature;

// A face when its normal is within a small angle of the direction, else an edge or a side line that is within a small
// angle of lying across, else the farthest point. `direction` is a unit vector. Caps are polygons of FEATURE_RIM
// corners at places that are fixed in the shape, so that a shape at rest keeps its points; a face of too many corners
// is thinned out.
enum { FEATURE_RIM = 16 };
void convex_find_feature(const convex *shape, vec3 direction, convex_feature *feature);

#endif
