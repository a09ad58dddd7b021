// Contacts of a sphere, or of any other convex shape, with a surface of triangles.
//
// The rule that keeps bodies from catching on the edges inside a flat or hollow surface: a contact that pushes aside is
// real only where the neighbours of the triangle allow that direction (surface_allows); otherwise the face itself is
// what the shape touches, and the push is along its normal. Pushes lead out of the front. What has its centre behind
// the surface is pushed back through it, as long as it touches nothing from the front.
#ifndef COLLIDE_TRIANGLE_TRIANGLE_CONTACTS_H
#define COLLIDE_TRIANGLE_TRIANGLE_CONTACTS_H

#include "collide/convex/convex.h"
#include "collide/triangle/triangle.h"
#include "collide/triangle/triangle_points.h"

// Points with gap <= margin of a sphere at `center` in the surface's frame; they are relative to that centre. At most
// SURFACE_SPHERE_MOST.
void sphere_on_surface(const surface *s, vec3 center, double radius, double margin, surface_points *points);

// The same for any convex shape: its own centre is at the origin, its axes are in the surface's frame, where that
// centre stands at `center`. At most SURFACE_MOST.
void convex_on_surface(const surface *s, vec3 center, const convex *shape, double margin, surface_points *points);

// Signed distance of the two, with the shape placed in the same way. Where they overlap, or the shape is behind the
// surface, the negative depth of the deepest contact.
double convex_surface_gap(const surface *s, vec3 center, const convex *shape);

// A convex shape at the origin, seen in a frame of these axes.
static inline convex convex_turned(const convex *shape, const mat3 *axes)
{
    convex turned = *shape;
    turned.center = vec3_make(0, 0, 0);
    for (int column = 0; column < 3; column++) {
        vec3 axis = mat3_apply_transposed(axes, mat3_column(&shape->axes, column));
        turned.axes.m[0][column] = axis.x;
        turned.axes.m[1][column] = axis.y;
        turned.axes.m[2][column] = axis.z;
    }
    return turned;
}

// A triangle relative to `center`.
static inline convex convex_of_triangle(const vec3 corners[3], vec3 center)
{
    convex triangle = {.kind = CONVEX_TRIANGLE, .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    vec3 middle = vec3_scale(vec3_add(corners[0], vec3_add(corners[1], corners[2])), 1.0 / 3);
    triangle.center = vec3_sub(middle, center);
    for (int i = 0; i < 3; i++)
        triangle.corners[i] = vec3_sub(corners[i], middle);
    return triangle;
}

#endif
