// The extent of a scene: where to look, how far shadows and ground must reach, how large a grain is.
#ifndef VIEW_WORLD_EXTENT_H
#define VIEW_WORLD_EXTENT_H

#include "base/vec.h"
#include "view/raster/picture.h"

typedef struct extent {
    vec3 low, high;  // bounds: of what is not a wall, without stray bodies, and of the walls that are not much larger
    vec3 mean;       // of the centres of what is not a wall
    mat3 covariance; // of those centres
    double grain;    // their mean size (radius), 0 when there is nothing but walls
} extent;

// False when out of memory. An empty scene spans a unit box about the point that its camera looks at.
bool extent_find(extent *span, const picture *scene);

// The bounds of spheres, boxes, solids and triangles, in this order: the box along the world axes that holds object i;
// false for a wall.
size_t extent_object_count(const picture *scene);
bool extent_object_bounds(const picture *scene, size_t i, scree_vec3 *center, scree_vec3 *half);

// True when a wall stands between the camera and most of what is not a wall, so that it must be seen through.
bool extent_is_behind(const extent *span, const picture_box *wall, vec3 camera);

#endif
