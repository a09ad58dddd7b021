// Meshes and height fields as one thing: a surface of triangles with half edges (geometry/mesh.h), and what contacts
// and queries ask of it. Everything in the surface's own frame.
#ifndef COLLIDE_TRIANGLE_TRIANGLE_H
#define COLLIDE_TRIANGLE_TRIANGLE_H

#include "geometry/height.h"
#include "geometry/mesh.h"
#include "geometry/triangle_math.h"

typedef struct surface { // one of the two is NULL
    const mesh_geometry *mesh;
    const height_geometry *height;
} surface;

static inline surface surface_of(const scree_geometry *geometry)
{
    return geometry->type == SCREE_SHAPE_MESH ? (surface){.mesh = geometry->mesh}
                                              : (surface){.height = geometry->height};
}

static inline void surface_corners(const surface *s, uint32_t triangle, vec3 corners[3])
{
    if (s->mesh)
        mesh_corners(s->mesh, triangle, corners);
    else
        height_corners(s->height, triangle, corners);
}

static inline uint32_t surface_opposite(const surface *s, uint32_t edge)
{
    return s->mesh ? s->mesh->opposite[edge / 3][edge % 3] : height_opposite(s->height, edge);
}

// Triangles whose boxes may overlap a box:
//
//     surface_walk walk = surface_walk_box(&s, low, high);
//     while (surface_next(&walk, &triangle)) ...
typedef struct surface_walk {
    const surface *s;
    bvh_walk tree;      // mesh
    height_cells cells; // height field: whatever reaches up to `low`
    size_t column, row;
    double low;
    int half; // of a cell: 2 when both triangles are given
    bool done;
} surface_walk;

surface_walk surface_walk_box(const surface *s, vec3 low, vec3 high);
bool surface_next(surface_walk *walk, uint32_t *triangle);

// The triangles round a vertex, each by its half edge that starts there; `open` is true in the end where the fan has a
// rim:
//
//     surface_fan around = {.s = &s, .start = edge};
//     while (surface_fan_next(&around, &edge)) ...
typedef struct surface_fan {
    const surface *s;
    uint32_t start, edge;
    bool begun, back, open;
} surface_fan;

bool surface_fan_next(surface_fan *fan, uint32_t *edge);

static inline uint32_t edge_next(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static inline uint32_t edge_before(uint32_t edge)
{
    return edge % 3 == 0 ? edge + 2 : edge - 1;
}

// Whether something that touches the given features of a triangle may push along `outward`: then no triangle around
// rises over the plane across it. On a convex edge those are the directions between the two normals; on a flat one only
// the normal itself; on a concave edge none. On the rim all directions away from the surface are.
bool surface_allows(const surface *s, uint32_t triangle, int features, vec3 outward, double tolerance);

// Whether a point whose nearest point of the surface is on these features, `away` from it, is in front. That is so by
// the normals around, weighted by their angles (Baerentzen and Aanaes 2005), and always beside a rim.
bool surface_is_front(const surface *s, uint32_t triangle, int features, vec3 away);

// Whether the given features of a triangle, not its face, are on the rim.
bool surface_is_rim(const surface *s, uint32_t triangle, int features);

// Whether any edge of a triangle is convex, by more than a small angle, or on the rim.
bool surface_has_ridge(const surface *s, uint32_t triangle);

// First hit of the ray origin + t direction with 0 <= t <= limit, from either side.
typedef struct surface_hit {
    double t;
    vec3 normal; // of the front
    uint32_t triangle;
} surface_hit;

bool surface_ray(const surface *s, vec3 origin, vec3 direction, double limit, surface_hit *hit);

// The nearest point of the surface within `limit`; false when there is none. The distance is negative behind the
// surface: inside of a closed mesh, under a height field.
typedef struct surface_place {
    double distance;
    vec3 point;
    vec3 normal; // of the triangle's front
    uint32_t triangle;
} surface_place;

bool surface_nearest(const surface *s, vec3 point, double limit, surface_place *place);

#endif
