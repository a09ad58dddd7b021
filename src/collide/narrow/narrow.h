// Narrow phase: pairs in, contact points out.
//
// Pairs run in batches of one pair of types; narrow.c holds the table of batch functions and each family of pairs its
// own file. A batch function sees pairs whose first proxy has the smaller scree_shape_type.
#ifndef COLLIDE_NARROW_NARROW_H
#define COLLIDE_NARROW_NARROW_H

#include <stdbool.h>

#include "collide/contact.h"
#include "geometry/proxy.h"

// Points with gap <= margins[body a] + margins[body b] for every pair, appended to `out` in the order of the pairs,
// contact.a being the body of pair.a. False when out of memory.
bool narrow_phase(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out);

// Most points that a pair of these types can give.
static inline size_t narrow_most_points(uint8_t type_a, uint8_t type_b)
{
    bool sphere = type_a == SCREE_SHAPE_SPHERE || type_b == SCREE_SHAPE_SPHERE;
    if (type_a == SCREE_SHAPE_MESH || type_b == SCREE_SHAPE_MESH || type_a == SCREE_SHAPE_HEIGHTFIELD ||
        type_b == SCREE_SHAPE_HEIGHTFIELD)
        return sphere ? 8 : 16;
    return sphere ? 1 : 8;
}

// `out` may stand in memory that cannot grow: with room for the most points of all its pairs and NARROW_SLACK more,
// nothing is ever reserved beyond it.
enum { NARROW_SLACK = 16 };

// Appends the points of `count` pairs of one type combination. Each point's `a` belongs to pair.a; its feature has the
// ordinals of the proxies in the upper half and that of the shapes in the lower (narrow_pair.h).
typedef bool narrow_batch(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out);

narrow_batch narrow_sphere_sphere, narrow_sphere_box, narrow_sphere_plane, narrow_box_box, narrow_box_plane;
narrow_batch narrow_sphere_ellipsoid, narrow_ellipsoid_ellipsoid, narrow_ellipsoid_plane;
narrow_batch narrow_sphere_surface, narrow_convex_surface;                    // meshes and height fields
narrow_batch narrow_sphere_convex, narrow_convex_convex, narrow_convex_plane; // for any bounded convex shape

// The points of two boxes along the direction in which they would be nearest if their half edges were shorter by so
// much; false where they would still overlap. `out` has room for eight.
bool narrow_shrunken_boxes(const proxy_view *view, const proxy_pair *pair, double by, contact_array *out);

#endif
