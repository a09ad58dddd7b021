// Shapes on meshes: gaps against all triangles one by one and against solid boxes, normals that the surface has, what
// is inside or behind, and the same contacts wherever the pair stands.
#include "surface_support.h"

enum { TRIALS = CHECK_SANITIZED ? 1500 : 3000 };

static vec3 random_size(random_stream *random)
{
    return vec3_make(random_between(random, 0.1, 0.4), random_between(random, 0.1, 0.4),
                     random_between(random, 0.1, 0.4));
}

// A random shape near the ground at about `height`.
static stage random_stage(random_stream *random, int trial, const scree_geometry *geometry, double height)
{
    stage s = stage_make(SHAPES[trial % 6], random_size(random), geometry, 0.1);
    s.orientations[0] = random_rotation(random);
    s.centers[0] = vec3_make(random_between(random, -2, 2), random_between(random, -2, 2), height);
    s.centers[0].z += random_between(random, -0.1, 0.5);
    return s;
}

// Where nothing is cut, the smallest gap is the distance; and all is found within the margin.
static void test_gaps_over_waves(void **state)
{
    (void)state;
    random_stream random = {3};
    scree_geometry *geometry = grid_mesh(16, 2.5, 0.24, 5, waves);
    size_t compared = 0, which = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, 0.3);
        s.centers[0] = vec3_sub(s.centers[0], geometry->origin);
        double brute = brute_gap(&s);
        if (brute <= 0 || s.centers[0].z + geometry->origin.z < waves(s.centers[0].x, s.centers[0].y))
            continue;
        touches t = stage_collide(&s);
        assert_int_equal(t.count > 0, brute <= 0.1);
        if (t.count == 0)
            continue;
        assert_near(smallest_of(&t, &which), brute, 1e-6);
        compared++;
    }
    assert_true(compared > TRIALS / 15);
    scree_geometry_release(geometry);
}

// A closed box of triangles is what the solid box is: for distances, and for overlaps that are shallow.
static void test_box_of_triangles_is_a_box(void **state)
{
    (void)state;
    random_stream random = {5};
    vec3 half = {1, 1.5, 0.6};
    scree_geometry *geometry = box_mesh((vec3){0, 0, 0}, half, false, true);
    size_t apart = 0, over = 0, which = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, 0);
        s.centers[0] = vec3_scale(random_vec(&random, 1), 2);
        vec3 center;
        convex shape = stage_shape(&s, &center);
        convex box = {.kind = CONVEX_BOX, .size = half, .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        box.center = vec3_negate(center);
        convex_distance d;
        bool near = convex_find_distance(&shape, &box, 0.1, &d);
        touches t = stage_collide(&s);
        if (!near) {
            assert_int_equal(t.count, 0);
            continue;
        }
        if (d.gap < -0.02)
            continue;
        double smallest = smallest_of(&t, &which);
        assert_near(smallest, d.gap, d.gap > 0 ? 1e-6 : 1e-4);
        if (d.gap > 1e-3)
            assert_vec3_near(vec3_from_f(t.data[which].normal), d.normal, 1e-3);
        apart += d.gap > 0;
        over += d.gap <= 0;
    }
    assert_true(apart > 100 && over > 20);
    scree_geometry_release(geometry);
}

// Overlapping a flat part, whatever the triangles below: every normal is straight up, every gap that of the plane.
static void test_flat_floor_is_a_plane(void **state)
{
    (void)state;
    random_stream random = {7};
    scree_geometry *geometry = grid_mesh(30, 3, 0.24, 11, flat_surface);
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, 0);
        vec3 center;
        convex shape = stage_shape(&s, &center);
        double lowest = convex_support(&shape, vec3_make(0, 0, -1)).z - shape.radius;
        s.centers[0].z = -lowest + random_between(&random, 0.8 * lowest, 0.15); // as deep as the centre, nearly
        touches t = stage_collide(&s);
        double expected = s.centers[0].z + lowest;
        assert_int_equal(t.count > 0, expected <= 0.1);
        size_t which;
        if (t.count > 0)
            assert_near(smallest_of(&t, &which), expected, 1e-6);
        for (size_t i = 0; i < t.count; i++)
            assert_vec3_near(vec3_from_f(t.data[i].normal), vec3_make(0, 0, -1), 1e-7);
    }
    scree_geometry_release(geometry);
}

// What has gone through a floor by less than its own size comes back up; what has left it behind, however near, does
// not.
static void test_behind_a_floor(void **state)
{
    (void)state;
    random_stream random = {11};
    scree_geometry *geometry = grid_mesh(30, 3, 0.24, 11, flat_surface);
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, 0);
        vec3 center;
        convex shape = stage_shape(&s, &center);
        double highest = convex_support(&shape, vec3_make(0, 0, 1)).z + shape.radius;
        double lowest = convex_support(&shape, vec3_make(0, 0, -1)).z - shape.radius;
        s.centers[0].z = -random_between(&random, 0.01, 0.99) * highest;
        touches t = stage_collide(&s);
        assert_true(t.count > 0);
        size_t which;
        assert_near(smallest_of(&t, &which), s.centers[0].z + lowest, 1e-5);
        for (size_t i = 0; i < t.count; i++)
            assert_vec3_near(vec3_from_f(t.data[i].normal), vec3_make(0, 0, -1), 1e-7);
        s.centers[0].z = -highest - random_between(&random, 0.01, 0.09);
        assert_int_equal(stage_collide(&s).count, 0);
    }
    scree_geometry_release(geometry);
}

// On a thin closed plate the far side, whose front looks away, is not felt.
static void test_thin_plate(void **state)
{
    (void)state;
    random_stream random = {13};
    scree_geometry *geometry = box_mesh((vec3){0, 0, 0}, (vec3){3, 3, 0.01}, false, false);
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, 0);
        vec3 center;
        convex shape = stage_shape(&s, &center);
        double lowest = convex_support(&shape, vec3_make(0, 0, -1)).z - shape.radius;
        s.centers[0].z = 0.01 - lowest + random_between(&random, -0.05, 0.05);
        touches t = stage_collide(&s);
        assert_true(t.count > 0);
        for (size_t i = 0; i < t.count; i++)
            assert_vec3_near(vec3_from_f(t.data[i].normal), vec3_make(0, 0, -1), 1e-6);
    }
    scree_geometry_release(geometry);
}

// A rigid motion of both, far away too, turns the contacts with it and changes nothing else.
static void check_moved(double distance, double tolerance)
{
    random_stream random = {17};
    scree_geometry *geometry = grid_mesh(16, 2.5, 0.24, 5, waves);
    for (int trial = 0; trial < TRIALS / 3; trial++) {
        stage s = random_stage(&random, trial, geometry, 0.3), moved = s;
        vec3 shift = vec3_scale(random_direction(&random), distance);
        quat turn = random_rotation(&random);
        for (int body = 0; body < 2; body++) {
            moved.centers[body] = vec3_add(shift, quat_rotate(turn, s.centers[body]));
            moved.orientations[body] = quat_multiply(turn, s.orientations[body]);
        }
        touches a = stage_collide(&s), b = stage_collide(&moved);
        size_t i, j;
        double of_a = smallest_of(&a, &i), of_b = smallest_of(&b, &j);
        if (fmin(of_a, of_b) > 0.1 - 1e-5)
            continue;
        assert_near(of_a, of_b, tolerance);
    }
    scree_geometry_release(geometry);
}

static void test_moving_frames(void **state)
{
    (void)state;
    check_moved(10, 1e-6);
    check_moved(1e5, 1e-6);
}

// Distances of a ball to many triangles at once: the inside of a bowl, nowhere more than the room for points.
static double bowl(double x, double y)
{
    return 1 - sqrt(fmax(1 - x * x - y * y, 0));
}

static void test_ball_in_a_bowl(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_mesh(60, 0.5, 0.2, 19, bowl);
    stage s = stage_make(SCREE_SHAPE_SPHERE, vec3_make(0.999, 0, 0), geometry, 0.01);
    s.centers[0] = vec3_sub(vec3_make(0, 0, 1), geometry->origin);
    touches t = stage_collide(&s);
    assert_true(t.count >= 4 && t.count <= 8);
    size_t which;
    assert_near(smallest_of(&t, &which), 0, 0.002);
    scree_geometry_release(geometry);
}

// A box given as a hull touches as the box does.
static void test_hull_is_its_box(void **state)
{
    (void)state;
    static const uint32_t starts[7] = {0, 4, 8, 12, 16, 20, 24},
                          corners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const vec3 half = {0.3, 0.2, 0.25};
    scree_geometry of_hull = {.type = SCREE_SHAPE_HULL, .hull = hull_new(8, 6, 24)};
    assert_non_null(of_hull.hull);
    for (uint32_t i = 0; i < 8; i++)
        of_hull.hull->vertices[i] =
            vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    memcpy(of_hull.hull->face_start, starts, sizeof starts);
    memcpy(of_hull.hull->face_corners, corners, sizeof corners);
    assert_int_equal(hull_finish(&of_hull, NULL), SCREE_OK);
    scree_geometry *geometry = grid_mesh(16, 2.5, 0.24, 5, waves);
    random_stream random = {23};
    size_t compared = 0, which = 0;
    for (int trial = 0; trial < TRIALS / 3; trial++) {
        stage box = random_stage(&random, 1, geometry, 0.3);
        for (int axis = 0; axis < 3; axis++)
            box.proxies[0].size[axis] = (float)vec3_get(half, axis);
        stage as_hull = box;
        as_hull.geometries[1] = &of_hull;
        as_hull.proxies[0].type = SCREE_SHAPE_HULL;
        as_hull.proxies[0].geometry = 1;
        touches a = stage_collide(&box), b = stage_collide(&as_hull);
        assert_int_equal(a.count > 0, b.count > 0);
        if (a.count == 0)
            continue;
        assert_near(smallest_of(&a, &which), smallest_of(&b, &which), 1e-6);
        compared++;
    }
    assert_true(compared > TRIALS / 10);
    hull_free(of_hull.hull);
    scree_geometry_release(geometry);
}

// The public distance: to every triangle one by one, or that of the deepest contact; on a height field as well.
static void test_public_gap(void **state)
{
    (void)state;
    random_stream random = {29};
    scree_geometry *surfaces[2] = {grid_mesh(16, 2.5, 0.24, 5, waves), grid_field(17, 2.5, waves)};
    int apart = 0, over = 0;
    for (int trial = 0; trial < TRIALS / 3; trial++) {
        const scree_geometry *geometry = surfaces[trial % 2];
        stage s = random_stage(&random, trial, geometry, 0.3);
        s.centers[0].z += random_between(&random, 0, 1) * random_between(&random, 0, 4);
        s.centers[1] = geometry->origin;
        scree_shape_def shape = scree_default_shape_def(), ground = shape;
        vec3 size = {(double)s.proxies[0].size[0], (double)s.proxies[0].size[1], (double)s.proxies[0].size[2]};
        shape.type = SHAPES[trial % 6];
        shape.radius = size.x;
        shape.half_length = size.y;
        shape.half = shape.radii = size;
        ground.type = geometry->type;
        ground.geometry = geometry;
        scree_pose at = {s.centers[0], s.orientations[0]}, here = {{0, 0, 0}, {1, 0, 0, 0}};
        double gap, turned, brute = brute_gap(&s);
        surface_ok(scree_shape_gap(&shape, &at, &ground, &here, &gap, error));
        surface_ok(scree_shape_gap(&ground, &here, &shape, &at, &turned, error));
        assert_near(gap, turned, 1e-12);
        if (gap > 0) {
            assert_near(gap, brute, 1e-9);
            apart++;
            continue;
        }
        s.margins[0] = 0;
        touches t = stage_collide(&s);
        size_t which = 0;
        assert_near(gap, smallest_of(&t, &which), 1e-6);
        over++;
    }
    assert_true(apart > TRIALS / 20 && over > 5);
    scree_geometry_release(surfaces[0]);
    scree_geometry_release(surfaces[1]);
}

static double groove(double x, double y)
{
    (void)y;
    return fabs(x);
}

// A tip pushed into a groove is over neither of its faces, and still is held up.
static void test_tip_in_a_groove(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_mesh(8, 2, 0, 5, groove);
    stage s = stage_make(SCREE_SHAPE_CONE, vec3_make(0.1, 0.4, 0), geometry, 0.01);
    s.orientations[0] = quat_from_rotation(vec3_make(PI, 0, 0)); // the apex, 0.6 from the centre, is down
    for (double depth = 0.001; depth < 0.3; depth += 0.01) {
        s.centers[0] = vec3_sub(vec3_make(0, 0.1, 0.6 - depth), geometry->origin);
        touches t = stage_collide(&s);
        assert_true(t.count > 0);
        for (size_t i = 0; i < t.count; i++)
            assert_true((double)t.data[i].normal.z < -0.5 && (double)t.data[i].gap < 0);
    }
    scree_geometry_release(geometry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_over_waves),
        cmocka_unit_test(test_box_of_triangles_is_a_box),
        cmocka_unit_test(test_flat_floor_is_a_plane),
        cmocka_unit_test(test_behind_a_floor),
        cmocka_unit_test(test_thin_plate),
        cmocka_unit_test(test_moving_frames),
        cmocka_unit_test(test_ball_in_a_bowl),
        cmocka_unit_test(test_hull_is_its_box),
        cmocka_unit_test(test_public_gap),
        cmocka_unit_test(test_tip_in_a_groove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
