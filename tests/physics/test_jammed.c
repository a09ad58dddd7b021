// Machines whose motors have no limit of force and cannot do what they are told: an arm against a stop, an arm that
// presses a ball against a wall, two motors that contradict each other. No impulse solves that. What is tried instead
// must stay within bounds, the machine must stand still, and nothing may be thrown when the jam is over.
#include "lab.h"
#include "scree/joint.h"

enum { PRESSED_STEPS = 400, FREE_STEPS = 200 };
static const double motor_speed = 1, arm_mass = 2;

static scree_world *make_world(void)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = vec3_make(0, 0, 0);
    return lab_create(&def);
}

static scree_id add_arm(scree_world *world, double x)
{
    scree_body_def arm = lab_body(vec3_make(x, 0, 0), vec3_make(0, 0, 0));
    arm.mass = arm_mass;
    return lab_add(world, arm, lab_box(0.5, 0.05, 0.05));
}

static scree_id add_motor(scree_world *world, scree_id arm, double speed)
{
    scree_joint_def def = scree_default_joint_def();
    def.type = SCREE_JOINT_REVOLUTE;
    def.bodies[1] = arm;
    def.axis = vec3_make(0, 0, 1);
    def.motor.type = SCREE_MOTOR_SPEED;
    def.motor.target = speed;
    scree_id id;
    lab_ok(scree_world_add_joints(world, &def, 1, &id, error));
    return id;
}

static double largest_impulse(const scree_world *world)
{
    static scree_contact contacts[100];
    size_t count = scree_world_contacts(world, contacts, 100);
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, vec3_length(contacts[i].impulse));
    return most;
}

typedef struct extremes {
    double impulse, speed, torque;
} extremes;

static extremes watch(scree_world *world, const scree_id *ids, int count, scree_id motor, int steps)
{
    extremes most = {0};
    for (int i = 0; i < steps; i++) {
        lab_step(world, 1);
        most.impulse = fmax(most.impulse, largest_impulse(world));
        for (int k = 0; k < count; k++) {
            scree_state at = lab_state(world, ids[k]);
            most.speed = fmax(most.speed, vec3_length(at.velocity) + 0.5 * vec3_length(at.spin));
        }
        scree_joint_state joint;
        lab_ok(scree_world_get_joint(world, motor, &joint, error));
        most.torque = fmax(most.torque, vec3_length(joint.torque));
    }
    return most;
}

// A jammed motor pushes as if to bring its arm to its speed a thousand times in a step, about the arm's own centre.
static double most_torque(const scree_world *world, scree_id arm)
{
    return 1000 * lab_info(world, arm).inertia.z * motor_speed / scree_world_get_def(world).step;
}

// While it is jammed and when it no longer is: speeds are those that the motor asks for, at the middle of the arm and
// half its length from there, where not something pushed out comes on top.
static void check(const scree_world *world, scree_id arm, extremes most, double speed)
{
    double torque = most_torque(world, arm);
    assert_at_most(most.torque, 1.01 * torque);
    assert_at_most(most.impulse,
                   2 * torque * scree_world_get_def(world).step); // no contact is nearer than half a metre
    assert_at_most(most.speed, speed);
}

static void test_arm_against_a_stop(void **state)
{
    (void)state;
    scree_world *world = make_world();
    lab_surface(world, 0.3, 0);
    scree_id arm = add_arm(world, 0.5), motor = add_motor(world, arm, motor_speed);
    scree_id stop = lab_add_fixed(world, vec3_make(0.9, 0.3, 0), lab_box(0.1, 0.1, 0.1));
    check(world, arm, watch(world, &arm, 1, motor, PRESSED_STEPS), 1.01 * motor_speed);
    lab_ok(scree_world_remove_bodies(world, &stop, 1, error));
    check(world, arm, watch(world, &arm, 1, motor, FREE_STEPS), 1.01 * motor_speed);
    scree_world_destroy(world);
}

static void test_ball_against_a_wall(void **state)
{
    (void)state;
    scree_world *world = make_world();
    lab_surface(world, 0.3, 0);
    scree_id ids[2] = {add_arm(world, 0.5)}, motor = add_motor(world, ids[0], motor_speed);
    ids[1] = lab_add(world, lab_body(vec3_make(0.7, 0.2, 0), vec3_make(0, 0, 0)), lab_sphere(0.1));
    scree_id wall = lab_add_fixed(world, vec3_make(0.7, 0.5, 0), lab_box(0.5, 0.1, 0.5));
    check(world, ids[0], watch(world, ids, 2, motor, PRESSED_STEPS), 3);
    lab_ok(scree_world_remove_bodies(world, &wall, 1, error));
    check(world, ids[0], watch(world, ids, 2, motor, FREE_STEPS), 5);
    scree_world_destroy(world);
}

static void test_motors_that_contradict_each_other(void **state)
{
    (void)state;
    scree_world *world = make_world();
    scree_id arm = add_arm(world, 0.5), motor = add_motor(world, arm, motor_speed);
    scree_id other = add_motor(world, arm, -motor_speed);
    check(world, arm, watch(world, &arm, 1, motor, PRESSED_STEPS), 1.01 * motor_speed);
    lab_ok(scree_world_remove_joints(world, &other, 1, error));
    check(world, arm, watch(world, &arm, 1, motor, FREE_STEPS), 1.01 * motor_speed);
    scree_world_destroy(world);
}

static scree_id add_pin(scree_world *world, scree_id carrier, scree_id body)
{
    scree_joint_def def = scree_default_joint_def();
    def.bodies[0] = carrier;
    def.bodies[1] = body;
    scree_id id;
    lab_ok(scree_world_add_joints(world, &def, 1, &id, error));
    return id;
}

// Two carriers that part hold one body at the same point, and share the error evenly.
static void test_pins_that_contradict_each_other(void **state)
{
    (void)state;
    scree_world *world = make_world();
    scree_id arm = add_arm(world, 0), pins[2];
    for (int i = 0; i < 2; i++) {
        scree_id carrier = lab_add_fixed(world, vec3_make(0, 5, i ? 1 : -1), lab_sphere(0.1));
        scree_motion_def motion = scree_default_motion_def();
        motion.type = SCREE_MOTION_VELOCITY;
        motion.linear = vec3_make(0, 0, i ? 0.1 : -0.1);
        lab_ok(scree_world_set_motion(world, carrier, &motion, error));
        pins[i] = add_pin(world, carrier, arm);
    }
    extremes held = watch(world, &arm, 1, pins[0], PRESSED_STEPS);
    assert_true(held.speed < 1e-3); // in the middle, where nothing moves
    assert_true(vec3_length(lab_state(world, arm).position) < 1e-3);
    lab_ok(scree_world_remove_joints(world, &pins[1], 1, error));
    assert_true(watch(world, &arm, 1, pins[0], FREE_STEPS).speed < 3); // drawn back by 0.2, and not thrown
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_against_a_stop),
        cmocka_unit_test(test_ball_against_a_wall),
        cmocka_unit_test(test_motors_that_contradict_each_other),
        cmocka_unit_test(test_pins_that_contradict_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
