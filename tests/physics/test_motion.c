// Moved bodies: their prescribed paths to rounding, and what they do to bodies that lie on them.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

static scree_motion_def sine(vec3 axis, double amplitude, double frequency, double phase)
{
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_SINE;
    motion.axis = axis;
    motion.amplitude = amplitude;
    motion.frequency = frequency;
    motion.phase = phase;
    return motion;
}

static scree_motion_def rotation(vec3 axis, vec3 center, double speed)
{
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_ROTATION;
    motion.axis = axis;
    motion.center = center;
    motion.speed = speed;
    return motion;
}

static scree_motion_def velocity(vec3 linear, vec3 angular)
{
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = linear;
    motion.angular = angular;
    return motion;
}

// Paths are functions of time, not integrated: after a thousand steps they are where they should be within 1e-11.
static void test_prescribed_paths_are_exact(void **state)
{
    (void)state;
    const double h = 0.003;
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, vec3_make(0, 0, -LAB_G));
    const vec3 starts[3] = {{1, 2, 3}, {10, 0, 0}, {20, 5, 0}};
    scree_id ids[3];
    for (int i = 0; i < 3; i++)
        ids[i] = lab_add_fixed(world, starts[i], lab_box(0.5, 0.4, 0.3));
    lab_set_motion(world, ids[0], sine(vec3_make(0, 3, 4), 0.2, 0.7, 0.4));
    lab_set_motion(world, ids[1], velocity(vec3_make(1, -2, 0.5), vec3_make(0, 0, 0.8)));
    lab_set_motion(world, ids[2], rotation(vec3_make(0, 0, 2), vec3_make(18, 5, 7), 0.5));
    for (int n = 1; n <= 1000; n++) {
        lab_step(world, 1);
        double t = n * h;
        vec3 swing = vec3_scale(vec3_make(0, 0.6, 0.8), 0.2 * (sin(2 * LAB_PI * 0.7 * t + 0.4) - sin(0.4)));
        scree_state now = lab_state(world, ids[0]);
        assert_vec3_near(now.position, vec3_add(starts[0], swing), 1e-11);
        assert_vec3_near(quat_rotate(now.orientation, vec3_make(1, 2, 3)), vec3_make(1, 2, 3), 1e-14);

        now = lab_state(world, ids[1]);
        vec3 mark = {1, 0, 0};
        assert_vec3_near(now.position, vec3_add_scaled(starts[1], vec3_make(1, -2, 0.5), t), 1e-11);
        assert_vec3_near(quat_rotate(now.orientation, mark), vec3_make(cos(0.8 * t), sin(0.8 * t), 0), 1e-11);

        now = lab_state(world, ids[2]);
        assert_vec3_near(now.position, vec3_make(18 + 2 * cos(0.5 * t), 5 + 2 * sin(0.5 * t), 0), 1e-11);
        assert_vec3_near(quat_rotate(now.orientation, mark), vec3_make(cos(0.5 * t), sin(0.5 * t), 0), 1e-11);
    }
    assert_true(lab_info(world, ids[0]).moved && lab_info(world, ids[0]).fixed);
    scree_world_destroy(world);
}

// A motion set later starts from where the body stands, and taking it away stops the body there.
static void test_motion_starts_where_the_body_stands(void **state)
{
    (void)state;
    const double h = 0.01;
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, NOWHERE);
    scree_id id = lab_add_fixed(world, vec3_make(1, 0, 0), lab_box(1, 1, 1));
    lab_step(world, 37);
    lab_set_motion(world, id, velocity(vec3_make(0, 0, 2), NOWHERE));
    lab_step(world, 50);
    assert_vec3_near(lab_state(world, id).position, vec3_make(1, 0, 1), 1e-12);
    lab_set_motion(world, id, sine(vec3_make(1, 0, 0), 0.1, 1, 1));
    assert_vec3_near(lab_state(world, id).position, vec3_make(1, 0, 1), 1e-12);
    double previous = 1;
    for (int i = 0; i < 20; i++) { // no jump: at most the peak speed times a step
        lab_step(world, 1);
        double x = lab_state(world, id).position.x;
        assert_near(x, previous, 2 * LAB_PI * 0.1 * h * 1.01);
        previous = x;
    }
    scree_motion_def none = scree_default_motion_def();
    none.type = SCREE_MOTION_NONE;
    lab_set_motion(world, id, none);
    lab_step(world, 30);
    assert_near(lab_state(world, id).position.x, previous, 1e-12);
    assert_vec3_near(lab_state(world, id).velocity, NOWHERE, 0);
    assert_false(lab_info(world, id).moved);
    scree_world_destroy(world);
}

// A belt drags a box with mu g until both have the same speed: at t = v / (mu g), having slipped v^2 / (2 mu g). The
// belt is a plane, and then a long box. 5 %: the sudden start of sliding lifts the box by mu v h.
static void test_conveyor_drags_a_box(void **state)
{
    const double h = 0.001, mu = 0.4, speed = 1;
    for (int plane = 0; plane < 2; plane++) {
        scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
        lab_surface(world, mu, 0);
        scree_id belt = plane ? lab_add_floor(world) : lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(20, 2, 0.5));
        lab_set_motion(world, belt, velocity(vec3_make(speed, 0, 0), NOWHERE));
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.1 + mu * speed * h), NOWHERE), lab_box(0.4, 0.4, 0.1));
        double time = speed / (mu * LAB_G);
        lab_step(world, (int)(0.5 * time / h));
        assert_relative(lab_state(world, id).velocity.x, 0.5 * speed, 0.05);
        lab_step(world, (int)(1.5 * time / h));
        scree_state now = lab_state(world, id);
        assert_vec3_near(now.velocity, vec3_make(speed, 0, 0), 2e-3);
        assert_vec3_near(now.spin, NOWHERE, 2e-3);
        double total = 2 * time * speed - speed * speed / (2 * mu * LAB_G);
        assert_relative(now.position.x, total, 0.05);
        double before = now.position.x; // and then it rides along without slipping
        lab_step(world, 200);
        assert_near(lab_state(world, id).position.x - before, 0.2 * speed, 1e-3);
        scree_world_destroy(world);
    }
}

// Shaken sideways with a peak acceleration below mu g the box rides along (relative motion under 0.5 mm of 100); above
// it, it lags.
static void test_shaken_floor_carries_a_box(void **state)
{
    const double h = 0.002, mu = 0.5;
    for (int fast = 0; fast < 2; fast++) {
        scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
        lab_surface(world, mu, 0);
        scree_id floor = lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(3, 3, 0.5));
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.1), NOWHERE), lab_box(0.4, 0.4, 0.1));
        // 0.1 m at 1 Hz: 3.9 m/s^2 against 4.9; at 2 Hz: 15.8. Phase pi/2 starts from rest.
        lab_set_motion(world, floor, sine(vec3_make(1, 0, 0), 0.1, fast ? 2 : 1, LAB_PI / 2));
        double worst = 0;
        for (int i = 0; i < 1000; i++) {
            lab_step(world, 1);
            worst = fmax(worst, fabs(lab_state(world, id).position.x - lab_state(world, floor).position.x));
        }
        if (fast)
            assert_at_least(worst, 0.02);
        else
            assert_at_most(worst, 5e-4);
        scree_world_destroy(world);
    }
}

// Shaken up and down with a peak acceleration below g a ball stays on the plate (within what the plate moves in a
// step); above g it takes off where the plate's acceleration passes -g.
static void test_vertical_shaking_throws_above_g(void **state)
{
    const double h = 0.001;
    for (int fast = 0; fast < 2; fast++) {
        scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
        scree_id plate = lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(1, 1, 0.5));
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.2), NOWHERE), lab_sphere(0.2));
        // 0.02 m at 3 Hz: 7.1 m/s^2; at 5 Hz: 19.7. Phase -pi/2: from the lowest point, at rest.
        double frequency = fast ? 5 : 3, omega = 2 * LAB_PI * frequency;
        lab_set_motion(world, plate, sine(vec3_make(0, 0, 1), 0.02, frequency, -LAB_PI / 2));
        double worst = 0, left = 0;
        for (int i = 1; i <= 400; i++) {
            lab_step(world, 1);
            double gap = lab_state(world, id).position.z - 0.2 - (lab_state(world, plate).position.z + 0.5);
            assert_at_least(gap, -1e-3);
            worst = fmax(worst, gap);
            if (left == 0 && gap > 1e-4)
                left = i * h;
        }
        if (fast) {
            // Plate at -A cos(wt): leaves when A w^2 cos(wt) = -g; a gap of 0.1 mm needs about 7 ms more (the
            // accelerations part like t^3: A w^3 sin(wt) t^3 / 6).
            double takeoff = acos(-LAB_G / (0.02 * omega * omega)) / omega;
            assert_near(left, takeoff + cbrt(6e-4 / (0.02 * pow(omega, 3) * sin(omega * takeoff))), 3e-3);
            assert_at_least(worst, 0.005);
        } else {
            assert_at_most(worst, 1e-4);
        }
        scree_world_destroy(world);
    }
}

// On a turntable a box at radius r is carried at speed W r as long as W^2 r < mu g. Sticking holds for velocities,
// along the tangent, so that the radius grows by 1 + (h W)^2 / 2 a step: a factor exp(pi h W) a turn, here 0.3 %. Half
// a turn ends on the same line.
static void test_turntable_carries_a_box(void **state)
{
    const double h = 0.001, turn = 1, radius = 1.2, turns = CHECK_SANITIZED ? 0.5 : 1;
    scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0.5, 0);
    scree_id table = lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(3, 3, 0.5));
    lab_set_motion(world, table, rotation(vec3_make(0, 0, 1), NOWHERE, turn));
    scree_body_def body = lab_body(vec3_make(radius, 0, 0.1), vec3_make(0, turn * radius, 0));
    body.spin = vec3_make(0, 0, turn);
    scree_id id = lab_add(world, body, lab_box(0.2, 0.2, 0.1));
    lab_step(world, (int)(turns * 2 * LAB_PI / turn / h));
    scree_state now = lab_state(world, id);
    assert_relative(hypot(now.position.x, now.position.y), radius * exp(turns * LAB_PI * h * turn), 1e-3);
    assert_relative(vec3_length(now.velocity), turn * radius, 5e-3);
    assert_relative(now.spin.z, turn, 1e-3);
    assert_near(now.position.y, 0, 0.02 * radius);
    scree_world_destroy(world);
}

// A ball that rolls on a turntable circles at 2/7 of the table's speed (Earnshaw 1844; from v' = 2/7 W x v), with the
// radius v / (2/7 W): here one whole circle of 7/2 turns of the table. It returns within 2 % of the circle's size.
static void test_ball_rolls_in_a_circle_on_a_turntable(void **state)
{
    const double h = 0.001, turn = 4, radius = 0.2, speed = 0.3;
    scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0.6, 0);
    scree_id table = lab_add_fixed(world, vec3_make(0, 0, -0.5), lab_box(3, 3, 0.5));
    lab_set_motion(world, table, rotation(vec3_make(0, 0, 1), NOWHERE, turn));
    vec3 start = {0.5, 0.1, radius}, along = {0, speed, 0};
    scree_body_def body = lab_body(start, along);
    // No slip: v + w x (-R z) = W z x r, so that w = z x (v - W z x r) / R in the plane.
    vec3 surface = vec3_cross(vec3_make(0, 0, turn), start);
    body.spin = vec3_scale(vec3_cross(vec3_make(0, 0, 1), vec3_sub(along, surface)), 1 / radius);
    scree_id id = lab_add(world, body, lab_sphere(radius));
    double rate = 2.0 / 7 * turn, size = speed / rate;
    int steps = (int)(2 * LAB_PI / rate / h), quarter = steps / 4;
    vec3 center = {start.x - size, start.y, radius}; // left of the velocity
    for (int i = 1; i <= 4; i++) {
        lab_step(world, quarter);
        double angle = rate * quarter * i * h;
        vec3 expected = vec3_add(center, vec3_make(size * cos(angle), size * sin(angle), 0));
        assert_vec3_near(lab_state(world, id).position, expected, 0.02 * size);
        assert_relative(vec3_length(lab_state(world, id).velocity), speed, 0.02);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prescribed_paths_are_exact),
        cmocka_unit_test(test_motion_starts_where_the_body_stands),
        LAB_TEST_ALL(test_conveyor_drags_a_box),
        LAB_TEST_ALL(test_shaken_floor_carries_a_box),
        LAB_TEST_ALL(test_vertical_shaking_throws_above_g),
        LAB_TEST_ALL(test_turntable_carries_a_box),
        LAB_TEST_ALL(test_ball_rolls_in_a_circle_on_a_turntable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
