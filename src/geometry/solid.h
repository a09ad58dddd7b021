// Solids bounded by triangles: are they closed, and what do they weigh.
//
// Triangles are triples of vertex indices, counter-clockwise as seen from outside.
#ifndef GEOMETRY_SOLID_H
#define GEOMETRY_SOLID_H

#include "geometry/geometry.h"

// Volume, centroid and inertia by the divergence theorem: exact but for rounding. Negative volume means that the
// triangles are inside out; of an open surface the figures mean nothing.
solid_properties solid_of_triangles(const vec3 *vertices, const uint32_t *triangles, size_t triangle_count);

// Whether the triangles bound a solid: every edge has exactly two of them, which run along it in opposite directions,
// and the volume is positive. Otherwise SCREE_ERROR_INVALID, and the message names the first offending triangle or
// edge, counting from 1, after `where`. Indices must be in range.
scree_status solid_check(const vec3 *vertices, const uint32_t *triangles, size_t triangle_count, const char *where,
                         scree_error *error);

// One direction of an edge, and the triangle that has it.
typedef struct directed_edge {
    uint32_t from, to;
    uint32_t triangle;
} directed_edge;

// The 3 * triangle_count edges ordered by their two ends, lesser index first, then by triangle: the two sides of an
// edge of a closed surface stand side by side.
void solid_sort_edges(const uint32_t *triangles, size_t triangle_count, directed_edge *edges);

#endif
