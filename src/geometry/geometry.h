// The inside of scree_geometry: what every kind of large geometry has, and a pointer to the rest.
//
// Inside, points are kept about an origin of the engine's choice, the centroid of a hull and the middle of the box of a
// mesh, so that bounds are tight and single precision is enough; `origin` says where that is in the frame of the user.
#ifndef GEOMETRY_GEOMETRY_H
#define GEOMETRY_GEOMETRY_H

#include <stdatomic.h>

#include "base/array.h"
#include "base/vec.h"
#include "scree/geometry.h"
#include "scree/shape.h"

typedef struct solid_properties { // at density 1
    double volume;
    vec3 centroid;
    mat3 inertia; // about the centroid
} solid_properties;

struct scree_geometry {
    atomic_size_t references;
    scree_shape_type type;
    vec3 origin;            // of the internal frame, in the user's; the axes are the same
    vec3 half;              // of a box about the internal origin that holds everything
    double radius;          // of a ball about the internal origin that holds everything
    solid_properties solid; // in the internal frame; volume 0 when there is no inside
    union {
        struct hull_geometry *hull;     // hull.h
        struct mesh_geometry *mesh;     // mesh.h
        struct height_geometry *height; // height.h
        struct sphere_set *spheres;     // sphere_set.h
    };
};

// An empty geometry with one reference; NULL when out of memory.
scree_geometry *geometry_new(scree_shape_type type);

// Called when the last reference goes.
void hull_free(struct hull_geometry *hull);
void mesh_free(struct mesh_geometry *mesh);
void height_free(struct height_geometry *height);
void sphere_set_free(struct sphere_set *spheres);

// A geometry as two plain arrays, for snapshots; unpacking checks everything, and gives back the same bits.
typedef struct geometry_parts {
    ARRAY(double) reals;
    ARRAY(uint32_t) words;
} geometry_parts;

typedef struct packed_geometry {
    const double *reals;
    const uint32_t *words;
    size_t real_count, word_count;
} packed_geometry;

// Appends; false when out of memory. Sphere sets are never packed: bodies have their spheres.
bool geometry_pack(const scree_geometry *geometry, geometry_parts *to);
scree_status geometry_unpack(scree_shape_type type, const packed_geometry *from, scree_geometry **geometry,
                             scree_error *error);

bool hull_pack(const scree_geometry *geometry, geometry_parts *to);
bool mesh_pack(const scree_geometry *geometry, geometry_parts *to);
bool height_pack(const scree_geometry *geometry, geometry_parts *to);
scree_status hull_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error);
scree_status mesh_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error);
scree_status height_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error);

// Box and ball about the origin that hold the points.
void geometry_set_bounds(scree_geometry *geometry, const vec3 *points, size_t count);

#endif
