// From a direction to the nearest local minimum of how far the difference of two cores reaches.
#ifndef COLLIDE_CONVEX_DESCEND_H
#define COLLIDE_CONVEX_DESCEND_H

#include "collide/convex/gjk.h"

// Improves `normal` and its `depth`, the reach of a - b along it, where the difference is smooth; elsewhere they stay.
// True when they changed.
bool descend(difference *d, double size, vec3 *normal, double *depth);

#endif
