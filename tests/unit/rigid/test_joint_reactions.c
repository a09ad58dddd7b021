// After a solve: reactions, remembered impulses and breaking, from impulses that are set by hand.
#include "joint_lab.h"

// A box that is welded to the world, or hinged about y, at a point beside it.
typedef struct bracket {
    scree_world *world;
    scree_id box, joint;
    step_problem problem;
    joint_rows rows;
} bracket;

static bracket make_bracket(scree_joint_type type, double break_force, double break_torque)
{
    bracket made = {.world = joint_world(0.01, vec3_make(0, 0, -10))};
    made.box = lab_add(made.world, lab_body(vec3_make(2, 0, 1), vec3_make(0, 0, 0)), lab_box(0.1, 0.2, 0.3));
    scree_joint_def def = lab_joint(type, 0, made.box, vec3_make(1.5, 0, 1), vec3_make(0, 1, 0));
    def.break_force = break_force;
    def.break_torque = break_torque;
    made.joint = lab_add_joint(made.world, &def);
    arena_reset(&made.world->scratch);
    made.problem = joint_problem(made.world);
    lab_ok(joints_make_rows(&made.problem, &made.world->scratch, &made.rows, error));
    return made;
}

// The sum of all rows on the box, about the joint's point.
static void sum_rows_at_joint(const bracket *of, vec3 *force, vec3 *torque)
{
    const vec3 arm = {-0.5, 0, 0};
    vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
    for (size_t i = 0; i < of->rows.count; i++) {
        linear = vec3_add_scaled(linear, of->rows.rows[i].linear[1], of->rows.rows[i].impulse);
        angular = vec3_add_scaled(angular, of->rows.rows[i].angular[1], of->rows.rows[i].impulse);
    }
    *force = vec3_scale(linear, 100);
    *torque = vec3_scale(vec3_sub(angular, vec3_cross(arm, linear)), 100);
}

// Whatever the rows are, the reaction is what they do to the box over the step, and impulses are what the next starts
// from.
static void test_reactions_are_sums_of_rows(void **state)
{
    (void)state;
    static const scree_joint_type types[] = {SCREE_JOINT_FIXED, SCREE_JOINT_REVOLUTE, SCREE_JOINT_SPHERICAL};
    for (int k = 0; k < 3; k++) {
        bracket of = make_bracket(types[k], HUGE_VAL, HUGE_VAL);
        for (size_t i = 0; i < of.rows.count; i++)
            of.rows.rows[i].impulse = 0.1 * (double)(i + 1);
        vec3 force, torque;
        sum_rows_at_joint(&of, &force, &torque);
        joints_finish(&of.problem, &of.rows, NULL);
        scree_joint_state found = lab_joint_state(of.world, of.joint);
        assert_false(found.broken);
        assert_vec3_near(found.force, force, 1e-10);
        assert_vec3_near(found.torque, torque, 1e-10);
        assert_near(vec3_length(found.local_force), vec3_length(force), 1e-10);
        assert_near(found.local_force.z, force.y, 1e-10); // z is the axis, which is y here
        lab_ok(joints_make_rows(&of.problem, &of.world->scratch, &of.rows, error));
        for (size_t i = 0, n = of.rows.first[1] < 6 ? of.rows.first[1] : 6; i < n; i++)
            if (of.rows.rows[i].impulse != 0)
                assert_near(of.rows.rows[i].impulse, 0.1 * (double)(i + 1), 1e-15);
        assert_near(of.rows.rows[0].impulse, 0.1, 1e-15);
        scree_world_destroy(of.world);
    }
}

// A pull of 60 N breaks what holds 59.9 N, and from then on it has no rows.
static void test_overload_breaks(void **state)
{
    (void)state;
    for (int strong = 0; strong < 2; strong++) {
        bracket of = make_bracket(SCREE_JOINT_SPHERICAL, strong ? 60.1 : 59.9, HUGE_VAL);
        for (size_t i = 0; i < of.rows.count; i++)
            of.rows.rows[i].impulse = i == 0 ? 0.6 : 0;
        joints_finish(&of.problem, &of.rows, NULL);
        scree_joint_state found = lab_joint_state(of.world, of.joint);
        assert_near(vec3_length(found.force), 60, 1e-9);
        assert_int_equal(found.broken, !strong);
        lab_ok(joints_make_rows(&of.problem, &of.world->scratch, &of.rows, error));
        assert_int_equal(of.rows.count > 0, strong);
        if (!strong) {
            joints_finish(&of.problem, &of.rows, NULL);
            assert_near(vec3_length(lab_joint_state(of.world, of.joint).force), 0, 0);
        }
        scree_world_destroy(of.world);
    }
}

static void test_twist_breaks(void **state)
{
    (void)state;
    bracket of = make_bracket(SCREE_JOINT_FIXED, HUGE_VAL, 1);
    for (size_t i = 0; i < of.rows.count; i++)
        of.rows.rows[i].impulse = vec3_length(of.rows.rows[i].linear[1]) > 0 ? 0 : 0.02;
    joints_finish(&of.problem, &of.rows, NULL);
    assert_true(lab_joint_state(of.world, of.joint).broken);
    scree_world_destroy(of.world);
}

// Bodies that take the step later take their joints with them.
static void test_joints_of_bodies_left_out(void **state)
{
    (void)state;
    bracket of = make_bracket(SCREE_JOINT_SPHERICAL, 1, HUGE_VAL);
    for (size_t i = 0; i < of.rows.count; i++)
        of.rows.rows[i].impulse = 1;
    const uint8_t left_out[1] = {1};
    joints_finish(&of.problem, &of.rows, left_out);
    assert_false(lab_joint_state(of.world, of.joint).broken);
    assert_near(vec3_length(lab_joint_state(of.world, of.joint).force), 0, 0);
    joints_finish(&of.problem, &of.rows, NULL);
    assert_true(lab_joint_state(of.world, of.joint).broken);
    scree_world_destroy(of.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reactions_are_sums_of_rows),
        cmocka_unit_test(test_overload_breaks),
        cmocka_unit_test(test_twist_breaks),
        cmocka_unit_test(test_joints_of_bodies_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
