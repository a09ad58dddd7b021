// Bodies on meshes and height fields: a triangulated floor is as smooth as a plane, edges that are there are felt, and
// nothing falls through.
#include "../unit/geometry/surfaces.h"

#include "lab.h"

enum { ROLL_STEPS = CHECK_SANITIZED ? 150 : 600 };

// GROUND_PAIR is a mesh of two triangles: there are no inner edges but one.
typedef enum ground { GROUND_PLANE, GROUND_PAIR, GROUND_MESH, GROUND_FIELD, GROUNDS } ground;

static scree_shape_def surface_shape(const scree_geometry *geometry)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = geometry->type;
    shape.geometry = geometry;
    return shape;
}

// The body keeps a reference of its own.
static scree_id add_surface(scree_world *world, vec3 position, scree_geometry *geometry)
{
    scree_id id = lab_add_fixed(world, position, surface_shape(geometry));
    scree_geometry_release(geometry);
    return id;
}

static void add_ground(scree_world *world, ground kind)
{
    if (kind == GROUND_PLANE)
        lab_add_floor(world);
    if (kind == GROUND_PAIR)
        add_surface(world, vec3_make(0, 0, 0), grid_mesh(1, 20, 0, 3, flat_surface));
    if (kind == GROUND_MESH)
        add_surface(world, vec3_make(0, 0, 0), grid_mesh(80, 8, 0.35, 3, flat_surface));
    if (kind == GROUND_FIELD)
        add_surface(world, vec3_make(0, 0, 0), grid_field(81, 8, flat_surface));
}

static scree_shape_def cylinder(double radius, double half_length)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_CYLINDER;
    shape.radius = radius;
    shape.half_length = half_length;
    return shape;
}

// The path of one body thrown over a ground: its states after every step.
static void throw_over(ground kind, scree_shape_def shape, scree_body_def body, scree_state *path)
{
    scree_world *world = lab_world(&LAB_GS_DOUBLE, 0.004, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0.3, 0);
    add_ground(world, kind);
    scree_id id = lab_add(world, body, shape);
    for (int step = 0; step < ROLL_STEPS; step++) {
        lab_step(world, 1);
        path[step] = lab_state(world, id);
    }
    scree_world_destroy(world);
}

static void compare_with(ground reference, ground kind, scree_shape_def shape, scree_body_def body, double size)
{
    static scree_state plane[ROLL_STEPS], path[ROLL_STEPS];
    throw_over(reference, shape, body, plane);
    throw_over(kind, shape, body, path);
    double apart = 0, hop = 0;
    for (int step = 0; step < ROLL_STEPS; step++) {
        apart = fmax(apart, vec3_length(vec3_sub(plane[step].position, path[step].position)));
        hop = fmax(hop, fabs(plane[step].position.z - path[step].position.z));
    }
    printf("ground %d: apart %.3g hop %.3g of size %g, path %.3g\n", (int)kind, apart, hop, size,
           vec3_length(vec3_sub(plane[0].position, plane[ROLL_STEPS - 1].position)));
    assert_at_most(apart, 1e-3 * size);
    assert_at_most(hop, 1e-4 * size);
}

static void test_ball_rolls_as_on_a_plane(void **state)
{
    (void)state;
    scree_body_def body = lab_body(vec3_make(-5, -4, 0.3), vec3_make(3, 2.3, 0));
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++)
        compare_with(GROUND_PLANE, kind, lab_sphere(0.3), body, 0.3);
}

static void test_box_slides_as_on_a_plane(void **state)
{
    (void)state;
    scree_body_def body = lab_body(vec3_make(-5, -4, 0.2), vec3_make(3.5, 2.7, 0));
    body.orientation = quat_from_rotation(vec3_make(0, 0, 0.4));
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++)
        compare_with(GROUND_PLANE, kind, lab_box(0.5, 0.4, 0.2), body, 0.5);
}

static void test_cylinder_rolls_as_on_a_plane(void **state)
{
    (void)state;
    scree_body_def body = lab_body(vec3_make(-5, 0.13, 0.3), vec3_make(3, 0, 0));
    body.orientation = quat_from_rotation(vec3_make(0.5 * PI, 0, 0));
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++)
        compare_with(GROUND_PAIR, kind, cylinder(0.3, 0.5), body, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_rolls_as_on_a_plane),
        cmocka_unit_test(test_box_slides_as_on_a_plane),
        cmocka_unit_test(test_cylinder_rolls_as_on_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
