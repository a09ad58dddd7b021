// Contacts of a sphere, or of any other convex shape, with a surface of triangles.
//
// What keeps bodies from catching on the edges inside a flat or hollow surface: a contact that pushes aside is real
// only where the neighbours of the triangle allow that direction (surface_allows); otherwise the face itself is what
// the shape touches, and the push is along its normal. Pushes lead out of the front. What has its centre behind the
// surface is pushed back through it, as long as it touches nothing from the front.
#ifndef COLLIDE_TRIANGLE_CONTACTS_H
#define COLLIDE_TRIANGLE_CONTACTS_H

#include "collide/convex.h"
#include "collide/triangle.h"
#include "collide/triangle_points.h"

// Points with gap <= margin of a sphere at `centre` in the surface's frame; they are relative to that centre. At most
// SURFACE_SPHERE_MOST.
void sphere_on_surface(const surface *s, vec3 centre, double radius, double margin, surface_points *points);

// The same for any convex shape: its own centre is at the origin, its axes are in the surface's frame, where that
// centre stands at `centre`. At most SURFACE_MOST.
void convex_on_surface(const surface *s, vec3 centre, const convex *shape, double margin, surface_points *points);

#endif
