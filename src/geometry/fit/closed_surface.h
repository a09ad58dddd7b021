// The surface of a solid as something to measure against: the nearest point, and which side a point is on.
//
// The side is told by pseudonormals (Baerentzen and Aanaes, Signed distance computation using the angle weighted
// pseudonormal, 2005): right for every closed surface of consistent winding, however sharp its edges.
#ifndef GEOMETRY_FIT_CLOSED_SURFACE_H
#define GEOMETRY_FIT_CLOSED_SURFACE_H

#include "geometry/bvh.h"

typedef struct closed_surface {
    const vec3 *vertices; // the caller's
    const uint32_t *triangles;
    size_t vertex_count, triangle_count;
    vec3 *face_normals;   // unit
    vec3 *edge_normals;   // three per triangle: sum of the normals on both sides
    vec3 *vertex_normals; // weighted by angle
    bvh tree;
} closed_surface;

// Makes the surface of triangles that passed solid_check; vertices and triangles must live as long. False when out of
// memory.
bool closed_surface_make(closed_surface *surface, const vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                         size_t triangle_count);
void closed_surface_free(closed_surface *surface);

// Signed distance: negative outside.
double closed_surface_depth(const closed_surface *surface, vec3 point, vec3 *nearest);

// Radius of the largest ball inside that touches the surface at `point`, whose outward normal is `normal`: half the
// local thickness; or `most`, if that is less. By shrinking a ball until nothing is in it (Ma, Bae and Choi, 2012).
double closed_surface_half_thickness(const closed_surface *surface, vec3 point, vec3 normal, double most);

#endif
