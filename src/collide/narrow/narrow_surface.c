// Spheres and convex shapes on meshes and on height fields: the pair is brought into the frame of the surface, and its
// points back into the world.
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_pair.h"
#include "collide/triangle/triangle_contacts.h"

// A shape and the surface it may touch.
typedef struct surface_pair {
    const proxy *a, *b;
    pair_place place;
    double margin;
    surface s;
    mat3 axes;   // of the surface
    vec3 center; // of the shape, in the surface's frame
} surface_pair;

static surface_pair place_on_surface(const proxy_view *view, const proxy_pair *pair)
{
    surface_pair on = {.a = &view->proxies[pair->a], .b = &view->proxies[pair->b]};
    on.place = place_pair(view, on.a, on.b);
    on.margin = pair_margin(view, on.a, on.b);
    on.s = surface_of(view->geometries[on.b->geometry]);
    on.axes = mat3_from_quat(proxy_orientation(view, on.b));
    on.center = mat3_apply_transposed(&on.axes, vec3_negate(on.place.between));
    return on;
}

static bool add_points(const surface_pair *on, const surface_points *points, contact_array *out)
{
    if (!array_reserve(out, out->count + (size_t)points->count))
        return false;
    for (int i = 0; i < points->count; i++) {
        const surface_point *p = &points->points[i];
        vec3 arm = vec3_add(on->place.arm, mat3_apply(&on->axes, p->point));
        vec3 normal = mat3_apply(&on->axes, vec3_negate(p->outward));
        if (p->gap <= on->margin)
            out->data[out->count++] = make_contact(on->a, on->b, p->feature, arm, normal, p->gap);
    }
    return true;
}

bool narrow_sphere_surface(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    surface_points points;
    for (size_t i = 0; i < count; i++) {
        surface_pair on = place_on_surface(view, &pairs[i]);
        sphere_on_surface(&on.s, on.center, (double)on.a->size[0], on.margin, &points);
        if (!add_points(&on, &points, out))
            return false;
    }
    return true;
}

bool narrow_convex_surface(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    surface_points points;
    for (size_t i = 0; i < count; i++) {
        surface_pair on = place_on_surface(view, &pairs[i]);
        convex shape = convex_of_proxy(view, on.a, vec3_make(0, 0, 0));
        shape = convex_turned(&shape, &on.axes);
        convex_on_surface(&on.s, on.center, &shape, on.margin, &points);
        if (!add_points(&on, &points, out))
            return false;
    }
    return true;
}
