// How well islands are solved where plain sweeps would not do: unlike masses, rest, long columns. Closed forms.
#include "plain_step.h"

// A column of balls on a floor, the topmost of mass `top`.
static plain_step *make_column(int balls, double top)
{
    plain_step *of = plain_make();
    uint32_t below = plain_add(of, vec3_make(0, 0, 0), 1, 0);
    for (int i = 0; i < balls; i++) {
        uint32_t slot = plain_add(of, vec3_make(0, 0, 0.5 + i), 0.5, i + 1 < balls ? 1 : top);
        if (i == 0)
            plain_touch_floor(of, below, slot);
        else
            plain_touch_balls(of, below, slot);
        below = slot;
    }
    return of;
}

// Each contact carries what is above it, and nothing moves by more than `speed`.
static void check_column(const plain_step *of, const step_solution *solution, double top, double part, double speed)
{
    size_t balls = of->problem.contact_count;
    for (size_t i = 0; i < balls; i++) {
        double load = ((double)(balls - i - 1) + top) * 10 * 0.01;
        assert_near((double)of->contacts[i].impulse.z, load, part * load);
        assert_at_most(vec3_length(solution->end[i + 1].velocity), speed);
    }
}

// Sweeps bring the weight of 1,000 balls down a column of 150 in thousands of iterations, a factorisation at once.
static void test_a_long_column_under_a_heavy_ball(void **state)
{
    (void)state;
    plain_step *of = make_column(150, 1000);
    step_solution solution = plain_solve(of);
    check_column(of, &solution, 1000, 1e-5, 1e-5);
    plain_free(of);
}

// Five sweeps are not enough for twenty balls: the check sees it.
static void test_small_islands_are_solved_to_the_end(void **state)
{
    (void)state;
    plain_step *of = make_column(20, 1);
    of->problem.solver.iterations = 5;
    step_solution solution = plain_solve(of);
    check_column(of, &solution, 1, 1e-5, 1e-5);
    plain_free(of);
}

// What rests is left with errors of a ten-thousandth of what gravity gives in a step, however modest the tolerance: a
// tower would lean a little more with every step.
static void test_rest_is_accurate(void **state)
{
    (void)state;
    plain_step *of = make_column(20, 1);
    of->problem.solver.tolerance = 0.01;
    of->problem.solver.iterations = 5000;
    step_solution solution = plain_solve(of);
    check_column(of, &solution, 1, 0.01, 1.01e-4 * 20 * 10 * 0.01);
    for (size_t i = 0; i < of->problem.contact_count; i++) {
        double below = i > 0 ? solution.end[i].velocity.z : 0;
        assert_at_least(solution.end[i + 1].velocity.z - below, -1.01e-4 * 10 * 0.01);
    }
    plain_free(of);
}

// A slab of `mass` on side^3 balls that stand in columns beside each other, on a floor.
static plain_step *slab_on_balls(int side, double mass)
{
    plain_step *of = plain_make();
    uint32_t floor = plain_add(of, vec3_make(0, 0, 0), 1, 0), balls = (uint32_t)(side * side * side);
    uint32_t slab = balls + 1;
    for (int i = 0; i < side * side * side; i++) {
        uint32_t slot = plain_add(of, vec3_make(i % side, i / side % side, 0.5 + i / side / side), 0.5, 1);
        plain_touch_before(of, floor, slot, i, side);
    }
    double middle = 0.5 * (side - 1);
    assert_int_equal(plain_add(of, vec3_make(middle, middle, side + 0.5), 0.5 * side, mass), slab);
    for (uint32_t i = 1; i <= balls; i++)
        if (of->position[i].z > side - 1)
            plain_touch(of, i, slab, vec3_make(0, 0, 0.5), vec3_make(0, 0, 1), 0);
    return of;
}

// With 250,000 times the mass of a ball 50 sweeps bring half a hundredth of it down to the floor, and 1,000 a fifth.
// All impulses scaled at once bring all of it.
static void test_a_slab_on_balls_is_carried(void **state)
{
    (void)state;
    plain_step *of = slab_on_balls(4, 250000);
    step_solution solution = plain_solve(of);
    assert_int_equal(solution.islands.islands[0].solver, ISLAND_SWEPT);
    assert_at_least(solution.end[65].velocity.z, -0.01 * 10 * 0.01);
    assert_in_range(solution.outcome.iterations, 0, 5 * of->problem.solver.iterations);
    of->problem.solver.algorithm = SCREE_ALGORITHM_APGS; // one who names an algorithm gets what was asked for
    for (size_t i = 0; i < of->problem.contact_count; i++)
        of->contacts[i].impulse = (vec3f){0, 0, 0};
    assert_int_equal(plain_solve(of).outcome.iterations, of->problem.solver.iterations);
    plain_free(of);
}

// The velocity of a slab is that of all impulses on it, to one rounding of single precision: each of them changes it by
// less than such a rounding, and would be lost.
static void test_heavy_bodies_keep_their_digits(void **state)
{
    (void)state;
    const double mass = 250000;
    plain_step *of = slab_on_balls(4, mass);
    step_solution solution = plain_solve(of);
    double carried = 0, end = solution.end[65].velocity.z;
    for (size_t i = 0; i < of->problem.contact_count; i++)
        carried += of->contacts[i].b == 65 ? (double)of->contacts[i].impulse.z : 0;
    double expected = -0.01 * 10 + carried / mass;
    print_message("velocity %.9g, by its impulses %.9g\n", end, expected);
    assert_near(end, expected, 0.01 * 10 * 1.2e-7);
    plain_free(of);
}

// A ball of 10^6 masses hits a light one: what it loses is what the light one gains, but for some roundings to single
// precision, of 6e-8 each, on the light one's side. In single precision the velocity of the heavy one changes by steps
// of 0.06 of that.
static void check_collision(scree_algorithm algorithm, pair_properties pair, double gap)
{
    const double heavy = 1e6, speed = 0.7;
    plain_step *of = plain_make();
    of->problem.gravity = vec3_make(0, 0, 0);
    of->problem.solver.algorithm = algorithm;
    plain_set_pairs(of, pair);
    uint32_t a = plain_add(of, vec3_make(0, 0, 0), 1, heavy);
    uint32_t b = plain_add(of, vec3_make(1.1 + gap, 0, 0), 0.1, 1);
    of->velocity[a] = vec3_make(speed, 0.1, 0.3);
    plain_touch_balls(of, a, b);
    step_solution solution = plain_solve(of);
    const body_velocity *ends[] = {solution.end, solution.position ? solution.position : solution.end};
    for (int i = 0; i < 2; i++) {
        vec3 lost = vec3_scale(vec3_sub(of->velocity[a], ends[i][a].velocity), heavy), gained = ends[i][b].velocity;
        assert_at_least(gained.x, 0.999 * speed);
        assert_near(vec3_length(vec3_sub(lost, gained)), 0, 50 * 6e-8 * vec3_length(gained));
    }
    plain_free(of);
}

static void test_heavy_bodies_keep_momentum(void **state)
{
    (void)state;
    for (int algorithm = SCREE_ALGORITHM_AUTO; algorithm <= SCREE_ALGORITHM_NEWTON; algorithm++) {
        check_collision((scree_algorithm)algorithm, (pair_properties){.friction = 0}, 0);
        check_collision((scree_algorithm)algorithm, (pair_properties){.friction = 0.5f}, 0);
        check_collision((scree_algorithm)algorithm, (pair_properties){.restitution = 0.5f}, 0);
        check_collision((scree_algorithm)algorithm, (pair_properties){.rolling = 0.01f}, 0);
        check_collision((scree_algorithm)algorithm, (pair_properties){.friction = 0.5f}, -0.05); // pushed out
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_column_under_a_heavy_ball),
        cmocka_unit_test(test_small_islands_are_solved_to_the_end),
        cmocka_unit_test(test_rest_is_accurate),
        cmocka_unit_test(test_a_slab_on_balls_is_carried),
        cmocka_unit_test(test_heavy_bodies_keep_their_digits),
        cmocka_unit_test(test_heavy_bodies_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
