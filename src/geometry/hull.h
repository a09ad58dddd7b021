// Convex polyhedra: vertices, faces as polygons, and who is whose neighbour.
#ifndef GEOMETRY_HULL_H
#define GEOMETRY_HULL_H

#include "geometry/geometry.h"

// About the centroid. Faces are whole polygons (coplanar triangles are merged), counter-clockwise from outside.
typedef struct hull_geometry {
    size_t vertex_count, face_count;
    vec3 *vertices;
    vec3 *normals;                       // by face: outward, unit
    double *offsets;                     // by face: normal . x <= offset inside
    uint32_t *face_start, *face_corners; // corners of face f: face_corners[face_start[f] .. face_start[f + 1])
    uint32_t *ring_start, *ring;         // vertices joined to vertex v by an edge: ring[ring_start[v] ..], for climbing
} hull_geometry;

#endif
