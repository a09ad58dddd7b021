// What drives, pulls, brakes, stops and breaks joints, solved densely, against closed forms.
#include "joint_lab.h"

static const vec3 ORIGIN = {0, 0, 0}, X = {1, 0, 0}, Z = {0, 0, 1};

// A ball on the x axis tied to the origin.
static scree_id add_spring(scree_world *world, double at, double stiffness, double damping, double length,
                           double preload, scree_id *ball)
{
    *ball = lab_add(world, lab_body(vec3_make(at, 0, 0), ORIGIN), lab_sphere(0.1));
    scree_joint_def def = lab_joint(SCREE_JOINT_SPRING, 0, *ball, ORIGIN, Z);
    def.positions[1] = vec3_make(at, 0, 0);
    def.stiffness = stiffness;
    def.damping = damping;
    def.length = length;
    def.preload = preload;
    return lab_add_joint(world, &def);
}

// x = l0 - preload / k + a e^(-c t) cos(w t) + ...: the zero crossings are half a period apart, peaks fall by e^(-c T /
// 2).
static void test_spring(void **state)
{
    (void)state;
    const double h = 0.001, omega = 10, ratios[] = {0, 0.05};
    for (int k = 0; k < 2; k++) {
        scree_world *world = joint_world(h, ORIGIN);
        scree_id ball;
        double mass = 2500 * 4.0 / 3 * PI * 0.001, stiffness = mass * omega * omega;
        double preload = 0.1 * stiffness; // moves the middle to 0.9
        add_spring(world, 1.2, stiffness, 2 * ratios[k] * mass * omega, 1, preload, &ball);
        double last = 0.3, crossings[9], peak = 0, peaks[9];
        for (int i = 0; i < 9;) {
            joint_step(world);
            double x = lab_state(world, ball).position.x - 0.9;
            peak = fmax(peak, fabs(x));
            if ((x > 0) != (last > 0)) {
                crossings[i] = world->time - h * fabs(x) / (fabs(x) + fabs(last));
                peaks[i++] = peak;
                peak = 0;
            }
            last = x;
        }
        double damped = omega * sqrt(1 - ratios[k] * ratios[k]);
        assert_relative((crossings[8] - crossings[0]) / 8, PI / damped, 4e-4);
        double decay = pow(peaks[8] / peaks[1], 1 / 7.0);
        assert_near(decay, exp(-ratios[k] * omega * PI / damped), 1e-3);
        scree_world_destroy(world);
    }
}

static double total_energy(const scree_world *world)
{
    scree_figures figures = scree_world_figures(world);
    return figures.kinetic + figures.potential;
}

// Springs give back what they took: a ball on two springs across each other, under gravity, and a wheel on a torsion
// spring keep their energy, which swings by h omega / 2 of itself. Compliant joints hold 1/2 F^2 / k when they carry F.
static void test_spring_energy(void **state)
{
    (void)state;
    const double h = 0.0005;
    scree_world *world = joint_world(h, vec3_make(0, 0, -LAB_G));
    scree_id ball, wheel = lab_add(world, lab_body(vec3_make(5, 0, 0), ORIGIN), lab_sphere(0.1));
    double mass = 2500 * 4.0 / 3 * PI * 0.001, inertia = 0.4 * mass * 0.01;
    add_spring(world, 1.2, 100 * mass, 0, 1, 10 * mass, &ball);
    scree_joint_def across = lab_joint(SCREE_JOINT_SPRING, 0, ball, ORIGIN, Z);
    across.positions[0] = vec3_make(1.2, 2, 0);
    across.positions[1] = vec3_make(1.2, 0, 0);
    across.stiffness = 50 * mass;
    across.length = 1.5;
    lab_add_joint(world, &across);
    scree_joint_def hinge = lab_joint(SCREE_JOINT_REVOLUTE, 0, wheel, vec3_make(5, 0, 0), Z);
    lab_add_joint(world, &hinge);
    scree_joint_def turn = lab_joint(SCREE_JOINT_TORSION_SPRING, 0, wheel, vec3_make(5, 0, 0), Z);
    turn.stiffness = 100 * inertia;
    turn.angle = 8; // more than a turn
    lab_add_joint(world, &turn);
    double first = total_energy(world);
    assert_near(first, 10 * mass * 0.2 + 0.5 * 100 * mass * 0.04 + 0.5 * 50 * mass * 0.25 + 0.5 * 100 * inertia * 64,
                1e-9);
    for (int i = 0; i < 4000; i++) {
        joint_step(world);
        assert_near(total_energy(world), first, 10 * h * first);
    }
    scree_world_destroy(world);

    world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    ball = lab_add(world, lab_body(ORIGIN, ORIGIN), lab_sphere(0.1));
    scree_joint_def soft = lab_joint(SCREE_JOINT_SPHERICAL, 0, ball, ORIGIN, Z);
    soft.stiffness = 1000 * mass;
    soft.damping = 60 * mass;
    lab_add_joint(world, &soft);
    joint_steps(world, 1000);
    double sag = LAB_G / 1000;
    assert_relative(total_energy(world), -mass * LAB_G * sag + 0.5 * 1000 * mass * sag * sag, 1e-6);
    scree_world_destroy(world);
}

// Any stiffness is stable, alone and with sixteen springs on one body, and stiff ones come to rest at their length.
static void test_stiff_springs(void **state)
{
    (void)state;
    for (double stiffness = 1; stiffness < 1e13; stiffness *= CHECK_SANITIZED ? 1e4 : 10) {
        scree_world *world = joint_world(0.005, ORIGIN);
        scree_id ball = lab_add(world, lab_body(ORIGIN, vec3_make(1, 0.3, 0.2)), lab_sphere(0.1));
        for (int i = 0; i < 16; i++) {
            scree_joint_def def = lab_joint(SCREE_JOINT_SPRING, 0, ball, ORIGIN, Z);
            double turn = 2.4 * i;
            def.positions[0] = vec3_make(cos(turn), sin(turn), 0.1 * i - 0.8);
            def.stiffness = stiffness;
            lab_add_joint(world, &def);
        }
        double first = scree_world_figures(world).kinetic;
        joint_steps(world, CHECK_SANITIZED ? 300 : 1000);
        vec3 at = lab_state(world, ball).position;
        assert_at_most(scree_world_figures(world).kinetic, 1.1 * first);
        if (stiffness >= 1e8 && !CHECK_SANITIZED)
            assert_at_most(vec3_length(at), 0.01);
        scree_world_destroy(world);
    }
}

// A weight on a spring hangs at m g / k below its free length; the reaction carries it. A constant pull, too.
static void test_hanging(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_id ball = lab_add(world, lab_body(vec3_make(0, 0, -1), ORIGIN), lab_sphere(0.1));
    scree_joint_def def = lab_joint(SCREE_JOINT_SPRING, 0, ball, ORIGIN, Z);
    def.positions[1] = vec3_make(0, 0, -1);
    double weight = lab_info(world, ball).mass * LAB_G;
    def.stiffness = 20 * weight;
    def.damping = 2 * weight;
    scree_id spring = lab_add_joint(world, &def);
    joint_steps(world, 4000);
    scree_joint_state at = lab_joint_state(world, spring);
    assert_near(at.position, 1.05, 1e-9);
    assert_vec3_near(at.force, vec3_make(0, 0, weight), 1e-8 * weight);
    lab_ok(scree_world_remove_joints(world, &spring, 1, error));
    def.stiffness = def.damping = 0;
    def.preload = weight;
    def.positions[1] = lab_state(world, ball).position;
    spring = lab_add_joint(world, &def);
    joint_steps(world, 1000);
    assert_vec3_near(lab_state(world, ball).position, vec3_make(0, 0, -1.05), 1e-6);
    assert_vec3_near(lab_joint_state(world, spring).force, vec3_make(0, 0, weight), 1e-8 * weight);
    scree_world_destroy(world);
}

// A wheel on a torsion spring swings with sqrt(k / I) about its free angle, further than a turn.
static void test_torsion_spring(void **state)
{
    (void)state;
    const double h = 0.001, free_angle = 8;
    scree_world *world = joint_world(h, ORIGIN);
    scree_id wheel = lab_add(world, lab_body(ORIGIN, ORIGIN), lab_box(0.3, 0.3, 0.05));
    scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, wheel, ORIGIN, Z);
    lab_add_joint(world, &def);
    double inertia = lab_info(world, wheel).inertia.z;
    def.type = SCREE_JOINT_TORSION_SPRING;
    def.stiffness = inertia * 25;
    def.angle = free_angle;
    scree_id spring = lab_add_joint(world, &def);
    for (int i = 1; i <= 3000; i++) {
        joint_step(world);
        assert_near(lab_joint_state(world, spring).position, free_angle * (1 - cos(5 * (i + 0.5) * h)), 2e-3);
    }
    scree_world_destroy(world);
}

// A spring along or about the free axis swings the second body about its rest with w0 = sqrt(k / m), or sqrt(k / I),
// and with the damping d with e^(-d t / 2 m) and the slower w, and keeps its energy without.
static void test_axis_spring(void **state)
{
    (void)state;
    const scree_joint_type types[] = {SCREE_JOINT_PRISMATIC, SCREE_JOINT_REVOLUTE,  SCREE_JOINT_CYLINDRICAL,
                                      SCREE_JOINT_PLANAR,    SCREE_JOINT_UNIVERSAL, SCREE_JOINT_POINT_ON_LINE};
    const double h = 0.001, rest = 0.7, natural = 5, ratio = 0.1;
    for (int k = 0; k < 12; k++) {
        scree_joint_type type = types[k / 2];
        bool turns = measure_is_angle(joint_kind_of(type)->measure), damped = k % 2;
        scree_world *world = joint_world(h, ORIGIN);
        scree_id body = lab_add(world, lab_body(ORIGIN, ORIGIN), lab_box(0.3, 0.2, 0.1));
        scree_joint_def def = lab_joint(type, 0, body, ORIGIN, Z);
        double inertia = turns ? lab_info(world, body).inertia.z : lab_info(world, body).mass;
        def.axis_stiffness = inertia * natural * natural;
        def.axis_damping = damped ? 2 * ratio * natural * inertia : 0;
        def.rest = rest;
        scree_id id = lab_add_joint(world, &def);
        double decay = damped ? ratio * natural : 0, rate = sqrt(natural * natural - decay * decay);
        double held = 0.5 * def.axis_stiffness * rest * rest;
        for (int i = 1; i <= 3000; i++) {
            joint_step(world);
            double t = (i + 0.5) * h, swing = cos(rate * t) + decay / rate * sin(rate * t);
            assert_near(lab_joint_state(world, id).position, rest * (1 - exp(-decay * t) * swing), 2e-3);
            scree_figures figures = scree_world_figures(world);
            assert_at_most(figures.kinetic + figures.potential, 1.005 * held);
            if (!damped)
                assert_at_least(figures.kinetic + figures.potential, 0.995 * held);
        }
        scree_world_destroy(world);
    }
}

// A soft fixed joint sags by F / k along each axis and turns by M / k.
static void test_compliant_joint(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_id beam = lab_add(world, lab_body(vec3_make(0.5, 0, 0), ORIGIN), lab_box(0.5, 0.1, 0.1));
    double weight = lab_info(world, beam).mass * LAB_G;
    scree_joint_def def = lab_joint(SCREE_JOINT_FIXED, 0, beam, ORIGIN, X);
    def.stiffness = 1000 * weight;
    def.damping = 50 * weight;
    def.angular_stiffness = 500 * weight;
    def.angular_damping = 20 * weight;
    scree_id wall = lab_add_joint(world, &def);
    joint_steps(world, 3000);
    scree_joint_state at = lab_joint_state(world, wall);
    assert_vec3_near(at.force, vec3_make(0, 0, weight), 1e-6 * weight);
    assert_near(at.ends[1].z, -0.001, 1e-8);
    double tilt = -2 * lab_state(world, beam).orientation.y; // small angle, down
    assert_near(-tilt, 0.001, 1e-6);                         // 0.5 weight / 500 weight
    scree_world_destroy(world);
}

static scree_id add_wheel(scree_world *world, scree_joint_def *def, scree_id *wheel)
{
    *wheel = lab_add(world, lab_body(ORIGIN, ORIGIN), lab_sphere(0.5));
    *def = lab_joint(SCREE_JOINT_REVOLUTE, 0, *wheel, ORIGIN, Z);
    return 0;
}

// With a torque limit the speed rises by tau / I until it is reached, and the reaction then is zero.
static void test_speed_motor(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, ORIGIN);
    scree_joint_def def;
    scree_id wheel;
    add_wheel(world, &def, &wheel);
    double inertia = lab_info(world, wheel).inertia.z;
    def.motor.type = SCREE_MOTOR_SPEED;
    def.motor.target = 10;
    def.motor.max_force = 4 * inertia;
    scree_id motor = lab_add_joint(world, &def);
    joint_steps(world, 200);
    assert_relative(lab_joint_state(world, motor).speed, 4.0, 1e-9);
    assert_relative(lab_joint_state(world, motor).torque.z, 4 * inertia, 1e-9);
    assert_relative(lab_joint_state(world, motor).local_torque.z, 4 * inertia, 1e-9);
    joint_steps(world, 400);
    assert_relative(lab_joint_state(world, motor).speed, 10.0, 1e-9);
    assert_near(lab_joint_state(world, motor).torque.z, 0, 1e-6 * inertia);
    def.motor.target = -1;
    def.motor.max_force = CHECK_INFINITY;
    lab_ok(scree_world_set_motor(world, motor, &def.motor, error));
    joint_step(world);
    assert_relative(lab_joint_state(world, motor).speed, -1.0, 1e-9);
    scree_world_destroy(world);
}

// Prescribed: the position follows its function exactly at every step. Limited: it comes to the target without
// overshoot, and holds it against a load within the limit.
static void test_position_motor(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, ORIGIN);
    scree_joint_def def;
    scree_id wheel;
    add_wheel(world, &def, &wheel);
    def.motor = (scree_motor_def){SCREE_MOTOR_POSITION, 0, CHECK_INFINITY, 2, 0.5, 0.3, 0};
    scree_id motor = lab_add_joint(world, &def);
    for (int i = 1; i <= 1000; i++) {
        joint_step(world);
        double target = 2 * (sin(2 * PI * 0.5 * 0.005 * i + 0.3) - sin(0.3));
        assert_near(lab_joint_state(world, motor).position, target, 1e-9);
    }
    double inertia = lab_info(world, wheel).inertia.z, from = lab_joint_state(world, motor).position;
    def.motor = (scree_motor_def){SCREE_MOTOR_POSITION, from + 3, 2000 * inertia, 0, 0, 0, 0.1};
    lab_ok(scree_world_set_motor(world, motor, &def.motor, error));
    for (int i = 0; i < 400; i++) {
        joint_step(world);
        assert_at_most(lab_joint_state(world, motor).position, from + 3 + 1e-9);
    }
    assert_near(lab_joint_state(world, motor).position, from + 3, 1e-5);
    for (int i = 0; i < 400; i++) {
        vec3 load = {0, 0, 1999 * inertia};
        lab_ok(scree_world_apply_forces(world, &wheel, &ORIGIN, &load, 1, error));
        joint_step(world);
    }
    assert_near(lab_joint_state(world, motor).position, from + 3, 1e-6); // no droop up to the limit
    assert_relative(lab_joint_state(world, motor).torque.z, -1999 * inertia, 1e-6);
    scree_world_destroy(world);
}

// A falling slider stops at its limit and stays; the limit carries its weight. A rope of a distance joint likewise.
// An error decays with the time constant T: by T / (T + h) in a step, whatever the step, without a limit of force and
// with a plentiful one. A target that moves is followed without lag.
static void test_response(void **state)
{
    (void)state;
    const double steps[] = {0.001, 0.005, 0.02}, response = 0.1, rate = 0.5;
    for (int k = 0; k < 6; k++) {
        double h = steps[k / 2];
        scree_world *world = joint_world(h, ORIGIN);
        scree_joint_def def;
        scree_id wheel;
        add_wheel(world, &def, &wheel);
        def.motor = (scree_motor_def){SCREE_MOTOR_POSITION, 1, k % 2 ? 1e12 : CHECK_INFINITY, 0, 0, 0, response};
        scree_id motor = lab_add_joint(world, &def);
        double missing = -1;
        for (int i = 0; i < 50; i++) {
            joint_step(world);
            missing *= response / (response + h);
            assert_near(lab_joint_state(world, motor).position, 1 + missing, 1e-6);
        }
        double from = lab_joint_state(world, motor).position, start = world->time; // a sine so slow that it is a line
        const double slow = 1e-6;
        def.motor.target = from;
        def.motor.frequency = slow;
        def.motor.amplitude = rate / (2 * PI * slow);
        lab_ok(scree_world_set_motor(world, motor, &def.motor, error));
        joint_steps(world, 50);
        assert_near(lab_joint_state(world, motor).position, from + rate * (world->time - start), 1e-6);
        scree_world_destroy(world);
    }
}

static void test_limits(void **state)
{
    (void)state;
    const scree_joint_type types[] = {SCREE_JOINT_PRISMATIC, SCREE_JOINT_DISTANCE};
    for (int k = 0; k < 2; k++) {
        scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
        scree_id block = lab_add(world, lab_body(vec3_make(0, 0, -0.1), ORIGIN), lab_sphere(0.1));
        scree_joint_def def = lab_joint(types[k], 0, block, vec3_make(0, 0, -0.1), Z);
        def.positions[1] = vec3_make(0, 0, -0.1);
        def.low = k ? 0 : -1;
        def.high = k ? 1 : 0.5;
        scree_id guide = lab_add_joint(world, &def);
        joint_steps(world, 300);
        double weight = lab_info(world, block).mass * LAB_G;
        assert_near(lab_joint_state(world, guide).position, k ? 1 : -1, 1e-9);
        assert_near(lab_joint_state(world, guide).speed, 0, 1e-9);
        assert_vec3_near(lab_joint_state(world, guide).force, vec3_make(0, 0, weight), 1e-9 * weight);
        vec3 up = {0, 0, 3 * weight};
        for (int i = 0; i < 20; i++) {
            lab_push(world, block, up);
            joint_step(world);
            assert_true(lab_joint_state(world, guide).force.z < 1e-9 * weight); // it does not stick
        }
        assert_true(fabs(lab_joint_state(world, guide).position) < 0.99);
        scree_world_destroy(world);
    }
}

// A rod on a ball joint with a cone of 0.5 rad falls to its edge and rests there.
static void test_cone_limit(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.002, vec3_make(0, 0, -LAB_G));
    scree_body_def body = lab_body(vec3_make(0.05, 0.02, 0.5), ORIGIN);
    scree_id rod = lab_add(world, body, lab_box(0.05, 0.05, 0.5));
    scree_joint_def def = lab_joint(SCREE_JOINT_SPHERICAL, 0, rod, ORIGIN, Z);
    def.low = 0;
    def.high = 0.5;
    def.friction = 0.02 * lab_info(world, rod).mass * LAB_G;
    scree_id ball = lab_add_joint(world, &def);
    for (int i = 0; i < (CHECK_SANITIZED ? 3000 : 5000); i++) {
        joint_step(world);
        assert_at_most(lab_joint_state(world, ball).position, 0.5 + 1e-3); // an impact bends the path
    }
    assert_near(lab_joint_state(world, ball).position, 0.5, 1e-5);
    assert_at_most(vec3_length(lab_state(world, rod).spin), 1e-5);
    scree_world_destroy(world);
}

// Friction slows a wheel by tau / I to a stop and holds it against less than tau.
static void test_friction(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, ORIGIN);
    scree_joint_def def;
    scree_id wheel;
    add_wheel(world, &def, &wheel);
    scree_state turning = lab_state(world, wheel);
    turning.spin = vec3_make(0, 0, 3);
    lab_ok(scree_world_set_states(world, &wheel, 1, &turning, error));
    double inertia = lab_info(world, wheel).inertia.z;
    def.friction = 2 * inertia;
    scree_id pin = lab_add_joint(world, &def);
    joint_steps(world, 200);
    assert_relative(lab_joint_state(world, pin).speed, 1.0, 1e-9);
    assert_relative(lab_joint_state(world, pin).torque.z, -2 * inertia, 1e-9);
    joint_steps(world, 200);
    double stopped = lab_joint_state(world, pin).position;
    assert_relative(stopped, 3 * 3 / (2 * 2.0), 0.01);
    for (int i = 0; i < 200; i++) {
        vec3 load = {0, 0, 1.9 * inertia};
        lab_ok(scree_world_apply_forces(world, &wheel, &ORIGIN, &load, 1, error));
        joint_step(world);
    }
    assert_near(lab_joint_state(world, pin).position, stopped, 1e-12);
    scree_world_destroy(world);
}

// A rope breaks under twice its weight and the ball falls freely.
static void test_breaking(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_id ball = lab_add(world, lab_body(vec3_make(0, 0, -1), ORIGIN), lab_sphere(0.1));
    double weight = lab_info(world, ball).mass * LAB_G;
    scree_joint_def def = lab_joint(SCREE_JOINT_SPHERICAL, 0, ball, ORIGIN, Z);
    def.break_force = 1.5 * weight;
    scree_id rope = lab_add_joint(world, &def);
    joint_steps(world, 100);
    assert_false(lab_joint_state(world, rope).broken);
    lab_push(world, ball, vec3_make(0, 0, -weight));
    joint_step(world);
    assert_true(lab_joint_state(world, rope).broken);
    assert_relative(lab_joint_state(world, rope).force.z, 2 * weight, 1e-9);
    joint_steps(world, 100);
    assert_near(lab_joint_state(world, rope).force.z, 0, 0);
    assert_relative(lab_state(world, ball).velocity.z, -LAB_G * 0.5, 1e-9);
    scree_world_destroy(world);
}

// Two bodies torn apart by a new state close at a limited speed, and do not fly.
static void test_recovery(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_id ball = lab_add(world, lab_body(ORIGIN, ORIGIN), lab_sphere(0.1));
    scree_joint_def def = lab_joint(SCREE_JOINT_SPHERICAL, 0, ball, ORIGIN, Z);
    lab_add_joint(world, &def);
    scree_state torn = lab_state(world, ball);
    torn.position = vec3_make(0.3, 0, 0);
    lab_ok(scree_world_set_states(world, &ball, 1, &torn, error));
    for (int i = 0; i < 400; i++) {
        joint_step(world);
        assert_at_most(vec3_length(lab_state(world, ball).velocity), 0.25 * sqrt(LAB_G * 0.1) + 1e-7);
    }
    assert_vec3_near(lab_state(world, ball).position, ORIGIN, 1e-9);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring),         cmocka_unit_test(test_spring_energy),
        cmocka_unit_test(test_stiff_springs),  cmocka_unit_test(test_hanging),
        cmocka_unit_test(test_torsion_spring), cmocka_unit_test(test_compliant_joint),
        cmocka_unit_test(test_axis_spring),    cmocka_unit_test(test_speed_motor),
        cmocka_unit_test(test_position_motor), cmocka_unit_test(test_response),
        cmocka_unit_test(test_limits),         cmocka_unit_test(test_cone_limit),
        cmocka_unit_test(test_friction),       cmocka_unit_test(test_breaking),
        cmocka_unit_test(test_recovery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
