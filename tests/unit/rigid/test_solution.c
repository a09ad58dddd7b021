// The solution of a step from plain arrays: that of an island does not depend on the others, velocities and impulses
// belong together and obey the law of contacts, and the outcome of all islands is joined from theirs.
#include "plain_step.h"

#include "base/random.h"
#include "world/wake.h"

typedef struct made_island {
    uint32_t first, count; // slots
    size_t first_contact, contact_count;
    size_t first_row, row_count;
} made_island;

// A heap of side^3 balls on a floor, which presses on it; every ball touches those beside it.
static void add_heap(plain_step *of, int side, double at)
{
    random_stream stream = {(uint64_t)side};
    uint32_t floor = plain_add(of, vec3_make(at, 0, 0), 1, 0);
    for (int i = 0; i < side * side * side; i++) {
        vec3 place = {at + i % side, i / side % side, 0.5 + 0.999 * (i / side / side)};
        place.x += random_between(&stream, -0.001, 0.001);
        place.y += random_between(&stream, -0.001, 0.001);
        uint32_t slot = plain_add(of, place, 0.5, random_between(&stream, 0.5, 2));
        of->velocity[slot] = vec3_make(random_between(&stream, -0.1, 0.1), 0, random_between(&stream, -0.1, 0));
        plain_touch_before(of, floor, slot, i, side);
    }
}

static void add_swept(plain_step *of)
{
    add_heap(of, 5, 0);
}

static void add_checked(plain_step *of)
{
    add_heap(of, 2, 100);
}

static void add_large(plain_step *of)
{
    add_heap(of, 10, -100); // more than 2048 contacts: solved by all threads together
}

// Two bodies of unlike masses, held to each other and to the world.
static void add_direct(plain_step *of)
{
    uint32_t a = plain_add(of, vec3_make(300, 0, 5), 0.5, 1), b = plain_add(of, vec3_make(301, 0, 5), 0.5, 500);
    plain_touch_balls(of, a, b);
    of->velocity[b] = vec3_make(-1, 0.5, 0);
    plain_join(of, NO_BODY, a, vec3_make(0, 0, 1));
    plain_join(of, a, b, vec3_make(0, 1, 0));
    plain_follow_no_joints(of);
}

static void add_free(plain_step *of)
{
    of->velocity[plain_add(of, vec3_make(500, 0, 5), 0.5, 1)] = vec3_make(1, 2, 3);
}

typedef void maker(plain_step *of);
static maker *const makers[] = {add_swept, add_checked, add_large, add_direct, add_free};
enum { MAKERS = sizeof makers / sizeof *makers };

// Ids tell the islands apart in the same way, whoever else is there.
static made_island make_one(plain_step *of, int which)
{
    made_island made = {(uint32_t)of->problem.body_count, 0, of->problem.contact_count, 0, of->joints.count, 0};
    makers[which](of);
    made.count = (uint32_t)of->problem.body_count - made.first;
    made.contact_count = of->problem.contact_count - made.first_contact;
    made.row_count = of->joints.count - made.first_row;
    for (uint32_t i = 0; i < made.count; i++)
        of->id[made.first + i] = 10000u * (unsigned)(which + 1) + i;
    return made;
}

static size_t constraints_of(const made_island *made)
{
    return made->contact_count + made->row_count;
}

static void assert_same_solution(const plain_step *a, const step_solution *in_a, const made_island *made_a,
                                 const plain_step *b, const step_solution *in_b, const made_island *made_b)
{
    for (uint32_t i = 0; i < made_a->count; i++)
        if (!a->immovable[made_a->first + i])
            assert_memory_equal(&in_a->end[made_a->first + i], &in_b->end[made_b->first + i], sizeof(body_velocity));
    for (size_t i = 0; i < made_a->contact_count; i++)
        assert_memory_equal(&a->contacts[made_a->first_contact + i].impulse,
                            &b->contacts[made_b->first_contact + i].impulse, sizeof(vec3f));
    for (size_t i = 0; i < made_a->row_count; i++)
        assert_true(a->rows[made_a->first_row + i].impulse == b->rows[made_b->first_row + i].impulse);
}

// All islands at once, in two orders of memory and by one thread or three, against each of them alone.
static void test_islands_do_not_know_of_each_other(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        plain_step *all = plain_make();
        made_island in_all[MAKERS];
        for (int k = 0; k < MAKERS; k++) {
            int which = backwards ? MAKERS - 1 - k : k;
            in_all[which] = make_one(all, which);
        }
        all->problem.threads = backwards ? 3 : 1;
        step_solution together = plain_solve(all);
        assert_null(together.position);
        double sum = 0, most = 0;
        size_t constraints = 0;
        int iterations = 0;
        for (int which = 0; which < MAKERS; which++) {
            plain_step *one = plain_make();
            made_island alone = make_one(one, which);
            step_solution solution = plain_solve(one);
            assert_same_solution(all, &together, &in_all[which], one, &solution, &alone);
            sum += solution.outcome.residual_mean * (double)constraints_of(&alone);
            constraints += constraints_of(&alone);
            most = fmax(most, solution.outcome.residual_max);
            iterations = solution.outcome.iterations > iterations ? solution.outcome.iterations : iterations;
            plain_free(one);
        }
        assert_relative(together.outcome.residual_mean, sum / (double)constraints, 1e-12);
        assert_near(together.outcome.residual_max, most, 0);
        assert_int_equal(together.outcome.iterations, iterations);
        assert_int_equal(together.outcome.algorithm, SCREE_ALGORITHM_APGS); // that of the largest
        plain_free(all);
    }
}

// M (v' - v) is what impulses sum up to.
static void check_momentum(const plain_step *of, const step_solution *solution, double tolerance)
{
    size_t bodies = of->problem.body_count;
    vec3 *linear = calloc(bodies, sizeof *linear), *angular = calloc(bodies, sizeof *angular);
    for (size_t i = 0; i < of->problem.contact_count; i++) {
        problem_row row = contact_row_of(&of->problem, i).row;
        linear[row.a] = vec3_sub(linear[row.a], row.impulse);
        linear[row.b] = vec3_add(linear[row.b], row.impulse);
        angular[row.a] = vec3_sub(angular[row.a], vec3_cross(row.arm_a, row.impulse));
        angular[row.b] = vec3_add(angular[row.b], vec3_cross(row.arm_b, row.impulse));
    }
    for (size_t i = 0; i < bodies; i++) {
        if (of->immovable[i])
            continue;
        body_velocity before = free_velocity_of(&of->problem, i);
        vec3 gained = vec3_scale(vec3_sub(solution->end[i].velocity, before.velocity), of->mass[i]);
        vec3 turned = vec3_scale(vec3_sub(solution->end[i].spin, before.spin), (double)of->inertia[i].x);
        assert_vec3_near(gained, linear[i], tolerance);
        assert_vec3_near(turned, angular[i], tolerance);
    }
    free(linear);
    free(angular);
}

static body_velocity end_of(const plain_step *of, const step_solution *solution, uint32_t slot)
{
    return of->immovable[slot] ? (body_velocity){of->velocity[slot], of->spin[slot]} : solution->end[slot];
}

// 0 <= p_n, 0 <= u_n + bias - mu |u_t|, one of them with equality; |p_t| <= mu p_n, against u_t where it slides.
static void check_contact_law(const plain_step *of, const step_solution *solution, double speed, double impulse)
{
    for (size_t i = 0; i < of->problem.contact_count; i++) {
        contact_row made = contact_row_of(&of->problem, i);
        problem_row row = biased_row(&made, whole_bias);
        body_velocity a = end_of(of, solution, row.a), b = end_of(of, solution, row.b);
        vec3 u = vec3_sub(vec3_add(b.velocity, vec3_cross(b.spin, row.arm_b)),
                          vec3_add(a.velocity, vec3_cross(a.spin, row.arm_a)));
        double u_n = vec3_dot(u, row.normal), p_n = vec3_dot(row.impulse, row.normal);
        vec3 u_t = vec3_add_scaled(u, row.normal, -u_n), p_t = vec3_add_scaled(row.impulse, row.normal, -p_n);
        bool convex = of->problem.solver.friction == SCREE_FRICTION_CONVEX;
        double opening = u_n + row.bias - (convex ? row.friction * vec3_length(u_t) : 0);
        assert_at_least(p_n, -impulse);
        assert_at_least(opening, -speed);
        assert_true(opening < speed || p_n < impulse);
        assert_at_most(vec3_length(p_t), row.friction * p_n + impulse);
        if (vec3_length(u_t) > speed) { // it slides: all of the friction, against it
            vec3 full = vec3_scale(u_t, -row.friction * p_n / vec3_length(u_t));
            assert_vec3_near(p_t, full, 3 * impulse);
        }
    }
}

static void test_solutions_obey_the_law_of_contacts(void **state)
{
    (void)state;
    static maker *const heaps[] = {add_swept, add_checked};
    for (int which = 0; which < 2; which++)
        for (int algorithm = 0; algorithm < 2; algorithm++)
            for (int friction = SCREE_FRICTION_CONVEX; friction <= SCREE_FRICTION_EXACT; friction++) {
                plain_step *of = plain_make();
                of->problem.solver.algorithm = algorithm ? SCREE_ALGORITHM_NEWTON : SCREE_ALGORITHM_AUTO;
                of->problem.solver.friction = (scree_friction)friction;
                of->problem.solver.precision = SCREE_PRECISION_DOUBLE;
                of->problem.solver.iterations = 5000;
                of->problem.solver.tolerance = 1e-9;
                heaps[which](of);
                step_solution solution = plain_solve(of);
                assert_at_most(solution.outcome.residual_max, 1e-7);
                check_momentum(of, &solution, 1e-6); // impulses of contacts are kept as floats
                check_contact_law(of, &solution, 2e-6, 2e-6);
                plain_free(of);
            }
}

// A body between two balls that are pressed together by gravity's share of a step, in closed form: a column of n balls
// on a floor carries (n - i) m g h at the contact i.
static void test_a_column_carries_its_weight(void **state)
{
    (void)state;
    enum { BALLS = 20 };
    plain_step *of = plain_make();
    uint32_t floor = plain_add(of, vec3_make(0, 0, 0), 1, 0);
    for (int i = 0; i < BALLS; i++) {
        uint32_t slot = plain_add(of, vec3_make(0, 0, 0.5 + i), 0.5, 2);
        if (i == 0)
            plain_touch_floor(of, floor, slot);
        else
            plain_touch_balls(of, slot - 1, slot);
    }
    step_solution solution = plain_solve(of);
    for (int i = 0; i < BALLS; i++) {
        assert_vec3_near(vec3_from_f(of->contacts[i].impulse), vec3_make(0, 0, (BALLS - i) * 2 * 10 * 0.01), 1e-5);
        assert_vec3_near(solution.end[1 + i].velocity, vec3_make(0, 0, 0), 1e-6);
    }
    plain_free(of);
}

// What sleeps is not solved: its impulses stay, and nobody counts them.
static void test_sleepers_are_left_alone(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    made_island asleep = make_one(of, 1), awake = make_one(of, 0);
    for (uint32_t i = 0; i < asleep.count; i++)
        of->rest[asleep.first + i] = ASLEEP;
    for (size_t i = 0; i < asleep.contact_count; i++)
        of->contacts[asleep.first_contact + i].impulse = (vec3f){0, 0, 77};
    step_solution solution = plain_solve(of);
    for (size_t i = 0; i < asleep.contact_count; i++)
        assert_true(of->contacts[asleep.first_contact + i].impulse.z == 77);
    plain_step *one = plain_make();
    make_one(one, 0);
    step_solution alone = plain_solve(one);
    assert_near(solution.outcome.residual_mean, alone.outcome.residual_mean, 0);
    assert_int_equal(awake.contact_count, one->problem.contact_count);
    plain_free(one);
    plain_free(of);
}

// The second step from the impulses of the first needs fewer sweeps.
static void test_impulses_are_what_the_next_solve_starts_from(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    of->problem.solver.iterations = 2000;
    of->problem.solver.tolerance = 1e-4;
    add_swept(of);
    int first = plain_solve(of).outcome.iterations, second = plain_solve(of).outcome.iterations;
    assert_true(first > 20);
    assert_true(second < first / 4);
    plain_free(of);
}

static step_outcome small_heap(scree_friction friction, double speed, int iterations)
{
    plain_step *of = plain_make();
    of->problem.solver.friction = friction;
    of->problem.solver.iterations = iterations;
    of->problem.solver.tolerance = 1e-4;
    add_checked(of);
    for (uint32_t i = 0; i < of->problem.body_count; i++)
        if (!of->immovable[i])
            of->velocity[i].z -= speed;
    step_solution solution = plain_solve(of);
    assert_int_equal(of->problem.contact_count, 16);
    step_outcome outcome = solution.outcome;
    plain_free(of);
    return outcome;
}

// What is small and moves by the exact law is swept on to the tolerance, up to 16 times the iterations, where Newton's
// method would have to finish it; what rests, and what the convex law moves, is finished by that.
static void test_small_islands_that_move_are_swept_longer(void **state)
{
    (void)state;
    step_outcome moving = small_heap(SCREE_FRICTION_EXACT, 3, 5);
    assert_int_equal(moving.algorithm, SCREE_ALGORITHM_APGS);
    assert_int_equal(moving.stop, SCREE_STOP_TOLERANCE);
    assert_true(moving.iterations > 5 && moving.iterations <= 16 * 5);
    assert_at_most(moving.residual_max, 1e-4);
    assert_int_equal(small_heap(SCREE_FRICTION_EXACT, 0, 5).algorithm, SCREE_ALGORITHM_NEWTON);
    assert_int_equal(small_heap(SCREE_FRICTION_CONVEX, 3, 5).algorithm, SCREE_ALGORITHM_NEWTON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_islands_do_not_know_of_each_other),
        cmocka_unit_test(test_solutions_obey_the_law_of_contacts),
        cmocka_unit_test(test_a_column_carries_its_weight),
        cmocka_unit_test(test_sleepers_are_left_alone),
        cmocka_unit_test(test_impulses_are_what_the_next_solve_starts_from),
        cmocka_unit_test(test_small_islands_that_move_are_swept_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
