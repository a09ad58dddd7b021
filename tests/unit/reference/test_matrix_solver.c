// The algorithms against closed forms of one contact, against each other, and against the definition of a solution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "reference/matrix_solver.h"
#include "unit/solve/problems.h"

// One contact with W = diag(n, t, t) and q.
static void make_contact(matrix_problem *problem, double n, double t, double friction, const double q[3])
{
    const sparse_entry entries[] = {{0, 0, n}, {1, 1, t}, {2, 2, t}};
    scree_error error;
    assert_int_equal(matrix_problem_allocate(problem, 3, 1, &error), SCREE_OK);
    assert_int_equal(sparse_from_entries(&problem->w, 3, 3, entries, 3, &error), SCREE_OK);
    problem->blocks[0] =
        (matrix_block){.first = 0, .size = 3, .cap_count = 1, .cap = {{2, friction}}, .high = HUGE_VAL};
    memcpy(problem->q, q, 3 * sizeof *q);
}

static void check_contact(const double q[3], bool exact, const double wanted[3])
{
    for (int algorithm = 0; algorithm < MATRIX_ALGORITHMS; algorithm++) {
        matrix_problem problem;
        matrix_result result;
        scree_error error;
        double r[3] = {0}, tolerance = algorithm == MATRIX_INTERIOR ? 1e-8 : 1e-11; // the edge is not reached inside
        const matrix_options options = {
            .algorithm = (matrix_algorithm)algorithm, .exact = exact, .iterations = 2000, .tolerance = tolerance};
        make_contact(&problem, 2, 0.5, 0.6, q);
        assert_int_equal(matrix_solve(&problem, &options, r, &result, &error), SCREE_OK);
        assert_true(result.solved && result.iterations <= 2000);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(r[i] - wanted[i]) < 100 * tolerance);
        matrix_problem_free(&problem);
    }
}

// W is diagonal: an open contact carries nothing; a sticking one stops q; a sliding one is pushed by
// p_n = -q_n / W_n in Coulomb's law, and in the relaxed one by what keeps u_n = mu |u_t| with u_t = q_t + W_t mu p_n.
static void one_contact_in_closed_form(void **unused)
{
    (void)unused;
    check_contact((double[]){0.1, 3, 4}, true, (double[]){0, 0, 0});
    check_contact((double[]){-4, 0.15, -0.2}, true, (double[]){2, -0.3, 0.4});
    check_contact((double[]){-4, 0.15, -0.2}, false, (double[]){2, -0.3, 0.4});
    check_contact((double[]){-4, 3, 4}, true, (double[]){2, -0.72, -0.96});
    // |u_t| = 5 - 0.5 * 0.6 p and 2 p - 4 = 0.6 |u_t|: p = 7 / 2.18
    double p = 7 / 2.18;
    check_contact((double[]){-4, 3, 4}, false, (double[]){p, -0.36 * p, -0.48 * p});
    check_contact((double[]){0.1, 3, 4}, false, (double[]){2.9 / 2.18, -0.36 * 2.9 / 2.18, -0.48 * 2.9 / 2.18});
}

static void from_random_rows(matrix_problem *problem, size_t bodies, uint64_t seed, bool special)
{
    test_problem *t = make_problem(bodies, seed);
    matrix_global global;
    scree_error error = {0};
    for (size_t i = 0; special && i < t->contact_count; i += 3) {
        t->rows[i].rolling = 0.05;
        t->rows[i].spinning = 0.02;
        t->rows[i].compliance = 0.1;
    }
    joint_row joint = {.body = {0, 3, NO_BODY}, .low = -0.1, .high = 0.1, .bias = 0.2};
    joint.linear[0] = vec3_make(1, 0, 0), joint.linear[1] = vec3_make(-1, 0, 0);
    assert_int_equal(
        matrix_from_rows(t->bodies, bodies, t->rows, t->contact_count, &joint, special, false, &global, &error),
        SCREE_OK);
    assert_int_equal(matrix_reduce(&global, problem, &error), SCREE_OK);
    matrix_global_free(&global);
    free_problem(t);
}

// Definition of a solution, from W, q and r alone, without the projection that the solvers use.
static void assert_solves(const matrix_problem *problem, const double *r, bool exact, double within)
{
    for (size_t i = 0; i < problem->block_count; i++) {
        const matrix_block *b = &problem->blocks[i];
        double u[BLOCK_MOST];
        for (uint32_t k = 0; k < b->size; k++)
            u[k] = problem->q[b->first + k] + sparse_row_dot(&problem->w, b->first + k, r);
        const double *p = r + b->first;
        if (b->cap_count == 0) {
            assert_true(p[0] >= b->low && p[0] <= b->high);
            assert_true(p[0] < b->high - within ? u[0] > -within : true);
            assert_true(p[0] > b->low + within ? u[0] < within : true);
            continue;
        }
        double normal = u[0];
        uint32_t at = 1;
        for (uint32_t k = 0; k < b->cap_count; at += b->cap[k++].size) {
            double slip = 0, force = 0, along = 0;
            for (uint32_t j = 0; j < b->cap[k].size; j++) {
                slip += u[at + j] * u[at + j];
                force += p[at + j] * p[at + j];
                along += u[at + j] * p[at + j];
            }
            slip = sqrt(slip), force = sqrt(force);
            assert_true(force <= b->cap[k].coefficient * p[0] + within);
            assert_true(fabs(along + slip * b->cap[k].coefficient * p[0]) < within); // at its bound, against the slip
            normal -= exact ? 0 : b->cap[k].coefficient * slip;
        }
        assert_true(p[0] >= 0 && normal > -within && fabs(normal * p[0]) < within);
    }
}

static void all_algorithms_solve_random_problems(void **unused)
{
    (void)unused;
    static const int most[MATRIX_ALGORITHMS] = {
        [MATRIX_AUTO] = 2000,  [MATRIX_JACOBI] = 100000, [MATRIX_GAUSS_SEIDEL] = 30000, [MATRIX_APGD] = 30000,
        [MATRIX_APGS] = 30000, [MATRIX_NEWTON] = 1000,   [MATRIX_INTERIOR] = 300};
    for (int t = 0; t < 4 * MATRIX_ALGORITHMS; t++) {
        matrix_algorithm algorithm = (matrix_algorithm)(t / 4);
        bool exact = t % 2, special = t / 2 % 2;
        if (algorithm == MATRIX_JACOBI && special)
            continue; // its one step size for a whole block does not suit moments and forces together
        matrix_problem problem;
        matrix_result result;
        scree_error error = {0};
        const matrix_options options = {
            .algorithm = algorithm, .exact = exact, .iterations = most[algorithm], .tolerance = 1e-9};
        from_random_rows(&problem, 30, 40 + (uint64_t)t % 4, special);
        double *r = calloc(problem.size, sizeof *r);
        assert_int_equal(matrix_solve(&problem, &options, r, &result, &error), SCREE_OK);
        if (!result.solved)
            fail_msg("%s left %g in the %s law", matrix_algorithm_names[algorithm], matrix_worst(&result.residual),
                     exact ? "exact" : "convex");
        assert_solves(&problem, r, exact, 1e-6);
        free(r);
        matrix_problem_free(&problem);
    }
}

static void count_reports(void *context, const matrix_progress *progress)
{
    int *last = context;
    assert_true(progress->iteration >= *last && progress->seconds >= 0);
    *last = progress->iteration;
}

// Iterations and reports: none when the start is good enough; never more than asked for.
static void stops_when_told(void **unused)
{
    (void)unused;
    matrix_problem problem;
    matrix_result result;
    matrix_residual measured;
    scree_error error;
    int last = -1;
    matrix_options options = {.algorithm = MATRIX_APGS, .iterations = 1000, .tolerance = 1e-8};
    from_random_rows(&problem, 30, 1, false);
    double *r = calloc(problem.size, sizeof *r);
    options.report = count_reports;
    options.context = &last;
    assert_int_equal(matrix_solve(&problem, &options, r, &result, &error), SCREE_OK);
    assert_true(result.solved && last == result.iterations);
    assert_int_equal(matrix_measure(&problem, false, r, &measured, &error), SCREE_OK);
    assert_true(measured.max == result.residual.max && measured.fclib == result.residual.fclib);
    last = -1;
    assert_int_equal(matrix_solve(&problem, &options, r, &result, &error), SCREE_OK);
    assert_true(result.solved && result.iterations == 0 && last == 0);
    options.tolerance = 0;
    for (int algorithm = 0; algorithm < MATRIX_ALGORITHMS; algorithm++) {
        last = -1;
        options.algorithm = (matrix_algorithm)algorithm;
        options.iterations = 7 + algorithm;
        memset(r, 0, problem.size * sizeof *r);
        assert_int_equal(matrix_solve(&problem, &options, r, &result, &error), SCREE_OK);
        assert_true(!result.solved && result.iterations == 7 + algorithm);
    }
    free(r);
    matrix_problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_in_closed_form),
        cmocka_unit_test(all_algorithms_solve_random_problems),
        cmocka_unit_test(stops_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
