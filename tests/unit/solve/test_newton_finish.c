// Islands at rest, which one step of Newton's method finishes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "islands.h"

static const double TOLERANCE = 1e-8;
enum { BOXES = 50, STEPS = 200 };

typedef struct tower {
    test_island now;
    problem_body *bodies; // as they began
} tower;

static tower make(bool convex)
{
    tower made = {0};
    make_tower(&made.now, BOXES, 1, 0.5);
    made.now.island.convex = convex;
    size_t size = made.now.island.body_count * sizeof *made.bodies;
    made.bodies = malloc(size);
    assert_non_null(made.bodies);
    memcpy(made.bodies, made.now.island.bodies, size);
    return made;
}

static void release(tower *of)
{
    free(of->bodies);
    free_island(&of->now);
}

static island_result finish(tower *of)
{
    island_result result;
    assert_int_equal(newton_finish(&of->now.island, TOLERANCE, &of->now.scratch, &result, NULL), SCREE_OK);
    return result;
}

// Impulses of the solution, off by a millionth up or down, from bodies that fall.
static void disturb(tower *of, double part)
{
    island *problem = &of->now.island;
    island_result result;
    assert_int_equal(newton_solve(problem, STEPS, TOLERANCE, &of->now.scratch, &result, NULL), SCREE_OK);
    assert_true(result.reached);
    memcpy(problem->bodies, of->bodies, problem->body_count * sizeof *of->bodies);
    for (size_t i = 0; i < problem->contact_count; i++)
        problem->contacts[i].impulse = vec3_scale(problem->contacts[i].impulse, i % 3 == 0 ? 1 + part : 1 - part);
}

static void one_step_is_enough_at_rest(void **state)
{
    (void)state;
    for (int convex = 0; convex < 2; convex++) {
        tower of = make(convex);
        disturb(&of, 1e-6);
        island_result result = finish(&of);
        assert_true(result.reached);
        assert_int_equal(result.steps, 1);
        for (size_t i = 0; i < of.now.island.body_count; i++)
            assert_true(vec3_length(of.now.island.bodies[i].velocity) < 1e-5 * FALL);
        release(&of);
    }
}

static void solution_is_taken_as_it_is(void **state)
{
    (void)state;
    tower of = make(false);
    disturb(&of, 0);
    island_result result = finish(&of);
    assert_true(result.reached);
    assert_int_equal(result.steps, 0);
    release(&of);
}

// A start that has to find its loads is none of its business.
static void other_islands_are_left_alone(void **state)
{
    (void)state;
    tower of = make(false);
    assert_false(finish(&of).reached);
    assert_memory_equal(of.now.island.bodies, of.bodies, of.now.island.body_count * sizeof *of.bodies);
    for (size_t i = 0; i < of.now.island.contact_count; i++)
        assert_true(vec3_length(of.now.island.contacts[i].impulse) == 0);
    release(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_is_enough_at_rest),
        cmocka_unit_test(solution_is_taken_as_it_is),
        cmocka_unit_test(other_islands_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
