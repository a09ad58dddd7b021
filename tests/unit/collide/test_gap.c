// Signed distance of two shapes, against closed forms and the slow oracles.
#include "convex_cases.h"
#include "narrow_support.h"

#include <string.h>

#include "geometry/geometry.h"
#include "geometry/sphere_set.h"
#include "scree/shape.h"

static scree_shape_def make(scree_shape_type type)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    return shape;
}

static const scree_pose ORIGIN = {{0, 0, 0}, {1, 0, 0, 0}};

static double gap_of(const scree_shape_def *a, const scree_pose *pose_a, const scree_shape_def *b,
                     const scree_pose *pose_b)
{
    double gap = CHECK_NAN, turned = CHECK_NAN;
    assert_int_equal(scree_shape_gap(a, pose_a, b, pose_b, &gap, NULL), SCREE_OK);
    assert_int_equal(scree_shape_gap(b, pose_b, a, pose_a, &turned, NULL), SCREE_OK);
    if (isfinite(gap))
        assert_near(turned, gap, 1e-7); // of curved shapes deep in each other; others are far better
    return gap;
}

// The pose of the shape itself, with orientations that are not unit.
static scree_pose random_body(random_stream *random, scree_shape_def *shape, double place)
{
    quat q = random_rotation(random), r = random_rotation(random);
    double s = random_between(random, 0.1, 5);
    shape->position = random_vec(random, 0.5);
    shape->orientation = (quat){r.w / s, r.x / s, r.y / s, r.z / s};
    return (scree_pose){random_vec(random, place), {q.w * s, q.x * s, q.y * s, q.z * s}};
}

static solid placed(const scree_shape_def *shape, const scree_pose *pose)
{
    quat body = quat_normalize(pose->orientation);
    solid s = {.center = vec3_add(pose->position, quat_rotate(body, shape->position))};
    s.axes = mat3_from_quat(quat_multiply(body, quat_normalize(shape->orientation)));
    if (shape->type == SCREE_SHAPE_BOX)
        s.half = shape->half;
    return s;
}

static vec3 random_half(random_stream *random)
{
    double x = random_between(random, 0.1, 1), y = random_between(random, 0.1, 1);
    return vec3_make(x, y, random_between(random, 0.1, 1));
}

static void test_spheres(void **state)
{
    (void)state;
    random_stream random = {91};
    for (int trial = 0; trial < 5000; trial++) {
        scree_shape_def a = make(SCREE_SHAPE_SPHERE), b = a;
        a.radius = random_between(&random, 0.1, 1);
        scree_pose pose_a = random_body(&random, &a, 2), pose_b = random_body(&random, &b, 2);
        solid sa = placed(&a, &pose_a), sb = placed(&b, &pose_b);
        double expected = vec3_length(vec3_sub(sb.center, sa.center)) - a.radius - b.radius;
        assert_near(gap_of(&a, &pose_a, &b, &pose_b), expected, 1e-14 * 10);
    }
}

static void test_sphere_box(void **state)
{
    (void)state;
    random_stream random = {93};
    for (int trial = 0; trial < 2000; trial++) {
        scree_shape_def a = make(SCREE_SHAPE_SPHERE), b = make(SCREE_SHAPE_BOX);
        b.half = random_half(&random);
        scree_pose pose_a = random_body(&random, &a, 1), pose_b = random_body(&random, &b, 1);
        solid ball = placed(&a, &pose_a), box = placed(&b, &pose_b);
        bounds distance = distance_bounds(&ball, &box);
        double gap = gap_of(&a, &pose_a, &b, &pose_b) + a.radius;
        if (distance.lower > 1e-9) {
            assert_at_most(gap, distance.upper + 1e-8);
            assert_at_least(gap, distance.lower - 1e-8);
        } else {
            assert_at_most(gap, 1e-8);
            // Inside: the shallowest of the six faces.
            double depth = CHECK_INFINITY;
            vec3 v = mat3_apply_transposed(&box.axes, vec3_sub(ball.center, box.center));
            for (int k = 0; k < 3; k++)
                depth = fmin(depth, vec3_get(box.half, k) - fabs(vec3_get(v, k)));
            assert_near(gap, -depth, 1e-8);
        }
    }
}

static void test_planes(void **state)
{
    (void)state;
    random_stream random = {95};
    for (int trial = 0; trial < 5000; trial++) {
        scree_shape_def plane = make(SCREE_SHAPE_PLANE), ball = make(SCREE_SHAPE_SPHERE), box = make(SCREE_SHAPE_BOX);
        plane.normal = random_vec(&random, 3);
        plane.offset = random_between(&random, -1, 1);
        box.half = random_half(&random);
        scree_pose pose = random_body(&random, &plane, 2), pose_ball = random_body(&random, &ball, 2);
        scree_pose pose_box = random_body(&random, &box, 2);
        solid frame = placed(&plane, &pose), at_ball = placed(&ball, &pose_ball), at_box = placed(&box, &pose_box);
        vec3 unit = vec3_normalize(plane.normal);
        vec3 normal = mat3_apply(&frame.axes, unit), foot = vec3_add_scaled(frame.center, normal, plane.offset);
        assert_near(gap_of(&ball, &pose_ball, &plane, &pose),
                    vec3_dot(normal, vec3_sub(at_ball.center, foot)) - ball.radius, 1e-13);
        double low, high;
        solid_span(&at_box, normal, &low, &high);
        assert_near(gap_of(&plane, &pose, &box, &pose_box), low - vec3_dot(normal, foot), 1e-13);
        double gap = gap_of(&plane, &pose, &plane, &ORIGIN);
        assert_true(isinf(gap) && gap < 0);
    }
}

static void test_boxes(void **state)
{
    (void)state;
    random_stream random = {97};
    int apart = 0, overlapping = 0;
    for (int trial = 0; trial < (CHECK_SANITIZED ? 300 : 3000); trial++) {
        scree_shape_def a = make(SCREE_SHAPE_BOX), b = a;
        a.half = random_half(&random);
        b.half = random_half(&random);
        scree_pose pose_a = random_body(&random, &a, 1), pose_b = random_body(&random, &b, 1);
        solid sa = placed(&a, &pose_a), sb = placed(&b, &pose_b);
        bounds distance = distance_bounds(&sa, &sb);
        double gap = gap_of(&a, &pose_a, &b, &pose_b);
        assert_at_most(gap, distance.upper + 1e-9);
        if (distance.lower > 1e-7) {
            apart++;
            assert_true(gap > 0);
            assert_at_least(gap, distance.lower - 1e-9);
        } else {
            overlapping++;
            for (int i = 0; i < 50; i++)
                assert_at_least(gap, span_gap(&sa, &sb, random_direction(&random)) - 1e-9);
        }
    }
    assert_true(apart > 50 && overlapping > 50);
}

static case_hull hull;
static scree_ball balls[3] = {{{0.3, 0, 0}, 0.2}, {{-0.3, 0.1, 0}, 0.3}, {{0, -0.3, 0.2}, 0.25}};
static sphere_set set = {3, balls};

// The definition of a random shape, and the same as the oracles know it, without its place.
static scree_shape_def random_shape(random_stream *random, scree_shape_type type, scree_geometry *geometry, convex *as)
{
    scree_shape_def shape = make(type);
    shape.radius = random_between(random, 0.2, 0.8);
    shape.half_length = random_between(random, 0.2, 0.8);
    shape.half = shape.radii = random_half(random);
    *as = (convex){.kind = CONVEX_POINT, .radius = shape.radius};
    if (type == SCREE_SHAPE_BOX || type == SCREE_SHAPE_ELLIPSOID)
        *as = (convex){.kind = type == SCREE_SHAPE_BOX ? CONVEX_BOX : CONVEX_ELLIPSOID, .size = shape.half};
    if (type == SCREE_SHAPE_CAPSULE)
        *as = (convex){.kind = CONVEX_SEGMENT, .radius = shape.radius, .size = {0, 0, shape.half_length}};
    if (type == SCREE_SHAPE_CYLINDER || type == SCREE_SHAPE_CONE)
        *as = (convex){.kind = type == SCREE_SHAPE_CONE ? CONVEX_CONE : CONVEX_CYLINDER,
                       .size = {shape.radius, 0, shape.half_length}};
    if (type == SCREE_SHAPE_HULL) {
        case_hull_random(&hull, random, 9, shape.half);
        *geometry = (scree_geometry){.type = SCREE_SHAPE_HULL, .origin = random_vec(random, 1), .hull = &hull.hull};
        shape.geometry = geometry;
        *as = (convex){.kind = CONVEX_HULL, .hull = &hull.hull};
    }
    return shape;
}

static void place_convex(convex *as, const scree_shape_def *shape, const scree_pose *pose)
{
    solid frame = placed(shape, pose);
    as->axes = frame.axes;
    as->center = frame.center;
    if (shape->geometry)
        as->center = vec3_add(as->center, mat3_apply(&frame.axes, shape->geometry->origin));
}

static void test_every_convex_pair(void **state)
{
    (void)state;
    random_stream random = {99};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 420 : 4200); trial++) {
        scree_geometry geometry;
        convex of_a, of_b;
        // At most one hull: the first shape is none.
        scree_shape_def a = random_shape(&random, (scree_shape_type)(trial % 6), &geometry, &of_a);
        scree_shape_def b = random_shape(&random, (scree_shape_type)(trial / 6 % 7), &geometry, &of_b);
        scree_pose pose_a = random_body(&random, &a, 1), pose_b = random_body(&random, &b, 1);
        place_convex(&of_a, &a, &pose_a);
        place_convex(&of_b, &b, &pose_b);
        double gap = gap_of(&a, &pose_a, &b, &pose_b);
        convex_distance d; // its normal proves the gap from below
        assert_true(convex_find_distance(&of_a, &of_b, CHECK_INFINITY, &d));
        assert_near(gap, d.gap, 1e-7);
        assert_near(case_separation(&of_a, &of_b, d.normal), gap, 1e-7);
        assert_at_least(gap, case_greatest_separation(&of_a, &of_b, 100) - 1e-7);
        scree_shape_def plane = make(SCREE_SHAPE_PLANE);
        scree_pose floor = {{0, 0, 0.3}, {1, 0, 0, 0}};
        assert_near(gap_of(&b, &pose_b, &plane, &floor), -case_reach(&of_b, vec3_make(0, 0, -1)) - 0.3, 1e-12);
    }
}

static void test_sphere_sets(void **state)
{
    (void)state;
    random_stream random = {103};
    scree_geometry geometry = {.type = SCREE_SHAPE_SPHERES, .origin = {0.1, 0.2, 0.3}, .spheres = &set};
    for (int trial = 0; trial < 500; trial++) {
        scree_shape_def a = make(SCREE_SHAPE_SPHERES), b = make(trial % 2 ? SCREE_SHAPE_BOX : SCREE_SHAPE_PLANE);
        a.geometry = &geometry;
        scree_pose pose_a = random_body(&random, &a, 1), pose_b = random_body(&random, &b, 1);
        solid frame = placed(&a, &pose_a);
        double least = CHECK_INFINITY;
        for (int i = 0; i < 3; i++) {
            scree_shape_def ball = make(SCREE_SHAPE_SPHERE);
            ball.radius = balls[i].radius;
            vec3 at = vec3_add(geometry.origin, balls[i].position);
            scree_pose pose = {vec3_add(frame.center, mat3_apply(&frame.axes, at)), {1, 0, 0, 0}};
            least = fmin(least, gap_of(&ball, &pose, &b, &pose_b));
        }
        assert_near(gap_of(&a, &pose_a, &b, &pose_b), least, 1e-12);
    }
}

static void test_sizes_are_not_rounded(void **state)
{
    (void)state;
    scree_shape_def ball = make(SCREE_SHAPE_SPHERE);
    ball.radius = 0.1;
    scree_pose next = {{0.2, 0, 0}, {1, 0, 0, 0}};
    assert_near(gap_of(&ball, &ORIGIN, &ball, &next), 0, 1e-16);
    scree_pose far_a = {{1e6, 1e6, 0}, {1, 0, 0, 0}}, far_b = {{1e6 + 0.25, 1e6, 0}, {1, 0, 0, 0}};
    assert_near(gap_of(&ball, &far_a, &ball, &far_b), 0.05, 1e-15);
}

static void test_refusals(void **state)
{
    (void)state;
    scree_shape_def good = make(SCREE_SHAPE_SPHERE), bad = good;
    bad.radius = -1;
    scree_pose nowhere = {{CHECK_NAN, 0, 0}, {1, 0, 0, 0}}, unturned = {{0, 0, 0}, {0, 0, 0, 0}};
    scree_error error = {0};
    double gap = 7;
    assert_int_equal(scree_shape_gap(&bad, &ORIGIN, &good, &ORIGIN, &gap, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "shape a"));
    assert_int_equal(scree_shape_gap(&good, &ORIGIN, &bad, &ORIGIN, &gap, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "shape b"));
    assert_int_equal(scree_shape_gap(&good, &nowhere, &good, &ORIGIN, &gap, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "pose a: the position"));
    assert_int_equal(scree_shape_gap(&good, &ORIGIN, &good, &unturned, &gap, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "pose b: the orientation"));
    assert_int_equal(scree_shape_gap(NULL, &ORIGIN, &good, &ORIGIN, &gap, &error), SCREE_ERROR_INVALID);
    assert_int_equal(scree_shape_gap(&good, &ORIGIN, &good, &ORIGIN, NULL, NULL), SCREE_ERROR_INVALID);
    assert_true(gap == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_sphere_box),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_every_convex_pair),
        cmocka_unit_test(test_sphere_sets),
        cmocka_unit_test(test_sizes_are_not_rounded),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
