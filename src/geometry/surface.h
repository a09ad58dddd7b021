// Surfaces of shapes as polygons, for whoever draws or exports them.
//
// Polygons are flat (but for quadrilaterals of round shapes, nearly so), counter-clockwise as seen from outside, and
// share their points, so that the surface of a solid is closed. Round shapes are cut into `sectors` about their axis
// with their points on the true surface; hulls, meshes and height fields are as they are.
#ifndef GEOMETRY_SURFACE_H
#define GEOMETRY_SURFACE_H

#include "base/array.h"
#include "base/vec.h"
#include "scree/shape.h"

typedef struct shape_surface {
    ARRAY(vec3) points;      // in the shape's own frame
    ARRAY(uint32_t) corners; // indices of points, polygon after polygon
    ARRAY(uint32_t) ends;    // by polygon: where its corners end
} shape_surface;

// Appends the surface of a valid shape. `sectors` is even and at least 4. A plane has no surface here, a height field
// its upper side alone. False when out of memory or beyond 2^32 - 1 corners.
bool shape_surface_add(shape_surface *to, const scree_shape_def *shape, uint32_t sectors);

void shape_surface_free(shape_surface *surface);

#endif
