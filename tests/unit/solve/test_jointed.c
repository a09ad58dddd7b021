// Joints among contacts, in every algorithm: the answer of Newton's method on a small machine, and in a heap as few
// sweeps as without them.
#include "piles.h"

#include "islands.h"
#include "solve/sweep/articulation.h"

// Six balls in a row that fall on the floor and slide, joined between each other; motors turn them against each other,
// of which the first has not the strength to.
static void make_machine(test_island *t, bool convex)
{
    *t = (test_island){.island = {.convex = convex}};
    uint32_t floor = add_fixed(t), last = 0;
    for (int i = 0; i < 6; i++) {
        uint32_t ball = add_box(t, 1 + 0.5 * i, 0.8, vec3_make(0.3, 0.02 * i * i, -FALL * (1 + 0.3 * i)));
        add_contact(t, floor, ball, vec3_make(0, 0, 1), vec3_make(i, 0, 0), vec3_make(0, 0, -0.5), 0.4);
        if (i > 0) {
            add_spherical(t, last, ball, vec3_make(0.5, 0, 0), vec3_make(-0.5, 0, 0));
            add_turn_row(t, last, ball, vec3_make(1, 0, 0));
            joint_row *motor = add_turn_row(t, last, ball, vec3_make(0, 1, 0));
            motor->bias = -0.1;
            motor->high = i == 1 ? 0.001 : 10;
            motor->low = -motor->high;
        }
        last = ball;
    }
}

static void solve_machine(scree_algorithm algorithm, scree_precision precision, scree_friction friction, int sweeps,
                          double accuracy)
{
    test_island t;
    make_machine(&t, friction == SCREE_FRICTION_CONVEX);
    pile p = {t.island.body_count, t.island.contact_count, t.island.bodies, t.island.contacts, NULL, SIZE_MAX};
    contact_problem problem;
    articulation joined;
    solve_result result;
    lay_out_pile(&problem, precision, &p, ends_of_pile_row, NULL, &t.scratch);
    lab_ok(articulation_make(&joined, p.bodies, t.island.rows, t.island.row_count, &t.scratch, error));
    problem.joints = &joined;
    scree_solver_def def = {.algorithm = algorithm, .friction = friction, .iterations = sweeps};
    def.tolerance = 0.01 * accuracy;
    def.omega = 0.3;
    def.lambda = 1;
    lab_ok(solve_problem(&problem, &def, 1, &t.scratch, &result, error));
    assert_int_equal(result.algorithm, algorithm);
    island_result exact;
    lab_ok(newton_solve(&t.island, 200, 1e-10, &t.scratch, &exact, error));
    assert_true(exact.reached);
    double worst = 0;
    for (size_t i = 1; i < p.body_count; i++) {
        vec3 v, w;
        problem_get_velocity(&problem, i, &v, &w);
        worst = fmax(worst, vec3_length(vec3_sub(v, t.island.bodies[i].velocity)));
        worst = fmax(worst, vec3_length(vec3_sub(w, t.island.bodies[i].spin)));
    }
    print_message("algorithm %d, precision %d, friction %d: %d iterations, residual %.1e, velocities off by %.1e\n",
                  algorithm, precision, friction, result.iterations, result.residual.max, worst);
    assert_true(worst < accuracy);
    free_island(&t);
}

static void sweeps_agree_with_newton(void **state)
{
    (void)state;
    solve_machine(SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX, 4000, 1e-5);
    solve_machine(SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX, 4000, 1e-3);
    solve_machine(SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_EXACT, 4000, 1e-5);
    solve_machine(SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, SCREE_FRICTION_EXACT, 4000, 1e-3);
    solve_machine(SCREE_ALGORITHM_APGD, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX, 8000, 1e-5);
    solve_machine(SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX, 40000, 1e-4);
}

static void jacobi_takes_rows_into_its_iteration(void **state)
{
    (void)state;
    solve_machine(SCREE_ALGORITHM_JACOBI, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_CONVEX, 200000, 1e-4);
    solve_machine(SCREE_ALGORITHM_JACOBI, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX, 100000, 3e-3);
}

static uint32_t tied_to(uint32_t *lower, uint32_t ball)
{
    while (lower[ball] != ball)
        ball = lower[ball] = lower[lower[ball]];
    return ball;
}

// Balls of a part of the heap are tied together where they touch, into one long branching chain; one joint of five has
// a motor of little strength.
static size_t tie_balls(pile *p, uint32_t first, uint32_t end, joint_row *joints)
{
    test_island t = {0};
    size_t kept = 0;
    uint32_t *lower = malloc(p->body_count * sizeof *lower);
    for (uint32_t i = 0; i < p->body_count; i++)
        lower[i] = i;
    for (size_t i = 0; i < p->row_count; i++) {
        const problem_row *row = &p->rows[i];
        if (row->a < first || row->a >= end || row->b < first || row->b >= end || p->bodies[row->a].inverse_mass == 0 ||
            p->bodies[row->b].inverse_mass == 0 || tied_to(lower, row->a) == tied_to(lower, row->b)) {
            p->rows[kept++] = *row;
            continue;
        }
        lower[tied_to(lower, row->b)] = tied_to(lower, row->a);
        add_spherical(&t, row->a, row->b, row->arm_a, row->arm_b);
        if (i % 5 == 0) {
            joint_row *motor = add_turn_row(&t, row->a, row->b, vec3_make(0, 1, 0));
            motor->bias = -0.3;
            motor->high = 0.02 / p->bodies[row->a].inverse_mass;
            motor->low = -motor->high;
        }
    }
    p->row_count = kept;
    free(lower);
    size_t count = t.island.row_count;
    memcpy(joints, t.island.rows, count * sizeof *joints);
    free_island(&t);
    return count;
}

static vec3 *velocities_after(const pile *p, const joint_row *joints, size_t joint_count, scree_precision precision,
                              const scree_solver_def *def)
{
    arena scratch = {0};
    contact_problem problem;
    articulation joined;
    solve_result result;
    lay_out_pile(&problem, precision, p, ends_of_pile_row, NULL, &scratch);
    if (joint_count > 0) {
        lab_ok(articulation_make(&joined, p->bodies, joints, joint_count, &scratch, error));
        problem.joints = &joined;
    }
    lab_ok(solve_problem(&problem, def, 2, &scratch, &result, error));
    assert_int_equal(result.algorithm, def->algorithm);
    vec3 *found = malloc(2 * p->body_count * sizeof *found);
    for (size_t i = 0; i < p->body_count; i++)
        problem_get_velocity(&problem, i, &found[2 * i], &found[2 * i + 1]);
    arena_free(&scratch);
    return found;
}

// |v - v*| over |v_free - v*| in the metric of the masses.
static double error_of(const pile *p, const vec3 *found, const vec3 *exact)
{
    double error = 0, scale = 0;
    for (size_t i = 0; i < p->body_count; i++) {
        const problem_body *body = &p->bodies[i];
        if (body->inverse_mass == 0)
            continue;
        vec3 v = vec3_sub(found[2 * i], exact[2 * i]), free = vec3_sub(body->velocity, exact[2 * i]);
        error += vec3_dot(v, v) / body->inverse_mass;
        scale += vec3_dot(free, free) / body->inverse_mass;
    }
    return sqrt(error / scale);
}

static double error_after(const pile *p, const joint_row *joints, size_t joint_count, scree_algorithm algorithm,
                          scree_friction friction, int sweeps)
{
    scree_solver_def def = {.algorithm = algorithm, .friction = friction, .iterations = sweeps};
    scree_solver_def exactly = {.algorithm = SCREE_ALGORITHM_APGS, .friction = friction, .iterations = 1000};
    vec3 *exact = velocities_after(p, joints, joint_count, SCREE_PRECISION_DOUBLE, &exactly);
    vec3 *found = velocities_after(p, joints, joint_count, SCREE_PRECISION_SINGLE, &def);
    double error = error_of(p, found, exact);
    free(exact);
    free(found);
    return error;
}

// How fast sweeps over a heap converge is a matter of chance: with joints in one and the same heap, by up to twice.
// What joints must not do is to take the momentum away, so the error is held against that of the heap alone and that of
// sweeps without momentum.
static void machines_in_a_heap_keep_the_momentum(void **state)
{
    (void)state;
    pile p;
    make_pile(&p, 1200, 0, 10, 250);
    pile heap = p;
    heap.rows = malloc(p.row_count * sizeof *heap.rows);
    memcpy(heap.rows, p.rows, p.row_count * sizeof *heap.rows);
    joint_row *joints = malloc(4 * p.row_count * sizeof *joints);
    size_t count = tie_balls(&p, 400, 700, joints);
    assert_true(count > 500);
    for (scree_friction law = SCREE_FRICTION_CONVEX; law <= SCREE_FRICTION_EXACT; law++) {
        double alone = error_after(&heap, NULL, 0, SCREE_ALGORITHM_APGS, law, 130);
        double with = error_after(&p, joints, count, SCREE_ALGORITHM_APGS, law, 130);
        double slow = error_after(&p, joints, count, SCREE_ALGORITHM_GAUSS_SEIDEL, law, 130);
        print_message("law %d: error %.2e, %.2e with %zu rows of joints, %.2e without momentum\n", law, alone, with,
                      count, slow);
        assert_true(with <= 2.5 * alone);
        assert_true(with <= 0.5 * slow);
    }
    free(joints);
    free(heap.rows);
    free_pile(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_agree_with_newton),
        cmocka_unit_test(jacobi_takes_rows_into_its_iteration),
        cmocka_unit_test(machines_in_a_heap_keep_the_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
