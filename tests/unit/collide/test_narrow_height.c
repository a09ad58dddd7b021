// Shapes on height fields: the same contacts as on a mesh of the same triangles, and what is under the ground.
#include "surface_support.h"

enum { TRIALS = CHECK_SANITIZED ? 300 : 3000 };

static double rounded_waves(double x, double y)
{
    return (double)(float)waves(x, y);
}

// A random shape with its centre at most `height` over the ground, in the frame of the user's heights.
static stage random_stage(random_stream *random, int trial, const scree_geometry *geometry, double low, double high)
{
    vec3 size = {random_between(random, 0.1, 0.4), random_between(random, 0.1, 0.4), random_between(random, 0.1, 0.4)};
    stage s = stage_make(SHAPES[trial % 6], size, geometry, 0.1);
    s.orientations[0] = random_rotation(random);
    double x = random_between(random, -2.2, 2.2), y = random_between(random, -2.2, 2.2);
    s.centers[0] = vec3_make(x, y, waves(x, y) + random_between(random, low, high));
    s.centers[1] = geometry->origin;
    return s;
}

static void test_same_as_a_mesh(void **state)
{
    (void)state;
    random_stream random = {3};
    scree_geometry *field = grid_field(17, 2.5, rounded_waves), *mesh = grid_mesh(16, 2.5, 0, 1, rounded_waves);
    size_t compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        stage on_field = random_stage(&random, trial, field, 0.1, 0.6), on_mesh = on_field;
        on_mesh.geometries[0] = mesh;
        on_mesh.centers[1] = mesh->origin;
        on_mesh.proxies[1].type = SCREE_SHAPE_MESH;
        touches a = stage_collide(&on_field), b = stage_collide(&on_mesh);
        size_t i = 0, j = 0;
        double of_a = smallest_of(&a, &i), of_b = smallest_of(&b, &j);
        if (fmin(of_a, of_b) > 0.1 - 1e-6)
            continue;
        assert_near(of_a, of_b, 1e-6);
        compared += a.count;
    }
    assert_true(compared > (size_t)TRIALS);
    scree_geometry_release(field);
    scree_geometry_release(mesh);
}

static void test_gaps_against_every_triangle(void **state)
{
    (void)state;
    random_stream random = {5};
    scree_geometry *geometry = grid_field(17, 2.5, waves);
    size_t compared = 0, which = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, 0.1, 0.8);
        double brute = brute_gap(&s);
        if (brute <= 0)
            continue;
        touches t = stage_collide(&s);
        assert_int_equal(t.count > 0, brute <= 0.1);
        if (t.count > 0)
            assert_near(smallest_of(&t, &which), brute, 1e-6);
        compared += t.count > 0;
    }
    assert_true(compared > TRIALS / 15);
    scree_geometry_release(geometry);
}

// However deep, the push is upward and by as much as it takes to bring the whole shape over the triangle above.
static void test_under_the_ground(void **state)
{
    (void)state;
    random_stream random = {7};
    scree_geometry *geometry = grid_field(17, 2.5, waves);
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, -4, -0.1);
        touches t = stage_collide(&s);
        size_t which = 0;
        assert_true(t.count > 0);
        double deepest = smallest_of(&t, &which);
        vec3 center, p[3], up = vec3_negate(vec3_from_f(t.data[which].normal));
        convex shape = stage_shape(&s, &center);
        assert_true(up.z > 0.5);
        height_corners(geometry->height, height_triangle_at(geometry->height, center.x, center.y), p);
        if (vec3_dot(up, triangle_normal(p)) < 1 - 1e-9)
            continue; // the deepest point belongs to a neighbour that is nearly level with it
        double lowest = vec3_dot(up, convex_support(&shape, vec3_negate(up))) - shape.radius;
        assert_near(deepest, vec3_dot(up, vec3_sub(center, p[0])) + lowest, 1e-5);
    }
    scree_geometry_release(geometry);
}

// Beside the rectangle there is nothing but its rim.
static void test_beside_the_field(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_field(9, 1, flat_surface);
    stage s = stage_make(SCREE_SHAPE_SPHERE, vec3_make(0.5, 0, 0), geometry, 0.1);
    s.centers[1] = geometry->origin;
    s.centers[0] = vec3_make(1.3, 0, 0.4); // on the rim at a slant
    touches t = stage_collide(&s);
    assert_int_equal(t.count, 1);
    assert_near((double)t.data[0].gap, 0, 1e-7);
    assert_vec3_near(vec3_from_f(t.data[0].normal), vec3_make(-0.6, 0, -0.8), 1e-6);
    s.centers[0] = vec3_make(1.3, 0, -2); // beside the ground below
    assert_int_equal(stage_collide(&s).count, 0);
    s.centers[0] = vec3_make(1.7, 0, 0);
    assert_int_equal(stage_collide(&s).count, 0);
    scree_geometry_release(geometry);
}

// Whatever stands beside the rectangle and overlaps the rim is pushed out, from however low, by no more than its own
// size.
static void test_over_the_rim(void **state)
{
    (void)state;
    random_stream random = {23};
    scree_geometry *geometry = grid_field(17, 2.5, waves);
    int overlaps = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        stage s = random_stage(&random, trial, geometry, -0.4, 0.4);
        s.centers[0].x = random_between(&random, 2.5, 2.8);
        double brute = brute_gap(&s);
        touches t = stage_collide(&s);
        size_t which = 0;
        if (brute > 1e-6) {
            assert_at_least(smallest_of(&t, &which), brute - 1e-6);
            continue;
        }
        if (brute > -1e-6)
            continue;
        overlaps++;
        assert_true(t.count > 0);
        assert_at_most(smallest_of(&t, &which), -1e-9);
        assert_at_least(smallest_of(&t, &which), -1);
    }
    assert_true(overlaps > TRIALS / 10);
    scree_geometry_release(geometry);
}

// A post beside the ground, its centre below, is pushed aside and not up.
static void test_post_at_the_rim(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_field(9, 1, flat_surface);
    stage s = stage_make(SCREE_SHAPE_CAPSULE, vec3_make(0.2, 1, 0), geometry, 0.1);
    s.centers[1] = geometry->origin;
    s.centers[0] = vec3_make(1.1, 0.03, -0.3);
    touches t = stage_collide(&s);
    assert_true(t.count > 0);
    for (size_t i = 0; i < t.count; i++) {
        assert_near((double)t.data[i].gap, -0.1, 1e-6);
        assert_vec3_near(vec3_from_f(t.data[i].normal), vec3_make(-1, 0, 0), 1e-5);
    }
    scree_geometry_release(geometry);
}

// A body many cells wide on the finest of grids.
static void test_many_cells(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_field(201, 1, flat_surface);
    stage s = stage_make(SCREE_SHAPE_BOX, vec3_make(0.6, 0.5, 0.2), geometry, 0.01);
    s.centers[1] = geometry->origin;
    s.centers[0] = vec3_make(0.003, 0.001, 0.2);
    s.orientations[0] = quat_from_rotation(vec3_make(0, 0, 0.3));
    touches t = stage_collide(&s);
    assert_true(t.count >= 4 && t.count <= 9);
    for (int corner = 0; corner < 4; corner++) {
        vec3 at = quat_rotate(s.orientations[0], vec3_make(corner & 1 ? 0.6 : -0.6, corner & 2 ? 0.5 : -0.5, -0.2));
        double nearest = CHECK_INFINITY;
        for (size_t i = 0; i < t.count; i++)
            nearest = fmin(nearest, vec3_length(vec3_sub(at, vec3_from_f(t.data[i].arm))));
        assert_at_most(nearest, 1e-6);
    }
    scree_geometry_release(geometry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_a_mesh),   cmocka_unit_test(test_gaps_against_every_triangle),
        cmocka_unit_test(test_under_the_ground), cmocka_unit_test(test_beside_the_field),
        cmocka_unit_test(test_over_the_rim),     cmocka_unit_test(test_post_at_the_rim),
        cmocka_unit_test(test_many_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
