// Spheres against spheres, boxes and planes: one point per pair, on the line through the sphere's centre.
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_pair.h"

// The point between a sphere and another surface at the signed distance `gap` along `normal`.
static inline contact sphere_contact(const proxy *a, const proxy *b, vec3 arm, vec3 normal, double gap)
{
    return make_contact(a, b, 0, vec3_add_scaled(arm, normal, (double)a->size[0] + 0.5 * gap), normal, gap);
}

static inline contact touch_sphere(const proxy_view *view, const proxy *a, const proxy *b, const pair_place *place,
                                   double *gap)
{
    (void)view;
    double square = vec3_dot(place->between, place->between);
    bool apart = square > 1e-300; // below that the direction is lost to underflow
    double distance = sqrt(square);
    double scale = 1 / (apart ? distance : 1);
    vec3 normal = vec3_scale(place->between, scale);
    normal.z = apart ? normal.z : 1;
    *gap = distance - ((double)a->size[0] + (double)b->size[0]);
    return sphere_contact(a, b, place->arm, normal, *gap);
}

bool narrow_sphere_sphere(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    return narrow_points(view, pairs, count, touch_sphere, out);
}

static inline contact touch_box(const proxy_view *view, const proxy *a, const proxy *b, const pair_place *place,
                                double *gap)
{
    quat axes = proxy_orientation(view, b);
    vec3 half = {(double)b->size[0], (double)b->size[1], (double)b->size[2]};
    vec3 outward;
    *gap = box_distance(quat_rotate_back(axes, vec3_negate(place->between)), half, &outward) - (double)a->size[0];
    return sphere_contact(a, b, place->arm, quat_rotate(axes, vec3_negate(outward)), *gap);
}

bool narrow_sphere_box(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    return narrow_points(view, pairs, count, touch_box, out);
}

static inline contact touch_plane(const proxy_view *view, const proxy *a, const proxy *b, const pair_place *place,
                                  double *gap)
{
    double height;
    vec3 outward = plane_under(view, b, place, &height);
    *gap = height - (double)a->size[0];
    return sphere_contact(a, b, place->arm, vec3_negate(outward), *gap);
}

bool narrow_sphere_plane(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    return narrow_points(view, pairs, count, touch_plane, out);
}
