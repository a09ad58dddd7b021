// Spheres in the narrow phase, against closed forms and slow oracles.
#include "narrow_support.h"

static world two_spheres(vec3 at_a, double radius_a, vec3 at_b, double radius_b, float margin)
{
    world w = {0};
    add_sphere(&w, add_body(&w, at_a, quat_identity(), margin), radius_a, NULL);
    add_sphere(&w, add_body(&w, at_b, quat_identity(), margin), radius_b, NULL);
    return w;
}

static void test_exact_touch(void **state)
{
    (void)state;
    world w = two_spheres(vec3_make(1, 2, 3), 0.5, vec3_make(1, 2, 4.25), 0.75, 0);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 1);
    assert_true(p.data[0].gap == 0 && p.data[0].normal.z == 1 && p.data[0].arm.z == 0.5f);
    assert_int_equal(p.data[0].feature, 0);
    w.centers[1].z = nextafter(4.25, 5);
    assert_int_equal(collide(&w, 0, 1).count, 0);
}

static void test_margins_add_up(void **state)
{
    (void)state;
    world w = two_spheres(vec3_make(0, 0, 0), 0.5, vec3_make(1.25, 0, 0), 0.5, 0);
    w.margins[0] = 0.125f;
    assert_int_equal(collide(&w, 0, 1).count, 0);
    w.margins[1] = 0.125f;
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 1);
    assert_true(p.data[0].gap == 0.25f && p.data[0].arm.x == 0.625f);
}

static void test_coincident_spheres(void **state)
{
    (void)state;
    const double shifts[] = {0, 1e-320, 1e-200, 1e-150, 1e-100};
    for (int i = 0; i < 5; i++) {
        world w = two_spheres(vec3_make(0, 0, 0), 0.5, vec3_make(shifts[i], 0, 0), 0.25, 0);
        points p = collide(&w, 0, 1); // checks that the normal is unit
        assert_int_equal(p.count, 1);
        assert_near((double)p.data[0].gap, -0.75, 1e-7);
    }
}

static void test_random_spheres(void **state)
{
    (void)state;
    random_stream random = {51};
    int found = 0;
    for (int trial = 0; trial < 20000; trial++) {
        vec3 at_a = random_vec(&random, 1), at_b = random_vec(&random, 1);
        float radius_a = (float)random_between(&random, 0.01, 1), radius_b = (float)random_between(&random, 0.01, 1);
        world w = two_spheres(at_a, (double)radius_a, at_b, (double)radius_b, 0.05f);
        points p = collide(&w, 0, 1);
        double distance = hypot(hypot(at_b.x - at_a.x, at_b.y - at_a.y), at_b.z - at_a.z);
        double gap = distance - (double)radius_a - (double)radius_b;
        assert_int_equal(p.count, gap <= (double)0.05f + (double)0.05f);
        if (p.count == 0)
            continue;
        found++;
        assert_near((double)p.data[0].gap, gap, 1e-6 * fabs(gap) + 1e-12);
        vec3 normal = vec3_scale(vec3_sub(at_b, at_a), 1 / distance);
        assert_vec3_near(vec3_from_f(p.data[0].normal), normal, 1e-6);
        vec3 surface_a = vec3_scale(normal, (double)radius_a);
        vec3 surface_b = vec3_add_scaled(vec3_sub(at_b, at_a), normal, -(double)radius_b);
        assert_vec3_near(vec3_from_f(p.data[0].arm), vec3_scale(vec3_add(surface_a, surface_b), 0.5), 1e-6);
    }
    assert_true(found > 2000);
}

// A boulder and a grain: the gap is as exact as the grain needs.
static void test_very_different_sizes(void **state)
{
    (void)state;
    world w = two_spheres(vec3_make(0, 0, 0), 1024, vec3_make(0, 0, 1024 + 0x1p-10 + 1e-7), 0x1p-10, 0.001f);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 1);
    assert_near((double)p.data[0].gap, 1e-7, 1e-12);
}

// ----------------------------------------------------------------------------------------------------- sphere - box

static void test_sphere_on_each_feature_of_a_box(void **state)
{
    (void)state;
    const struct {
        vec3 at;
        double gap;
        vec3 normal; // from the sphere to the box
    } cases[] = {
        {{2, 0.3, 0.2}, 0.5, {-1, 0, 0}},                                               // face
        {{0.2, -2.5, 0.2}, 0, {0, 1, 0}},                                               // face, exact touch
        {{1.3, 2.4, 0}, 0, {-0.6, -0.8, 0}},                                            // edge, exact touch
        {{1 + 1.0 / 3, 2 + 2.0 / 3, 3 + 2.0 / 3}, 0.5, {-1.0 / 3, -2.0 / 3, -2.0 / 3}}, // corner
        {{0.9, 0, 0}, -0.6, {-1, 0, 0}},                                                // centre inside
        {{0, 0, -2.75}, -0.75, {0, 0, 1}}, // centre inside, nearest is below
        {{1, 0, 0}, -0.5, {-1, 0, 0}},     // centre on the face
        {{0, 0, 0}, -1.5, {-1, 0, 0}},     // centres coincide
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w = {0};
        add_sphere(&w, add_body(&w, cases[i].at, quat_identity(), 1), 0.5, NULL);
        add_box(&w, add_body(&w, vec3_make(0, 0, 0), quat_identity(), 0), vec3_make(1, 2, 3), NULL);
        points p = collide(&w, 0, 1);
        assert_int_equal(p.count, 1);
        assert_near((double)p.data[0].gap, cases[i].gap, 1e-7);
        assert_vec3_near(vec3_from_f(p.data[0].normal), cases[i].normal, 1e-6);
        assert_vec3_near(vec3_from_f(p.data[0].arm), vec3_scale(cases[i].normal, 0.5 + 0.5 * cases[i].gap), 1e-6);
    }
}

// Depth of a point in a solid: to the nearest of its six face planes.
static double depth_inside(const solid *s, vec3 point)
{
    double depth = CHECK_INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        vec3 direction = mat3_column(&s->axes, axis);
        double low, high, at = vec3_dot(direction, point);
        solid_span(s, direction, &low, &high);
        depth = fmin(depth, fmin(at - low, high - at));
    }
    return depth;
}

static void test_random_sphere_box(void **state)
{
    (void)state;
    random_stream random = {53};
    int inside = 0, near = 0;
    for (int trial = 0; trial < 4000; trial++) {
        world w = {0};
        local_pose local_a = {random_vec(&random, 0.5), random_rotation(&random)};
        local_pose local_b = {random_vec(&random, 0.5), random_rotation(&random)};
        add_sphere(&w, add_body(&w, random_vec(&random, 1), random_rotation(&random), 0.1f),
                   random_between(&random, 0.05, 0.5), trial % 2 ? &local_a : NULL);
        vec3 half = {random_between(&random, 0.1, 1), random_between(&random, 0.1, 1), random_between(&random, 0.1, 1)};
        add_box(&w, add_body(&w, random_vec(&random, 1), random_rotation(&random), 0), half,
                trial % 3 ? &local_b : NULL);
        solid ball = solid_of(&w, 0), box = solid_of(&w, 1);
        double radius = (double)w.proxies[0].size[0];
        bounds distance = distance_bounds(&ball, &box);
        double depth = depth_inside(&box, ball.center);
        double gap = (depth > 0 ? -depth : distance.upper) - radius;
        points p = collide(&w, 0, 1);
        if (fabs(gap - (double)0.1f) > 1e-6)
            assert_int_equal(p.count, gap < (double)0.1f);
        if (p.count == 0)
            continue;
        near++;
        inside += depth > 0;
        assert_near((double)p.data[0].gap, gap, 2e-6);
        vec3 normal = vec3_from_f(p.data[0].normal), middle = vec3_add(w.centers[0], vec3_from_f(p.data[0].arm));
        vec3 on_ball = vec3_add_scaled(middle, normal, -0.5 * (double)p.data[0].gap);
        vec3 on_box = vec3_add_scaled(middle, normal, 0.5 * (double)p.data[0].gap);
        assert_vec3_near(on_ball, vec3_add_scaled(ball.center, normal, radius), 2e-6);
        assert_at_most(outside(&box, on_box), 2e-6);
        assert_near(depth_inside(&box, on_box), 0, depth > 0 ? 2e-6 : 1);
    }
    assert_true(near > 1000 && inside > 200);
}

// --------------------------------------------------------------------------------------------------- sphere - plane

// The plane is given by a point on it and its normal, both moved with its body.
static void test_random_sphere_plane(void **state)
{
    (void)state;
    random_stream random = {59};
    int near = 0;
    for (int trial = 0; trial < 10000; trial++) {
        world w = {0};
        local_pose local = {random_vec(&random, 1), random_rotation(&random)};
        add_sphere(&w, add_body(&w, random_vec(&random, 2), random_rotation(&random), 0.1f),
                   random_between(&random, 0.05, 1), trial % 2 ? &local : NULL);
        uint32_t owner = add_body(&w, random_vec(&random, 2), random_rotation(&random), 0.1f);
        vec3 own_normal = random_direction(&random);
        double offset = random_between(&random, -1, 1);
        local_pose tilt = {random_vec(&random, 1), random_rotation(&random)};
        add_plane(&w, owner, own_normal, offset, trial % 3 ? &tilt : NULL);
        solid frame = solid_of(&w, 1); // of the plane, for its place and axes only
        vec3 normal = mat3_apply(&frame.axes, own_normal);
        vec3 on_plane = vec3_add_scaled(frame.center, normal, offset);
        solid ball = solid_of(&w, 0);
        double radius = (double)w.proxies[0].size[0];
        double gap = vec3_dot(normal, vec3_sub(ball.center, on_plane)) - radius;
        points p = collide(&w, 0, 1);
        assert_int_equal(p.count, gap <= 2 * (double)0.1f);
        if (p.count == 0)
            continue;
        near++;
        assert_near((double)p.data[0].gap, gap, 1e-6);
        assert_vec3_near(vec3_from_f(p.data[0].normal), vec3_negate(normal), 1e-6);
        vec3 middle = vec3_add_scaled(ball.center, normal, -radius - 0.5 * gap);
        assert_vec3_near(vec3_from_f(p.data[0].arm), vec3_sub(middle, w.centers[0]), 2e-6);
    }
    assert_true(near > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_touch),          cmocka_unit_test(test_margins_add_up),
        cmocka_unit_test(test_coincident_spheres),   cmocka_unit_test(test_random_spheres),
        cmocka_unit_test(test_very_different_sizes), cmocka_unit_test(test_sphere_on_each_feature_of_a_box),
        cmocka_unit_test(test_random_sphere_box),    cmocka_unit_test(test_random_sphere_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
