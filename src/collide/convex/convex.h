// Convex shapes as the general algorithms see them: a support function, the flat or straight feature that faces a
// direction, and a place. Everything in double, in the world's axes, about an origin near the pair.
#ifndef COLLIDE_CONVEX_CONVEX_H
#define COLLIDE_CONVEX_CONVEX_H

#include "geometry/hull.h"
#include "geometry/proxy.h"

typedef enum convex_kind {
    CONVEX_POINT,   // a sphere is a point with a radius
    CONVEX_SEGMENT, // along z; a capsule is a segment with a radius
    CONVEX_TRIANGLE,
    CONVEX_BOX,
    CONVEX_ELLIPSOID,
    CONVEX_CYLINDER,
    CONVEX_CONE,
    CONVEX_HULL,
} convex_kind;

// A core that the kind describes, and everything within `radius` of it.
typedef struct convex {
    convex_kind kind;
    double radius;
    vec3 size; // box: half edges; ellipsoid: radii; segment: -, -, half length; cylinder, cone: radius, -, half length
    const hull_geometry *hull;
    vec3 corners[3]; // triangle, in the shape's axes about its centre
    vec3 center;
    mat3 axes; // columns are the shape's axes in the world
} convex;

// The convex shape of a bounded convex proxy, with its centre at `center`.
convex convex_of_proxy(const proxy_view *view, const proxy *p, vec3 center);

// The point of the core that is farthest along a direction (which need not be a unit vector).
vec3 convex_support(const convex *shape, vec3 direction);

// The same, climbing from vertex *start of a hull, which then is where the climb ended. Other kinds ignore it.
vec3 convex_support_from(const convex *shape, vec3 direction, uint32_t *start);

// Whether the core has a curved surface: then polyhedra only ever come near it.
static inline bool convex_is_curved(const convex *shape)
{
    return shape->kind == CONVEX_ELLIPSOID || shape->kind == CONVEX_CYLINDER || shape->kind == CONVEX_CONE;
}

// Signed distance of two convex shapes.
typedef struct convex_distance {
    double gap;      // negative: the depth of the shallowest way out
    vec3 normal;     // unit, from a to b
    vec3 on_a, on_b; // on the surfaces, gap apart along the normal
} convex_distance;

// False, with nothing more found out, when the shapes are farther than `limit` apart.
bool convex_find_distance(const convex *a, const convex *b, double limit, convex_distance *distance);

// The points in which two shapes touch: one for round shapes, up to MANIFOLD_MOST where flat faces, edges or sides
// meet.
enum { MANIFOLD_MOST = 8 };

// The sine of the angle up to which two lines may touch along them.
#define CONVEX_PARALLEL 0.02

typedef struct manifold_point {
    vec3 point; // midway between the surfaces
    double gap;
    uint32_t feature; // tells points of one pair of shapes apart from step to step
} manifold_point;

typedef struct manifold {
    vec3 normal; // unit, from a to b
    int count;
    manifold_point points[MANIFOLD_MOST];
} manifold;

// Points with gap <= margin. False when there are none.
bool convex_manifold(const convex *a, const convex *b, double margin, manifold *out);

// The same for a normal that is known already, such as that of a mesh's face: the features of both shapes that face
// each other along it, clipped. `gap` is the distance of the shapes along the normal.
bool convex_manifold_along(const convex *a, const convex *b, vec3 normal, double margin, manifold *out);

#endif
