// Rays against shapes: where they enter is where inside begins, the normal is the gradient of the surface there.
#include "narrow_support.h"

#include "collide/ray.h"

// Independent of the rays' formulas: is a point of the shape's frame inside, by how much (sign only matters)?
static double depth(const proxy *p, vec3 x)
{
    double a = (double)p->size[0], b = (double)p->size[1], c = (double)p->size[2], across = hypot(x.x, x.y);
    switch ((scree_shape_type)p->type) {
    case SCREE_SHAPE_SPHERE:
        return a - vec3_length(x);
    case SCREE_SHAPE_BOX:
        return fmin(a - fabs(x.x), fmin(b - fabs(x.y), c - fabs(x.z)));
    case SCREE_SHAPE_ELLIPSOID:
        return 1 - vec3_length(vec3_make(x.x / a, x.y / b, x.z / c));
    case SCREE_SHAPE_CAPSULE:
        return a - hypot(across, fmax(fabs(x.z) - b, 0));
    case SCREE_SHAPE_CYLINDER:
        return fmin(a - across, b - fabs(x.z));
    default: // cone
        return fmin(x.z + 0.5 * b, a * (1.5 * b - x.z) / (2 * b) - across);
    }
}

static double depth_in_world(const world *w, const proxy *p, vec3 x)
{
    proxy_view view = world_view(w);
    return depth(p, quat_rotate_back(proxy_orientation(&view, p), vec3_sub(x, proxy_center(&view, p))));
}

static vec3 gradient(const world *w, const proxy *p, vec3 x)
{
    const double h = 1e-6;
    vec3 g;
    g.x = depth_in_world(w, p, vec3_add(x, vec3_make(h, 0, 0))) - depth_in_world(w, p, vec3_sub(x, vec3_make(h, 0, 0)));
    g.y = depth_in_world(w, p, vec3_add(x, vec3_make(0, h, 0))) - depth_in_world(w, p, vec3_sub(x, vec3_make(0, h, 0)));
    g.z = depth_in_world(w, p, vec3_add(x, vec3_make(0, 0, h))) - depth_in_world(w, p, vec3_sub(x, vec3_make(0, 0, h)));
    return vec3_normalize(vec3_negate(g));
}

static void test_entrance_is_where_inside_begins(void **state)
{
    (void)state;
    static const scree_shape_type types[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE};
    random_stream random = {17};
    int hits = 0, misses = 0, on_edges = 0;
    for (int trial = 0; trial < 6000; trial++) {
        world w = {0};
        vec3 center = random_vec(&random, 3);
        quat turn = quat_normalize((quat){random_unit(&random), random_unit(&random), random_unit(&random), 0.1});
        local_pose local = {random_vec(&random, 1), turn};
        proxy *p = add_proxy(&w, add_body(&w, center, turn, 0), types[trial % 6], &local);
        for (int i = 0; i < 3; i++)
            p->size[i] = (float)random_between(&random, 0.3, 1.5);
        vec3 origin = random_vec(&random, 6), aim = vec3_add(center, random_vec(&random, 2));
        ray r = {origin, vec3_normalize(vec3_sub(aim, origin))};
        proxy_view view = world_view(&w);
        ray_hit hit;
        bool met = ray_meets_proxy(&view, p, &r, 20, &hit);
        double end = met ? hit.distance : 20;
        for (double t = 0; t < end - 1e-7; t += end / 200) // nothing before it
            assert_true(depth_in_world(&w, p, vec3_add_scaled(r.origin, r.direction, t)) < 1e-9);
        hits += met;
        misses += !met;
        if (!met)
            continue;
        if (depth_in_world(&w, p, r.origin) > 0) {
            assert_true(hit.distance == 0);
            continue;
        }
        vec3 at = vec3_add_scaled(r.origin, r.direction, hit.distance);
        assert_true(fabs(depth_in_world(&w, p, at)) < 1e-9);
        assert_true(vec3_dot(hit.normal, r.direction) <= 0);
        on_edges += vec3_dot(hit.normal, gradient(&w, p, at)) < 1 - 1e-5;
        assert_false(ray_meets_proxy(&view, p, &r, hit.distance * 0.999, &hit));
    }
    assert_true(hits > 1000 && misses > 1000);
    assert_true(on_edges < hits / 500); // within the differences' width of an edge there is no gradient
}

static void test_planes_are_met_from_above(void **state)
{
    (void)state;
    world w = {0};
    uint32_t body = add_body(&w, vec3_make(0, 0, 1), quat_identity(), 0);
    add_plane(&w, body, vec3_make(0, 0, 1), 0.5, NULL);
    proxy_view view = world_view(&w);
    ray down = {{3, 4, 5}, {0, 0, -1}}, up = {{3, 4, 5}, {0, 0, 1}}, below = {{0, 0, 1}, {1, 0, 0}};
    ray_hit hit;
    assert_true(ray_meets_proxy(&view, &w.proxies[0], &down, 100, &hit));
    assert_true(fabs(hit.distance - 3.5) < 1e-12 && hit.normal.z == 1);
    assert_false(ray_meets_proxy(&view, &w.proxies[0], &up, 100, &hit));
    assert_true(ray_meets_proxy(&view, &w.proxies[0], &below, 100, &hit));
    assert_true(hit.distance == 0 && hit.normal.x == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entrance_is_where_inside_begins),
        cmocka_unit_test(test_planes_are_met_from_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
