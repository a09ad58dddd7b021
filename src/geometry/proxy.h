// Proxies: the form in which shapes take part in collision detection, and the view of a world that detection reads.
//
// A proxy is one shape of one body in 24 bytes. Bodies of several shapes have several proxies, side by side. A shape
// of up to three numbers lives in the proxy itself; larger geometry lives in a table that `geometry` points into.
#ifndef GEOMETRY_PROXY_H
#define GEOMETRY_PROXY_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "scree/shape.h"

typedef struct proxy {
    union {
        float
            size[3]; // sphere: radius; box: half edges; ellipsoid: radii; capsule, cylinder, cone: radius, half length
        uint32_t geometry; // plane: index into proxy_view.planes; hull, mesh, heightfield: into proxy_view.geometries
    };
    uint32_t body;          // slot of the owner
    uint32_t local;         // index into proxy_view.locals; 0 is the identity, so most proxies need no look-up
    uint32_t type : 5;      // scree_shape_type
    uint32_t material : 10; // MOST_MATERIALS
    uint32_t ordinal : 17;  // of this shape within its body, modulo 2^17: tells features of compound bodies apart
} proxy;

enum { MOST_MATERIALS = 1 << 10 };

// A shape's place in its body's internal frame (centre of mass, principal axes).
typedef struct local_pose {
    vec3 position;
    quat orientation;
} local_pose;

// In the shape's own frame: the solid side is normal . x < offset.
typedef struct plane_geometry {
    vec3 normal;
    double offset;
} plane_geometry;

// The part of a world that detection reads. Arrays are indexed by proxy, by table, or by body slot as noted.
typedef struct proxy_view {
    const proxy *proxies; // in the order of their bodies' slots
    size_t proxy_count;
    const uint32_t *first_proxy;             // by slot, one more: those of a body begin there; NULL: not known
    const local_pose *locals;                // by proxy.local
    const plane_geometry *planes;            // by proxy.geometry of planes
    const scree_geometry *const *geometries; // by proxy.geometry of hulls, meshes and height fields
    size_t geometry_count;
    const vec3 *centers;              // by slot: centre of mass
    const quat *orientations;         // by slot: of the internal frame
    const vec3 *half_extents;         // by proxy, along the world's axes; NULL: found when asked for
    const float *margins;             // by slot: how far outside the surface contacts are wanted, >= 0
    const uint8_t *immovable;         // by slot: 1 for fixed bodies; two of them never pair
    const uint64_t *ids;              // by slot: names that stay when slots move; NULL: slots are names
    const struct pair_filter *filter; // which other bodies do not pair (collide/filter.h); NULL: all do
    size_t body_count;
} proxy_view;

static inline bool proxy_has_geometry(const proxy *p)
{
    return p->type == SCREE_SHAPE_HULL || p->type == SCREE_SHAPE_MESH || p->type == SCREE_SHAPE_HEIGHTFIELD;
}

// Which of two bodies comes first where their order decides the result.
static inline bool body_is_before(const proxy_view *view, uint32_t a, uint32_t b)
{
    return view->ids ? view->ids[a] < view->ids[b] : a < b;
}

// Is a body one sphere around its centre of mass? The view knows first_proxy.
static inline bool body_is_sphere(const proxy_view *view, size_t slot)
{
    uint32_t first = view->first_proxy[slot];
    const proxy *only = &view->proxies[first];
    return view->first_proxy[slot + 1] == first + 1 && only->type == SCREE_SHAPE_SPHERE && only->local == 0;
}

// Centre of a proxy's shape in the world.
static inline vec3 proxy_center(const proxy_view *view, const proxy *p)
{
    vec3 center = view->centers[p->body];
    if (p->local == 0)
        return center;
    return vec3_add(center, quat_rotate(view->orientations[p->body], view->locals[p->local].position));
}

// Orientation of a proxy's shape in the world.
static inline quat proxy_orientation(const proxy_view *view, const proxy *p)
{
    quat orientation = view->orientations[p->body];
    if (p->local == 0)
        return orientation;
    return quat_multiply(orientation, view->locals[p->local].orientation);
}

#endif
