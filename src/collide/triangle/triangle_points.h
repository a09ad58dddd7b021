// The contact points of one shape on a surface of many triangles, of which a few are kept.
//
// Neighbouring triangles give the same points on their shared edges, and a wide body touches hundreds of triangles.
// Kept are, for each different normal, the deepest point and those that are farthest along eight directions across the
// normal: they span the rest. The choice depends on the points and their order only.
#ifndef COLLIDE_TRIANGLE_TRIANGLE_POINTS_H
#define COLLIDE_TRIANGLE_TRIANGLE_POINTS_H

#include "base/vec.h"

typedef struct surface_point {
    vec3 point;   // midway between the surfaces
    vec3 outward; // unit, from the surface to the shape
    double gap;
    uint32_t feature;
} surface_point;

// Most points of a sphere, and of any other shape, on a mesh or a height field.
enum { SURFACE_SPHERE_MOST = 8, SURFACE_MOST = 16, SURFACE_ROOM = 64 };

typedef struct surface_points {
    double size; // of the shape: its reach from the centre
    int count;
    surface_point points[SURFACE_ROOM];
} surface_points;

void surface_points_add(surface_points *set, const surface_point *point);

// Thins the set out to at most `most` points.
void surface_points_reduce(surface_points *set, int most);

#endif
