// Geometry too large for a shape definition: convex hulls, triangle meshes, height fields, sphere sets.
//
// A geometry never changes once made. Shapes, worlds and threads may share it; it lives until its last reference is
// released. Points stand where they were given: in the frame of the shape that uses the geometry.
#ifndef SCREE_GEOMETRY_H
#define SCREE_GEOMETRY_H

#include <stddef.h>

#include "scree/status.h"
#include "scree/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_geometry scree_geometry;

// The convex hull of at least four points that do not lie in one plane. SCREE_ERROR_INVALID in a build without qhull.
SCREE_API scree_status scree_hull_create(const scree_vec3 *points, size_t count, scree_geometry **geometry,
                                         scree_error *error);

// Triangles as triples of vertex indices, counter-clockwise as seen from outside. Contacts push out of the front.
SCREE_API scree_status scree_mesh_create(const scree_vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                                         size_t triangle_count, scree_geometry **geometry, scree_error *error);

// Heights over a rectangle about the origin of x and y: samples row by row, x fastest, both from the negative side.
typedef struct scree_heightfield_def {
    size_t columns, rows; // of samples, each >= 2
    double width, depth;  // of the rectangle along x and y, from the first sample to the last [length]
    const float *heights; // [rows][columns] [length]
} scree_heightfield_def;

SCREE_API scree_status scree_heightfield_create(const scree_heightfield_def *def, scree_geometry **geometry,
                                                scree_error *error);

typedef struct scree_ball {
    scree_vec3 position;
    double radius; // > 0
} scree_ball;

// Mass of a sphere set: of each sphere in full, overlaps counting twice, unless `body` says what they stand for.
typedef struct scree_solid {
    double volume; // > 0
    scree_vec3 centroid;
    double inertia[6]; // xx, yy, zz, xy, xz, yz of the matrix about the centroid, at density 1
} scree_solid;

SCREE_API scree_status scree_spheres_create(const scree_ball *balls, size_t count, const scree_solid *body,
                                            scree_geometry **geometry, scree_error *error);

// How the numbers of a file are taken.
typedef struct scree_file_options {
    double scale;        // hull, mesh, spheres: points times this; heightfield: height = offset + scale * sample; > 0
    double width, depth; // heightfield: of the rectangle; 0: one unit between samples, or as the file says [length]
    double offset;       // heightfield [length]
} scree_file_options;

// Scale 1, all else 0.
SCREE_API scree_file_options scree_default_file_options(void);

// A geometry of `type` (SCREE_SHAPE_HULL, SCREE_SHAPE_MESH, SCREE_SHAPE_HEIGHTFIELD or SCREE_SHAPE_SPHERES) from a
// file, whose ending says what is in it. Hulls and meshes: .obj, .stl, .ply, .inp. Height fields: .png of 8 or 16 bits,
// whose samples are from 0 to 1; .tif, .tiff; .txt and .asc, rows of numbers; the first row has the largest y. Spheres:
// .txt or .spheres, a line "x y z r" each. `options` may be NULL.
SCREE_API scree_status scree_geometry_load(scree_shape_type type, const char *path, const scree_file_options *options,
                                           scree_geometry **geometry, scree_error *error);

// One more reference to it, and one less; the last one frees. Both accept NULL. Safe from any thread.
SCREE_API scree_geometry *scree_geometry_retain(const scree_geometry *geometry);
SCREE_API void scree_geometry_release(const scree_geometry *geometry);

#ifdef __cplusplus
}
#endif

#endif
