// Bodies made of spheres behave as what they stand for.
#include "lab.h"

static const vec3 AT_REST = {0, 0, 0};

enum { EDGE = 6 };

// A cube of half edge 0.5 whose faces are covered by a grid of small spheres that touch them from inside; its mass is
// that of the cube.
static scree_geometry *cube_of_spheres(void)
{
    scree_ball balls[EDGE * EDGE * EDGE];
    const double radius = 0.1, reach = 0.5 - radius;
    size_t count = 0;
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++)
            for (int k = 0; k < EDGE; k++) {
                bool outside = i % (EDGE - 1) == 0 || j % (EDGE - 1) == 0 || k % (EDGE - 1) == 0;
                vec3 at = vec3_scale(
                    vec3_make(2.0 * i / (EDGE - 1) - 1, 2.0 * j / (EDGE - 1) - 1, 2.0 * k / (EDGE - 1) - 1), reach);
                if (outside)
                    balls[count++] = (scree_ball){at, radius};
            }
    scree_solid cube = {.volume = 1, .inertia = {1.0 / 6, 1.0 / 6, 1.0 / 6, 0, 0, 0}};
    scree_geometry *geometry = NULL;
    lab_ok(scree_spheres_create(balls, count, &cube, &geometry, error));
    return geometry;
}

static scree_shape_def set_shape(const scree_geometry *geometry)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_SPHERES;
    shape.geometry = geometry;
    return shape;
}

static void test_mass_is_that_of_the_cube(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.005);
    scree_world *world = lab_create(&def);
    scree_geometry *geometry = cube_of_spheres();
    scree_id id = lab_add(world, lab_body(vec3_make(1, 2, 3), AT_REST), set_shape(geometry));
    scree_geometry_release(geometry);
    scree_body_info info = lab_info(world, id);
    assert_near(info.mass, 2500, 1e-9);
    assert_vec3_near(info.inertia, vec3_make(2500.0 / 6, 2500.0 / 6, 2500.0 / 6), 1e-3);
    assert_int_equal(info.shape_count, EDGE * EDGE * EDGE - (EDGE - 2) * (EDGE - 2) * (EDGE - 2));
    scree_world_destroy(world);
}

// One cube on another on the floor, of spheres or of boxes: after two seconds each stands as high as it should,
// upright and still. At most eight points per pair carry it.
static void rest_on_each_other(const lab_solver *solver, scree_shape_def shape, double *heights)
{
    scree_world_def def = lab_def(solver, 0.005);
    scree_world *world = lab_create(&def);
    scree_id floor = lab_add_floor(world);
    scree_id ids[2];
    for (int i = 0; i < 2; i++)
        ids[i] = lab_add(world, lab_body(vec3_make(0.07 * i, 0.03 * i, 0.51 + 1.02 * i), AT_REST), shape);
    lab_step(world, 400);
    for (int i = 0; i < 2; i++) {
        scree_state s = lab_state(world, ids[i]);
        heights[i] = s.position.z;
        assert_near(vec3_length(s.velocity), 0, 2e-3);
        assert_near(fabs(s.orientation.w), 1, 1e-4);
        assert_near(s.position.x, 0.07 * i, 5e-3);
    }
    size_t count, of_floor = 0, of_cubes = 0;
    scree_contact *contacts = lab_contacts(world, &count);
    for (size_t i = 0; i < count; i++) {
        bool with_floor = contacts[i].a == floor || contacts[i].b == floor;
        of_floor += with_floor;
        of_cubes += !with_floor;
    }
    free(contacts);
    assert_in_range(of_floor, 4, 8);
    assert_in_range(of_cubes, 4, 8);
    scree_world_destroy(world);
}

static void test_cube_of_spheres_rests_as_a_box(void **state)
{
    const lab_solver *solver = *state;
    scree_geometry *geometry = cube_of_spheres();
    double of_spheres[2], of_boxes[2];
    rest_on_each_other(solver, set_shape(geometry), of_spheres);
    rest_on_each_other(solver, lab_box(0.5, 0.5, 0.5), of_boxes);
    scree_geometry_release(geometry);
    assert_near(of_boxes[0], 0.5, 2e-3);
    assert_near(of_boxes[1], 1.5, 4e-3);
    assert_near(of_spheres[0], of_boxes[0], 2e-3);
    // Spheres of the upper cube may settle between those of the lower one, by no more than their bumps are deep.
    assert_in_range((int)(1000 * (of_boxes[1] - of_spheres[1])), 0, 60);
}

// On the floor it slides as a box does: mu g, then it stops.
static void test_slides_as_a_box(void **state)
{
    (void)state;
    scree_geometry *geometry = cube_of_spheres();
    double travelled[2];
    for (int kind = 0; kind < 2; kind++) {
        scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.002);
        scree_world *world = lab_create(&def);
        lab_surface(world, 0.3, 0);
        lab_add_floor(world);
        scree_shape_def shape = kind == 0 ? set_shape(geometry) : lab_box(0.5, 0.5, 0.5);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.4995), vec3_make(2, 0, 0)), shape);
        lab_step(world, 600);
        travelled[kind] = lab_state(world, id).position.x;
        scree_world_destroy(world);
    }
    scree_geometry_release(geometry);
    assert_near(travelled[1], 4 / (2 * 0.3 * LAB_G), 0.02);
    assert_near(travelled[0], travelled[1], 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_is_that_of_the_cube),
        LAB_TEST(test_cube_of_spheres_rests_as_a_box, LAB_GS_SINGLE),
        LAB_TEST(test_cube_of_spheres_rests_as_a_box, LAB_GS_DOUBLE),
        cmocka_unit_test(test_slides_as_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
