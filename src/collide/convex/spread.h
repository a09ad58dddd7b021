// At most MANIFOLD_MOST of many points on a plane: the deepest, and those that span the rest.
//
// The farthest of all points within the margin along each of eight directions is kept, so the choice depends on the set
// of points only, and hardly changes when they move a little. The deepest takes the place of the kept point nearest to
// it unless another is as deep.
#ifndef COLLIDE_CONVEX_SPREAD_H
#define COLLIDE_CONVEX_SPREAD_H

#include "collide/convex/convex.h"

typedef struct spread_point {
    double x, y; // on the plane
    double z, gap;
    uint32_t name;
} spread_point;

typedef struct spread {
    double margin, merge; // points nearer to each other than `merge` are one
    double smallest;      // gap; infinity before the first point
    int count;            // points kept; as long as there are no more than MANIFOLD_MOST, all of them
    bool crowded;         // more came: then points[i] is the farthest along direction i
    spread_point points[MANIFOLD_MOST], deepest;
} spread;

void spread_begin(spread *s, double margin, double merge);
void spread_add(spread *s, const spread_point *p); // only if its gap is within the margin

// The points kept, without repetitions; returns how many.
int spread_end(const spread *s, spread_point points[MANIFOLD_MOST]);

#endif
