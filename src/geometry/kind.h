// One row per type of shape: the functions that tell the types apart. A new shape is a file with its row and an entry
// in the table of shape.c.
#ifndef GEOMETRY_KIND_H
#define GEOMETRY_KIND_H

#include "geometry/geometry.h"
#include "geometry/proxy.h"

typedef struct shape_kind {
    bool unbounded;  // then only `validate` is ever called
    bool fixed_only; // has no place in a body that forces move
    scree_status (*validate)(const scree_shape_def *shape, const char *where, scree_error *error); // its sizes
    solid_properties (*solid)(const scree_shape_def *shape); // in the shape's own frame
    // Distance to the farthest point of the shape from a point given in the shape's own frame, negated.
    double (*reach)(const scree_shape_def *shape, vec3 from);
    vec3 (*half_extents)(const proxy_view *view, const proxy *p, quat orientation); // along the world axes
} shape_kind;

extern const shape_kind sphere_kind, box_kind, ellipsoid_kind, capsule_kind, cylinder_kind, cone_kind, hull_kind,
    plane_kind, mesh_kind, height_kind, spheres_kind;

// Whether a size can be used: the engine keeps sizes in single precision, also squared.
bool shape_size_valid(double size);

// For the `validate` of shapes with a radius.
scree_status shape_check_size(double size, const char *name, const char *where, scree_error *error);

// Half extents along the world axes of a box turned by `orientation`.
vec3 turned_half_extents(quat orientation, vec3 half);

// A solid with its centroid at the shape's origin and principal axes along the shape's: moments per volume.
solid_properties solid_make(double volume, vec3 moments);

#endif
