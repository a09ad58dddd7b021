// Pairs of bounded convex shapes that have no batch function of their own: by the general algorithms of convex.h.
#include "collide/convex/convex.h"
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_pair.h"

bool narrow_sphere_convex(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    if (!array_reserve(out, out->count + count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        convex ball = {.kind = CONVEX_POINT, .radius = (double)a->size[0]};
        convex shape = convex_of_proxy(view, b, place.between);
        convex_distance distance;
        if (!convex_find_distance(&ball, &shape, pair_margin(view, a, b), &distance))
            continue;
        vec3 arm = vec3_add_scaled(place.arm, distance.normal, ball.radius + 0.5 * distance.gap);
        out->data[out->count++] = make_contact(a, b, 0, arm, distance.normal, distance.gap);
    }
    return true;
}

bool narrow_convex_convex(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!array_reserve(out, out->count + MANIFOLD_MOST))
            return false;
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        convex of_a = convex_of_proxy(view, a, vec3_make(0, 0, 0)), of_b = convex_of_proxy(view, b, place.between);
        manifold found;
        if (!convex_manifold(&of_a, &of_b, pair_margin(view, a, b), &found))
            continue;
        for (int k = 0; k < found.count; k++)
            out->data[out->count++] =
                make_contact(a, b, found.points[k].feature, vec3_add(place.arm, found.points[k].point), found.normal,
                             found.points[k].gap);
    }
    return true;
}
