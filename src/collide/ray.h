// Rays against shapes: where a ray first meets one, and the surface's outward normal there.
#ifndef COLLIDE_RAY_H
#define COLLIDE_RAY_H

#include "geometry/proxy.h"

typedef struct ray {
    vec3 origin, direction; // unit
} ray;

typedef struct ray_hit {
    double distance; // 0 when the ray begins inside the shape
    vec3 normal;     // unit, outward; against the ray when it begins inside
} ray_hit;

// A ray in the world against a proxy, up to a distance of `limit`.
bool ray_meets_proxy(const proxy_view *view, const proxy *p, const ray *r, double limit, ray_hit *hit);

#endif
