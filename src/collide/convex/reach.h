// How far a proxy is from a point, and whether two proxies of any kinds are near each other: for queries, one at a
// time.
#ifndef COLLIDE_CONVEX_REACH_H
#define COLLIDE_CONVEX_REACH_H

#include "geometry/proxy.h"

typedef struct point_reach {
    double distance; // signed: negative inside
    vec3 point;      // on the surface
    vec3 normal;     // unit, outward
} point_reach;

// False when the proxy is farther than `limit` from the point.
bool point_reaches_proxy(const proxy_view *view, const proxy *p, vec3 point, double limit, point_reach *reach);

// Whether a bounded convex proxy of one view is within a distance of any proxy of another view.
bool proxy_reaches_proxy(const proxy_view *view_a, const proxy *a, const proxy_view *view_b, const proxy *b,
                         double within);

#endif
