// Single triangles against dense sampling, and the tree over a list of them against asking each.
#include "surfaces.h"

#include "geometry/triangle_math.h"
#include "random_pose.h"

static void random_triangle(random_stream *random, vec3 p[3])
{
    for (int i = 0; i < 3; i++)
        p[i] = random_vec(random, 1);
}

// No sample is nearer, the point lies on the triangle, and the features are those that carry it.
static void test_nearest_on_a_triangle(void **state)
{
    (void)state;
    random_stream random = {3};
    int seen[8] = {0};
    for (int trial = 0; trial < 3000; trial++) {
        vec3 p[3], at = random_vec(&random, 2);
        int features = 0;
        random_triangle(&random, p);
        vec3 nearest = triangle_nearest(p, at, &features), normal = triangle_normal(p);
        double distance = vec3_length(vec3_sub(at, nearest));
        assert_near(vec3_dot(normal, vec3_sub(nearest, p[0])), 0, 1e-12);
        for (int i = 0; i <= 20; i++)
            for (int j = 0; i + j <= 20; j++) {
                vec3 sample = vec3_add_scaled(vec3_add_scaled(p[0], vec3_sub(p[1], p[0]), i / 20.0),
                                              vec3_sub(p[2], p[0]), j / 20.0);
                assert_at_least(vec3_length(vec3_sub(at, sample)), distance - 1e-12);
            }
        for (int i = 0; i < 3; i++) { // over an edge that takes no part the point is strictly inside
            vec3 a = p[i], b = p[(i + 1) % 3];
            double inward = vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(nearest, a)), normal);
            bool carries = features != 7 && (features & ~((1 << i) | (1 << (i + 1) % 3))) == 0;
            assert_at_least(inward, -1e-12);
            if (carries)
                assert_near(inward, 0, 1e-12);
        }
        seen[features]++;
    }
    for (int features = 1; features < 8; features++)
        assert_true(seen[features] > 20);
}

static void test_ray_on_a_triangle(void **state)
{
    (void)state;
    random_stream random = {5};
    int hits = 0;
    for (int trial = 0; trial < 20000; trial++) {
        vec3 p[3], origin = random_vec(&random, 2), direction = vec3_sub(random_vec(&random, 0.5), origin);
        random_triangle(&random, p);
        vec3 normal = triangle_normal(p);
        double expected = vec3_dot(normal, vec3_sub(p[0], origin)) / vec3_dot(normal, direction), t;
        vec3 at = vec3_add_scaled(origin, direction, expected);
        double inside = CHECK_INFINITY;
        for (int i = 0; i < 3; i++)
            inside = fmin(inside, vec3_dot(vec3_cross(vec3_sub(p[(i + 1) % 3], p[i]), vec3_sub(at, p[i])), normal));
        if (fabs(inside) < 1e-9)
            continue;
        bool hit = triangle_ray(p, origin, direction, &t);
        assert_int_equal(hit, inside > 0);
        if (hit)
            assert_near(t, expected, 1e-9 * (1 + fabs(expected)));
        hits += hit;
    }
    assert_true(hits > 1000);
}

// They add up to half a turn, and a right angle is one.
static void test_angles(void **state)
{
    (void)state;
    random_stream random = {9};
    for (int trial = 0; trial < 1000; trial++) {
        vec3 p[3];
        random_triangle(&random, p);
        assert_near(triangle_angle(p, 0) + triangle_angle(p, 1) + triangle_angle(p, 2), PI, 1e-9);
    }
    const vec3 square[3] = {{1, 1, 1}, {1, 4, 1}, {1, 1, 3}};
    assert_near(triangle_angle(square, 0), PI / 2, 1e-15);
}

// A vertex that no triangle uses is in no box; whatever box is asked for, no triangle in it is missed.
static void test_bounds_and_tree(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    random_stream random = {11};
    vec3 vertices[3 * COUNT + 1], low, high;
    uint32_t triangles[3 * COUNT];
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        vertices[i] = random_vec(&random, 5);
        triangles[i] = i;
    }
    vertices[3 * COUNT] = vec3_make(100, 100, 100);
    triangles_bounds(vertices, triangles, COUNT, &low, &high);
    bvh tree;
    assert_true(triangles_tree(vertices, triangles, COUNT, &tree));
    bool low_met[3] = {false}, high_met[3] = {false};
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        for (int axis = 0; axis < 3; axis++) {
            double at = vec3_get(vertices[i], axis), least = vec3_get(low, axis), most = vec3_get(high, axis);
            assert_true(at >= least && at <= most);
            low_met[axis] = low_met[axis] || at == least;
            high_met[axis] = high_met[axis] || at == most;
        }
    for (int axis = 0; axis < 3; axis++)
        assert_true(low_met[axis] && high_met[axis]);
    for (uint32_t t = 0; t < COUNT; t++) {
        vec3 corners[3];
        triangles_corners(vertices, triangles, t, corners);
        bvh_box box = bvh_box_around(corners[1], corners[1]);
        bvh_walk walk = bvh_walk_box(&tree, &box);
        bool found = false;
        for (uint32_t item; bvh_next_in_box(&walk, &item);)
            found = found || item == t;
        assert_true(found);
    }
    bvh_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_on_a_triangle),
        cmocka_unit_test(test_ray_on_a_triangle),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_bounds_and_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
