// The penalty method against closed forms: collisions, oscillations, friction, rolling, cohesion, gases, sphere sets.
#include "lab.h"

#include <string.h>

#include "scree/geometry.h"
#include "scree/joint.h"

static const vec3 no_gravity = {0, 0, 0}, down = {0, 0, -LAB_G};

static scree_world *springs(scree_contact_law law, double step, vec3 gravity, scree_material_def material)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.penalty.law = law;
    def.step = step;
    def.gravity = gravity;
    def.threads = 1;
    scree_world *world = lab_create(&def);
    lab_ok(scree_world_set_material(world, 0, &material, error));
    return world;
}

static scree_material_def material_by_time(double friction, double restitution, double contact_time)
{
    scree_material_def material = scree_default_material_def();
    material.density = 1000;
    material.friction = friction;
    material.restitution = restitution;
    material.contact_time = contact_time;
    return material;
}

static scree_material_def material_by_stiffness(double friction, double restitution, double stiffness)
{
    scree_material_def material = material_by_time(friction, restitution, 0);
    material.stiffness = 2 * stiffness; // two in series
    return material;
}

static scree_body_def heavy(vec3 position, vec3 velocity, double mass)
{
    scree_body_def body = lab_body(position, velocity);
    body.mass = mass;
    return body;
}

// ------------------------------------------------------------------------------------------------------- collisions

static void test_restitution_and_contact_time(void **state)
{
    (void)state;
    for (double e = 0.1; e < 1.01; e += 0.3) {
        const double time = 0.01, step = time / 1000;
        scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, step, no_gravity, material_by_time(0, e, time));
        scree_id a = lab_add(world, heavy(vec3_make(-0.1005, 0, 0), vec3_make(1, 0, 0), 1), lab_sphere(0.1));
        scree_id b = lab_add(world, heavy(vec3_make(0.1505, 0, 0), vec3_make(-0.5, 0, 0), 3), lab_sphere(0.15));
        int touching = 0;
        for (int i = 0; i < 1500; i++) {
            lab_step(world, 1);
            touching += scree_world_figures(world).touching > 0;
        }
        double parting = lab_state(world, b).velocity.x - lab_state(world, a).velocity.x;
        assert_relative(parting, 1.5 * e, 0.003);
        assert_relative(lab_state(world, a).velocity.x + 3 * lab_state(world, b).velocity.x, -0.5, 1e-6);
        assert_relative((double)touching * step, time, 0.003);
        scree_world_destroy(world);
    }
}

// m x'' + c x' + k x = 0 from x = 0: over after half a period of the damped oscillation.
static void test_spring_and_damper_by_coefficients(void **state)
{
    (void)state;
    const double mass = 2, k = 2000, c = 12, speed = 0.3;
    scree_material_def material = material_by_stiffness(0, 0, k);
    material.damping = 2 * c;
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-5, no_gravity, material);
    lab_add_floor(world);
    scree_id ball = lab_add(world, heavy(vec3_make(0, 0, 0.1), vec3_make(0, 0, -speed), mass), lab_sphere(0.1));
    double beta = c / (2 * mass), omega = sqrt(k / mass - beta * beta), deepest = 0;
    for (int i = 0; i < 12000; i++) {
        lab_step(world, 1);
        deepest = fmax(deepest, 0.1 - lab_state(world, ball).position.z);
    }
    assert_relative(lab_state(world, ball).velocity.z, speed * exp(-beta * LAB_PI / omega), 0.001);
    double when = atan2(omega, beta) / omega;
    assert_relative(deepest, speed / omega * exp(-beta * when) * sin(omega * when), 0.001);
    scree_world_destroy(world);
}

static scree_material_def hertz_material(double friction, double restitution)
{
    scree_material_def material = material_by_time(friction, restitution, 0);
    material.youngs_modulus = 1e7;
    material.poisson_ratio = 0.25;
    return material;
}

// Two spheres of different size.
static void test_hertz_force_and_rebound(void **state)
{
    (void)state;
    for (int e = 2; e <= 10; e += 4) {
        scree_world *world = springs(SCREE_CONTACT_LAW_HERTZ, 4e-6, no_gravity, hertz_material(0, 0.1 * (double)e));
        const double m1 = 0.5, m2 = 2, r1 = 0.05, r2 = 0.1, speed = 2;
        scree_id a = lab_add(world, heavy(vec3_make(-r1 - 1e-4, 0, 0), vec3_make(speed, 0, 0), m1), lab_sphere(r1));
        scree_id b = lab_add(world, heavy(vec3_make(r2, 0, 0), no_gravity, m2), lab_sphere(r2));
        double most = 0;
        for (int i = 0; i < 5000; i++) {
            lab_step(world, 1);
            most = fmax(most, vec3_length(lab_impulse_on(world, b)) / 4e-6);
        }
        double mass = m1 * m2 / (m1 + m2), radius = r1 * r2 / (r1 + r2);
        double stiffness = 4.0 / 3 * (1e7 / (2 * (1 - 0.0625))) * sqrt(radius);
        if (e == 10)
            assert_relative(most, pow(stiffness, 0.4) * pow(1.25 * mass * speed * speed, 0.6), 0.001);
        assert_relative(lab_state(world, b).velocity.x - lab_state(world, a).velocity.x, 0.1 * (double)e * speed,
                        0.005);
        scree_world_destroy(world);
    }
}

// A ball of 1 kg and 0.1 m comes down on another of infinite mass and the same size, on a plane, or on a box.
static scree_world *falling_ball(scree_contact_law law, int onto, scree_id *ball)
{
    scree_material_def material = hertz_material(0, 1);
    material.stiffness = 2e5;
    scree_world *world = springs(law, 1e-5, no_gravity, material);
    if (onto == 0)
        lab_add_fixed(world, vec3_make(0, 0, -0.1), lab_sphere(0.1));
    else if (onto == 1)
        lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(0, 0, 1), 0));
    else
        lab_add_fixed(world, vec3_make(0, 0, -0.2), lab_box(0.2, 0.2, 0.2));
    *ball = lab_add(world, heavy(vec3_make(0, 0, 0.101), vec3_make(0, 0, -2), 1), lab_sphere(0.1));
    return world;
}

// The energy of an elastic collision is kept at every moment: 1/2 k x^2, or 2/5 K x^(5/2), is in the spring.
static void test_springs_hold_energy(void **state)
{
    (void)state;
    const double speed = 2, energy = 0.5 * speed * speed;
    for (int law = 0; law < 2; law++)
        for (int onto = 0; onto < 3; onto++) {
            scree_id ball;
            scree_world *world = falling_ball(law ? SCREE_CONTACT_LAW_HERTZ : SCREE_CONTACT_LAW_LINEAR, onto, &ball);
            double deepest = 0, held = 0;
            for (int i = 0; i < 3000; i++) {
                lab_step(world, 1);
                scree_figures figures = scree_world_figures(world);
                assert_relative(figures.kinetic + figures.potential, energy, 2e-3);
                double depth = 0.1 - lab_state(world, ball).position.z;
                if (depth > deepest) {
                    deepest = depth;
                    held = figures.potential;
                }
            }
            // Boxes count as round: by the mean of their half edges.
            double radius = onto == 0 ? 0.05 : onto == 1 ? 0.1 : 1 / (1 / 0.1 + 1 / 0.2);
            double hertz = 4.0 / 3 * (1e7 / (2 * (1 - 0.0625))) * sqrt(radius);
            assert_relative(held, law ? 0.4 * hertz * pow(deepest, 2.5) : 0.5 * 1e5 * deepest * deepest, 1e-3);
            assert_relative(held, energy, 1e-3);
            assert_relative(lab_state(world, ball).velocity.z, speed, 1e-3);
            assert_near(scree_world_figures(world).potential, 0, 1e-12);
            scree_world_destroy(world);
        }
}

// ------------------------------------------------------------------------------------------------- friction, rolling

// Slides, then rolls with 5/7 of its speed.
static void test_sliding_ball_ends_rolling(void **state)
{
    (void)state;
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, down, material_by_time(0.3, 0.5, 0.005));
    lab_add_floor(world);
    scree_id ball = lab_add(world, heavy(vec3_make(0, 0, 0.1), vec3_make(2, 0, 0), 1), lab_sphere(0.1));
    lab_step(world, 1000);
    assert_relative(lab_state(world, ball).velocity.x, 2 - 0.3 * LAB_G * 0.1, 0.002);
    lab_step(world, 9000);
    assert_relative(lab_state(world, ball).velocity.x, 2 * 5.0 / 7, 0.002);
    assert_relative(lab_state(world, ball).spin.y, 2 * 5.0 / 7 / 0.1, 0.002);
    scree_world_destroy(world);
}

// A box on a slope: the springs hold it below the angle of friction; above it slides as on paper.
static void test_box_on_a_slope(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double angle = i == 0 ? 0.25 : 0.45;
        vec3 gravity = {LAB_G * sin(angle), 0, -LAB_G * cos(angle)};
        scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, gravity, material_by_stiffness(0.3, 0.2, 5e3));
        lab_add_floor(world);
        scree_id box = lab_add(world, heavy(vec3_make(0, 0, 0.05), no_gravity, 1), lab_box(0.2, 0.2, 0.05));
        lab_step(world, 10000);
        if (i == 0) {
            assert_at_most(fabs(lab_state(world, box).position.x), 0.01);
            assert_at_most(vec3_length(lab_state(world, box).velocity), 1e-5);
        } else {
            assert_relative(lab_state(world, box).velocity.x, LAB_G * (sin(angle) - 0.3 * cos(angle)), 0.01);
        }
        scree_world_destroy(world);
    }
}

// The rolling torque N b takes 5/7 g b / R from the speed; on a slope below b / R it holds the ball.
static void test_rolling_resistance(void **state)
{
    (void)state;
    scree_material_def material = material_by_time(0.8, 0.5, 0.005);
    material.rolling_friction = 0.005;
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, down, material);
    lab_add_floor(world);
    scree_body_def rolling = heavy(vec3_make(0, 0, 0.1), vec3_make(1, 0, 0), 1);
    rolling.spin = vec3_make(0, 10, 0);
    scree_id ball = lab_add(world, rolling, lab_sphere(0.1));
    lab_step(world, 10000);
    assert_relative(lab_state(world, ball).velocity.x, 1 - 5.0 / 7 * LAB_G * 0.005 / 0.1, 0.005);
    scree_world_destroy(world);

    vec3 slope = {LAB_G * sin(0.03), 0, -LAB_G * cos(0.03)};
    world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, slope, material);
    lab_add_floor(world);
    ball = lab_add(world, heavy(vec3_make(0, 0, 0.1), no_gravity, 1), lab_sphere(0.1));
    lab_step(world, 5000);
    double x = lab_state(world, ball).position.x;
    lab_step(world, 10000);
    assert_near(lab_state(world, ball).position.x, x, 1e-5);
    scree_world_destroy(world);
}

static void test_spinning_resistance(void **state)
{
    (void)state;
    scree_material_def material = material_by_time(0.5, 0.5, 0.005);
    material.spinning_friction = 0.004;
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, down, material);
    lab_add_floor(world);
    scree_body_def body = heavy(vec3_make(0, 0, 0.1), no_gravity, 1);
    body.spin = vec3_make(0, 0, 20);
    scree_id ball = lab_add(world, body, lab_sphere(0.1));
    lab_step(world, 10000);
    assert_relative(lab_state(world, ball).spin.z, 20 - LAB_G * 0.004 / (0.4 * 0.01), 0.01);
    scree_world_destroy(world);
}

static void test_cohesion_holds_up_to_its_force(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scree_material_def material = material_by_stiffness(0.5, 0.3, 1e4);
        material.cohesion = 10;
        scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, down, material);
        lab_add_fixed(world, vec3_make(0, 0, 0), lab_sphere(0.1));
        scree_id ball =
            lab_add(world, heavy(vec3_make(0, 0, -0.1999), no_gravity, i == 0 ? 0.95 : 1.1), lab_sphere(0.1));
        lab_step(world, 10000);
        if (i == 0)
            assert_near(lab_state(world, ball).position.z, -0.2 + (10 - 0.95 * LAB_G) / 1e4, 1e-6);
        else
            assert_at_most(lab_state(world, ball).position.z, -1);
        scree_world_destroy(world);
    }
}

// ------------------------------------------------------------------------------------------- gases, sets, boundaries

static void add_walls(scree_world *world, double half)
{
    static const vec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++)
        lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(normals[i], -half));
}

static void test_gas_keeps_its_energy(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        scree_material_def material = hertz_material(0, 1);
        material.contact_time = 0.004;
        scree_world *world =
            springs(law ? SCREE_CONTACT_LAW_HERTZ : SCREE_CONTACT_LAW_LINEAR, 1e-4, no_gravity, material);
        add_walls(world, 0.5);
        random_stream stream = {5};
        for (int i = 0; i < 125; i++) {
            vec3 at = {0.18 * (i % 5 - 2), 0.18 * (i / 5 % 5 - 2), 0.18 * (i / 25 - 2)};
            vec3 velocity = {random_unit(&stream) - 0.5, random_unit(&stream) - 0.5, random_unit(&stream) - 0.5};
            lab_add(world, heavy(at, velocity, 0.1), lab_sphere(0.05));
        }
        double before = scree_world_figures(world).kinetic;
        int steps = CHECK_SANITIZED ? 4000 : 30000;
        for (int i = 0; i < steps; i += 100) {
            lab_step(world, 100);
            scree_figures figures = scree_world_figures(world);
            assert_relative(figures.kinetic + figures.potential, before, 0.002);
        }
        scree_world_destroy(world);
    }
}

static scree_geometry *cube_of_spheres(int across, double edge)
{
    scree_ball balls[343];
    int count = 0;
    double diameter = edge / across;
    for (int i = 0; i < across * across * across; i++)
        balls[count++] = (scree_ball){{(i % across - 0.5 * (across - 1)) * diameter,
                                       (i / across % across - 0.5 * (across - 1)) * diameter,
                                       (i / across / across - 0.5 * (across - 1)) * diameter},
                                      0.5 * diameter};
    double moment = pow(edge, 5) / 6;
    scree_solid solid = {.volume = edge * edge * edge, .inertia = {moment, moment, moment, 0, 0, 0}};
    scree_geometry *set = NULL;
    lab_ok(scree_spheres_create(balls, (size_t)count, &solid, &set, error));
    return set;
}

static scree_shape_def shape_of_set(const scree_geometry *set)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_SPHERES;
    shape.geometry = set;
    return shape;
}

// Falls and turns as a cube does, lands flat after a tumble, and rests on nine springs at least.
static void test_cube_of_spheres_falls_like_a_cube(void **state)
{
    (void)state;
    scree_geometry *set = cube_of_spheres(3, 0.6);
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 5e-4, down, material_by_stiffness(0.5, 0.3, 4e3));
    lab_add_floor(world);
    scree_body_def body = heavy(vec3_make(0, 0, 2), no_gravity, 2);
    body.spin = vec3_make(0, 3, 0);
    scree_id cube = lab_add(world, body, shape_of_set(set));
    assert_relative(lab_info(world, cube).inertia.x, 2 * 0.36 / 6, 1e-6);
    lab_step(world, 800);
    assert_relative(lab_state(world, cube).position.z, 2 - 0.5 * LAB_G * 0.16, 1e-9);
    assert_relative(lab_state(world, cube).orientation.y, sin(0.6), 1e-9);
    lab_step(world, 9200);
    assert_near(lab_state(world, cube).position.z, 0.3 - 2 * LAB_G / (9 * 4e3), 1e-5);
    assert_at_most(vec3_length(lab_state(world, cube).velocity), 1e-4);
    assert_int_equal(scree_world_figures(world).touching, 9);
    scree_world_destroy(world);
    scree_geometry_release(set);
}

// A set of one sphere is a sphere, to the last bit.
static void test_single_particle_limit(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int kind = 0; kind < 2; kind++) {
        scree_ball one = {{0, 0, 0}, 0.1};
        scree_geometry *set = NULL;
        lab_ok(scree_spheres_create(&one, 1, NULL, &set, error));
        scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 5e-4, down, material_by_time(0.4, 0.6, 0.01));
        lab_add_floor(world);
        for (int i = 0; i < 20; i++) {
            vec3 at = {0.03 * (i % 3), 0.02 * (i % 2), 0.15 + 0.21 * i};
            scree_body_def body = heavy(at, no_gravity, 1);
            body.inertia = vec3_make(0.004, 0.004, 0.004);
            lab_add(world, body, kind ? shape_of_set(set) : lab_sphere(0.1));
        }
        lab_step(world, 3000);
        hash[kind] = scree_world_hash(world);
        scree_world_destroy(world);
        scree_geometry_release(set);
    }
    assert_true(hash[0] == hash[1]);
}

// Sets of many spheres, more than one group holds, stand on each other, on boxes and on planes.
static void test_large_sets_stack(void **state)
{
    (void)state;
    scree_geometry *set = cube_of_spheres(5, 1);
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 5e-4, down, material_by_stiffness(0.6, 0.2, 2e4));
    lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(2, 2, 0.5));
    scree_id lower = lab_add(world, heavy(vec3_make(0, 0, 0.5), no_gravity, 10), shape_of_set(set));
    scree_id upper = lab_add(world, heavy(vec3_make(0, 0, 1.5), no_gravity, 10), shape_of_set(set));
    lab_step(world, 4000);
    double on_floor = 20 * LAB_G / (25 * 2e4), on_lower = 10 * LAB_G / (25 * 2e4);
    assert_near(lab_state(world, lower).position.z, 0.5 - on_floor, 1e-5);
    assert_near(lab_state(world, upper).position.z, 1.5 - on_floor - on_lower, 1e-5);
    scree_world_destroy(world);
    scree_geometry_release(set);
}

// A wall and a box that are moved push what they meet up to their own speed.
static void test_moving_geometry_pushes(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, no_gravity, material_by_time(0, 0, 0.005));
        scree_shape_def shape = kind ? lab_box(0.1, 1, 1) : lab_plane(vec3_make(1, 0, 0), 0);
        scree_id wall = lab_add_fixed(world, vec3_make(kind ? -0.1 : 0, 0, 0), shape);
        scree_motion_def motion = scree_default_motion_def();
        motion.type = SCREE_MOTION_VELOCITY;
        motion.linear = vec3_make(0.5, 0, 0);
        lab_set_motion(world, wall, motion);
        scree_id ball = lab_add(world, heavy(vec3_make(0.11, 0, 0), no_gravity, 1), lab_sphere(0.1));
        lab_step(world, 5000);
        assert_relative(lab_state(world, ball).velocity.x, 0.5, 0.002);
        scree_world_destroy(world);
    }
}

static void test_far_from_the_origin(void **state)
{
    (void)state;
    vec3 end[2];
    for (int i = 0; i < 2; i++) {
        double far = i ? 1048576.0 * 64 : 0; // exact in the positions of both
        scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-4, no_gravity, material_by_time(0.3, 0.5, 0.01));
        lab_add(world, heavy(vec3_make(far, far, 0), vec3_make(1, 0, 0), 1), lab_sphere(0.125));
        scree_id b = lab_add(world, heavy(vec3_make(far + 0.25, far + 0.0625, 0), no_gravity, 1), lab_sphere(0.125));
        lab_step(world, 400);
        end[i] = lab_state(world, b).velocity;
        scree_world_destroy(world);
    }
    assert_vec3_near(end[1], end[0], 1e-4); // positions there are multiples of 7e-9
}

// ------------------------------------------------------------------------------------------------------------ refusals

static void test_terminal_velocity(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.penalty.terminal_velocity = 3;
    def.threads = 1;
    scree_world *world = lab_create(&def);
    scree_material_def material = material_by_time(0, 0, 1);
    lab_ok(scree_world_set_material(world, 0, &material, error));
    scree_id ball = lab_add(world, lab_body(vec3_make(0, 0, 0), no_gravity), lab_sphere(0.1));
    lab_step(world, 200);
    assert_relative(lab_state(world, ball).velocity.z, -3.0, 1e-12);
    scree_world_destroy(world);
}

static void expect_refusal(scree_world *world, const char *words)
{
    scree_error error = {0};
    assert_int_equal(scree_world_check(world, NULL, &error), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_step(world, 1, &error), SCREE_ERROR_INVALID);
    if (!strstr(error.message, words)) {
        print_error("'%s' is not in: %s\n", words, error.message);
        _fail(__FILE__, __LINE__);
    }
    assert_int_equal(scree_world_figures(world).steps, 0);
}

static void test_refusals(void **state)
{
    (void)state;
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-3, down, scree_default_material_def());
    lab_add(world, lab_body(vec3_make(0, 0, 0), no_gravity), lab_sphere(0.1));
    expect_refusal(world, "needs a stiffness or a contact time");
    scree_world_destroy(world);

    scree_material_def stiff = scree_default_material_def();
    stiff.youngs_modulus = 1e7;
    world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-3, down, stiff);
    lab_add(world, lab_body(vec3_make(0, 0, 0), no_gravity), lab_sphere(0.1));
    expect_refusal(world, "penalty.law: hertz, which takes a Young's modulus");
    scree_world_destroy(world);

    world = springs(SCREE_CONTACT_LAW_HERTZ, 1e-3, down, material_by_time(0, 0, 1));
    lab_add(world, lab_body(vec3_make(0, 0, 0), no_gravity), lab_sphere(0.1));
    expect_refusal(world, "needs a Young's modulus");
    scree_world_destroy(world);

    world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-3, down, material_by_time(0.5, 0.5, 0.01));
    lab_add(world, lab_body(vec3_make(0, 0, 0), no_gravity), lab_sphere(0.1));
    scree_joint_def joint = scree_default_joint_def();
    joint.bodies[1] = 1;
    lab_ok(scree_world_add_joints(world, &joint, 1, NULL, error));
    expect_refusal(world, "joints");
    scree_world_destroy(world);
}

// What one contact bears is known in closed form, and a longer step is refused.
static void test_step_estimate(void **state)
{
    (void)state;
    double longest;
    scree_world *world = springs(SCREE_CONTACT_LAW_LINEAR, 1e-3, down, material_by_stiffness(0, 1, 1e4));
    lab_add_floor(world);
    lab_add(world, heavy(vec3_make(0, 0, 0.0999), no_gravity, 1), lab_sphere(0.1));
    lab_ok(scree_world_check(world, &longest, error));
    assert_relative(longest, 2 / sqrt(1e4), 1e-6);
    scree_world_destroy(world);
    for (int i = 0; i < 2; i++) {
        world = springs(SCREE_CONTACT_LAW_LINEAR, longest * (i ? 1.01 : 0.3), down, material_by_stiffness(0, 1, 1e4));
        lab_add_floor(world);
        scree_id ball = lab_add(world, heavy(vec3_make(0, 0, 0.0985), no_gravity, 1), lab_sphere(0.1));
        if (i) {
            expect_refusal(world, "stable up to 0.02");
        } else {
            for (int k = 0; k < 2000; k++) {
                lab_step(world, 1);
                assert_at_most(lab_state(world, ball).position.z, 0.12);
            }
            assert_relative(scree_world_figures(world).stable_step, longest / sqrt(2), 1e-6);
        }
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restitution_and_contact_time),
        cmocka_unit_test(test_spring_and_damper_by_coefficients),
        cmocka_unit_test(test_hertz_force_and_rebound),
        cmocka_unit_test(test_springs_hold_energy),
        cmocka_unit_test(test_sliding_ball_ends_rolling),
        cmocka_unit_test(test_box_on_a_slope),
        cmocka_unit_test(test_rolling_resistance),
        cmocka_unit_test(test_spinning_resistance),
        cmocka_unit_test(test_cohesion_holds_up_to_its_force),
        cmocka_unit_test(test_gas_keeps_its_energy),
        cmocka_unit_test(test_cube_of_spheres_falls_like_a_cube),
        cmocka_unit_test(test_single_particle_limit),
        cmocka_unit_test(test_large_sets_stack),
        cmocka_unit_test(test_moving_geometry_pushes),
        cmocka_unit_test(test_far_from_the_origin),
        cmocka_unit_test(test_terminal_velocity),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_step_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
