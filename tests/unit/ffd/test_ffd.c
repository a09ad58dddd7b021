// Fast frictional dynamics as a method of the engine: the same bits, exact resume, locality, what it refuses, and what
// it says of its contacts.
#include "../../physics/lab.h"

#include <string.h>

#include "base/clock.h"
#include "scree/joint.h"
#include "step/snapshot.h"

static scree_world *ffd_world(int threads)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_FFD;
    def.threads = threads;
    return lab_create(&def);
}

static scree_world *build_heap(int threads)
{
    scree_world *world = ffd_world(threads);
    lab_surface(world, 0.5, 0.3);
    lab_add_container(world, 0.8);
    lab_add_heap(world, CHECK_SANITIZED ? 150 : 500, 0.8, true, 7);
    return world;
}

enum { STEPS = CHECK_SANITIZED ? 40 : 120 };

static void test_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t one = 0;
    for (int threads = 1; threads <= 3; threads++) {
        scree_world *world = build_heap(threads);
        lab_step(world, STEPS);
        if (threads == 1)
            one = scree_world_hash(world);
        assert_true(scree_world_hash(world) == one);
        assert_at_least((double)scree_world_figures(world).contacts, CHECK_SANITIZED ? 20 : 100);
        scree_world_destroy(world);
    }
}

static void test_restored_world_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    scree_world *world = build_heap(2), *again = NULL;
    lab_step(world, STEPS);
    snapshot taken = {0};
    lab_ok(snapshot_take(world, &taken, error));
    lab_ok(snapshot_restore(&taken, 1, &again, error));
    snapshot_release(&taken);
    assert_int_equal(scree_world_get_def(again).method, SCREE_METHOD_FFD);
    lab_step(world, 60);
    lab_step(again, 60);
    assert_true(scree_world_hash(world) == scree_world_hash(again));
    scree_world_destroy(world);
    scree_world_destroy(again);
}

// Balls in a row that run into each other. What one of them does depends on what it touches and on what that touches,
// and on nothing beyond.
static void test_response_is_local(void **state)
{
    (void)state;
    vec3 answers[4];
    for (int changed = 0; changed < 4; changed++) {
        scree_world *world = ffd_world(1);
        scree_id ids[4];
        for (int i = 0; i < 4; i++) {
            vec3 velocity = {changed && changed == i ? -2.5 : 0.3 - 0.2 * i, 0.01 * i, 0};
            ids[i] = lab_add(world, lab_body(vec3_make(0.999 * i, 0, 0), velocity), lab_sphere(0.5));
        }
        lab_step(world, 1);
        assert_in_range(scree_world_figures(world).touching, 2, 3);
        answers[changed] = lab_state(world, ids[0]).velocity;
        scree_world_destroy(world);
    }
    assert_true(answers[1].x < answers[0].x - 0.1);
    assert_vec3_near(answers[3], answers[0], 0);
}

static void test_settled_impulse_is_the_weight(void **state)
{
    (void)state;
    scree_world *world = ffd_world(1);
    scree_id floor = lab_add_floor(world);
    scree_id ball = lab_add(world, lab_body(vec3_make(0, 0, 0.5), vec3_make(0, 0, 0)), lab_sphere(0.5));
    lab_step(world, 200);
    double weight = lab_info(world, ball).mass * LAB_G * 0.005;
    assert_relative(lab_impulse_on(world, ball).z, weight, 1e-6);
    assert_relative(lab_impulse_on(world, floor).z, -weight, 1e-6);
    size_t count;
    scree_contact *contacts = lab_contacts(world, &count);
    assert_int_equal(count, 1);
    assert_vec3_near(contacts[0].point, vec3_make(0, 0, 0), 2e-3);
    free(contacts);
    scree_figures figures = scree_world_figures(world);
    assert_at_most(figures.residual_max, 1e-6);
    scree_world_destroy(world);
}

// Of half a step in which contacts are found nothing is left when a force is forgotten and a motion goes on.
static void test_forces_and_motions_take_whole_steps(void **state)
{
    (void)state;
    scree_world *world = ffd_world(1);
    scree_id free = lab_add(world, lab_body(vec3_make(0, 0, 5), vec3_make(1, 0, 0)), lab_sphere(0.5));
    scree_id moved = lab_add_fixed(world, vec3_make(9, 0, 0), lab_sphere(0.5));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = vec3_make(0, 3, 0);
    lab_set_motion(world, moved, motion);
    double mass = lab_info(world, free).mass, t = 0.5;
    lab_push(world, free, vec3_make(0, mass * 2 / 0.005, 0)); // an impulse that gives it the speed 2
    lab_step(world, 100);
    assert_vec3_near(lab_state(world, free).position, vec3_make(t, 2 * (t - 0.0025), 5 - 0.5 * LAB_G * t * t), 1e-9);
    assert_vec3_near(lab_state(world, free).velocity, vec3_make(1, 2, -LAB_G * t), 1e-9);
    assert_vec3_near(lab_state(world, moved).position, vec3_make(9, 3 * t, 0), 1e-9);
    scree_world_destroy(world);
}

static void test_joints_are_refused(void **state)
{
    (void)state;
    scree_world *world = ffd_world(1);
    scree_joint_def def = scree_default_joint_def();
    scree_error error = {0};
    def.bodies[1] = lab_add(world, lab_body(vec3_make(0, 0, 0), vec3_make(0, 0, 0)), lab_sphere(0.5));
    assert_int_equal(scree_world_add_joints(world, &def, 1, NULL, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "joints"));
    assert_non_null(strstr(error.message, "complementarity"));
    scree_world_destroy(world);
}

// Of each step, not of all that came before it.
static void test_stages_take_no_longer_than_the_steps(void **state)
{
    (void)state;
    scree_world *world = build_heap(1);
    double start = clock_seconds();
    lab_step(world, STEPS);
    double wall = clock_seconds() - start;
    scree_stage_times total = scree_world_figures(world).total;
    assert_true(total.broad > 0);
    assert_at_most(total.broad + total.narrow + total.prepare + total.solve + total.integrate, wall);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_on_any_number_of_threads),
        cmocka_unit_test(test_restored_world_goes_on_with_the_same_bits),
        cmocka_unit_test(test_response_is_local),
        cmocka_unit_test(test_settled_impulse_is_the_weight),
        cmocka_unit_test(test_forces_and_motions_take_whole_steps),
        cmocka_unit_test(test_joints_are_refused),
        cmocka_unit_test(test_stages_take_no_longer_than_the_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
