// Signed distance of two convex shapes: of their cores in closed form where one is a point or both are segments, else
// by GJK, or by an expanding polytope where they overlap; less the radii about them.
#include "collide/convex/depth.h"
#include "collide/convex/point_distance.h"

// The distance of the cores in the closed form for a point and another core. `side` is +1 when the point is a.
static bool distance_of_point(const convex *ball, const convex *other, double side, convex_distance *distance)
{
    vec3 outward;
    if (!point_distance(other, ball->center, &distance->gap, &outward))
        return false;
    vec3 on_other = vec3_add_scaled(ball->center, outward, -distance->gap);
    distance->normal = vec3_scale(outward, -side);
    distance->on_a = side > 0 ? ball->center : on_other;
    distance->on_b = side > 0 ? on_other : ball->center;
    return true;
}

// The nearest points of two segments: of the lines where that is on both, else from the end that is beyond (Lumelsky
// 1985). False when they all but touch: then the direction is lost.
static bool distance_of_segments(const convex *a, const convex *b, convex_distance *distance)
{
    vec3 u = mat3_column(&a->axes, 2), v = mat3_column(&b->axes, 2), between = vec3_sub(b->center, a->center);
    double half_a = a->size.z, half_b = b->size.z, cosine = vec3_dot(u, v);
    double along_a = vec3_dot(u, between), along_b = vec3_dot(v, between);
    double square = vec3_dot(vec3_cross(u, v), vec3_cross(u, v));
    double s = square > 1e-20 ? (along_a - cosine * along_b) / square : 0;
    s = fmin(fmax(s, -half_a), half_a);
    double t = fmin(fmax(cosine * s - along_b, -half_b), half_b);
    s = fmin(fmax(along_a + cosine * t, -half_a), half_a);
    distance->on_a = vec3_add_scaled(a->center, u, s);
    distance->on_b = vec3_add_scaled(b->center, v, t);
    vec3 apart = vec3_sub(distance->on_b, distance->on_a);
    distance->gap = vec3_length(apart);
    if (!(distance->gap > 1e-9 * (half_a + half_b)))
        return false;
    distance->normal = vec3_scale(apart, 1 / distance->gap);
    return true;
}

static bool find_closed_form(const convex *a, const convex *b, convex_distance *distance)
{
    if (a->kind == CONVEX_POINT)
        return distance_of_point(a, b, 1, distance);
    if (b->kind == CONVEX_POINT)
        return distance_of_point(b, a, -1, distance);
    return a->kind == CONVEX_SEGMENT && b->kind == CONVEX_SEGMENT && distance_of_segments(a, b, distance);
}

// The distance of the cores, by iteration.
static bool iterate(const convex *a, const convex *b, double limit, convex_distance *distance)
{
    difference d = {.a = a, .b = b};
    gjk_result found;
    gjk_outcome outcome = gjk_distance(&d, vec3_sub(a->center, b->center), limit, &found);
    if (outcome == GJK_BEYOND)
        return false;
    if (outcome == GJK_APART) {
        *distance = (convex_distance){.gap = found.distance, .normal = found.normal};
        simplex_witness(&found.simplex, &distance->on_a, &distance->on_b);
        return true;
    }
    depth_result deep;
    find_depth(&d, &found, &deep);
    *distance = (convex_distance){-deep.depth, deep.normal, deep.on_a, deep.on_b};
    return true;
}

bool convex_find_distance(const convex *a, const convex *b, double limit, convex_distance *distance)
{
    double radii = a->radius + b->radius;
    if (!find_closed_form(a, b, distance) && !iterate(a, b, limit + radii, distance))
        return false;
    distance->gap -= radii;
    // The two points are a distance apart along the normal but for rounding; the radii and rounding go to both alike.
    vec3 middle = vec3_scale(vec3_add(distance->on_a, distance->on_b), 0.5);
    double shift = 0.5 * (a->radius - b->radius);
    distance->on_a = vec3_add_scaled(middle, distance->normal, shift - 0.5 * distance->gap);
    distance->on_b = vec3_add_scaled(middle, distance->normal, shift + 0.5 * distance->gap);
    return distance->gap <= limit;
}
