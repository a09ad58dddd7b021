// Single triangles, and lists of them by the indices of their corners. Corners run counter-clockwise as seen from the
// front.
#ifndef GEOMETRY_TRIANGLE_MATH_H
#define GEOMETRY_TRIANGLE_MATH_H

#include "geometry/bvh.h"

// The way out of the front, unit; zero for a triangle without area.
static inline vec3 triangle_normal(const vec3 corners[3])
{
    return vec3_normalize(vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0])));
}

// The point of a triangle that is nearest to `point`. Bit i of `features` is set where corner i takes part: all three
// inside the face, two on an edge, one at a corner.
enum { TRIANGLE_FACE = 7 };
vec3 triangle_nearest(const vec3 corners[3], vec3 point, int *features);

// The edge that features name, by the corner it starts from; -1 when they are not an edge.
static inline int triangle_edge(int features)
{
    return features == 3 ? 0 : features == 6 ? 1 : features == 5 ? 2 : -1;
}

// The corner, when they are one.
static inline uint32_t triangle_corner(int features)
{
    return features == 1 ? 0 : features == 2 ? 1 : 2;
}

// Between the two edges that meet at a corner.
double triangle_angle(const vec3 corners[3], int corner);

// Finds where the ray origin + t direction meets a triangle, from either side; false where it does not. Rays that run
// through an edge meet one at least of the triangles that share it.
bool triangle_ray(const vec3 corners[3], vec3 origin, vec3 direction, double *t);

// Triangle t of a list has the vertices triangles[3 t] to triangles[3 t + 2].
static inline void triangles_corners(const vec3 *vertices, const uint32_t *triangles, size_t t, vec3 corners[3])
{
    for (size_t i = 0; i < 3; i++)
        corners[i] = vertices[triangles[3 * t + i]];
}

// The box of a list that is not empty; vertices that no triangle uses do not count.
void triangles_bounds(const vec3 *vertices, const uint32_t *triangles, size_t count, vec3 *low, vec3 *high);

// A tree over the triangles of a list. False when out of memory; then it is empty.
bool triangles_tree(const vec3 *vertices, const uint32_t *triangles, size_t count, bvh *tree);

#endif
