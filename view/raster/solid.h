// Rays against the solids that are neither spheres nor boxes: ellipsoids, capsules, cylinders, cones, convex polyhedra.
//
// All are cast in closed form. A ray is brought into the axes of the solid and moved to where it passes the centre, so
// that single precision is enough for a small solid far away.
#ifndef VIEW_RASTER_SOLID_H
#define VIEW_RASTER_SOLID_H

#include "view/raster/picture.h"
#include "view/raster/vec3f.h"

typedef struct raster_ray {
    vec3f origin, direction;
} raster_ray;

// In the frame of a view.
typedef struct raster_solid {
    const picture_solid *shape;
    const picture_face *faces; // of a hull
    vec3f center, axes[3];
    float size[3]; // as in picture_solid
    float half[3]; // of the box about the centre that holds it
} raster_solid;

// The place where a ray enters a solid.
typedef struct solid_hit {
    float depth;  // along the ray
    vec3f normal; // outward, unit, in the frame of the view
    float edge;   // distance on the surface to the nearest sharp edge; RASTER_NOTHING when there is none
} solid_hit;

#define RASTER_NOTHING 3.0e38f

// Half extents about its centre of a valid solid, along its own axes.
scree_vec3 solid_half_extents(const picture_solid *solid);

// False when the ray misses.
bool solid_meet(const raster_solid *solid, const raster_ray *ray, solid_hit *hit);

#endif
