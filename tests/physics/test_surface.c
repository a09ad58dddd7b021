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
        add_surface(world, vec3_make(0, 0, 0), grid_mesh(80, 8, 0.24, 3, flat_surface));
    if (kind == GROUND_FIELD)
        add_surface(world, vec3_make(0, 0, 0), grid_field(81, 8, flat_surface));
}

static scree_shape_def cylinder(double radius, double half_length)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_CYLINDER;
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

// Over its edges and corners, until it lies.
static void test_box_tumbles_as_on_a_plane(void **state)
{
    (void)state;
    scree_body_def body = lab_body(vec3_make(-5, -4, 0.7), vec3_make(3.5, 2.7, 0));
    body.spin = vec3_make(-5, 8, 1);
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++)
        compare_with(GROUND_PLANE, kind, lab_box(0.4, 0.4, 0.4), body, 0.4);
}

static void test_cylinder_rolls_as_on_a_plane(void **state)
{
    (void)state;
    scree_body_def body = lab_body(vec3_make(-5, 0.13, 0.3), vec3_make(3, 0, 0));
    body.orientation = quat_from_rotation(vec3_make(0.5 * PI, 0, 0));
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++)
        compare_with(GROUND_PLANE, kind, cylinder(0.3, 0.5), body, 0.5);
}

static scree_shape_def capsule(double radius, double half_length)
{
    scree_shape_def shape = cylinder(radius, half_length);
    shape.type = SCREE_SHAPE_CAPSULE;
    return shape;
}

static scree_shape_def cone(double radius, double half_length)
{
    scree_shape_def shape = cylinder(radius, half_length);
    shape.type = SCREE_SHAPE_CONE;
    return shape;
}

static scree_shape_def ellipsoid(double x, double y, double z)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_ELLIPSOID;
    shape.radii = vec3_make(x, y, z);
    return shape;
}

// A few more shapes that roll or slide without tumbling.
static void test_other_shapes_go_as_on_a_plane(void **state)
{
    (void)state;
    scree_body_def lying = lab_body(vec3_make(-5, 0.13, 0.2), vec3_make(3, 0, 0));
    lying.orientation = quat_from_rotation(vec3_make(0.5 * PI, 0, 0));
    scree_body_def standing = lab_body(vec3_make(-5, 0.13, 0.2), vec3_make(3.3, 1.1, 0));
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++) {
        compare_with(GROUND_PLANE, kind, capsule(0.2, 0.4), lying, 0.4);
        compare_with(GROUND_PAIR, kind, ellipsoid(0.3, 0.3, 0.2), standing, 0.3);
        compare_with(GROUND_PLANE, kind, cylinder(0.5, 0.2), standing, 0.5);
        compare_with(GROUND_PLANE, kind, cone(0.4, 0.4), standing, 0.4);
    }
}

// -------------------------------------------------------------------------------------------------- edges that are
// there

static double roof(double x, double y)
{
    (void)y;
    return -0.4 * fabs(x);
}

static double valley(double x, double y)
{
    (void)y;
    return 0.4 * fabs(x);
}

// Distance of a point over the roof from it.
static double over_roof(vec3 p)
{
    double slope = atan(0.4), x = fabs(p.x);
    double along = x * cos(slope) - p.z * sin(slope);
    return along <= 0 ? hypot(x, p.z) : p.z * cos(slope) + x * sin(slope);
}

static scree_geometry *slopes(ground kind, surface_function *height)
{
    return kind == GROUND_MESH ? grid_mesh(40, 4, 0, 5, height) : grid_field(41, 4, height);
}

static double energy_of(const scree_world *world)
{
    scree_figures figures = scree_world_figures(world);
    return figures.kinetic + figures.potential;
}

static void test_ball_rolls_over_a_ridge(void **state)
{
    (void)state;
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++) {
        scree_world *world = lab_world(&LAB_GS_DOUBLE, 0.002, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.6, 0);
        add_surface(world, vec3_make(0, 0, 0), slopes(kind, roof));
        double slope = atan(0.4), radius = 0.3, speed = 3;
        vec3 normal = {-sin(slope), 0, cos(slope)}, along = {cos(slope), 0, sin(slope)};
        scree_body_def body =
            lab_body(vec3_add_scaled(vec3_make(-1, 0.07, -0.4), normal, radius), vec3_scale(along, speed));
        body.spin = vec3_make(0, speed / radius, 0);
        scree_id id = lab_add(world, body, lab_sphere(radius));
        double start = energy_of(world), nearest = 10, highest = -10;
        for (int step = 0; step < 600; step++) {
            lab_step(world, 1);
            scree_state now = lab_state(world, id);
            nearest = fmin(nearest, over_roof(now.position));
            highest = fmax(highest, now.position.z);
            assert_at_most(energy_of(world), start + 0.01 * fabs(start));
        }
        assert_at_least(lab_state(world, id).position.x, 1.0); // on the other side
        assert_at_least(nearest, 0.99 * radius);
        assert_at_most(highest, 0.4); // over the ridge without a hop: the centre passes at 0.3
        scree_world_destroy(world);
    }
}

static void test_ball_rests_in_a_valley(void **state)
{
    (void)state;
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++) {
        scree_world *world = lab_world(&LAB_GS_DOUBLE, 0.004, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.6, 0);
        add_surface(world, vec3_make(0, 0, 0), slopes(kind, valley));
        double slope = atan(0.4), radius = 0.3;
        scree_id id = lab_add(world, lab_body(vec3_make(-1, 0.07, 0.9), vec3_make(0, 0, 0)), lab_sphere(radius));
        lab_step(world, 3000);
        scree_state now = lab_state(world, id);
        assert_near(now.position.x, 0, 0.01);
        assert_near(now.position.z, radius / cos(slope), 0.01 * radius);
        assert_at_most(vec3_length(now.velocity), 1e-3);
        size_t count;
        scree_contact *contacts = lab_contacts(world, &count);
        assert_int_equal(count, 2);
        assert_near(contacts[0].normal.x + contacts[1].normal.x, 0, 1e-6);
        assert_near(fabs(contacts[0].normal.x), sin(slope), 1e-6);
        free(contacts);
        scree_world_destroy(world);
    }
}

// On its face with a full set of points, and there it stays.
static void test_box_rests_flat(void **state)
{
    (void)state;
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++) {
        scree_world *world = lab_world(&LAB_GS_SINGLE, 0.004, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.5, 0);
        add_ground(world, kind);
        scree_body_def body = lab_body(vec3_make(0.12, 0.33, 0.25), vec3_make(0, 0, 0));
        body.orientation = quat_from_rotation(vec3_make(0.02, 0.03, 0.4));
        scree_id id = lab_add(world, body, lab_box(0.5, 0.4, 0.2));
        lab_step(world, 300);
        scree_state before = lab_state(world, id);
        lab_step(world, 500);
        scree_state after = lab_state(world, id);
        assert_near(after.position.z, 0.2, 0.002);
        assert_at_most(vec3_length(vec3_sub(after.position, before.position)), 1e-4);
        size_t count;
        scree_contact *contacts = lab_contacts(world, &count);
        assert_true(count >= 4);
        double corners[4] = {9, 9, 9, 9}; // distance from each corner of the box to the nearest point
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 4; k++) {
                vec3 corner = quat_rotate(after.orientation, vec3_make(k & 1 ? 0.5 : -0.5, k & 2 ? 0.4 : -0.4, -0.2));
                corners[k] =
                    fmin(corners[k], vec3_length(vec3_sub(vec3_add(corner, after.position), contacts[i].point)));
            }
        for (int k = 0; k < 4; k++)
            assert_at_most(corners[k], 0.01);
        free(contacts);
        scree_world_destroy(world);
    }
}

// ------------------------------------------------------------------------------------------------- nothing falls
// through

static double bumps(double x, double y)
{
    return 0.3 * sin(2.1 * x) * cos(1.7 * y) + 0.1 * sin(5 * x + 3 * y);
}

static scree_shape_def any_shape(int i)
{
    const scree_shape_def shapes[] = {lab_sphere(0.15),    lab_box(0.2, 0.12, 0.08), ellipsoid(0.2, 0.12, 0.1),
                                      capsule(0.08, 0.15), cylinder(0.12, 0.1),      cone(0.15, 0.12)};
    return shapes[i % 6];
}

static scree_geometry *bumpy(ground kind)
{
    return kind == GROUND_MESH ? grid_mesh(40, 4, 0.24, 7, bumps) : grid_field(41, 4, bumps);
}

// Bodies of every shape shot at a bumpy ground from above, several of their sizes per step.
static void test_fast_bodies_stay_above(void **state)
{
    (void)state;
    for (ground kind = GROUND_MESH; kind < GROUNDS; kind++) {
        scree_world *world = lab_world(&LAB_GS_SINGLE, 0.004, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.5, 0);
        add_surface(world, vec3_make(0, 0, 0), bumpy(kind));
        scree_id ids[36];
        random_stream random = {11};
        for (int i = 0; i < 36; i++) {
            vec3 at = {i % 6 - 2.5, i / 6 - 2.5, random_between(&random, 1.5, 2.5)};
            scree_body_def body = lab_body(at, vec3_make(random_between(&random, -1, 1), 1, -200));
            body.orientation = quat_from_rotation(vec3_make(at.x, at.y, at.z));
            body.spin = vec3_make(3, -5, 2);
            ids[i] = lab_add(world, body, any_shape(i));
        }
        for (int step = 0; step < (CHECK_SANITIZED ? 60 : 250); step++)
            lab_step(world, 1);
        for (int i = 0; i < 36; i++) {
            vec3 at = lab_state(world, ids[i]).position;
            if (fabs(at.x) < 3.9 && fabs(at.y) < 3.9) // the rest has rolled off the rim
                assert_at_least(at.z, bumps(at.x, at.y) - 0.02);
        }
        scree_world_destroy(world);
    }
}

// However deep under a height field: up again.
static void test_buried_bodies_come_up(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.004);
    def.solver.recovery_speed = 5;
    scree_world *world = lab_create(&def);
    add_surface(world, vec3_make(0, 0, 0), bumpy(GROUND_FIELD));
    scree_id ids[6];
    bool seen[6] = {false};
    for (int i = 0; i < 6; i++)
        ids[i] = lab_add(world, lab_body(vec3_make(i - 2.5, 0.3, -3 - 0.3 * i), vec3_make(0, 0, 0)), any_shape(i));
    for (int step = 0; step < 250; step++) {
        lab_step(world, 1);
        for (int i = 0; i < 6; i++) {
            vec3 at = lab_state(world, ids[i]).position;
            seen[i] = seen[i] || at.z > bumps(at.x, at.y);
        }
    }
    for (int i = 0; i < 6; i++)
        assert_true(seen[i]);
    scree_world_destroy(world);
}

// A tray that rises and turns takes along what lies in it.
static void test_moved_mesh_carries(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, 0.004, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0.8, 0);
    scree_id tray = add_surface(world, vec3_make(0, 0, 0), grid_mesh(20, 2, 0.24, 13, flat_surface));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = vec3_make(0, 0, 0.5);
    motion.angular = vec3_make(0, 0, 0.5);
    lab_set_motion(world, tray, motion);
    scree_id box = lab_add(world, lab_body(vec3_make(0.5, 0, 0.2), vec3_make(0, 0.25, 0.5)), lab_box(0.2, 0.2, 0.2));
    lab_step(world, 500);
    double angle = 0.5 * 500 * 0.004;
    vec3 at = lab_state(world, box).position;
    assert_vec3_near(at, vec3_make(0.5 * cos(angle), 0.5 * sin(angle), 0.2 + 1), 0.02);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_rolls_as_on_a_plane),
        cmocka_unit_test(test_box_slides_as_on_a_plane),
        cmocka_unit_test(test_box_tumbles_as_on_a_plane),
        cmocka_unit_test(test_cylinder_rolls_as_on_a_plane),
        cmocka_unit_test(test_other_shapes_go_as_on_a_plane),
        cmocka_unit_test(test_ball_rolls_over_a_ridge),
        cmocka_unit_test(test_ball_rests_in_a_valley),
        cmocka_unit_test(test_box_rests_flat),
        cmocka_unit_test(test_fast_bodies_stay_above),
        cmocka_unit_test(test_buried_bodies_come_up),
        cmocka_unit_test(test_moved_mesh_carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
