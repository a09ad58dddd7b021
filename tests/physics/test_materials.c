// What materials do besides friction and restitution: rolling and spinning friction, springs with dampers, cohesion;
// each against its closed form.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

// With the settings of a scene, where `auto` solves what it sees fit to directly.
static const lab_solver AUTO_SINGLE = {SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX};
static const lab_solver EXACT_SINGLE = {SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, SCREE_FRICTION_EXACT};
#define TEST_SWEPT(test)                                                                                               \
    LAB_TEST(test, LAB_APGS_SINGLE), LAB_TEST(test, LAB_APGS_DOUBLE), LAB_TEST(test, LAB_GS_DOUBLE),                   \
        LAB_TEST(test, EXACT_SINGLE), LAB_TEST(test, AUTO_SINGLE)

static scree_world *make_world(const lab_solver *solver, double step, vec3 gravity, const scree_material_def *material)
{
    scree_world *world = lab_world(solver, step, gravity);
    lab_ok(scree_world_set_material(world, 0, material, error));
    lab_add_floor(world);
    return world;
}

// A rolling ball has the energy 7/10 m v^2; the torque rho m g takes rho m g v / R of it in a second, so that it slows
// down by 5/7 g rho / R.
static void test_rolling_ball_slows_down(void **state)
{
    const double h = 0.002, radius = 0.3, rho = 0.02, speed = 1;
    scree_material_def material = scree_default_material_def();
    material.rolling_friction = rho;
    scree_world *world = make_world(*state, h, vec3_make(0, 0, -LAB_G), &material);
    scree_body_def ball = lab_body(vec3_make(0, 0, radius), vec3_make(speed, 0, 0));
    ball.spin = vec3_make(0, speed / radius, 0);
    scree_id id = lab_add(world, ball, lab_sphere(radius));
    double slowing = 5.0 / 7 * LAB_G * rho / radius;
    lab_step(world, 500);
    scree_state now = lab_state(world, id);
    assert_relative(now.velocity.x, speed - slowing * 500 * h, 0.01);
    assert_relative(now.spin.y * radius, now.velocity.x, 1e-3);
    int left = (int)(speed / slowing / h) - 400;
    lab_step(world, left);
    now = lab_state(world, id);
    assert_vec3_near(now.velocity, NOWHERE, 1e-4); // and stays where it stopped
    assert_relative(now.position.x, speed * speed / (2 * slowing), 0.01);
    scree_world_destroy(world);
}

// On an incline it holds while tan(a) < rho / R, and else rolls with 5/7 g (sin a - rho / R cos a).
static void test_ball_holds_on_an_incline(void **state)
{
    const double h = 0.002, radius = 0.3, rho = 0.06;
    for (int steep = 0; steep < 2; steep++) {
        double angle = atan((steep ? 1.5 : 0.9) * rho / radius);
        scree_material_def material = scree_default_material_def();
        material.rolling_friction = rho;
        scree_world *world = make_world(*state, h, vec3_make(LAB_G * sin(angle), 0, -LAB_G * cos(angle)), &material);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, radius), NOWHERE), lab_sphere(radius));
        lab_step(world, 250);
        const double expected = steep ? 5.0 / 7 * LAB_G * (sin(angle) - rho / radius * cos(angle)) * 250 * h : 0;
        assert_near(lab_state(world, id).velocity.x, expected, fmax(0.02 * expected, 1e-4));
        scree_world_destroy(world);
    }
}

// The torque that holds it is remembered with the impulse, so that the second step has little left to do.
static void test_torques_at_rest_are_remembered(void **state)
{
    (void)state;
    const double radius = 0.3, rho = 0.06, angle = atan(0.9 * rho / radius);
    int sweeps[2][2]; // with and without memory; first and second step
    for (int forget = 0; forget < 2; forget++) {
        scree_world_def def = lab_def(&LAB_GS_DOUBLE, 0.002);
        def.gravity = vec3_make(LAB_G * sin(angle), 0, -LAB_G * cos(angle));
        def.solver.warm_start = !forget;
        def.solver.sleep = SCREE_SLEEP_OFF;
        scree_world *world = lab_create(&def);
        scree_material_def material = scree_default_material_def();
        material.rolling_friction = rho;
        lab_ok(scree_world_set_material(world, 0, &material, error));
        lab_add_floor(world);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, radius), NOWHERE), lab_sphere(radius));
        for (int step = 0; step < 2; step++) {
            lab_step(world, 1);
            sweeps[forget][step] = scree_world_figures(world).iterations;
        }
        assert_vec3_near(lab_state(world, id).velocity, NOWHERE, 1e-6);
        scree_world_destroy(world);
    }
    assert_true(sweeps[0][0] > 100);
    assert_true(sweeps[0][1] <= sweeps[0][0] / 10);
    assert_int_equal(sweeps[1][1], sweeps[1][0]);
}

// The torque sigma m g about the normal takes sigma m g / I of the spin in a second, down to 0 and no further.
static void test_spinning_ball_stops(void **state)
{
    const double h = 0.002, radius = 0.3, sigma = 0.01, spin = 4;
    scree_material_def material = scree_default_material_def();
    material.spinning_friction = sigma;
    scree_world *world = make_world(*state, h, vec3_make(0, 0, -LAB_G), &material);
    scree_body_def ball = lab_body(vec3_make(0, 0, radius), NOWHERE);
    ball.spin = vec3_make(0, 0, spin);
    scree_id id = lab_add(world, ball, lab_sphere(radius));
    scree_body_info info = lab_info(world, id);
    double slowing = sigma * info.mass * LAB_G / info.inertia.z;
    lab_step(world, 200);
    assert_relative(lab_state(world, id).spin.z, spin - slowing * 200 * h, 0.02);
    lab_step(world, (int)(spin / slowing / h));
    assert_near(lab_state(world, id).spin.z, 0, 1e-3);
    scree_world_destroy(world);
}

// A ball on a spring floor sinks in by m g / k; let go there it swings with m x'' + d x' + k x = 0. The implicit rule
// damps by itself, as a damper h k / 2 more would to first order in the step.
static void test_ball_on_a_spring(void **state)
{
    const double h = 1e-4, radius = 0.3;
    scree_material_def material = scree_default_material_def();
    material.stiffness = 1e5;
    material.damping = 3000;
    scree_world *world = make_world(*state, h, vec3_make(0, 0, -LAB_G), &material);
    scree_pair_def pair;
    lab_ok(scree_world_get_pair(world, 0, 0, &pair, error));
    assert_relative(pair.stiffness, 0.5e5, 1e-6); // two in series
    assert_relative(pair.damping, 1500.0, 1e-6);
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, radius), NOWHERE), lab_sphere(radius));
    double mass = lab_info(world, id).mass, depth = mass * LAB_G / pair.stiffness;
    double decay = (pair.damping + 0.5 * h * pair.stiffness) / (2 * mass);
    double omega = sqrt(pair.stiffness / mass - decay * decay);
    int half_swing = (int)(LAB_PI / omega / h + 0.5);
    lab_step(world, half_swing); // from 0 to the lowest point
    double lowest = radius - lab_state(world, id).position.z;
    assert_relative(lowest, depth * (1 + exp(-decay * LAB_PI / omega)), 0.005);
    assert_near(lab_state(world, id).velocity.z, 0, 0.01 * depth * omega);
    lab_step(world, half_swing);
    double highest = radius - lab_state(world, id).position.z;
    assert_near(highest, depth * (1 - exp(-2 * decay * LAB_PI / omega)), 0.01 * depth);
    lab_step(world, 8 * half_swing);
    assert_relative(radius - lab_state(world, id).position.z, depth, 0.005);
    // Potential energy counts the weight, and the spring with half of what the weight has lost.
    assert_near(scree_world_figures(world).potential, mass * LAB_G * (radius - 0.5 * depth),
                0.01 * mass * LAB_G * depth);
    scree_world_destroy(world);
}

// A ball under a ceiling hangs while its weight is below the pull-off force, and falls when it is above.
static void test_ball_hangs_under_a_ceiling(void **state)
{
    const double h = 0.002, radius = 0.1;
    for (int heavy = 0; heavy < 2; heavy++) {
        scree_material_def material = scree_default_material_def();
        material.cohesion = 20;
        scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
        lab_ok(scree_world_set_material(world, 0, &material, error));
        lab_add_fixed(world, NOWHERE, lab_plane(vec3_make(0, 0, -1), -1));
        scree_body_def ball = lab_body(vec3_make(0, 0, 1 - radius), NOWHERE);
        ball.mass = (heavy ? 1.1 : 0.9) * material.cohesion / LAB_G;
        scree_id id = lab_add(world, ball, lab_sphere(radius));
        lab_step(world, 500);
        scree_state now = lab_state(world, id);
        if (heavy) {
            assert_at_most(now.position.z, 0.5);
        } else {
            assert_vec3_near(now.position, vec3_make(0, 0, 1 - radius), 1e-3);
            assert_vec3_near(now.velocity, NOWHERE, 1e-4);
            scree_contact contact;
            assert_int_equal(scree_world_contacts(world, &contact, 1), 1);
            double carried = fabs(vec3_dot(contact.impulse, vec3_make(0, 0, 1)));
            assert_relative(carried, ball.mass * LAB_G * h, 1e-3); // what acts, not what the solver works with
        }
        scree_world_destroy(world);
    }
}

// Friction is measured by the normal force and the cohesion together: on a vertical wall a ball with the pull F holds a
// weight of mu F.
static void test_cohesion_holds_on_a_wall(void **state)
{
    const double h = 0.002, mu = 0.5;
    for (int heavy = 0; heavy < 2; heavy++) {
        scree_material_def material = scree_default_material_def();
        material.cohesion = 20;
        material.friction = mu;
        scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
        lab_ok(scree_world_set_material(world, 0, &material, error));
        lab_add_fixed(world, NOWHERE, lab_plane(vec3_make(1, 0, 0), 0));
        scree_body_def body = lab_body(vec3_make(0.1, 0, 0), NOWHERE);
        body.mass = (heavy ? 1.2 : 0.8) * mu * material.cohesion / LAB_G;
        body.inertia = vec3_make(1e6, 1e6, 1e6); // does not roll
        scree_id id = lab_add(world, body, lab_sphere(0.1));
        lab_step(world, 200);
        double fallen = -lab_state(world, id).velocity.z;
        assert_near(fallen, heavy ? LAB_G * (1 - 1 / 1.2) * 0.4 : 0.0, heavy ? 0.02 : 1e-3);
        scree_world_destroy(world);
    }
}

static void test_materials_combine(void **state)
{
    (void)state;
    scree_material_def a = scree_default_material_def(), b = a;
    a.friction = 0.9, b.friction = 0.1;
    a.rolling_friction = 0.01, b.spinning_friction = 0.02;
    a.cohesion = 4, b.cohesion = 9;
    a.stiffness = 100, a.damping = 8;
    scree_pair_def pair = scree_combine_materials(&a, &b);
    assert_relative(pair.friction, 0.3, 1e-12);
    assert_true(pair.rolling_friction == 0.01 && pair.spinning_friction == 0.02 && pair.cohesion == 6);
    assert_true(pair.stiffness == 100 && pair.damping == 8); // the other is rigid
    b.stiffness = 300, b.damping = 16;
    pair = scree_combine_materials(&a, &b);
    assert_relative(pair.stiffness, 75.0, 1e-12);
    assert_relative(pair.damping, 8 * 0.5625 + 16 * 0.0625, 1e-12);
    scree_world *world = lab_world(&LAB_APGS_SINGLE, 0.01, NOWHERE);
    b.stiffness = 0;
    scree_error error;
    assert_int_equal(scree_world_set_material(world, 0, &b, &error), SCREE_ERROR_INVALID);
    b.damping = 0;
    b.cohesion = -1;
    assert_int_equal(scree_world_set_material(world, 0, &b, &error), SCREE_ERROR_INVALID);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_SWEPT(test_rolling_ball_slows_down),
        TEST_SWEPT(test_ball_holds_on_an_incline),
        cmocka_unit_test(test_torques_at_rest_are_remembered),
        TEST_SWEPT(test_spinning_ball_stops),
        TEST_SWEPT(test_ball_on_a_spring),
        TEST_SWEPT(test_ball_hangs_under_a_ceiling),
        TEST_SWEPT(test_cohesion_holds_on_a_wall),
        cmocka_unit_test(test_materials_combine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
