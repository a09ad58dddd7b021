// Boxes in the narrow phase: resting and stacked ones give the points that a drawing gives, random ones agree with
// oracles that know nothing of separating axes.
#include "narrow_support.h"

static const double SLACK = 2e-3; // what the stable choice of an axis may cost, in smallest half edges

static quat turn_z(double angle)
{
    return quat_from_rotation(vec3_make(0, 0, angle));
}

// ------------------------------------------------------------------------------------------------------ box - plane

static world box_on_plane(vec3 center, quat orientation, vec3 half, float margin)
{
    world w = {0};
    add_box(&w, add_body(&w, center, orientation, margin), half, NULL);
    add_plane(&w, add_body(&w, vec3_make(0, 0, 0), quat_identity(), 0), vec3_make(0, 0, 1), 0, NULL);
    return w;
}

static void test_resting_box_has_four_points(void **state)
{
    (void)state;
    world w = box_on_plane(vec3_make(3, 4, 0.25), turn_z(0.3), vec3_make(1, 0.5, 0.25), 0.01f);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_near((double)p.data[i].gap, 0, 1e-7);
        assert_near((double)p.data[i].arm.z, -0.25, 1e-7);
        assert_vec3_near(vec3_from_f(p.data[i].normal), vec3_make(0, 0, -1), 0);
        assert_int_equal(p.data[i].feature, i); // the lower corners
    }
}

static void test_box_plane_counts(void **state)
{
    (void)state;
    vec3 half = {1, 1, 1};
    world w = box_on_plane(vec3_make(0, 0, 1.02), quat_identity(), half, 0.01f);
    assert_int_equal(collide(&w, 0, 1).count, 0);
    w = box_on_plane(vec3_make(0, 0, -5), quat_identity(), half, 0);
    assert_int_equal(collide(&w, 0, 1).count, 8);
    quat on_edge = quat_from_rotation(vec3_make(atan(1), 0, 0));
    w = box_on_plane(vec3_make(0, 0, 1.4), on_edge, half, 0);
    assert_int_equal(collide(&w, 0, 1).count, 2);
}

static void test_box_plane_against_corners(void **state)
{
    (void)state;
    random_stream random = {1};
    size_t seen = 0;
    for (int trial = 0; trial < 5000; trial++) {
        world w = {0};
        local_pose local = {random_vec(&random, 1), random_rotation(&random)};
        vec3 half = {random_between(&random, 0.1, 1), random_between(&random, 0.1, 1), random_between(&random, 0.1, 1)};
        add_box(&w, add_body(&w, random_vec(&random, 1.5), random_rotation(&random), 0.1f), half,
                trial % 2 ? &local : NULL);
        uint32_t owner = add_body(&w, random_vec(&random, 2), random_rotation(&random), 0.05f);
        vec3 normal = random_direction(&random);
        double offset = random_between(&random, -1, 1);
        local_pose tilt = {random_vec(&random, 1), random_rotation(&random)};
        add_plane(&w, owner, normal, offset, trial % 3 ? &tilt : NULL);
        points p = collide(&w, 0, 1);
        solid box = solid_of(&w, 0), frame = solid_of(&w, 1); // of the plane, for its place and axes only
        size_t expected = 0;
        for (int corner = 0; corner < 8; corner++) {
            vec3 at = solid_corner(&box, corner);
            double gap = vec3_dot(normal, mat3_apply_transposed(&frame.axes, vec3_sub(at, frame.center))) - offset;
            if (gap > (double)0.1f + (double)0.05f)
                continue;
            assert_true(expected < p.count);
            const contact *c = &p.data[expected++];
            assert_int_equal(c->feature, corner);
            assert_near((double)c->gap, gap, 1e-6);
            vec3 toward = vec3_from_f(c->normal);
            assert_vec3_near(toward, vec3_negate(mat3_apply(&frame.axes, normal)), 1e-6);
            vec3 middle = vec3_add_scaled(at, toward, 0.5 * gap);
            assert_vec3_near(vec3_from_f(c->arm), vec3_sub(middle, w.centers[0]), 1e-6);
        }
        assert_int_equal(p.count, expected);
        seen += expected;
    }
    assert_true(seen > 5000);
}

// -------------------------------------------------------------------------------------------------------- box - box

static world two_boxes(vec3 half_a, vec3 at_b, quat turn_b, vec3 half_b, float margin)
{
    world w = {0};
    add_box(&w, add_body(&w, vec3_make(0, 0, 0), quat_identity(), margin), half_a, NULL);
    add_box(&w, add_body(&w, at_b, turn_b, margin), half_b, NULL);
    return w;
}

static bool has_point(const points *p, vec3 arm, double tolerance)
{
    for (size_t i = 0; i < p->count; i++)
        if (vec3_length(vec3_sub(vec3_from_f(p->data[i].arm), arm)) < tolerance)
            return true;
    return false;
}

static void test_aligned_stack_has_four_points(void **state)
{
    (void)state;
    const double gaps[] = {-0.01, 0, 0.005};
    for (int i = 0; i < 3; i++) {
        world w =
            two_boxes(vec3_make(1, 1, 1), vec3_make(0, 0, 1.5 + gaps[i]), quat_identity(), vec3_make(1, 1, 0.5), 0.01f);
        points p = collide(&w, 0, 1);
        assert_int_equal(p.count, 4);
        for (size_t k = 0; k < 4; k++) {
            assert_near((double)p.data[k].gap, gaps[i], 1e-7);
            assert_vec3_near(vec3_from_f(p.data[k].normal), vec3_make(0, 0, 1), 1e-7);
        }
        for (int k = 0; k < 4; k++)
            assert_true(has_point(&p, vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, 1 + 0.5 * gaps[i]), 1e-6));
    }
}

// A square turned by 45 degrees over an equal one: an octagon.
static void test_turned_stack_has_eight_points(void **state)
{
    (void)state;
    double eighth = atan(1);
    world w = two_boxes(vec3_make(1, 1, 1), vec3_make(0, 0, 2), turn_z(eighth), vec3_make(1, 1, 1), 0.01f);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 8);
    double t = sqrt(2) - 1;
    for (int k = 0; k < 4; k++) {
        double sx = k & 1 ? 1 : -1, sy = k & 2 ? 1 : -1;
        assert_true(has_point(&p, vec3_make(sx, sy * t, 1), 1e-6));
        assert_true(has_point(&p, vec3_make(sx * t, sy, 1), 1e-6));
    }
}

static void test_overhang_is_cut(void **state)
{
    (void)state;
    world w = two_boxes(vec3_make(1, 1, 1), vec3_make(1.5, 1.2, 1.5), quat_identity(), vec3_make(1, 1, 0.5), 0.01f);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 4);
    for (int k = 0; k < 4; k++)
        assert_true(has_point(&p, vec3_make(k & 1 ? 1 : 0.5, k & 2 ? 1 : 0.2, 1), 1e-6));
}

static void test_crossed_edges_have_one_point(void **state)
{
    (void)state;
    // Two bars, each turned onto an edge, crossing at a right angle.
    double eighth = atan(1), edge = sqrt(2);
    const double gaps[] = {-0.05, 0.004};
    for (int i = 0; i < 2; i++) {
        world w = {0};
        add_box(&w, add_body(&w, vec3_make(0, 0, 0), quat_from_rotation(vec3_make(eighth, 0, 0)), 0.01f),
                vec3_make(5, 1, 1), NULL);
        add_box(&w, add_body(&w, vec3_make(2, 0, 2 * edge + gaps[i]), quat_from_rotation(vec3_make(0, eighth, 0)), 0),
                vec3_make(1, 5, 1), NULL);
        points p = collide(&w, 0, 1);
        assert_int_equal(p.count, 1);
        assert_near((double)p.data[0].gap, gaps[i], 1e-6);
        assert_vec3_near(vec3_from_f(p.data[0].normal), vec3_make(0, 0, 1), 1e-6);
        assert_vec3_near(vec3_from_f(p.data[0].arm), vec3_make(2, 0, edge + 0.5 * gaps[i]), 1e-6);
    }
}

// Corner to corner no separating axis points along the shortest way.
static void test_corner_to_corner_has_the_shortest_way(void **state)
{
    (void)state;
    double d = 0.03 / sqrt(3);
    world w = two_boxes(vec3_make(1, 1, 1), vec3_make(2 + d, 2 + d, 2 + d), quat_identity(), vec3_make(1, 1, 1), 0.05f);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 1);
    assert_near((double)p.data[0].gap, 0.03, 1e-7);
    assert_vec3_near(vec3_from_f(p.data[0].normal), vec3_scale(vec3_make(1, 1, 1), 1 / sqrt(3)), 1e-6);
    assert_vec3_near(vec3_from_f(p.data[0].arm), vec3_make(1 + d / 2, 1 + d / 2, 1 + d / 2), 1e-6);
    w.margins[0] = w.margins[1] = 0.012f; // each axis is within the margin, the corners are not
    assert_int_equal(collide(&w, 0, 1).count, 0);
}

static void test_coincident_boxes(void **state)
{
    (void)state;
    world w = two_boxes(vec3_make(1, 2, 3), vec3_make(0, 0, 0), quat_identity(), vec3_make(1, 2, 3), 0.01f);
    points p = collide(&w, 0, 1);
    assert_true(p.count > 0);
    assert_near(smallest_gap(&p), -2, 1e-6); // out along the shortest axis
    assert_near(fabs((double)p.data[0].normal.x), 1, 1e-7);
}

static void test_small_box_inside_large(void **state)
{
    (void)state;
    world w = two_boxes(vec3_make(2, 2, 2), vec3_make(0.1, -1.5, 0.2), quat_identity(), vec3_make(0.1, 0.1, 0.1), 0);
    points p = collide(&w, 0, 1);
    assert_int_equal(p.count, 4);
    assert_near(smallest_gap(&p), -0.6, 1e-6);
    assert_vec3_near(vec3_from_f(p.data[0].normal), vec3_make(0, -1, 0), 1e-7);
}

// Another face of either box, other names: a rolled box must not inherit the impulses of its old face.
static void test_features_tell_faces_apart(void **state)
{
    (void)state;
    points seen[24] = {0};
    int faces = 0;
    for (int body = 0; body < 2; body++)
        for (int quarter = 0; quarter < 4; quarter++)
            for (int axis = 0; axis < 2; axis++) {
                double angle = 2 * atan(1) * quarter;
                world w = two_boxes(vec3_make(1, 1, 1), vec3_make(0, 0, 2), quat_identity(), vec3_make(1, 1, 1), 0.01f);
                w.orientations[body] = quat_from_rotation(axis ? vec3_make(0, angle, 0) : vec3_make(angle, 0, 0));
                points p = collide(&w, 0, 1);
                assert_int_equal(p.count, 4);
                if (quarter == 0)
                    continue;
                if (quarter == 2 && axis == 1)
                    continue; // upside down either way
                seen[faces++] = p;
            }
    for (int i = 0; i < faces; i++)
        for (int k = 0; k < i; k++)
            for (size_t m = 0; m < 16; m++)
                assert_int_not_equal(seen[i].data[m / 4].feature, seen[k].data[m % 4].feature);
}

// Tiny motions of a resting box, of the kind that rounding makes, change neither the number nor the names of its
// points.
static void test_features_are_stable(void **state)
{
    (void)state;
    random_stream random = {9};
    world still = two_boxes(vec3_make(1, 1, 1), vec3_make(0.3, 0.1, 2), quat_identity(), vec3_make(1, 1, 1), 0.02f);
    points before = collide(&still, 0, 1);
    assert_int_equal(before.count, 4);
    for (int trial = 0; trial < 2000; trial++) {
        world w = still;
        for (int body = 0; body < 2; body++) {
            w.centers[body] = vec3_add(w.centers[body], random_vec(&random, 1e-4));
            w.orientations[body] = quat_from_rotation(random_vec(&random, 1e-4));
        }
        points after = collide(&w, 0, 1);
        assert_int_equal(after.count, before.count);
        for (size_t i = 0; i < after.count; i++)
            assert_int_equal(after.data[i].feature, before.data[i].feature);
    }
}

// -------------------------------------------------------------------------------------------------- random boxes

static solid box_a(const world *w)
{
    return solid_of(w, 0);
}

// Each point lies midway between a point of a and a point of b, a gap apart along the normal.
static void check_points(const world *w, const points *p, double slack)
{
    solid a = box_a(w), b = solid_of(w, 1);
    for (size_t i = 0; i < p->count; i++) {
        vec3 middle = vec3_add(w->centers[0], vec3_from_f(p->data[i].arm));
        vec3 normal = vec3_from_f(p->data[i].normal);
        assert_at_most(outside(&a, vec3_add_scaled(middle, normal, -0.5 * (double)p->data[i].gap)), slack);
        assert_at_most(outside(&b, vec3_add_scaled(middle, normal, 0.5 * (double)p->data[i].gap)), slack);
    }
}

static double smallest_half(const world *w)
{
    double smallest = CHECK_INFINITY;
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 3; k++)
            smallest = fmin(smallest, (double)w->proxies[p].size[k]);
    return smallest;
}

// Sturdy boxes, and every fourth time needles and plates.
static vec3 random_half(random_stream *random, int trial)
{
    double half[3];
    for (int k = 0; k < 3; k++)
        half[k] = trial % 4 == 3 ? pow(10, random_between(random, -2, 0)) : random_between(random, 0.2, 1);
    return vec3_make(half[0], half[1], half[2]);
}

// Boxes turned at random, or nearly parallel, or parallel up to right angles, about `reach` from each other.
static world random_boxes(random_stream *random, int trial, double reach, float margin)
{
    world w = {0};
    quat turn_a = random_rotation(random), turn_b = random_rotation(random);
    if (trial % 3 == 1)
        turn_b = quat_multiply(turn_a, quat_from_rotation(random_vec(random, trial % 2 ? 1e-3 : 1e-7)));
    if (trial % 3 == 2)
        turn_b = quat_multiply(turn_a, turn_z(2 * atan(1) * (double)(trial % 4)));
    vec3 at_a = random_vec(random, 5);
    vec3 half_a = random_half(random, trial), half_b = random_half(random, trial);
    local_pose local = {random_vec(random, 1), random_rotation(random)};
    uint32_t a = add_body(&w, at_a, turn_a, margin);
    uint32_t b = add_body(&w, vec3_add(at_a, vec3_scale(random_direction(random), reach)), turn_b, margin);
    add_box(&w, a, half_a, trial % 5 == 0 ? &local : NULL);
    add_box(&w, b, half_b, trial % 7 == 0 ? &local : NULL);
    return w;
}

// Moves b straight away from a until they are about `gap` apart.
static void move_apart(world *w, double gap)
{
    for (int i = 0; i < 60; i++) {
        solid a = box_a(w), b = solid_of(w, 1);
        bounds d = distance_bounds(&a, &b);
        vec3 away = vec3_normalize(vec3_sub(b.center, a.center));
        double step = d.upper < 1e-6 ? 0.2 : gap - d.upper;
        if (fabs(step) < 1e-3 * gap)
            break;
        w->centers[1] = vec3_add_scaled(w->centers[1], away, step);
    }
}

static void test_separated_boxes_against_distance(void **state)
{
    (void)state;
    random_stream random = {2};
    int tight = 0, trials = CHECK_SANITIZED ? 500 : 4000;
    for (int trial = 0; trial < trials; trial++) {
        world w = random_boxes(&random, trial, random_between(&random, 0.5, 2), 0.05f);
        move_apart(&w, random_between(&random, 0.01, 0.12));
        solid a = box_a(&w), b = solid_of(&w, 1);
        bounds distance = distance_bounds(&a, &b);
        points p = collide(&w, 0, 1);
        double slack = SLACK * smallest_half(&w);
        if (distance.upper <= 0.1 - 1e-6) {
            assert_true(p.count > 0);
            assert_at_most(smallest_gap(&p), distance.upper + 1e-6);
        }
        if (distance.lower > 0.1 + slack)
            assert_int_equal(p.count, 0);
        if (p.count > 0)
            assert_at_least(smallest_gap(&p), distance.lower - slack);
        check_points(&w, &p, slack);
        tight += distance.upper - distance.lower < 1e-6;
    }
    assert_true(tight > trials * 95 / 100); // the oracle itself is sharp
}

static void test_never_more_than_eight_points(void **state)
{
    (void)state;
    random_stream random = {6};
    int full = 0;
    for (int trial = 0; trial < 20000; trial++) {
        quat rotation =
            quat_multiply(quat_from_rotation(random_vec(&random, 0.1)), turn_z(random_between(&random, 0.3, 1.2)));
        vec3 at = {random_between(&random, -0.1, 0.1), random_between(&random, -0.1, 0.1), 1.2};
        vec3 half_a = {random_between(&random, 0.5, 1), random_between(&random, 0.5, 1), 0.5};
        vec3 half_b = {random_between(&random, 0.5, 1), random_between(&random, 0.5, 1), 0.5};
        world w = two_boxes(half_a, at, rotation, half_b, 0.3f);
        points p = collide(&w, 0, 1); // checks the number
        solid a = solid_of(&w, 0), b = solid_of(&w, 1);
        full += p.count == 8;
        if (p.count == 8 && trial % 8 == 0)
            assert_at_most(smallest_gap(&p), distance_bounds(&a, &b).upper + 1e-6);
    }
    assert_true(full > 1000);
}

static void test_overlapping_boxes_against_depth(void **state)
{
    (void)state;
    random_stream random = {3};
    int overlapping = 0;
    for (int trial = 0; trial < 6000; trial++) {
        world w = random_boxes(&random, trial, random_between(&random, 0, 1.6), 0);
        solid a = box_a(&w), b = solid_of(&w, 1);
        double widest = -CHECK_INFINITY;
        for (int i = 0; i < 3; i++) {
            widest = fmax(widest,
                          fmax(span_gap(&a, &b, mat3_column(&a.axes, i)), span_gap(&a, &b, mat3_column(&b.axes, i))));
            for (int j = 0; j < 3; j++) {
                vec3 axis = vec3_cross(mat3_column(&a.axes, i), mat3_column(&b.axes, j));
                if (vec3_length(axis) > 1e-5)
                    widest = fmax(widest, span_gap(&a, &b, vec3_normalize(axis)));
            }
        }
        if (widest > 0)
            continue;
        overlapping++;
        for (int i = 0; i < 20; i++) // no direction gives a shorter way out than those
            assert_at_most(span_gap(&a, &b, random_direction(&random)), widest + 1e-9);
        points p = collide(&w, 0, 1);
        double slack = SLACK * smallest_half(&w) + 0.03 * fabs(widest);
        assert_true(p.count > 0);
        assert_near(smallest_gap(&p), widest, slack);
        assert_at_most(smallest_gap(&p), 0);
        check_points(&w, &p, 2 * slack + 0.1 * fabs(widest));
        // Out along the normal by that much, and they are apart.
        solid moved = b;
        moved.center = vec3_add_scaled(b.center, vec3_from_f(p.data[0].normal), -smallest_gap(&p) + slack);
        assert_at_least(span_gap(&a, &moved, vec3_from_f(p.data[0].normal)), -1e-6);
    }
    assert_true(overlapping > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resting_box_has_four_points),
        cmocka_unit_test(test_box_plane_counts),
        cmocka_unit_test(test_box_plane_against_corners),
        cmocka_unit_test(test_aligned_stack_has_four_points),
        cmocka_unit_test(test_turned_stack_has_eight_points),
        cmocka_unit_test(test_overhang_is_cut),
        cmocka_unit_test(test_crossed_edges_have_one_point),
        cmocka_unit_test(test_corner_to_corner_has_the_shortest_way),
        cmocka_unit_test(test_coincident_boxes),
        cmocka_unit_test(test_small_box_inside_large),
        cmocka_unit_test(test_features_tell_faces_apart),
        cmocka_unit_test(test_features_are_stable),
        cmocka_unit_test(test_separated_boxes_against_distance),
        cmocka_unit_test(test_never_more_than_eight_points),
        cmocka_unit_test(test_overlapping_boxes_against_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
