// Impulses that no load explains are forgotten. With masses of 1, nothing moving and g h = 0.1 the unit is 10: a body
// may have 500 left over, and no impulse is above 10,000.
#include "plain_step.h"

#include "rigid/stale.h"

// A column of balls on a floor, each contact with its impulse along z.
static plain_step *make_column(int balls, double impulse)
{
    plain_step *of = plain_make();
    uint32_t below = plain_add(of, vec3_make(0, 0, 0), 1, 0);
    for (int i = 0; i < balls; i++) {
        uint32_t slot = plain_add(of, vec3_make(0, 0, 0.5 + i), 0.5, 1);
        contact *c = i == 0 ? plain_touch_floor(of, below, slot) : plain_touch_balls(of, below, slot);
        c->impulse.z = (float)impulse;
        below = slot;
    }
    return of;
}

// A plate that nothing can move, on top of the column.
static void press(plain_step *of, double impulse)
{
    uint32_t top = (uint32_t)of->problem.body_count - 1, plate = plain_add(of, vec3_make(0, 0, 100), 1, 0);
    plain_touch(of, top, plate, vec3_make(0, 0, 0.5), vec3_make(0, 0, 1), 0)->impulse.z = (float)impulse;
}

static void forget(plain_step *of)
{
    island_set set;
    arena_reset(&of->scratch);
    assert_true(islands_find(&of->problem, &of->joints, &of->scratch, &set));
    assert_int_equal(set.count, 1);
    island_run run = {.problem = &of->problem,
                      .set = &set,
                      .island = &set.islands[0],
                      .joints = &of->joints,
                      .scratch = &of->scratch,
                      .threads = 1};
    assert_true(forget_stale_impulses(&run));
}

static void assert_impulses(const plain_step *of, double expected)
{
    for (size_t i = 0; i < of->problem.contact_count; i++)
        assert_near((double)of->contacts[i].impulse.z, expected, 1e-6 * expected);
}

// While the catch is closed both sides press alike: that may stay.
static void test_balanced_impulses_stay(void **state)
{
    (void)state;
    plain_step *of = make_column(3, 2000);
    press(of, 2000);
    forget(of);
    assert_impulses(of, 2000);
    plain_free(of);
}

// When it has opened, the topmost ball has 2000 left over, and then the next one, down to the floor.
static void test_what_is_left_over_is_forgotten_all_the_way(void **state)
{
    (void)state;
    plain_step *of = make_column(3, 2000);
    forget(of);
    assert_impulses(of, 0);
    plain_free(of);
}

// Below the limit it is a load like any other, as that of a fall.
static void test_honest_loads_stay(void **state)
{
    (void)state;
    plain_step *of = make_column(3, 490);
    forget(of);
    assert_impulses(of, 490);
    plain_free(of);
    of = make_column(3, 2000);
    of->velocity[2] = vec3_make(31, 0, 0); // a unit of 41
    forget(of);
    assert_impulses(of, 2000);
    plain_free(of);
    of = make_column(3, 2000);
    of->spin[2] = vec3_make(0, 62, 0); // so fast at its surface
    forget(of);
    assert_impulses(of, 2000);
    plain_free(of);
    of = make_column(3, 2000);
    of->mass[1] = 5; // the heaviest counts
    forget(of);
    assert_impulses(of, 2000);
    plain_free(of);
}

static void test_no_impulse_is_beyond_the_limit(void **state)
{
    (void)state;
    plain_step *of = make_column(2, 1e6);
    press(of, 1e6);
    forget(of);
    assert_impulses(of, 10000);
    plain_free(of);
}

// A joint may carry what contacts leave over.
static void test_jointed_bodies_carry(void **state)
{
    (void)state;
    plain_step *of = make_column(1, 2000);
    plain_join(of, NO_BODY, 1, vec3_make(0, 0, 1));
    forget(of);
    assert_impulses(of, 2000);
    plain_free(of);
}

// Not beyond the limit: a motor of any strength has caught the body. If its impulses stayed while those of contacts are
// limited, the difference would throw it.
static void test_joints_forget_with_contacts(void **state)
{
    (void)state;
    plain_step *of = make_column(2, 1e6);
    plain_join(of, NO_BODY, 2, vec3_make(0, 0, 1))->impulse = -1e6;
    forget(of);
    assert_impulses(of, 0);
    assert_near(of->rows[0].impulse, 0, 0);
    plain_free(of);
    of = make_column(2, 9000);
    plain_join(of, NO_BODY, 2, vec3_make(0, 0, 1))->impulse = -9000;
    forget(of);
    assert_impulses(of, 9000);
    assert_near(of->rows[0].impulse, -9000, 0);
    plain_free(of);
}

// Without gravity and motion there is no measure.
static void test_without_a_scale_all_stays(void **state)
{
    (void)state;
    plain_step *of = make_column(2, 1e6);
    of->problem.gravity_length = 0;
    forget(of);
    assert_impulses(of, 1e6);
    plain_free(of);
}

// A solve drops them before it starts: the ball stays where it would else be thrown at 2000 m/s by the first sweep.
static void test_a_solve_does_not_start_from_them(void **state)
{
    (void)state;
    plain_step *of = make_column(1, 2000);
    of->problem.solver.algorithm = SCREE_ALGORITHM_JACOBI;
    of->problem.solver.iterations = 1;
    step_solution solution = plain_solve(of);
    assert_at_most(vec3_length(solution.end[1].velocity), 0.11);
    plain_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balanced_impulses_stay),
        cmocka_unit_test(test_what_is_left_over_is_forgotten_all_the_way),
        cmocka_unit_test(test_honest_loads_stay),
        cmocka_unit_test(test_no_impulse_is_beyond_the_limit),
        cmocka_unit_test(test_jointed_bodies_carry),
        cmocka_unit_test(test_joints_forget_with_contacts),
        cmocka_unit_test(test_without_a_scale_all_stays),
        cmocka_unit_test(test_a_solve_does_not_start_from_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
