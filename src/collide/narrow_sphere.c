// Spheres against spheres, boxes and planes: one point per pair, on the line through the sphere's centre.
//
// The loops write every candidate and count it only when it is near enough: a branch on the outcome would be
// mispredicted about every other time in a dense pack.
#include "collide/narrow.h"
#include "collide/narrow_pair.h"

// The point between a sphere and another surface at the signed distance `gap` along `normal`.
static inline contact sphere_contact(const proxy *a, const proxy *b, vec3 arm, vec3 normal, double gap)
{
    return make_contact(a, b, 0, vec3_add_scaled(arm, normal, (double)a->size[0] + 0.5 * gap), normal, gap);
}

bool narrow_sphere_sphere(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    if (!array_reserve(out, out->count + count))
        return false;
    contact *next = out->data + out->count;
    for (size_t i = 0; i < count; i++) {
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        double square = vec3_dot(place.between, place.between);
        bool apart = square > 1e-300; // below that the direction is lost to underflow
        double distance = sqrt(square);
        double scale = 1 / (apart ? distance : 1);
        vec3 normal = vec3_scale(place.between, scale);
        normal.z = apart ? normal.z : 1;
        double gap = distance - ((double)a->size[0] + (double)b->size[0]);
        *next = sphere_contact(a, b, place.arm, normal, gap);
        next += gap <= pair_margin(view, a, b);
    }
    out->count = (size_t)(next - out->data);
    return true;
}

bool narrow_sphere_box(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    if (!array_reserve(out, out->count + count))
        return false;
    contact *next = out->data + out->count;
    for (size_t i = 0; i < count; i++) {
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        quat axes = proxy_orientation(view, b);
        vec3 half = {(double)b->size[0], (double)b->size[1], (double)b->size[2]};
        vec3 outward;
        double gap = box_distance(quat_rotate_back(axes, vec3_negate(place.between)), half, &outward);
        gap -= (double)a->size[0];
        *next = sphere_contact(a, b, place.arm, quat_rotate(axes, vec3_negate(outward)), gap);
        next += gap <= pair_margin(view, a, b);
    }
    out->count = (size_t)(next - out->data);
    return true;
}

bool narrow_sphere_plane(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    if (!array_reserve(out, out->count + count))
        return false;
    contact *next = out->data + out->count;
    for (size_t i = 0; i < count; i++) {
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        double gap;
        vec3 outward = plane_under(view, b, &place, &gap);
        gap -= (double)a->size[0];
        *next = sphere_contact(a, b, place.arm, vec3_negate(outward), gap);
        next += gap <= pair_margin(view, a, b);
    }
    out->count = (size_t)(next - out->data);
    return true;
}
