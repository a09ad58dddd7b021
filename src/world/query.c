// Rays, nearest surfaces and near bodies: a tree of boxes over all bounded shapes, and the unbounded ones one by one.
#include "world/query.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/threads.h"
#include "collide/convex/reach.h"
#include "collide/ray.h"
#include "geometry/shape.h"
#include "scree/query.h"
#include "world/view.h"

enum { QUERY_BLOCK = 64 };

scree_ray scree_default_ray(void)
{
    return (scree_ray){.direction = {1, 0, 0}, .length = HUGE_VAL, .mask = UINT32_MAX};
}

// ----------------------------------------------------------------------------------------------------------- the tree

static scree_status report_no_place(const scree_world *world, size_t proxy_index, scree_error *error)
{
    uint32_t slot = world->bodies.proxies.data[proxy_index].body;
    return fail(error, SCREE_ERROR_DIVERGED, "body %llu has no finite place",
                (unsigned long long)world->bodies.id.data[slot]);
}

// Items are places in `bounded`, which lists proxies; the rest are `unbounded`.
static scree_status build_tree(scree_world *world, const proxy_view *view, scree_error *error)
{
    world_tree *tree = &world->tree;
    tree->bounded.count = tree->unbounded.count = 0;
    arena_reset(&world->scratch);
    bvh_box *boxes = arena_array(&world->scratch, bvh_box, view->proxy_count);
    if (!boxes || !array_reserve(&tree->bounded, view->proxy_count))
        return fail_no_memory(error);
    for (size_t i = 0; i < view->proxy_count; i++) {
        const proxy *p = &view->proxies[i];
        if (shape_is_unbounded((scree_shape_type)p->type)) {
            if (!array_push(&tree->unbounded, (uint32_t)i))
                return fail_no_memory(error);
            continue;
        }
        vec3 center = proxy_center(view, p), half = proxy_half_extents(view, p);
        if (!vec3_finite(center) || !vec3_finite(half))
            return report_no_place(world, i, error);
        boxes[tree->bounded.count] = bvh_box_around(vec3_sub(center, half), vec3_add(center, half));
        tree->bounded.data[tree->bounded.count++] = (uint32_t)i;
    }
    bvh_free(&tree->boxes);
    if (!bvh_build(&tree->boxes, boxes, tree->bounded.count))
        return fail_no_memory(error);
    tree->valid = true;
    return SCREE_OK;
}

static scree_status ready_tree(scree_world *world, proxy_view *view, scree_error *error)
{
    *view = store_view(&world->bodies);
    return world->tree.valid ? SCREE_OK : build_tree(world, view, error);
}

void world_tree_free(world_tree *tree)
{
    bvh_free(&tree->boxes);
    array_free(&tree->bounded);
    array_free(&tree->unbounded);
}

static bool in_groups(const scree_world *world, const proxy *p, uint32_t mask)
{
    const body_store *store = &world->bodies;
    return (store->filters.data[store->filter.data[p->body]].group & mask) != 0;
}

static void set_hit(const scree_world *world, uint32_t index, scree_hit *hit)
{
    const body_store *store = &world->bodies;
    uint32_t slot = store->proxies.data[index].body;
    hit->body = store->id.data[slot];
    hit->shape = index - store->first_proxy.data[slot];
}

// --------------------------------------------------------------------------------------------------------------- rays

static scree_status check_rays(const scree_ray *rays, size_t count, scree_error *error)
{
    for (size_t i = 0; i < count; i++) {
        double length = vec3_length(rays[i].direction);
        if (!vec3_finite(rays[i].origin) || !(length > 1e-100 && length < 1e100))
            return fail(error, SCREE_ERROR_INVALID,
                        "ray %zu: origin and direction must be finite, and the direction not zero", i);
        if (!(rays[i].length > 0))
            return fail(error, SCREE_ERROR_INVALID, "ray %zu: the length is %g, must be greater than 0", i,
                        rays[i].length);
    }
    return SCREE_OK;
}

static void try_ray(const scree_world *world, const proxy_view *view, const ray *r, uint32_t mask, uint32_t index,
                    double *limit, scree_hit *hit)
{
    const proxy *p = &view->proxies[index];
    ray_hit found;
    if (!in_groups(world, p, mask) || !ray_meets_proxy(view, p, r, *limit, &found))
        return;
    if (hit->body && found.distance >= *limit) // of equally near ones the first stays
        return;
    *limit = found.distance;
    hit->distance = found.distance;
    hit->normal = found.normal;
    set_hit(world, index, hit);
}

static scree_hit cast_ray(const scree_world *world, const proxy_view *view, const scree_ray *asked)
{
    const world_tree *tree = &world->tree;
    scree_hit hit = {0};
    ray r = {asked->origin, vec3_normalize(asked->direction)};
    double limit = asked->length;
    for (size_t i = 0; i < tree->unbounded.count; i++)
        try_ray(world, view, &r, asked->mask, tree->unbounded.data[i], &limit, &hit);
    bvh_search search = bvh_search_along(&tree->boxes, r.origin, r.direction);
    uint32_t item;
    while (bvh_next_along(&search, limit, &item))
        try_ray(world, view, &r, asked->mask, tree->bounded.data[item], &limit, &hit);
    if (hit.body)
        hit.point = vec3_add_scaled(r.origin, r.direction, hit.distance);
    return hit;
}

scree_status scree_world_cast_rays(scree_world *world, const scree_ray *rays, size_t count, scree_hit *hits,
                                   scree_error *error)
{
    if (!world || (!rays && count > 0) || (!hits && count > 0))
        return fail_null(error, "scree_world_cast_rays");
    proxy_view view;
    scree_status status = check_rays(rays, count, error);
    if (!status)
        status = ready_tree(world, &view, error);
    if (status)
        return status;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic, QUERY_BLOCK)
    for (size_t i = 0; i < count; i++)
        hits[i] = cast_ray(world, &view, &rays[i]);
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------ nearest

static void try_nearest(const scree_world *world, const proxy_view *view, vec3 point, uint32_t mask, uint32_t index,
                        double *limit, scree_hit *hit)
{
    const proxy *p = &view->proxies[index];
    point_reach found;
    if (!in_groups(world, p, mask) || !point_reaches_proxy(view, p, point, *limit, &found))
        return;
    if (hit->body && found.distance >= *limit)
        return;
    *limit = found.distance;
    *hit = (scree_hit){.distance = found.distance, .point = found.point, .normal = found.normal};
    set_hit(world, index, hit);
}

static scree_hit nearest_surface(const scree_world *world, const proxy_view *view, vec3 point, double within,
                                 uint32_t mask)
{
    const world_tree *tree = &world->tree;
    scree_hit hit = {0};
    double limit = within;
    for (size_t i = 0; i < tree->unbounded.count; i++)
        try_nearest(world, view, point, mask, tree->unbounded.data[i], &limit, &hit);
    bvh_search search = bvh_search_near(&tree->boxes, point);
    uint32_t item;
    while (bvh_next_near(&search, fmax(limit, 0), &item))
        try_nearest(world, view, point, mask, tree->bounded.data[item], &limit, &hit);
    return hit;
}

scree_status scree_world_find_nearest(scree_world *world, const scree_vec3 *points, size_t count, double within,
                                      uint32_t mask, scree_hit *hits, scree_error *error)
{
    if (!world || (!points && count > 0) || (!hits && count > 0))
        return fail_null(error, "scree_world_find_nearest");
    if (!(within >= 0))
        return fail(error, SCREE_ERROR_INVALID, "`within` is %g, must be at least 0", within);
    for (size_t i = 0; i < count; i++)
        if (!vec3_finite(points[i]))
            return fail(error, SCREE_ERROR_INVALID, "point %zu must be finite", i);
    proxy_view view;
    scree_status status = ready_tree(world, &view, error);
    if (status)
        return status;
#pragma omp parallel for num_threads(world->threads) schedule(dynamic, QUERY_BLOCK)
    for (size_t i = 0; i < count; i++)
        hits[i] = nearest_surface(world, &view, points[i], within, mask);
    return SCREE_OK;
}

// --------------------------------------------------------------------------------------------------------------- near

// The shape as a body of its own, outside the world.
static scree_status place_shape(body_store *store, const scree_shape_def *shape, const scree_pose *pose,
                                scree_error *error)
{
    double norm = quat_length(pose->orientation);
    scree_status status = shape_validate(shape, "the shape", error);
    if (status)
        return status;
    if (shape_is_fixed_only(shape->type))
        return fail(error, SCREE_ERROR_INVALID,
                    "a plane, mesh or height field cannot be asked for; its neighbours can");
    if (!vec3_finite(pose->position) || !(norm > 1e-100 && norm < 1e100))
        return fail(error, SCREE_ERROR_INVALID, "the pose must be finite, with an orientation other than zero");
    scree_shape_def alone = *shape;
    alone.material = 0;
    scree_body_def def = scree_default_body_def();
    def.fixed = true;
    def.position = pose->position;
    def.orientation = pose->orientation;
    def.shapes = &alone;
    def.shape_count = 1;
    body_room room = body_room_of(&def, 1);
    if (!body_store_reserve(store, &room))
        return fail_no_memory(error);
    scree_material_def none = scree_default_material_def();
    body_store_append(store, &def, &none);
    return SCREE_OK;
}

static void mark_near(const scree_world *world, const proxy_view *view, const proxy_view *shape_view, const proxy *q,
                      double within, uint32_t mask, uint32_t index, uint8_t *is_near)
{
    const proxy *p = &view->proxies[index];
    if (!is_near[p->body] && in_groups(world, p, mask) && proxy_reaches_proxy(shape_view, q, view, p, within))
        is_near[p->body] = 1;
}

static void mark_neighbours(const scree_world *world, const proxy_view *view, const proxy_view *shape_view,
                            double within, uint32_t mask, uint8_t *is_near)
{
    const world_tree *tree = &world->tree;
    for (size_t k = 0; k < shape_view->proxy_count; k++) {
        const proxy *q = &shape_view->proxies[k];
        vec3 center = proxy_center(shape_view, q), half = proxy_half_extents(shape_view, q);
        half = vec3_add(half, vec3_make(within, within, within));
        bvh_box box = bvh_box_around(vec3_sub(center, half), vec3_add(center, half));
        for (size_t i = 0; i < tree->unbounded.count; i++)
            mark_near(world, view, shape_view, q, within, mask, tree->unbounded.data[i], is_near);
        bvh_walk walk = bvh_walk_box(&tree->boxes, &box);
        uint32_t item;
        while (bvh_next_in_box(&walk, &item))
            mark_near(world, view, shape_view, q, within, mask, tree->bounded.data[item], is_near);
    }
}

// Copies marked bodies by rising id. `all` has room for every body.
static size_t copy_near(const scree_world *world, const uint8_t *is_near, scree_id *all, scree_id *ids, size_t capacity)
{
    size_t count = 0;
    for (size_t slot = 0; slot < world->bodies.count; slot++)
        if (is_near[slot])
            all[count++] = world->bodies.id.data[slot];
    sort_items(all, count, sizeof *all, compare_words);
    for (size_t i = 0; i < count && i < capacity; i++)
        ids[i] = all[i];
    return count;
}

scree_status scree_world_find_near(scree_world *world, const scree_shape_def *shape, const scree_pose *pose,
                                   double within, uint32_t mask, scree_id *ids, size_t capacity, size_t *count,
                                   scree_error *error)
{
    if (!world || !shape || !pose || (!ids && capacity > 0) || !count)
        return fail_null(error, "scree_world_find_near");
    if (!(within >= 0 && isfinite(within)))
        return fail(error, SCREE_ERROR_INVALID, "`within` is %g, must be at least 0 and finite", within);
    proxy_view view;
    scree_status status = ready_tree(world, &view, error);
    if (status)
        return status;
    body_store alone;
    status = body_store_init(&alone) ? place_shape(&alone, shape, pose, error) : fail_no_memory(error);
    if (!status) {
        arena_reset(&world->scratch);
        uint8_t *is_near = arena_array(&world->scratch, uint8_t, world->bodies.count + 1);
        proxy_view shape_view = store_view(&alone);
        scree_id *all = arena_array(&world->scratch, scree_id, world->bodies.count);
        if (is_near && all) {
            memset(is_near, 0, world->bodies.count);
            mark_neighbours(world, &view, &shape_view, within, mask, is_near);
            *count = copy_near(world, is_near, all, ids, capacity);
        } else {
            status = fail_no_memory(error);
        }
    }
    body_store_free(&alone);
    return status;
}
