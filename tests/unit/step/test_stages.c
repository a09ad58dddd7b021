// The clock of stages: their times add up to the time of the step, whatever the method.
#include "../../physics/lab.h"

#include "base/clock.h"
#include "scree/joint.h"

enum { HEAP = CHECK_SANITIZED ? 500 : 3000, SETTLING = CHECK_SANITIZED ? 20 : 100, STEPS = 20 };

static scree_world *heap_by(scree_method method)
{
    scree_world_def def = scree_default_world_def();
    def.method = method;
    def.threads = 1;
    def.step = 0.001;
    scree_world *world = lab_create(&def);
    scree_material_def stiff = scree_default_material_def();
    stiff.stiffness = method == SCREE_METHOD_PENALTY ? 1e6 : 0;
    lab_ok(scree_world_set_material(world, 0, &stiff, error));
    lab_add_container(world, 1.3);
    lab_add_heap(world, HEAP, 1.3, false, 3);
    return world;
}

static double sum(const scree_stage_times *times)
{
    return times->broad + times->narrow + times->prepare + times->solve + times->integrate;
}

// Parts are parts.
static void assert_parts(const scree_stage_times *times)
{
    double slack = 1e-9 * sum(times);
    assert_at_most(times->order + times->joint_rows + times->islands, times->prepare + slack);
    assert_at_most(times->exits, times->broad + slack);
    assert_at_most(times->rest + times->touches, times->integrate + slack);
}

static void check_steps(scree_world *world)
{
    lab_step(world, SETTLING);
    double stages = 0, wall = 0;
    scree_stage_times settled = scree_world_figures(world).total;
    for (int i = 0; i < STEPS; i++) {
        double start = clock_seconds();
        lab_step(world, 1);
        wall += clock_seconds() - start;
        scree_stage_times last = scree_world_step_figures(world).stages;
        stages += sum(&last);
        assert_parts(&last);
    }
    scree_stage_times total = scree_world_figures(world).total;
    assert_parts(&total);
    assert_near(sum(&total) - sum(&settled), stages, 1e-9 + 1e-6 * wall);
    assert_at_least(stages, 0.8 * wall);
    assert_at_most(stages, 1.02 * wall);
}

static void test_stages_add_up_to_the_step(void **state)
{
    scree_world *world = heap_by(*(const scree_method *)*state);
    check_steps(world);
    scree_world_destroy(world);
}

// Joints make rows before a solve, and finish after it.
static void test_joints_are_in_a_stage(void **state)
{
    (void)state;
    scree_world *world = heap_by(SCREE_METHOD_COMPLEMENTARITY);
    for (scree_id id = 6; id + 1 < 6 + HEAP / 2; id += 2) {
        scree_joint_def joint = scree_default_joint_def();
        joint.type = SCREE_JOINT_DISTANCE;
        joint.bodies[0] = id;
        joint.bodies[1] = id + 1;
        joint.positions[0] = lab_state(world, id).position;
        joint.positions[1] = lab_state(world, id + 1).position;
        lab_ok(scree_world_add_joints(world, &joint, 1, NULL, error));
    }
    check_steps(world);
    scree_stage_times last = scree_world_step_figures(world).stages;
    assert_true(last.broad > 0 && last.narrow > 0 && last.prepare > 0 && last.solve > 0 && last.integrate > 0);
    assert_true(last.order > 0 && last.joint_rows > 0 && last.islands > 0 && last.exits > 0 && last.rest > 0);
    assert_near(last.touches, 0, 0); // nobody watches
    scree_world_watch_touches(world, true);
    lab_step(world, 1);
    assert_true(scree_world_step_figures(world).stages.touches > 0);
    scree_world_destroy(world);
}

int main(void)
{
    static scree_method methods[] = {SCREE_METHOD_COMPLEMENTARITY, SCREE_METHOD_PENALTY, SCREE_METHOD_FFD};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_stages_add_up_to_the_step, &methods[0]),
        cmocka_unit_test_prestate(test_stages_add_up_to_the_step, &methods[1]),
        cmocka_unit_test_prestate(test_stages_add_up_to_the_step, &methods[2]),
        cmocka_unit_test(test_joints_are_in_a_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
