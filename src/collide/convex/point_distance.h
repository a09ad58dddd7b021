// Signed distance of a point from the core of a convex shape in closed form.
#ifndef COLLIDE_CONVEX_POINT_DISTANCE_H
#define COLLIDE_CONVEX_POINT_DISTANCE_H

#include "collide/convex/convex.h"

// `outward` is the unit direction from the shape to the point, or the way out from inside; both in the world's axes.
// False where there is no closed form: ellipsoids, triangles, and points outside a hull.
bool point_distance(const convex *shape, vec3 point, double *distance, vec3 *outward);

#endif
