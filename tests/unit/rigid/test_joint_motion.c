// Joints in motion, solved densely: mechanisms against closed forms, energy, reactions, redundant joints, gears.
#include "joint_lab.h"

static const vec3 ORIGIN = {0, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

// Synchronised: velocities belong to the middle of the last step, so the potential energy is taken there.
static double energy(const scree_world *world)
{
    scree_figures figures = scree_world_figures(world);
    return figures.kinetic + figures.potential + 0.5 * world->def.step * vec3_dot(world->def.gravity, figures.momentum);
}

// A rod of 1 m that hangs from its upper end, swung out by an angle in the plane of x and z.
static scree_id add_rod(scree_world *world, vec3 end, double angle)
{
    vec3 center = vec3_add(end, vec3_make(0.5 * sin(angle), 0, -0.5 * cos(angle)));
    scree_body_def body = lab_body(center, ORIGIN);
    body.orientation = quat_from_rotation(vec3_make(0, -angle, 0));
    return lab_add(world, body, lab_box(0.05, 0.05, 0.5));
}

static double gap_of(const scree_world *world, scree_id id)
{
    scree_joint_state state = lab_joint_state(world, id);
    return vec3_length(vec3_sub(state.ends[1], state.ends[0]));
}

// A compound pendulum: theta'' = -(m g c / I) sin theta. At angle theta and rate w the pin carries, along the rod,
// m (g cos theta + c w^2), and across it m (g sin theta + c theta'').
static void test_pendulum(void **state)
{
    (void)state;
    const double h = 0.002, start = 2.5;
    scree_world *world = joint_world(h, vec3_make(0, 0, -LAB_G));
    scree_id rod = add_rod(world, ORIGIN, start);
    scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, rod, ORIGIN, vec3_make(0, -1, 0));
    scree_id pin = lab_add_joint(world, &def);
    scree_body_info info = lab_info(world, rod);
    double inertia = info.inertia.y + info.mass * 0.25, weight = info.mass * LAB_G;
    double first = energy(world), before = 0, before_rate = 0;
    for (int i = 0; i < (CHECK_SANITIZED ? 1000 : 5000); i++) {
        joint_step(world);
        scree_joint_state at = lab_joint_state(world, pin);
        assert_near(energy(world), first, 1e-4 * weight);
        assert_near(gap_of(world, pin), 0, 1e-9);
        if (i > 0) { // the reaction belongs to the start of the step, the mean of two rates
            double theta = start + before, rate = 0.5 * (before_rate + at.speed);
            double along = info.mass * (LAB_G * cos(theta) + 0.5 * rate * rate);
            double swing = -weight * 0.5 * sin(theta) / inertia;
            double across = info.mass * (LAB_G * sin(theta) + 0.5 * swing);
            vec3 force = {-along * sin(theta) + across * cos(theta), 0, along * cos(theta) + across * sin(theta)};
            assert_vec3_near(at.force, force, 2e-4 * weight);
            assert_near(vec3_length(at.torque), 0, 1e-6 * weight);
        }
        before = at.position;
        before_rate = at.speed;
    }
    scree_world_destroy(world);
}

// Period of small swings and of wide ones: T = 2 pi sqrt(I / m g c) times 2 K(sin(a / 2)) / pi, from the arithmetic and
// geometric mean.
static void test_period(void **state)
{
    (void)state;
    const double amplitudes[] = {0.05, 1.5, 2.8};
    for (int k = 0; k < 3; k++) {
        const double h = 0.001;
        scree_world *world = joint_world(h, vec3_make(0, 0, -LAB_G));
        scree_id rod = add_rod(world, ORIGIN, amplitudes[k]);
        scree_joint_def def = lab_joint(SCREE_JOINT_SPHERICAL, 0, rod, ORIGIN, Z);
        lab_add_joint(world, &def);
        scree_body_info info = lab_info(world, rod);
        double a = 1, g = cos(0.5 * amplitudes[k]);
        for (int i = 0; i < 20; i++) {
            double mean = 0.5 * (a + g);
            g = sqrt(a * g);
            a = mean;
        }
        double period = 2 * PI * sqrt((info.inertia.y + info.mass * 0.25) / (info.mass * LAB_G * 0.5)) / a;
        int crossings = 0;
        double last = 1, first_time = 0, time = 0;
        while (crossings < 5) {
            joint_step(world);
            double x = lab_state(world, rod).position.x;
            if ((x > 0) != (last > 0)) {
                time = world->time - h * fabs(x) / (fabs(x) + fabs(last));
                first_time = crossings++ == 0 ? time : first_time;
            }
            last = x;
        }
        assert_relative((time - first_time) / 2, period, 1e-5);
        scree_world_destroy(world);
    }
}

static void test_double_pendulum(void **state)
{
    (void)state;
    const double h = 0.0025;
    scree_world *world = joint_world(h, vec3_make(0, 0, -LAB_G));
    scree_id upper = add_rod(world, ORIGIN, 2.5);
    vec3 elbow = {sin(2.5), 0, -cos(2.5)};
    scree_id lower = add_rod(world, elbow, PI / 2);
    scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, upper, ORIGIN, Y);
    scree_id pin = lab_add_joint(world, &def);
    def = lab_joint(SCREE_JOINT_REVOLUTE, upper, lower, elbow, Y);
    scree_id hinge = lab_add_joint(world, &def);
    double weight = lab_info(world, upper).mass * LAB_G, first = energy(world);
    for (int i = 0; i < (CHECK_SANITIZED ? 2000 : 12000); i++) {
        joint_step(world);
        assert_near(energy(world), first, 0.01 * weight);
        assert_at_most(gap_of(world, pin) + gap_of(world, hinge), 1e-5);
    }
    scree_world_destroy(world);
}

// A chain of light links swings with a thousand times a link's mass at its end: the pull makes waves in it faster than
// the step can follow. It neither stretches nor gains energy; and a chain whose links are as heavy as its end, which
// the step resolves until it cracks like a whip, gets no help before that.
static void test_taut_chain(void **state)
{
    (void)state;
    enum { LINKS = 12 };
    const double masses[] = {0.1, 100};
    for (int k = 0; k < 2; k++) {
        scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
        scree_id before = 0, joints[LINKS + 1];
        for (int i = 0; i <= LINKS; i++) {
            scree_body_def body = lab_body(vec3_make(0.1 * i + 0.05, 0, 0), ORIGIN);
            body.mass = i == LINKS ? 100 : masses[k];
            scree_id link = lab_add(world, body, lab_box(0.05, 0.02, 0.02));
            scree_joint_def def = lab_joint(SCREE_JOINT_SPHERICAL, before, link, vec3_make(0.1 * i, 0, 0), Z);
            joints[i] = lab_add_joint(world, &def);
            before = link;
        }
        double first = energy(world), scale = 100 * LAB_G * 1.2 * (k ? LINKS / 2 : 1);
        bool steadied = false;
        for (int i = 0; i < (CHECK_SANITIZED ? 90 : 300); i++) {
            joint_step(world);
            for (int j = 0; j <= LINKS; j++)
                assert_at_most(gap_of(world, joints[j]), k ? 0.01 : 1e-5);
            for (size_t j = 0; i < 80 && j < world->joints.list.count; j++)
                steadied = steadied || world->joints.list.data[j].geometric_damping[1] > 0;
            assert_at_most(energy(world), first + 0.01 * scale);
        }
        assert_true(steadied == (k == 0));
        assert_at_least(energy(world), first - (k ? 0.01 : 0.05) * scale);
        scree_world_destroy(world);
    }
}

// The same for balls on strings: distances between centres.
static void test_taut_string(void **state)
{
    (void)state;
    enum { BALLS = 12 };
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_id before = 0, joints[BALLS];
    for (int i = 0; i < BALLS; i++) {
        scree_body_def body = lab_body(vec3_make(0.1 * (i + 1), 0, 0), ORIGIN);
        body.mass = i == BALLS - 1 ? 100 : 0.1;
        scree_id ball = lab_add(world, body, lab_sphere(0.03));
        scree_joint_def def = lab_joint(SCREE_JOINT_DISTANCE, before, ball, ORIGIN, Z);
        def.positions[0] = vec3_make(0.1 * i, 0, 0);
        def.positions[1] = body.position;
        joints[i] = lab_add_joint(world, &def);
        before = ball;
    }
    double first = energy(world), scale = 100 * LAB_G * 1.2;
    for (int i = 0; i < (CHECK_SANITIZED ? 120 : 400); i++) {
        joint_step(world);
        for (int j = 0; j < BALLS; j++)
            assert_near(lab_joint_state(world, joints[j]).position, 0.1, 1e-3);
        assert_at_most(energy(world), first + 0.01 * scale);
    }
    assert_at_least(energy(world), first - 0.1 * scale);
    scree_world_destroy(world);
}

// Momentum of two free bodies that are joined stays, whatever the joint.
static void test_momentum(void **state)
{
    (void)state;
    random_stream stream = {3};
    for (int type = 0; type < SCREE_JOINT_GEAR; type++) {
        scree_world *world = joint_world(0.005, ORIGIN);
        scree_id ids[2];
        for (int i = 0; i < 2; i++) {
            scree_body_def body = lab_body(vec3_make(1.1 * i, 0, 0.2 * i), ORIGIN);
            body.velocity = vec3_make(random_unit(&stream), random_unit(&stream), random_unit(&stream));
            body.spin = vec3_make(2 * random_unit(&stream), -3 * random_unit(&stream), random_unit(&stream));
            ids[i] = lab_add(world, body, lab_box(0.2, 0.3, 0.5));
        }
        scree_joint_def def = lab_joint((scree_joint_type)type, ids[0], ids[1], vec3_make(0.5, 0.1, 0), Z);
        def.positions[0] = vec3_make(0.1, 0.2, 0.3);
        def.positions[1] = vec3_make(1, 0.1, 0.5);
        def.stiffness = type == SCREE_JOINT_SPRING || type == SCREE_JOINT_TORSION_SPRING ? 500 : 0;
        scree_id id = lab_add_joint(world, &def);
        joint_step(world); // velocities that the joint allows
        lab_totals before = lab_total(world);
        joint_steps(world, 400);
        lab_totals after = lab_total(world);
        assert_vec3_near(after.momentum, before.momentum, 1e-11 * before.momentum_scale);
        assert_vec3_near(after.angular, before.angular, 1e-9 * before.angular_scale);
        if (type != SCREE_JOINT_SPRING && type != SCREE_JOINT_TORSION_SPRING)
            assert_relative(after.kinetic, before.kinetic, 2e-3);
        const joint *of = &world->joints.list.data[0];
        const scree_pose pose[2] = {joint_body_pose(world, ids[0]), joint_body_pose(world, ids[1])};
        joint_equation equations[6];
        int count = joint_equations(of, pose, equations);
        for (int i = 0; i < count; i++)
            assert_near(equations[i].value, 0, 1e-6);
        if (type == SCREE_JOINT_DISTANCE)
            assert_near(lab_joint_state(world, id).position, of->def.length, 1e-7);
        scree_world_destroy(world);
    }
}

// A slider on a slope of 30 degrees runs with g sin 30; its guide carries the rest of its weight.
static void test_slider(void **state)
{
    (void)state;
    const double h = 0.005;
    scree_world *world = joint_world(h, vec3_make(0, 0, -LAB_G));
    scree_id block = lab_add(world, lab_body(vec3_make(0, 0, 1), ORIGIN), lab_box(0.2, 0.1, 0.1));
    vec3 down = {cos(PI / 6), 0, -sin(PI / 6)};
    scree_joint_def def = lab_joint(SCREE_JOINT_PRISMATIC, 0, block, vec3_make(0, 0, 1), down);
    scree_id guide = lab_add_joint(world, &def);
    joint_steps(world, 200);
    scree_joint_state at = lab_joint_state(world, guide);
    double mass = lab_info(world, block).mass;
    assert_relative(at.speed, LAB_G * 0.5 * 200 * h, 1e-9);
    assert_relative(at.position, LAB_G * 0.5 * h * h * 200 * 201 / 2, 1e-9);
    double carried = mass * LAB_G * cos(PI / 6);
    assert_vec3_near(at.force, vec3_make(carried * 0.5, 0, carried * cos(PI / 6)), 1e-9 * carried);
    assert_near(at.local_force.z, 0, 1e-9 * carried); // nothing along the axis
    assert_relative(vec3_length(at.local_force), carried, 1e-9);
    scree_world_destroy(world);
}

// A cantilever: a fixed joint at the wall carries weight and moment, also in the joint's frame.
static void test_cantilever(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_id beam = lab_add(world, lab_body(vec3_make(0.5, 0, 2), ORIGIN), lab_box(0.5, 0.1, 0.1));
    scree_joint_def def = lab_joint(SCREE_JOINT_FIXED, 0, beam, vec3_make(0, 0, 2), vec3_make(1, 0, 0));
    scree_id wall = lab_add_joint(world, &def);
    joint_steps(world, 20);
    double weight = lab_info(world, beam).mass * LAB_G;
    scree_joint_state at = lab_joint_state(world, wall);
    assert_vec3_near(at.force, vec3_make(0, 0, weight), 1e-9 * weight);
    assert_vec3_near(at.torque, vec3_make(0, -0.5 * weight, 0), 1e-9 * weight);
    assert_near(at.local_force.z, 0, 1e-9 * weight);
    assert_near(hypot(at.local_torque.x, at.local_torque.y), 0.5 * weight, 1e-9 * weight);
    assert_vec3_near(lab_state(world, beam).position, vec3_make(0.5, 0, 2), 1e-12);
    scree_world_destroy(world);
}

// A door on three hinges, and a four-bar whose pins all hold all directions: more equations than freedoms.
static void test_redundant(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, vec3_make(0, 0, -LAB_G));
    scree_body_def body = lab_body(vec3_make(0.5, 0, 1), ORIGIN);
    body.spin = vec3_make(0, 0, 1);
    body.velocity = vec3_make(0, 0.5, 0);
    scree_id door = lab_add(world, body, lab_box(0.5, 0.02, 1));
    scree_id hinges[3];
    for (int i = 0; i < 3; i++) {
        scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, door, vec3_make(0, 0, 0.2 + 0.8 * i), Z);
        hinges[i] = lab_add_joint(world, &def);
    }
    joint_steps(world, 400);
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        scree_joint_state at = lab_joint_state(world, hinges[i]);
        sum = vec3_add(sum, at.force);
        assert_near(gap_of(world, hinges[i]), 0, 1e-9);
        assert_near(at.speed, 1, 1e-4);
        assert_near(at.position, 2, 1e-3);
    }
    assert_relative(sum.z, lab_info(world, door).mass * LAB_G, 1e-9);
    scree_world_destroy(world);
}

// Two wheels on the world turn in the ratio -2; a torque on the first drives both: alpha = tau / (I1 + 4 I2).
static void test_gear(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, ORIGIN);
    scree_id wheels[2], pins[3];
    for (int i = 0; i < 2; i++) {
        wheels[i] = lab_add(world, lab_body(vec3_make(3 * i, 0, 0), ORIGIN), lab_sphere(1 - 0.5 * i));
        scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, 0, wheels[i], vec3_make(3 * i, 0, 0), Z);
        pins[i] = lab_add_joint(world, &def);
    }
    scree_joint_def def = lab_joint(SCREE_JOINT_GEAR, 0, 0, ORIGIN, Z);
    def.joints[0] = pins[0];
    def.joints[1] = pins[1];
    def.ratio = -2;
    pins[2] = lab_add_joint(world, &def);
    double inertia = lab_info(world, wheels[0]).inertia.z, other = lab_info(world, wheels[1]).inertia.z;
    double torque = 100, alpha = torque / (inertia + 4 * other);
    for (int i = 0; i < 1000; i++) {
        vec3 turn = {0, 0, torque};
        lab_ok(scree_world_apply_forces(world, wheels, &ORIGIN, &turn, 1, error));
        joint_step(world);
    }
    scree_joint_state first = lab_joint_state(world, pins[0]), second = lab_joint_state(world, pins[1]);
    assert_relative(first.speed, alpha * 5, 1e-9);
    assert_relative(second.speed, -2 * alpha * 5, 1e-9);
    assert_relative(first.position, alpha * 0.005 * 0.005 * 1000 * 1001 / 2, 1e-9); // some turns
    assert_near(second.position, -2 * first.position, 1e-9);
    assert_relative(lab_joint_state(world, pins[2]).torque.z, -2 * alpha * other, 1e-9);
    scree_world_destroy(world);
}

// A pinion on a carrier that itself is free to slide, and a rack: three bodies in one row. Momentum stays.
static void test_rack(void **state)
{
    (void)state;
    scree_world *world = joint_world(0.005, ORIGIN);
    scree_id carrier = lab_add(world, lab_body(ORIGIN, ORIGIN), lab_box(1, 1, 0.1));
    scree_body_def body = lab_body(vec3_make(0, 0, 0.5), ORIGIN);
    body.spin = vec3_make(0, 0, 4);
    scree_id pinion = lab_add(world, body, lab_sphere(0.3));
    scree_id rack = lab_add(world, lab_body(vec3_make(0, -0.5, 0.5), ORIGIN), lab_box(1, 0.1, 0.1));
    scree_joint_def def = lab_joint(SCREE_JOINT_REVOLUTE, carrier, pinion, vec3_make(0, 0, 0.5), Z);
    scree_id pin = lab_add_joint(world, &def);
    def = lab_joint(SCREE_JOINT_PRISMATIC, carrier, rack, vec3_make(0, -0.5, 0.5), vec3_make(1, 0, 0));
    scree_id guide = lab_add_joint(world, &def);
    def = lab_joint(SCREE_JOINT_RACK, 0, 0, ORIGIN, Z);
    def.joints[0] = pin;
    def.joints[1] = guide;
    def.ratio = 0.3;
    lab_add_joint(world, &def);
    lab_totals before = lab_total(world);
    joint_steps(world, 200);
    lab_totals after = lab_total(world);
    assert_vec3_near(after.momentum, before.momentum, 1e-9 * after.momentum_scale);
    assert_vec3_near(after.angular, before.angular, 1e-9 * after.angular_scale);
    scree_joint_state turn = lab_joint_state(world, pin), slide = lab_joint_state(world, guide);
    assert_true(turn.position > 0.5);
    assert_near(slide.position, 0.3 * turn.position, 1e-6);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),   cmocka_unit_test(test_period),      cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_taut_chain), cmocka_unit_test(test_taut_string), cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_slider),     cmocka_unit_test(test_cantilever),  cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_gear),       cmocka_unit_test(test_rack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
