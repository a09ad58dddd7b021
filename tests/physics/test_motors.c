// Motors on position that have a limit of force: they hold and bring whatever hangs on their joint, at any step, as
// long as the limit suffices, and give way where it does not.
#include "lab.h"

static const double weight_of_arm = 10 * LAB_G, weight_of_load = 50 * LAB_G;

static const vec3 AXIS = {0, -1, 0}; // an arm that rises turns by a positive angle

typedef struct crane {
    scree_world *world;
    scree_id arm, load, motor;
} crane;

static void drive(const crane *of, double target, double max_force, double response)
{
    scree_motor_def motor = scree_default_motor_def();
    motor.type = SCREE_MOTOR_POSITION;
    motor.target = target;
    motor.max_force = max_force;
    motor.response = response;
    lab_ok(scree_world_set_motor(of->world, of->motor, &motor, error));
}

// A level arm of 1 m and 10 kg, hinged to the world at its end, with 50 kg at its tip: welded to it, or hung from it by
// a link.
static crane make_crane(double step, bool hung)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.step = step;
    crane made = {.world = lab_create(&def)};
    scree_body_def body = lab_body(vec3_make(0.5, 0, 0), vec3_make(0, 0, 0));
    body.mass = 10;
    made.arm = lab_add(made.world, body, lab_box(0.5, 0.05, 0.05));
    body = lab_body(vec3_make(1, 0, hung ? -1 : 0), vec3_make(0, 0, 0));
    body.mass = 50;
    made.load = lab_add(made.world, body, lab_sphere(0.1));
    made.motor = lab_join(made.world, SCREE_JOINT_REVOLUTE, 0, made.arm, vec3_make(0, 0, 0), AXIS);
    if (!hung) {
        lab_join(made.world, SCREE_JOINT_FIXED, made.arm, made.load, vec3_make(1, 0, 0), AXIS);
        return made;
    }
    body = lab_body(vec3_make(1, 0, -0.5), vec3_make(0, 0, 0));
    body.mass = 1e-3;
    scree_id link = lab_add(made.world, body, lab_box(0.02, 0.02, 0.4));
    lab_join(made.world, SCREE_JOINT_REVOLUTE, made.arm, link, vec3_make(1, 0, 0), AXIS);
    lab_join(made.world, SCREE_JOINT_REVOLUTE, link, made.load, vec3_make(1, 0, -1), AXIS);
    return made;
}

static scree_joint_state state_of(const crane *of)
{
    return lab_joint_state(of->world, of->motor);
}

static int steps_of(double time, double step)
{
    return (int)lround(time / step);
}

// The reaction about the axis is the motor's torque.
static void test_level_arm_stays_level(void **state)
{
    (void)state;
    const double steps[] = {0.0005, 0.002, 0.01, 0.02};
    for (int k = 0; k < 8; k++) {
        crane of = make_crane(steps[k / 2], k % 2);
        drive(&of, 0, 1e4, 0);
        lab_step(of.world, steps_of(1, steps[k / 2]));
        scree_joint_state at = state_of(&of);
        assert_near(at.position, 0, 1e-6);
        assert_relative(at.local_torque.z, 0.5 * weight_of_arm + weight_of_load, 1e-3); // with the link's gram
        scree_world_destroy(of.world);
    }
}

// A torque of 2 % less than gravity's falls with the rest of it, 2 % more holds.
static void test_limit_decides(void **state)
{
    (void)state;
    const double needed = 0.5 * weight_of_arm + weight_of_load, steps[] = {0.001, 0.005};
    for (int k = 0; k < 4; k++) {
        double h = steps[k / 2], part = k % 2 ? 1.02 : 0.98;
        crane of = make_crane(h, false);
        drive(&of, 0, part * needed, 0);
        lab_step(of.world, steps_of(0.2, h));
        scree_joint_state at = state_of(&of);
        double inertia = 10.0 / 3 + 10 * 0.1 * 0.1 / 12 + 50 * (1 + 0.4 * 0.1 * 0.1);
        double fall = 0.02 * needed / inertia * 0.5 * 0.2 * 0.2;
        assert_near(at.position, k % 2 ? 0 : -fall, k % 2 ? 1e-6 : 1e-3 * fall);
        assert_relative(at.local_torque.z, fmin(part, 1) * needed, 1e-4);
        scree_world_destroy(of.world);
    }
}

// Up by 1 rad and down again: it arrives, with no torque above the limit, at whatever step. Back at rest where it
// began, motor and gravity have done no work on the whole.
static void test_load_is_brought(void **state)
{
    (void)state;
    const double steps[] = {0.001, 0.005, 0.01}, limits[] = {1000, 1e4, 5e4};
    for (int k = 0; k < 9; k++) {
        double h = steps[k % 3], limit = limits[k / 3];
        crane of = make_crane(h, false);
        double work = 0, start = scree_world_figures(of.world).potential;
        for (int way = 0; way < 2; way++) {
            double from = way ? 1 : 0, target = 1 - from, over = 0;
            drive(&of, target, limit, 0);
            double before = state_of(&of).position, last = before;
            for (int i = 0; i < steps_of(3, h); i++) {
                lab_step(of.world, 1);
                scree_joint_state at = state_of(&of);
                assert_at_most(fabs(at.local_torque.z), limit * (1 + 1e-9));
                over = fmax(over, (at.position - target) * (target > from ? 1 : -1));
                // A torque acts for half a step on either side of its instant; the first for half a step in all, from
                // rest.
                work += at.local_torque.z * (i == 0 ? 0.25 * (at.position - last) : 0.5 * (at.position - before));
                before = last;
                last = at.position;
            }
            scree_figures figures = scree_world_figures(of.world);
            double energy = figures.kinetic + figures.potential - start;
            assert_near(work, energy, 0.02 * weight_of_load);
            assert_near(state_of(&of).position, target, 1e-5);
            assert_at_most(over, 1e-4);
            assert_at_most(figures.kinetic, 1e-6);
        }
        scree_world_destroy(of.world);
    }
}

// The same load on a slide that stands upright, in a crane whose motor lifts it.
static crane make_lift(double step)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.step = step;
    crane made = {.world = lab_create(&def)};
    scree_body_def body = lab_body(vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    body.mass = 10;
    made.arm = lab_add(made.world, body, lab_box(0.5, 0.5, 0.05));
    body = lab_body(vec3_make(0.3, 0, -0.5), vec3_make(0, 0, 0));
    body.mass = 50;
    made.load = lab_add(made.world, body, lab_sphere(0.1));
    made.motor = lab_join(made.world, SCREE_JOINT_PRISMATIC, 0, made.arm, vec3_make(0, 0, 0), vec3_make(0, 0, 1));
    lab_join(made.world, SCREE_JOINT_FIXED, made.arm, made.load, vec3_make(0.3, 0, -0.25), AXIS);
    return made;
}

// How far beyond the target it goes in a time that suffices to arrive.
static double overshoot(const crane *of, double target, double limit, double step)
{
    double from = state_of(of).position, over = 0;
    drive(of, target, limit, 0);
    for (int i = 0; i < steps_of(7, step); i++) {
        lab_step(of->world, 1);
        over = fmax(over, (state_of(of).position - target) * (target > from ? 1 : -1));
    }
    assert_near(state_of(of).position, target, 1e-3);
    return over;
}

// A motor that could just hold its load brakes in time, whether the load helps or resists, is the same all the way (a
// lift) or grows towards the target (an arm that sinks), and in the first move of its life as later: it overshoots
// nowhere. Limits in parts of the greatest load.
static void test_brakes_in_time(void **state)
{
    (void)state;
    const double steps[] = {0.001, 0.005, 0.01}, limits[] = {1.02, 1.2, 2, 10};
    for (int k = 0; k < 24; k++) {
        bool lift = k % 2;
        double h = steps[k / 2 % 3];
        double limit = limits[k / 6] * (lift ? weight_of_arm + weight_of_load : 0.5 * weight_of_arm + weight_of_load);
        const double targets[] = {0.8, 0, -0.8};
        for (int first = 0; first < 3; first += 2) {
            crane of = lift ? make_lift(h) : make_crane(h, false);
            for (int i = first; i < (CHECK_SANITIZED ? first + 1 : 3); i++)
                assert_at_most(overshoot(&of, targets[i], limit, h), 1e-3);
            scree_world_destroy(of.world);
        }
    }
}

// A load that is let go, and comes back when the limit is raised: no overshoot there either.
static void test_comes_back(void **state)
{
    (void)state;
    const double steps[] = {0.001, 0.005, 0.01}, load = 0.5 * weight_of_arm + weight_of_load;
    for (int k = 0; k < 6; k++) {
        double h = steps[k / 2];
        crane of = make_crane(h, false);
        drive(&of, 0, 0.7 * load, 0);
        lab_step(of.world, steps_of(0.4, h));
        assert_at_most(state_of(&of).position, -0.2);
        assert_at_most(overshoot(&of, 0, (k % 2 ? 1.05 : 1.5) * load, h), 1e-3);
        scree_world_destroy(of.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_arm_stays_level),
        cmocka_unit_test(test_limit_decides),
        cmocka_unit_test(test_load_is_brought),
        cmocka_unit_test(test_brakes_in_time),
        cmocka_unit_test(test_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
