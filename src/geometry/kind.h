// One row per type of shape: the functions that tell the types apart. A new shape is a file with its row and an entry
// in the table of shape.c.
#ifndef GEOMETRY_KIND_H
#define GEOMETRY_KIND_H

#include "geometry/proxy.h"

typedef struct shape_kind {
    bool unbounded; // then only `validate` is ever called
    scree_status (*validate)(const scree_shape_def *shape, const char *where, scree_error *error); // its sizes
    double (*volume)(const scree_shape_def *shape);
    vec3 (*moments)(const scree_shape_def *shape); // principal moments of inertia per mass, about the centroid
    // Distance to the farthest point of the shape from a point given in the shape's own frame.
    double (*reach)(const scree_shape_def *shape, vec3 from);
    vec3 (*half_extents)(const proxy *p, quat orientation); // along the world axes
} shape_kind;

extern const shape_kind sphere_kind, box_kind, plane_kind;

// Whether a size can be used: the engine keeps sizes in single precision, also squared.
bool shape_size_valid(double size);

#endif
