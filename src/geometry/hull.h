// Convex polyhedra: vertices, faces as polygons, and who is whose neighbour.
#ifndef GEOMETRY_HULL_H
#define GEOMETRY_HULL_H

#include "geometry/geometry.h"

// About the centroid. Faces are whole polygons (coplanar triangles are merged), counter-clockwise from outside.
typedef struct hull_geometry {
    size_t vertex_count, face_count;
    double inner_radius; // of the largest ball about the centroid within it
    vec3 *vertices;
    vec3 *normals;                           // by face: outward, unit
    double *offsets;                         // by face: normal . x <= offset inside
    uint32_t *face_start, *face_corners;     // corners of face f: face_corners[face_start[f] .. face_start[f + 1])
    double *vertex_columns, *normal_columns; // all x, all y, all z, each of hull_column_length values
    uint32_t *ring_start, *ring; // vertices joined to vertex v by an edge: ring[ring_start[v] ..], for climbing
} hull_geometry;

// Columns are filled up to a multiple of 8 with the first entry, for scans in lanes.
static inline size_t hull_column_length(size_t count)
{
    return (count + 7) / 8 * 8;
}

void hull_fill_columns(double *columns, const vec3 *from, size_t count);

// A hull with room for so much; NULL when out of memory. Vertices, face_start and face_corners are the caller's to
// fill.
hull_geometry *hull_new(size_t vertex_count, size_t face_count, size_t corner_count);

// From vertices about the internal origin and faces to a whole geometry: checks that they bound a convex solid and
// derives everything else, always to the same bits. SCREE_ERROR_INVALID says what is wrong.
scree_status hull_finish(scree_geometry *geometry, scree_error *error);

// Volume, centroid and inertia of what the faces bound.
scree_status hull_solid(const hull_geometry *hull, solid_properties *solid, scree_error *error);

#endif
