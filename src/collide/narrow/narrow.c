// Which batch function serves which pair of types, and the cutting of a list of pairs into runs of one combination of
// types.
//
// Runs keep the order of the pairs without sorting anything back, and are long where it counts: the pairs of a body
// come side by side. A run whose types come in the wrong order is turned round, and its contacts are turned
// back.
#include "collide/narrow/narrow.h"

#include "collide/reduce.h"

// Pairs with a closed form or a method of their own, by rising type.
static narrow_batch *const special[SCREE_SHAPE_TYPES][SCREE_SHAPE_TYPES] = {
    [SCREE_SHAPE_SPHERE][SCREE_SHAPE_SPHERE] = narrow_sphere_sphere,
    [SCREE_SHAPE_SPHERE][SCREE_SHAPE_BOX] = narrow_sphere_box,
    [SCREE_SHAPE_SPHERE][SCREE_SHAPE_ELLIPSOID] = narrow_sphere_ellipsoid,
    [SCREE_SHAPE_SPHERE][SCREE_SHAPE_PLANE] = narrow_sphere_plane,
    [SCREE_SHAPE_BOX][SCREE_SHAPE_BOX] = narrow_box_box,
    [SCREE_SHAPE_BOX][SCREE_SHAPE_PLANE] = narrow_box_plane,
    [SCREE_SHAPE_ELLIPSOID][SCREE_SHAPE_ELLIPSOID] = narrow_ellipsoid_ellipsoid,
    [SCREE_SHAPE_ELLIPSOID][SCREE_SHAPE_PLANE] = narrow_ellipsoid_plane,
};

// NULL for two shapes that only fixed bodies have.
static narrow_batch *batch_of(uint8_t a, uint8_t b)
{
    if (special[a][b])
        return special[a][b];
    if (a >= SCREE_SHAPE_PLANE)
        return NULL;
    switch ((scree_shape_type)b) {
    case SCREE_SHAPE_PLANE:
        return narrow_convex_plane;
    case SCREE_SHAPE_MESH:
    case SCREE_SHAPE_HEIGHTFIELD:
        return a == SCREE_SHAPE_SPHERE ? narrow_sphere_surface : narrow_convex_surface;
    default:
        return a == SCREE_SHAPE_SPHERE ? narrow_sphere_convex : narrow_convex_convex;
    }
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
// side from which the broad phase found the pair, or with slots. Boxes see to that themselves, for the sake of longer
// runs.
static bool is_in_order(const proxy_view *view, const proxy_pair *pair)
{
    const proxy *a = &view->proxies[pair->a], *b = &view->proxies[pair->b];
    if (a->type != b->type)
        return a->type < b->type;
    return a->type == SCREE_SHAPE_SPHERE || a->type == SCREE_SHAPE_BOX || body_is_before(view, a->body, b->body);
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
        narrow_batch *batch = a <= b ? batch_of(a, b) : batch_of(b, a);
        if (!batch) // two fixed shapes
            continue;
        if (!(is_in_order(view, &pairs[begin]) ? batch(view, &pairs[begin], end - begin, out)
                                               : narrow_turned(view, batch, &pairs[begin], end - begin, out)))
            return false;
    }
    return true;
}
