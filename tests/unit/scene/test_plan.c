// The plan of a run: what `check` tells and `run` keeps to.
#include "parse.h"

#include "scene/plan.h"

static run_plan plan_of(const char *text, uint64_t steps)
{
    scree_scene *scene = parse(text);
    run_plan plan = scene_plan(scene, steps);
    scree_scene_destroy(scene);
    return plan;
}

#define BALL "bodies: [{shapes: [{type: sphere}]}]\n"

static void test_intervals_are_the_nearest_steps(void **state)
{
    (void)state;
    run_plan plan = plan_of(BALL "time: {step: 0.03, duration: 0.1}\noutput: {every: 0.05, checkpoint_every: 0}\n", 0);
    assert_int_equal(plan.steps, 3);
    assert_int_equal(plan.every, 2);
    assert_int_equal(plan.checkpoint_every, 0);
    assert_int_equal(plan.problems_every, 0);
    plan = plan_of(BALL "time: {step: 0.004, duration: 1}\noutput: {every: 0.05, checkpoint_every: 0.001}\n", 0);
    assert_int_equal(plan.steps, 250);
    assert_int_equal(plan.every, 13);
    assert_int_equal(plan.checkpoint_every, 1); // an interval below half a step is one step
}

static void test_steps_may_be_given(void **state)
{
    (void)state;
    assert_int_equal(plan_of(BALL "time: {step: 0.03, duration: 0.1}\n", 7).steps, 7);
    assert_int_equal(plan_of(BALL "time: {duration: 0}\n", 0).steps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_are_the_nearest_steps),
        cmocka_unit_test(test_steps_may_be_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
