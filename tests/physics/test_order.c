// Orders of accuracy: the error of a motion against its closed form, or against an integration of its equations by
// Runge and Kutta's method in steps far below ours, at steps of 10, 5, 2.5 and 1.25 ms. Motion that is smooth is of
// second order from its first step on; contact, friction and restitution are of first order at least.
#include "lab.h"

#include <string.h>

#include "scree/joint.h"

enum { STEPS = 4 };

static const double first_step = 0.01;
static const vec3 NOTHING = {0, 0, 0};

// The slope of log error over log step, by least squares.
static double order_of(const double *error)
{
    double slope = 0, squares = 0;
    for (int i = 0; i < STEPS; i++) {
        double x = -(i - 0.5 * (STEPS - 1));
        slope += x * log2(error[i]);
        squares += x * x;
    }
    return slope / squares;
}

// A motion tells its error at a step; it is of an order if its errors fall like that.
typedef double motion_error(double step, const void *of);

static void measure(motion_error *motion, const void *of, double first, double *error)
{
    for (int i = 0; i < STEPS; i++)
        error[i] = motion(first / (1 << i), of);
}

static void assert_order(const char *name, motion_error *motion, const void *of, double first, double least)
{
    double error[STEPS];
    measure(motion, of, first, error);
    double order = order_of(error);
    print_message("%-40s %.2e %.2e %.2e %.2e  order %.2f\n", name, error[0], error[1], error[2], error[3], order);
    assert_at_least(order, least);
}

static int steps_in(double time, double step)
{
    return (int)lround(time / step);
}

// A world that solves to the end.
static scree_world *order_world(double step, vec3 gravity, scree_friction friction)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = gravity;
    def.step = step;
    def.threads = 1;
    def.solver.friction = friction;
    def.solver.precision = SCREE_PRECISION_DOUBLE;
    def.solver.tolerance = 1e-10;
    def.solver.iterations = 2000;
    def.solver.sleep = SCREE_SLEEP_OFF;
    return lab_create(&def);
}

// -------------------------------------------------------------------------------------------------- Runge and Kutta

enum { MOST_UNKNOWNS = 8 };

typedef void rate_function(const double *y, double *rate, const void *of);

static void runge_kutta(rate_function *rate, const void *of, double *y, int unknowns, double time)
{
    const int steps = 20000;
    const double h = time / steps, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6}, ahead[4] = {0, 0.5, 0.5, 1};
    for (int n = 0; n < steps; n++) {
        double sum[MOST_UNKNOWNS] = {0}, at[MOST_UNKNOWNS], slope[MOST_UNKNOWNS] = {0};
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < unknowns; i++)
                at[i] = y[i] + ahead[k] * h * slope[i];
            rate(at, slope, of);
            for (int i = 0; i < unknowns; i++)
                sum[i] += weight[k] * h * slope[i];
        }
        for (int i = 0; i < unknowns; i++)
            y[i] += sum[i];
    }
}

// ----------------------------------------------------------------------------------------------------------- free fall

// Exact at any step, in places and in velocities.
static void test_free_fall(void **state)
{
    (void)state;
    for (int i = 0; i < STEPS; i++) {
        double h = first_step / (1 << i);
        scree_world *world = order_world(h, vec3_make(0, 0, -LAB_G), SCREE_FRICTION_EXACT);
        scree_id id = lab_add(world, lab_body(NOTHING, vec3_make(2, 0, 3)), lab_sphere(0.1));
        lab_step(world, steps_in(1, h));
        scree_state now = lab_state(world, id);
        assert_vec3_near(now.position, vec3_make(2, 0, 3 - LAB_G / 2), 1e-11);
        assert_vec3_near(now.velocity, vec3_make(2, 0, 3 - LAB_G), 1e-11);
        scree_figures figures = scree_world_figures(world);
        assert_relative(figures.kinetic + figures.potential, 0.5 * lab_info(world, id).mass * 13, 1e-10);
        scree_world_destroy(world);
    }
}

// ----------------------------------------------------------------------------------------------------------- pendulums

// One ball on an arm, or two one behind the other, turning about y: angles from hanging down, and their speeds.
typedef struct pendulum {
    int balls;
    double angle, speed; // at the start, of all arms
} pendulum;

static const double arm_length = 1, ball_radius = 0.1, ball_mass = 2;

static double ball_inertia(void)
{
    return 0.4 * ball_mass * ball_radius * ball_radius;
}

static void pendulum_rate(const double *y, double *rate, const void *of)
{
    (void)of;
    double m = ball_mass, l = arm_length;
    rate[0] = y[1];
    rate[1] = -m * LAB_G * l / (ball_inertia() + m * l * l) * sin(y[0]);
}

// Lagrange's equations of two such arms; y is both angles, then both speeds.
static void double_pendulum_rate(const double *y, double *rate, const void *of)
{
    (void)of;
    double m = ball_mass, l = arm_length, between = y[0] - y[1];
    double a = ball_inertia() + 2 * m * l * l, b = m * l * l * cos(between), d = ball_inertia() + m * l * l;
    double p = -m * l * l * sin(between) * y[3] * y[3] - 2 * m * LAB_G * l * sin(y[0]);
    double q = m * l * l * sin(between) * y[2] * y[2] - m * LAB_G * l * sin(y[1]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (d * p - b * q) / (a * d - b * b);
    rate[3] = (a * q - b * p) / (a * d - b * b);
}

static scree_world *pendulum_world(double step, const pendulum *of, scree_id *ids)
{
    scree_world *world = order_world(step, vec3_make(0, 0, -LAB_G), SCREE_FRICTION_EXACT);
    vec3 along = vec3_scale(vec3_make(sin(of->angle), 0, -cos(of->angle)), arm_length);
    vec3 spin = {0, -of->speed, 0}, at = NOTHING, velocity = NOTHING;
    for (int i = 0; i < of->balls; i++) {
        scree_joint_def joint = scree_default_joint_def();
        joint.type = SCREE_JOINT_REVOLUTE;
        joint.position = at;
        joint.axis = vec3_make(0, 1, 0);
        at = vec3_add(at, along);
        velocity = vec3_add(velocity, vec3_cross(spin, along));
        scree_body_def body = lab_body(at, velocity);
        body.spin = spin;
        body.mass = ball_mass;
        ids[i] = lab_add(world, body, lab_sphere(ball_radius));
        joint.bodies[0] = i > 0 ? ids[i - 1] : 0;
        joint.bodies[1] = ids[i];
        lab_ok(scree_world_add_joints(world, &joint, 1, NULL, error));
    }
    return world;
}

// How far the last ball is from where it should be after 2 s.
static double pendulum_error(double step, const void *given)
{
    const pendulum *of = given;
    const double time = 2;
    scree_id ids[2];
    scree_world *world = pendulum_world(step, of, ids);
    lab_step(world, steps_in(time, step));
    vec3 end = lab_state(world, ids[of->balls - 1]).position;
    scree_world_destroy(world);
    double y[4] = {of->angle, of->balls == 1 ? of->speed : of->angle, of->speed, of->speed};
    runge_kutta(of->balls == 1 ? pendulum_rate : double_pendulum_rate, NULL, y, 2 * of->balls, time);
    vec3 exact = NOTHING;
    for (int i = 0; i < of->balls; i++)
        exact = vec3_add_scaled(exact, vec3_make(sin(y[i]), 0, -cos(y[i])), arm_length);
    return vec3_length(vec3_sub(end, exact));
}

static void test_pendulums(void **state)
{
    (void)state;
    const pendulum level = {1, LAB_PI / 2, 0}, bottom = {1, 0, 3};
    const pendulum double_level = {2, LAB_PI / 2, 0}, double_hanging = {2, 0, 2};
    assert_order("pendulum released level", pendulum_error, &level, first_step, 1.9);
    assert_order("pendulum kicked at the bottom", pendulum_error, &bottom, first_step, 1.9);
    assert_order("double pendulum released", pendulum_error, &double_level, first_step, 1.9);
    assert_order("double pendulum kicked", pendulum_error, &double_hanging, first_step, 1.9);
}

// The swing of the sum of energies over 2 s, in parts of what falls.
static double energy_swing(double step, const void *given)
{
    const pendulum *of = given;
    scree_id ids[2];
    scree_world *world = pendulum_world(step, of, ids);
    scree_figures figures = scree_world_figures(world);
    double low = figures.kinetic + figures.potential, high = low;
    for (int n = steps_in(2, step); n > 0; n--) {
        lab_step(world, 1);
        figures = scree_world_figures(world);
        low = fmin(low, figures.kinetic + figures.potential);
        high = fmax(high, figures.kinetic + figures.potential);
    }
    scree_world_destroy(world);
    return (high - low) / (ball_mass * LAB_G * arm_length);
}

// Both energies are of one instant: their sum swings by terms of second order, from the first step on.
static void test_energies_of_one_instant(void **state)
{
    (void)state;
    const pendulum level = {1, LAB_PI / 2, 0}, double_level = {2, LAB_PI / 2, 0};
    assert_order("energy of a pendulum", energy_swing, &level, first_step, 1.9);
    assert_order("energy of a double pendulum", energy_swing, &double_level, first_step, 1.9);
    assert_at_most(energy_swing(first_step, &level), 0.003);
}

// ------------------------------------------------------------------------------------------------- reading and giving

// A state that was read may be given back at any time: the same bits.
static void test_giving_back_changes_nothing(void **state)
{
    (void)state;
    const pendulum level = {2, LAB_PI / 2, 0};
    scree_id ids[2], others[2];
    scree_world *world = pendulum_world(0.01, &level, ids), *other = pendulum_world(0.01, &level, others);
    for (int n = 0; n < 100; n++) {
        scree_state states[2] = {lab_state(world, ids[0]), lab_state(world, ids[1])};
        lab_ok(scree_world_set_states(world, ids, 2, states, error));
        lab_step(world, 1);
        lab_step(other, 1);
        assert_true(scree_world_hash(world) == scree_world_hash(other));
    }
    scree_world_destroy(world);
    scree_world_destroy(other);
}

// A pendulum that is taken over into a new world after a second, by what was read of it.
static double handed_over_error(double step, const void *given)
{
    const pendulum *of = given;
    const double time = 2;
    scree_id id;
    scree_world *world = pendulum_world(step, of, &id);
    lab_step(world, steps_in(time / 2, step));
    vec3 at = lab_state(world, id).position, velocity = lab_state(world, id).velocity;
    scree_world_destroy(world);
    double angle = atan2(at.x, -at.z);
    pendulum second = {1, angle, (velocity.x * cos(angle) + velocity.z * sin(angle)) / arm_length};
    world = pendulum_world(step, &second, &id);
    lab_step(world, steps_in(time / 2, step));
    vec3 end = lab_state(world, id).position;
    scree_world_destroy(world);
    double y[2] = {of->angle, of->speed};
    runge_kutta(pendulum_rate, NULL, y, 2, time);
    return vec3_length(vec3_sub(end, vec3_scale(vec3_make(sin(y[0]), 0, -cos(y[0])), arm_length)));
}

// A pendulum that is let go at the bottom, by taking its joint away: it flies on a parabola.
static double let_go_error(double step, const void *given)
{
    const double swing = 0.5, flight = 0.5;
    scree_id id;
    scree_world *world = pendulum_world(step, given, &id);
    lab_step(world, steps_in(swing, step));
    scree_id joint = 1;
    lab_ok(scree_world_remove_joints(world, &joint, 1, error));
    lab_step(world, steps_in(flight, step));
    vec3 end = lab_state(world, id).position;
    scree_world_destroy(world);
    const pendulum *of = given;
    double y[2] = {of->angle, of->speed};
    runge_kutta(pendulum_rate, NULL, y, 2, swing);
    vec3 at = {sin(y[0]), 0, -cos(y[0])}, velocity = {cos(y[0]) * y[1], 0, sin(y[0]) * y[1]};
    at = vec3_add_scaled(vec3_scale(at, arm_length), velocity, arm_length * flight);
    return vec3_length(vec3_sub(end, vec3_add_scaled(at, vec3_make(0, 0, -LAB_G), 0.5 * flight * flight)));
}

static void test_beginnings(void **state)
{
    (void)state;
    const pendulum level = {1, LAB_PI / 2, 0};
    assert_order("pendulum handed over", handed_over_error, &level, first_step, 1.9);
    assert_order("pendulum let go", let_go_error, &level, first_step, 1.9);
}

// Momentum is that of all forces: m v gains h (f + m g) in each step, whatever was before, and a force equal to the
// weight holds a body where it is.
static void test_applied_forces(void **state)
{
    (void)state;
    const double h = 0.01;
    scree_world *world = order_world(h, vec3_make(0, 0, -LAB_G), SCREE_FRICTION_EXACT);
    scree_id falling = lab_add(world, lab_body(NOTHING, NOTHING), lab_sphere(0.1));
    scree_id held = lab_add(world, lab_body(vec3_make(5, 0, 0), NOTHING), lab_sphere(0.1));
    double mass = lab_info(world, held).mass, gained = 0;
    for (int n = 1; n <= 100; n++) {
        double pull = n % 7 == 0 ? 3 * n : 0;
        if (pull > 0)
            lab_push(world, falling, vec3_make(mass * pull, 0, 0));
        lab_push(world, held, vec3_make(0, 0, mass * LAB_G));
        lab_step(world, 1);
        gained += h * pull;
        assert_vec3_near(lab_state(world, falling).velocity, vec3_make(gained, 0, -LAB_G * h * n), 1e-11);
        assert_vec3_near(lab_state(world, held).position, vec3_make(5, 0, 0), 1e-12);
        assert_vec3_near(lab_state(world, held).velocity, NOTHING, 1e-12);
    }
    scree_world_destroy(world);
}

// ----------------------------------------------------------------------------------------------------------- tumbling

static const vec3 box_half = {0.6, 0.4, 0.2};

// Euler's equations and the quaternion's rate, from the moments; y is the spin in the body's frame, then the
// quaternion.
static void tumbling_rate(const double *y, double *rate, const void *moments)
{
    vec3 i = *(const vec3 *)moments, w = {y[0], y[1], y[2]};
    rate[0] = (i.y - i.z) * w.y * w.z / i.x;
    rate[1] = (i.z - i.x) * w.z * w.x / i.y;
    rate[2] = (i.x - i.y) * w.x * w.y / i.z;
    quat turning = quat_multiply((quat){y[3], y[4], y[5], y[6]}, (quat){0, w.x / 2, w.y / 2, w.z / 2});
    rate[3] = turning.w;
    rate[4] = turning.x;
    rate[5] = turning.y;
    rate[6] = turning.z;
}

static double tumbling_error(double step, const void *of)
{
    (void)of;
    const double time = 2;
    scree_world *world = order_world(step, NOTHING, SCREE_FRICTION_EXACT);
    scree_body_def body = lab_body(NOTHING, NOTHING);
    body.spin = vec3_make(1, 3, 2);
    scree_id id = lab_add(world, body, lab_box(box_half.x, box_half.y, box_half.z));
    vec3 moments = lab_info(world, id).inertia;
    lab_step(world, steps_in(time, step));
    quat end = lab_state(world, id).orientation;
    scree_world_destroy(world);
    double y[7] = {body.spin.x, body.spin.y, body.spin.z, 1, 0, 0, 0};
    runge_kutta(tumbling_rate, &moments, y, 7, time);
    quat off = quat_multiply(quat_conjugate((quat){y[3], y[4], y[5], y[6]}), end);
    return 2 * vec3_length(vec3_make(off.x, off.y, off.z));
}

static void test_tumbling(void **state)
{
    (void)state;
    assert_order("torque-free tumbling", tumbling_error, NULL, first_step, 1.9);
}

// ------------------------------------------------------------------------------------------------------------- springs

// x = 0.1 exp(-z w t) (cos u t + z w / u sin u t), u = w sqrt(1 - z^2), at 2 Hz; `of` is the damping ratio z.
static double spring_error(double step, const void *of)
{
    const double time = 2.1, w = 2 * LAB_PI * 2, mass = 3, z = *(const double *)of, u = w * sqrt(1 - z * z);
    scree_world *world = order_world(step, NOTHING, SCREE_FRICTION_EXACT);
    scree_body_def body = lab_body(vec3_make(0.1, 0, 0), NOTHING);
    body.mass = mass;
    scree_joint_def joint = scree_default_joint_def();
    joint.type = SCREE_JOINT_SPRING;
    joint.bodies[1] = lab_add(world, body, lab_sphere(ball_radius));
    joint.positions[0] = vec3_make(-2, 0, 0);
    joint.positions[1] = body.position;
    joint.length = 2;
    joint.stiffness = mass * w * w;
    joint.damping = 2 * z * w * mass;
    lab_ok(scree_world_add_joints(world, &joint, 1, NULL, error));
    lab_step(world, steps_in(time, step));
    double end = lab_state(world, joint.bodies[1]).position.x;
    scree_world_destroy(world);
    return fabs(end - 0.1 * exp(-z * w * time) * (cos(u * time) + z * w / u * sin(u * time)));
}

static void test_springs(void **state)
{
    (void)state;
    const double undamped = 0, damped = 0.1;
    assert_order("spring 2 Hz", spring_error, &undamped, first_step, 1.9);
    assert_order("spring 2 Hz, damped 0.1", spring_error, &damped, first_step, 1.9);
}

// ------------------------------------------------------------------------------------------------------------- contact

static double bounce_height(double height, double restitution, double time)
{
    double speed = 0, at = height;
    for (;;) {
        double until = (speed + sqrt(speed * speed + 2 * LAB_G * at)) / LAB_G;
        if (time < until)
            return at + speed * time - 0.5 * LAB_G * time * time;
        time -= until;
        speed = restitution * (LAB_G * until - speed);
        at = 0;
    }
}

// The mean of twelve balls that fall from different heights, after two bounces or three.
static double bouncing_error(double step, const void *of)
{
    enum { BALLS = 12 };
    const double radius = 0.05, restitution = *(const double *)of, time = 1.2;
    scree_world *world = order_world(step, vec3_make(0, 0, -LAB_G), SCREE_FRICTION_EXACT);
    lab_surface(world, 0, restitution);
    lab_add_floor(world);
    scree_id ids[BALLS];
    for (int i = 0; i < BALLS; i++)
        ids[i] = lab_add(world, lab_body(vec3_make(i, 0, radius + 1 + 0.0137 * i), NOTHING), lab_sphere(radius));
    lab_step(world, steps_in(time, step));
    double sum = 0;
    for (int i = 0; i < BALLS; i++)
        sum += fabs(lab_state(world, ids[i]).position.z - radius - bounce_height(1 + 0.0137 * i, restitution, time));
    scree_world_destroy(world);
    return sum / BALLS;
}

static void test_bouncing(void **state)
{
    (void)state;
    const double high = 0.9, low = 0.5;
    assert_order("bouncing, e 0.9", bouncing_error, &high, first_step, 0.9);
    assert_order("bouncing, e 0.5", bouncing_error, &low, first_step, 0.9);
}

static double sliding_error(double step, const void *of)
{
    const double friction = 0.3, time = 1, speed = 5;
    scree_world *world = order_world(step, vec3_make(0, 0, -LAB_G), *(const scree_friction *)of);
    lab_surface(world, friction, 0);
    lab_add_floor(world);
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.1), vec3_make(speed, 0, 0)), lab_box(0.3, 0.3, 0.1));
    lab_step(world, steps_in(time, step));
    double end = lab_state(world, id).position.x;
    scree_world_destroy(world);
    return fabs(end - (speed * time - 0.5 * friction * LAB_G * time * time));
}

// v = v0 - mu g t until t = 2 v0 / (7 mu g), then 5/7 v0.
static double slide_to_roll_error(double step, const void *of)
{
    const double friction = 0.3, time = 1, speed = 3, radius = 0.1;
    scree_world *world = order_world(step, vec3_make(0, 0, -LAB_G), *(const scree_friction *)of);
    lab_surface(world, friction, 0);
    lab_add_floor(world);
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, radius), vec3_make(speed, 0, 0)), lab_sphere(radius));
    lab_step(world, steps_in(time, step));
    double end = lab_state(world, id).position.x, rolls = 2 * speed / (7 * friction * LAB_G);
    scree_world_destroy(world);
    return fabs(end - (speed * rolls - 0.5 * friction * LAB_G * rolls * rolls + 5. / 7 * speed * (time - rolls)));
}

static void test_friction(void **state)
{
    (void)state;
    const scree_friction exact = SCREE_FRICTION_EXACT, convex = SCREE_FRICTION_CONVEX;
    assert_order("sliding block, exact", sliding_error, &exact, first_step, 0.9);
    assert_order("sliding block, convex", sliding_error, &convex, first_step, 0.9);
    assert_order("ball slides, then rolls, exact", slide_to_roll_error, &exact, first_step, 0.9);
    assert_order("ball slides, then rolls, convex", slide_to_roll_error, &convex, first_step, 0.9);
}

// A disc that leans and rolls on one of its rims without slipping. Its axis a, spin w and centre are the unknowns; with
// r from the centre to the lowest point of the rim, v = r x w, and Euler's equations about that point are
//
//     (I + m (r^2 - r r^T)) w' = -w x I w + m r x (r' x w) + m g r x z.
static const double disc_radius = 0.3, disc_half = 0.02, disc_lean = 0.3;

typedef struct disc {
    double mass, across, about; // moments across and about its axis
} disc;

// From the centre to the lowest point of the rim, and its rate at a rate of the axis.
static vec3 rim_point(vec3 axis, vec3 axis_rate, vec3 *rate)
{
    const vec3 up = {0, 0, 1};
    double side = axis.z > 0 ? -disc_half : disc_half;
    vec3 across = vec3_add_scaled(up, axis, -axis.z);
    vec3 across_rate = vec3_add_scaled(vec3_scale(axis, -axis_rate.z), axis_rate, -axis.z);
    double length = vec3_length(across);
    vec3 rise = vec3_scale(across, 1 / length);
    vec3 rise_rate = vec3_scale(vec3_add_scaled(across_rate, rise, -vec3_dot(rise, across_rate)), 1 / length);
    *rate = vec3_add_scaled(vec3_scale(axis_rate, side), rise_rate, -disc_radius);
    return vec3_add_scaled(vec3_scale(axis, side), rise, -disc_radius);
}

static vec3 disc_momentum(const disc *of, vec3 axis, vec3 spin)
{
    return vec3_add_scaled(vec3_scale(spin, of->across), axis, (of->about - of->across) * vec3_dot(axis, spin));
}

// y: axis, spin, and the centre's place on the floor.
static void disc_rate(const double *y, double *rate, const void *given)
{
    const disc *of = given;
    const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vec3 axis = {y[0], y[1], y[2]}, spin = {y[3], y[4], y[5]}, axis_rate = vec3_cross(spin, axis), moved, column[3];
    vec3 rim = rim_point(axis, axis_rate, &moved);
    for (int i = 0; i < 3; i++)
        column[i] =
            vec3_add_scaled(disc_momentum(of, axis, unit[i]), vec3_cross(rim, vec3_cross(rim, unit[i])), -of->mass);
    vec3 pull = vec3_add_scaled(vec3_cross(moved, spin), unit[2], LAB_G);
    vec3 torque = vec3_scale(vec3_cross(rim, pull), of->mass);
    torque = vec3_sub(torque, vec3_cross(spin, disc_momentum(of, axis, spin)));
    double determinant = vec3_dot(column[0], vec3_cross(column[1], column[2]));
    vec3 velocity = vec3_cross(rim, spin);
    const double all[8] = {axis_rate.x,
                           axis_rate.y,
                           axis_rate.z,
                           vec3_dot(torque, vec3_cross(column[1], column[2])) / determinant,
                           vec3_dot(column[0], vec3_cross(torque, column[2])) / determinant,
                           vec3_dot(column[0], vec3_cross(column[1], torque)) / determinant,
                           velocity.x,
                           velocity.y};
    memcpy(rate, all, sizeof all);
}

static double rolling_disc_error(double step, const void *of)
{
    const double time = 1, speed = 2;
    scree_world *world = order_world(step, vec3_make(0, 0, -LAB_G), *(const scree_friction *)of);
    lab_surface(world, 1, 0);
    lab_add_floor(world);
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_CYLINDER;
    shape.radius = disc_radius;
    shape.half_length = disc_half;
    quat turn = quat_from_rotation(vec3_make(LAB_PI / 2 - disc_lean, 0, 0));
    vec3 axis = quat_rotate(turn, vec3_make(0, 0, 1)), still, rim = rim_point(axis, NOTHING, &still);
    vec3 spin = vec3_scale(axis, speed / disc_radius);
    scree_body_def body = lab_body(vec3_make(0, 0, -rim.z), vec3_cross(rim, spin));
    body.orientation = turn;
    body.spin = spin;
    scree_id id = lab_add(world, body, shape);
    scree_body_info info = lab_info(world, id);
    lab_step(world, steps_in(time, step));
    vec3 end = lab_state(world, id).position;
    scree_world_destroy(world);
    disc rolling = {info.mass, info.inertia.x, info.inertia.z};
    double y[8] = {axis.x, axis.y, axis.z, spin.x, spin.y, spin.z, 0, 0};
    runge_kutta(disc_rate, &rolling, y, 8, time);
    rim = rim_point(vec3_make(y[0], y[1], y[2]), NOTHING, &still);
    return vec3_length(vec3_sub(end, vec3_make(y[6], y[7], -rim.z)));
}

static void test_rolling_disc(void **state)
{
    (void)state;
    const scree_friction exact = SCREE_FRICTION_EXACT, convex = SCREE_FRICTION_CONVEX;
    assert_order("rolling disc, exact", rolling_disc_error, &exact, 0.004, 0.9);
    assert_order("rolling disc, convex", rolling_disc_error, &convex, 0.004, 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_pendulums),
        cmocka_unit_test(test_energies_of_one_instant),
        cmocka_unit_test(test_giving_back_changes_nothing),
        cmocka_unit_test(test_beginnings),
        cmocka_unit_test(test_applied_forces),
        cmocka_unit_test(test_tumbling),
        cmocka_unit_test(test_springs),
        cmocka_unit_test(test_bouncing),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_rolling_disc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
