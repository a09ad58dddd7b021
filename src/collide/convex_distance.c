// Signed distance of two convex shapes: of their cores by GJK, or by an expanding polytope where they overlap, less the
// radii about them.
#include "collide/depth.h"

bool convex_find_distance(const convex *a, const convex *b, double limit, convex_distance *distance)
{
    difference d = {.a = a, .b = b};
    double radii = a->radius + b->radius;
    gjk_result found;
    gjk_outcome outcome = gjk_distance(&d, vec3_sub(a->centre, b->centre), limit + radii, &found);
    if (outcome == GJK_BEYOND)
        return false;
    if (outcome == GJK_APART) {
        distance->gap = found.distance - radii;
        distance->normal = found.normal;
        simplex_witness(&found.simplex, &distance->on_a, &distance->on_b);
    } else {
        depth_result deep;
        find_depth(&d, &found, &deep);
        distance->gap = -deep.depth - radii;
        distance->normal = deep.normal;
        distance->on_a = deep.on_a;
        distance->on_b = deep.on_b;
    }
    // The two points are a distance apart along the normal but for rounding; the radii and rounding go to both alike.
    vec3 middle = vec3_scale(vec3_add(distance->on_a, distance->on_b), 0.5);
    double shift = 0.5 * (a->radius - b->radius);
    distance->on_a = vec3_add_scaled(middle, distance->normal, shift - 0.5 * distance->gap);
    distance->on_b = vec3_add_scaled(middle, distance->normal, shift + 0.5 * distance->gap);
    return distance->gap <= limit;
}
