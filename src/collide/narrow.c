// The table of batch functions, and the cutting of a list of pairs into runs of one combination of types.
//
// Runs keep the order of the pairs without sorting anything back, and are long where it counts: the pairs of a body
// come side by side. A run whose types come in the table's wrong order is turned round, and its contacts are turned
// back.
#include "collide/narrow.h"

static narrow_batch *const table[SCREE_SHAPE_TYPES][SCREE_SHAPE_TYPES] = {
    [SCREE_SPHERE][SCREE_SPHERE] = narrow_sphere_sphere,
    [SCREE_SPHERE][SCREE_BOX] = narrow_sphere_box,
    [SCREE_SPHERE][SCREE_CAPSULE] = narrow_sphere_convex,
    [SCREE_SPHERE][SCREE_CYLINDER] = narrow_sphere_convex,
    [SCREE_SPHERE][SCREE_CONE] = narrow_sphere_convex,
    [SCREE_SPHERE][SCREE_HULL] = narrow_sphere_convex,
    [SCREE_SPHERE][SCREE_PLANE] = narrow_sphere_plane,
    [SCREE_BOX][SCREE_BOX] = narrow_box_box,
    [SCREE_BOX][SCREE_ELLIPSOID] = narrow_convex_convex,
    [SCREE_BOX][SCREE_CAPSULE] = narrow_convex_convex,
    [SCREE_BOX][SCREE_CYLINDER] = narrow_convex_convex,
    [SCREE_BOX][SCREE_CONE] = narrow_convex_convex,
    [SCREE_BOX][SCREE_HULL] = narrow_convex_convex,
    [SCREE_BOX][SCREE_PLANE] = narrow_box_plane,
    [SCREE_ELLIPSOID][SCREE_CAPSULE] = narrow_convex_convex,
    [SCREE_ELLIPSOID][SCREE_CYLINDER] = narrow_convex_convex,
    [SCREE_ELLIPSOID][SCREE_CONE] = narrow_convex_convex,
    [SCREE_ELLIPSOID][SCREE_HULL] = narrow_convex_convex,
    [SCREE_CAPSULE][SCREE_CAPSULE] = narrow_convex_convex,
    [SCREE_CAPSULE][SCREE_CYLINDER] = narrow_convex_convex,
    [SCREE_CAPSULE][SCREE_CONE] = narrow_convex_convex,
    [SCREE_CAPSULE][SCREE_HULL] = narrow_convex_convex,
    [SCREE_CAPSULE][SCREE_PLANE] = narrow_convex_plane,
    [SCREE_CYLINDER][SCREE_CYLINDER] = narrow_convex_convex,
    [SCREE_CYLINDER][SCREE_CONE] = narrow_convex_convex,
    [SCREE_CYLINDER][SCREE_HULL] = narrow_convex_convex,
    [SCREE_CYLINDER][SCREE_PLANE] = narrow_convex_plane,
    [SCREE_CONE][SCREE_CONE] = narrow_convex_convex,
    [SCREE_CONE][SCREE_HULL] = narrow_convex_convex,
    [SCREE_CONE][SCREE_PLANE] = narrow_convex_plane,
    [SCREE_HULL][SCREE_HULL] = narrow_convex_convex,
    [SCREE_HULL][SCREE_PLANE] = narrow_convex_plane,
    [SCREE_SPHERE][SCREE_MESH] = narrow_sphere_surface,
    [SCREE_SPHERE][SCREE_HEIGHTFIELD] = narrow_sphere_surface,
    [SCREE_BOX][SCREE_MESH] = narrow_convex_surface,
    [SCREE_BOX][SCREE_HEIGHTFIELD] = narrow_convex_surface,
    [SCREE_ELLIPSOID][SCREE_MESH] = narrow_convex_surface,
    [SCREE_ELLIPSOID][SCREE_HEIGHTFIELD] = narrow_convex_surface,
    [SCREE_CAPSULE][SCREE_MESH] = narrow_convex_surface,
    [SCREE_CAPSULE][SCREE_HEIGHTFIELD] = narrow_convex_surface,
    [SCREE_CYLINDER][SCREE_MESH] = narrow_convex_surface,
    [SCREE_CYLINDER][SCREE_HEIGHTFIELD] = narrow_convex_surface,
    [SCREE_CONE][SCREE_MESH] = narrow_convex_surface,
    [SCREE_CONE][SCREE_HEIGHTFIELD] = narrow_convex_surface,
    [SCREE_HULL][SCREE_MESH] = narrow_convex_surface,
    [SCREE_HULL][SCREE_HEIGHTFIELD] = narrow_convex_surface,
};

static vec3f negated(vec3f v)
{
    return (vec3f){-v.x, -v.y, -v.z};
}

// The same point seen from the other body.
static void contact_turn(const proxy_view *view, contact *c)
{
    vec3 between = vec3_sub(view->centres[c->a], view->centres[c->b]);
    c->arm = vec3f_from(vec3_add(vec3_from_f(c->arm), between));
    c->normal = negated(c->normal);
    uint32_t body = c->a;
    c->a = c->b;
    c->b = body;
    uint16_t material = c->material_a;
    c->material_a = c->material_b;
    c->material_b = material;
}

static bool narrow_turned(const proxy_view *view, narrow_batch *batch, const proxy_pair *pairs, size_t count,
                          contact_array *out)
{
    enum { BLOCK = 64 };
    proxy_pair turned[BLOCK];
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        size_t size = count - begin < BLOCK ? count - begin : BLOCK;
        for (size_t i = 0; i < size; i++)
            turned[i] = (proxy_pair){pairs[begin + i].b, pairs[begin + i].a};
        size_t first = out->count;
        if (!batch(view, turned, size, out))
            return false;
        for (size_t i = first; i < out->count; i++)
            contact_turn(view, &out->data[i]);
    }
    return true;
}

// Which of a pair comes first decides what its features are called, so it must not change from step to step with the
// side from which the broad phase found the pair.
static bool is_in_order(const proxy_view *view, const proxy_pair *pair)
{
    uint8_t a = view->proxies[pair->a].type, b = view->proxies[pair->b].type;
    return a < b || (a == b && (a == SCREE_SPHERE || pair->a < pair->b));
}

static bool is_same_run(const proxy_view *view, const proxy_pair *pair, const proxy_pair *other)
{
    return view->proxies[pair->a].type == view->proxies[other->a].type &&
           view->proxies[pair->b].type == view->proxies[other->b].type &&
           is_in_order(view, pair) == is_in_order(view, other);
}

bool narrow_phase(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && is_same_run(view, &pairs[begin], &pairs[end]);)
            end++;
        uint8_t a = view->proxies[pairs[begin].a].type, b = view->proxies[pairs[begin].b].type;
        narrow_batch *batch = a <= b ? table[a][b] : table[b][a];
        if (!batch) // two fixed shapes
            continue;
        if (!(is_in_order(view, &pairs[begin]) ? batch(view, &pairs[begin], end - begin, out)
                                               : narrow_turned(view, batch, &pairs[begin], end - begin, out)))
            return false;
    }
    return true;
}
