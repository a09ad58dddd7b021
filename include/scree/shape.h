// Shapes: what a body is made of. A shape is a plain definition; the world keeps its own copy.
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include <stdbool.h>

#include "scree/geometry.h"
#include "scree/status.h"
#include "scree/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_MATERIAL_OF_BODY = -1 };

typedef struct scree_shape_def {
    scree_shape_type type;
    scree_vec3 position;            // of the shape's origin in the body's frame [length]
    scree_quat orientation;         // of the shape in the body's frame; normalised on use, must not be zero
    int material;                   // index from scree_world_add_material, or SCREE_MATERIAL_OF_BODY
    double radius;                  // sphere, capsule, cylinder, cone (of its base): > 0 [length]
    double half_length;             // capsule (without its caps), cylinder, cone: half its length along z, > 0 [length]
    scree_vec3 half;                // box: half edge lengths, each > 0 [length]
    scree_vec3 radii;               // ellipsoid: semi-axes, each > 0 [length]
    scree_vec3 normal;              // plane: outward normal, normalised on use, must not be zero
    double offset;                  // plane: the solid side is normal . x < offset [length]
    const scree_geometry *geometry; // hull, mesh, heightfield, spheres: made for that type; bodies keep a reference
} scree_shape_def;

// A unit-less sphere of radius 0.5 at the origin, identity orientation, material of the body.
SCREE_API scree_shape_def scree_default_shape_def(void);

// Where a body's frame, or a shape, stands in the world.
typedef struct scree_pose {
    scree_vec3 position;
    scree_quat orientation;
} scree_pose;

// Signed distance between two shapes standing at two body poses: negative where they overlap, then the depth of the
// shallowest way out. Two planes are never apart: -infinity. Two of mesh, heightfield and plane: SCREE_ERROR_INVALID.
SCREE_API scree_status scree_shape_gap(const scree_shape_def *a, const scree_pose *pose_a, const scree_shape_def *b,
                                       const scree_pose *pose_b, double *gap, scree_error *error);

// Distance from the body frame's origin to the farthest point of the shape; infinity for a plane.
SCREE_API double scree_shape_reach(const scree_shape_def *shape);

// Volume of the shape; infinity for a plane, 0 for an open mesh and a height field.
SCREE_API double scree_shape_volume(const scree_shape_def *shape);

#ifdef __cplusplus
}
#endif

#endif
