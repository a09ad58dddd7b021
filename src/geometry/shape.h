// Everything that the engine must know of each shape: validity, mass properties, reach, bounds. One table row per type
// in shape.c.
#ifndef GEOMETRY_SHAPE_H
#define GEOMETRY_SHAPE_H

#include "base/vec.h"
#include "geometry/proxy.h"
#include "scree/shape.h"

// Checks one definition; the message begins with `where` (for example "body 3, shape 1").
scree_status shape_validate(const scree_shape_def *shape, const char *where, scree_error *error);

typedef struct mass_properties {
    double mass;
    vec3 center;  // of mass, body frame
    mat3 inertia; // about the centre of mass, body axes
} mass_properties;

// Mass properties of shapes with uniform densities, summed up (overlaps count twice). Planes have none.
mass_properties shapes_mass_properties(const scree_shape_def *shapes, const double *densities, size_t count);

// True for shapes with infinite extent: detection queries them instead of binning them.
bool shape_is_unbounded(scree_shape_type type);

// True for shapes that only fixed bodies may have: they have no inside to give a mass, or no end.
bool shape_is_fixed_only(scree_shape_type type);

// Distance from a point in the body's frame to the farthest point of the shape; infinity for a plane.
double shape_reach_from(const scree_shape_def *shape, vec3 point);

// Half extents along the world axes of a bounded proxy, without margin.
vec3 proxy_half_extents(const proxy_view *view, const proxy *p);

#endif
