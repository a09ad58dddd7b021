#include "collide/convex/reach.h"

#include "collide/convex/convex.h"
#include "collide/triangle/triangle.h"

static bool is_surface(const proxy *p)
{
    return p->type == SCREE_SHAPE_MESH || p->type == SCREE_SHAPE_HEIGHTFIELD;
}

// ------------------------------------------------------------------------------------------------------------- points

// All in the frame of the proxy; `limit` may be negative once an inside was found.
static bool reach_plane(const plane_geometry *plane, vec3 local, double limit, point_reach *reach)
{
    double height = vec3_dot(plane->normal, local) - plane->offset;
    *reach = (point_reach){height, vec3_add_scaled(local, plane->normal, -height), plane->normal};
    return height <= limit;
}

static bool reach_surface(const surface *s, vec3 local, double limit, point_reach *reach)
{
    surface_place place;
    if (!surface_nearest(s, local, limit < 0 ? HUGE_VAL : limit, &place) || place.distance > limit)
        return false;
    *reach = (point_reach){place.distance, place.point, place.normal};
    return true;
}

static bool reach_convex(const proxy_view *view, const proxy *p, vec3 away, double limit, point_reach *reach)
{
    convex shape = convex_of_proxy(view, p, vec3_make(0, 0, 0));
    convex point = {.kind = CONVEX_POINT, .center = away, .axes = mat3_from_quat(quat_identity())};
    convex_distance found;
    if (!convex_find_distance(&shape, &point, limit < 0 ? 0 : limit, &found) || found.gap > limit)
        return false;
    *reach = (point_reach){found.gap, found.on_a, found.normal};
    return true;
}

bool point_reaches_proxy(const proxy_view *view, const proxy *p, vec3 point, double limit, point_reach *reach)
{
    vec3 center = proxy_center(view, p), away = vec3_sub(point, center);
    if (!is_surface(p) && p->type != SCREE_SHAPE_PLANE) {
        bool found = reach_convex(view, p, away, limit, reach);
        reach->point = vec3_add(reach->point, center);
        return found;
    }
    quat axes = proxy_orientation(view, p);
    vec3 local = quat_rotate_back(axes, away);
    bool found;
    if (p->type == SCREE_SHAPE_PLANE) {
        found = reach_plane(&view->planes[p->geometry], local, limit, reach);
    } else {
        surface s = surface_of(view->geometries[p->geometry]);
        found = reach_surface(&s, local, limit, reach);
    }
    if (!found)
        return false;
    reach->point = vec3_add(center, quat_rotate(axes, reach->point));
    reach->normal = quat_rotate(axes, reach->normal);
    return true;
}

// ------------------------------------------------------------------------------------------------------------- shapes

static bool convex_reaches_plane(const convex *shape, const proxy_view *view, const proxy *plane, vec3 center,
                                 double within)
{
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 normal = quat_rotate(proxy_orientation(view, plane), geometry->normal);
    vec3 lowest = convex_support(shape, vec3_negate(normal));
    return vec3_dot(normal, vec3_sub(lowest, center)) - shape->radius - geometry->offset <= within;
}

// Near a triangle, or with its centre behind the surface.
static bool convex_reaches_surface(const convex *shape, const surface *s, double within)
{
    vec3 half;
    half.x = convex_support(shape, vec3_make(1, 0, 0)).x - convex_support(shape, vec3_make(-1, 0, 0)).x;
    half.y = convex_support(shape, vec3_make(0, 1, 0)).y - convex_support(shape, vec3_make(0, -1, 0)).y;
    half.z = convex_support(shape, vec3_make(0, 0, 1)).z - convex_support(shape, vec3_make(0, 0, -1)).z;
    double more = shape->radius + within;
    half = vec3_add(half, vec3_make(more, more, more));
    surface_walk walk = surface_walk_box(s, vec3_sub(shape->center, half), vec3_add(shape->center, half));
    uint32_t triangle;
    convex other = {.kind = CONVEX_TRIANGLE, .axes = mat3_from_quat(quat_identity())};
    while (surface_next(&walk, &triangle)) {
        convex_distance found;
        surface_corners(s, triangle, other.corners);
        if (convex_find_distance(shape, &other, within, &found))
            return true;
    }
    surface_place place;
    return surface_nearest(s, shape->center, HUGE_VAL, &place) && place.distance < 0;
}

bool proxy_reaches_proxy(const proxy_view *view_a, const proxy *a, const proxy_view *view_b, const proxy *b,
                         double within)
{
    vec3 between = vec3_sub(proxy_center(view_b, b), proxy_center(view_a, a));
    convex shape = convex_of_proxy(view_a, a, vec3_make(0, 0, 0));
    if (b->type == SCREE_SHAPE_PLANE)
        return convex_reaches_plane(&shape, view_b, b, between, within);
    if (is_surface(b)) {
        surface s = surface_of(view_b->geometries[b->geometry]);
        mat3 axes = mat3_from_quat(proxy_orientation(view_b, b)), turned;
        for (int column = 0; column < 3; column++) {
            vec3 axis = mat3_apply_transposed(&axes, mat3_column(&shape.axes, column));
            turned.m[0][column] = axis.x;
            turned.m[1][column] = axis.y;
            turned.m[2][column] = axis.z;
        }
        shape.axes = turned;
        shape.center = mat3_apply_transposed(&axes, vec3_negate(between));
        return convex_reaches_surface(&shape, &s, within);
    }
    convex other = convex_of_proxy(view_b, b, between);
    convex_distance found;
    return convex_find_distance(&shape, &other, within, &found);
}
