// Steps that are given up: the world is where it was, says so, and can be stepped on.
#include <string.h>

#include "../../physics/lab.h"

typedef struct patience {
    _Atomic int left; // questions until the answer is yes
} patience;

static bool has_lost(void *context)
{
    patience *of = context;
    return of->left-- <= 0;
}

static scree_state *states_of(const scree_world *world, size_t *count)
{
    *count = scree_world_body_count(world);
    scree_id *ids = malloc(*count * sizeof *ids);
    scree_state *states = malloc(*count * sizeof *states);
    scree_world_body_ids(world, ids);
    lab_ok(scree_world_get_states(world, ids, *count, states, error));
    free(ids);
    return states;
}

static void give_up(scree_algorithm algorithm, size_t bodies, int threads)
{
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    def.solver.algorithm = algorithm;
    def.solver.iterations = 1000000000; // for ever
    def.solver.tolerance = 0;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 1.5);
    lab_add_heap(world, bodies, 1.5, true, 4);
    scree_error error;
    patience of = {.left = 0};
    assert_int_equal(scree_world_set_interrupt(world, has_lost, &of, &error), SCREE_OK);
    scree_status status = SCREE_OK;
    for (int i = 0; i < 200 && status == SCREE_OK; i++) {
        of.left = 40;
        status = scree_world_step(world, 1, &error);
    }
    assert_int_equal(status, SCREE_ERROR_INTERRUPTED);
    assert_non_null(strstr(error.message, "interrupted"));
    uint64_t steps = scree_world_step_figures(world).steps;
    size_t count;
    scree_state *before = states_of(world, &count);
    of.left = 40;
    assert_int_equal(scree_world_step(world, 1, &error), SCREE_ERROR_INTERRUPTED);
    scree_state *after = states_of(world, &count);
    assert_memory_equal(before, after, count * sizeof *before);
    assert_int_equal(scree_world_step_figures(world).steps, steps);
    assert_int_equal(scree_world_step_figures(world).contacts, 0);
    free(before);
    free(after);
    scree_world_destroy(world);
}

static void test_sweeps_are_given_up(void **state)
{
    (void)state;
    give_up(SCREE_ALGORITHM_APGS, 30, 1);
    give_up(SCREE_ALGORITHM_APGS, 30, 3);
    give_up(SCREE_ALGORITHM_JACOBI, 30, 1);
    give_up(SCREE_ALGORITHM_GAUSS_SEIDEL, 30, 2);
    give_up(SCREE_ALGORITHM_APGD, 30, 1);
}

static void test_newton_is_given_up(void **state)
{
    (void)state;
    give_up(SCREE_ALGORITHM_NEWTON, 30, 1);
    give_up(SCREE_ALGORITHM_NEWTON, 30, 2);
}

// Nobody is asked any more, or says no: steps are those of a world that was never asked.
static void test_asking_changes_nothing(void **state)
{
    (void)state;
    scree_state *states[2];
    size_t count;
    for (int k = 0; k < 2; k++) {
        scree_world_def def = scree_default_world_def();
        scree_world *world = lab_create(&def);
        patience of = {.left = 1 << 30};
        lab_add_container(world, 1.5);
        lab_add_heap(world, 60, 1.5, true, 4);
        lab_ok(scree_world_set_interrupt(world, k ? has_lost : NULL, &of, error));
        lab_step(world, 100);
        assert_true(k == 0 || of.left < 1 << 30);
        states[k] = states_of(world, &count);
        scree_world_destroy(world);
    }
    assert_memory_equal(states[0], states[1], count * sizeof *states[0]);
    free(states[0]);
    free(states[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps_are_given_up),
        cmocka_unit_test(test_newton_is_given_up),
        cmocka_unit_test(test_asking_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
