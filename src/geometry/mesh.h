// Triangle meshes: vertices, triangles, which edges they share, and a tree of boxes over them.
//
// Edges are half edges: 3 t + e is edge e of triangle t, from its corner e to the next one, counter-clockwise as seen
// from the front. Whether an edge is convex, flat or concave follows from the two triangles that share it, and normals
// from the corners: neither is stored, which keeps a mesh at about 70 bytes per triangle.
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include "geometry/bvh.h"
#include "geometry/geometry.h"

#define MESH_NO_EDGE UINT32_MAX

typedef struct mesh_geometry {
    size_t vertex_count, triangle_count;
    vec3 *vertices; // about the middle of the mesh's box
    uint32_t (*triangles)[3];
    uint32_t (*opposite)[3]; // the half edge on the other side of each; MESH_NO_EDGE on the rim of an open mesh
    bool closed;             // no rim
    bvh tree;                // over the triangles
} mesh_geometry;

static inline void mesh_corners(const mesh_geometry *mesh, uint32_t triangle, vec3 corners[3])
{
    const uint32_t *corner = mesh->triangles[triangle];
    for (int i = 0; i < 3; i++)
        corners[i] = mesh->vertices[corner[i]];
}

#endif
