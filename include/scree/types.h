// Plain value types shared by all public headers.
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_vec3 {
    double x, y, z;
} scree_vec3;

typedef struct scree_quat {
    double w, x, y, z;
} scree_quat;

// Shapes have their centroid at their own origin; hulls, meshes, height fields and sphere sets stand as their points
// say. The long axis of capsule, cylinder and cone is z.
typedef enum scree_shape_type {
    SCREE_SHAPE_SPHERE,
    SCREE_SHAPE_BOX,
    SCREE_SHAPE_ELLIPSOID,
    SCREE_SHAPE_CAPSULE,
    SCREE_SHAPE_CYLINDER,
    SCREE_SHAPE_CONE,        // apex towards +z, base at -half_length / 2
    SCREE_SHAPE_HULL,        // a convex polyhedron
    SCREE_SHAPE_PLANE,       // unbounded half space; fixed bodies only
    SCREE_SHAPE_MESH,        // a surface of triangles; fixed bodies only
    SCREE_SHAPE_HEIGHTFIELD, // ground over a rectangle, solid below; fixed bodies only
    SCREE_SHAPE_SPHERES,     // a sphere set: the body gets its spheres as shapes of their own
    SCREE_SHAPE_TYPES,
} scree_shape_type;

// A body's name for its whole life. Ids count up from 1 in order of creation and are never used again;
// 0 is no body.
typedef uint64_t scree_id;

#ifdef __cplusplus
}
#endif

#endif
