// The solvers against the definition of the cone complementarity problem: g in the cone, u + b in its dual, g . (u + b)
// = 0.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "problems.h"
#include "solve/sweep/contact_block.h"
#include "solve/sweep/stopping.h"

typedef struct solution {
    vec3 *impulses, *velocity, *spin;
} solution;

static solution get_solution(const test_problem *t)
{
    solution s = {calloc(t->contact_count, sizeof(vec3)), calloc(t->body_count, sizeof(vec3)),
                  calloc(t->body_count, sizeof(vec3))};
    for (size_t i = 0; i < t->contact_count; i++)
        s.impulses[i] = problem_get_impulse(&t->problem, i);
    velocities_of(t, s.impulses, s.velocity, s.spin);
    return s;
}

static void free_solution(solution *s)
{
    free(s->impulses);
    free(s->velocity);
    free(s->spin);
}

// Feasibility of both sides and complementarity, each contact, to a tolerance; also that the velocities kept beside the
// impulses are those of the definition.
static void assert_solves(const test_problem *t, double tolerance)
{
    solution s = get_solution(t);
    for (size_t i = 0; i < t->contact_count; i++) {
        const problem_row *row = &t->rows[i];
        vec3 g = s.impulses[i], u = contact_velocity(row, s.velocity, s.spin);
        double g_n = vec3_dot(g, row->normal), u_n = vec3_dot(u, row->normal);
        double g_t = vec3_length(vec3_add_scaled(g, row->normal, -g_n));
        double u_t = vec3_length(vec3_add_scaled(u, row->normal, -u_n));
        assert_true(g_t <= row->friction * g_n + tolerance);
        assert_true(u_n - row->friction * u_t >= -tolerance);
        assert_true(fabs(vec3_dot(g, u)) <= tolerance);
    }
    for (size_t i = 0; i < t->body_count; i++) {
        vec3 velocity, spin;
        problem_get_velocity(&t->problem, i, &velocity, &spin);
        assert_true(vec3_length(vec3_sub(velocity, s.velocity[i])) < tolerance);
        assert_true(vec3_length(vec3_sub(spin, s.spin[i])) < tolerance);
    }
    free_solution(&s);
}

static solve_result run(test_problem *t, scree_algorithm algorithm, scree_precision precision, int iterations,
                        double tolerance, int threads)
{
    scree_solver_def def = scree_default_world_def().solver;
    def.friction = SCREE_FRICTION_CONVEX;
    def.algorithm = algorithm;
    def.iterations = iterations;
    def.tolerance = tolerance;
    solve_result result;
    load_problem(t, precision, threads);
    assert_int_equal(solve_problem(&t->problem, &def, threads, &t->scratch, &result, NULL), SCREE_OK);
    return result;
}

static const scree_algorithm algorithms[] = {SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_ALGORITHM_JACOBI, SCREE_ALGORITHM_APGD,
                                             SCREE_ALGORITHM_APGS};
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

static void test_all_algorithms_solve_in_double(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (int k = 0; k < ALGORITHMS; k++) {
            test_problem *t = make_problem(60, seed);
            solve_result result = run(t, algorithms[k], SCREE_PRECISION_DOUBLE, 200000, 1e-11, 1);
            assert_true(result.residual.max <= 1e-11);
            assert_solves(t, 1e-8);
            free_problem(t);
        }
}

static void test_single_precision_solves_to_its_rounding(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (int k = 0; k < ALGORITHMS; k++) {
            test_problem *t = make_problem(60, seed);
            run(t, algorithms[k], SCREE_PRECISION_SINGLE, 5000, 0, 1);
            assert_solves(t, 2e-4);
            free_problem(t);
        }
}

static void test_residual_is_that_of_the_definition(void **state)
{
    (void)state;
    test_problem *t = make_problem(60, 3);
    run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 3, 0, 1);
    residual reported = problem_residual(&t->problem, 1);
    solution s = get_solution(t);
    double sum = 0, most = 0, impulses = 0;
    size_t loaded = 0;
    for (size_t i = 0; i < t->contact_count; i++) {
        const problem_row *row = &t->rows[i];
        // The contact's block of N, column by column, from the definition.
        double block[3][3];
        vec3 axes[3] = {row->normal, vec3_normalize(vec3_cross(row->normal, vec3_make(0.3, 0.5, -0.8))), {0, 0, 0}};
        axes[2] = vec3_cross(axes[0], axes[1]);
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) {
                vec3 turn_a, turn_b;
                vec3 a = velocity_change(&t->bodies[row->a], row->arm_a, axes[p], &turn_a);
                vec3 b = velocity_change(&t->bodies[row->b], row->arm_b, axes[p], &turn_b);
                vec3 at =
                    vec3_add(vec3_add(a, vec3_cross(turn_a, row->arm_a)), vec3_add(b, vec3_cross(turn_b, row->arm_b)));
                block[p][q] = vec3_dot(at, axes[q]);
            }
        double mean = 0.5 * (block[1][1] + block[2][2]), half = 0.5 * (block[1][1] - block[2][2]);
        double n = block[0][0], tangent = mean + sqrt(half * half + block[1][2] * block[1][2]);
        double coupled = 1 + sqrt((block[0][1] * block[0][1] + block[0][2] * block[0][2]) / (n * tangent));
        n *= coupled;
        tangent *= coupled;
        // Projection in the metric (n, tangent) by searching along the cone's surface.
        vec3 g = s.impulses[i], u = contact_velocity(row, s.velocity, s.spin);
        double g_n = vec3_dot(g, row->normal), u_n = vec3_dot(u, row->normal);
        double x = g_n - u_n / n;
        vec3 y = vec3_sub(vec3_add_scaled(g, row->normal, -g_n),
                          vec3_scale(vec3_add_scaled(u, row->normal, -u_n), 1 / tangent));
        double length = vec3_length(y), best = 0, low = 0, high = fabs(x) + length + 1;
        if (length > row->friction * x) {
            for (int k = 0; k < 200; k++) { // golden section on a convex function
                double p = low + (high - low) * 0.382, q = low + (high - low) * 0.618;
                double cost_p = n * (p - x) * (p - x) + tangent * pow(row->friction * p - length, 2);
                double cost_q = n * (q - x) * (q - x) + tangent * pow(row->friction * q - length, 2);
                if (cost_p < cost_q)
                    high = q;
                else
                    low = p;
            }
            best = 0.5 * (low + high);
            y = length > 0 ? vec3_scale(y, row->friction * best / length) : y;
            x = best;
        }
        vec3 projected = vec3_add_scaled(y, row->normal, x);
        double error = vec3_length(vec3_sub(projected, g));
        sum += error;
        most = fmax(most, error);
        impulses += vec3_length(g);
        loaded += vec3_length(g) > 0;
    }
    double scale = impulses / (double)loaded;
    assert_true(fabs(reported.mean - sum / (double)t->contact_count / scale) < 1e-6 * reported.mean + 1e-9);
    assert_true(fabs(reported.max - most / scale) < 1e-6 * reported.max + 1e-9);
    free_solution(&s);
    free_problem(t);
}

static void test_residual_falls_and_stopping_follows_it(void **state)
{
    (void)state;
    test_problem *t = make_problem(400, 11);
    double after_5 = run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_SINGLE, 5, 0, 1).residual.max;
    double after_50 = run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_SINGLE, 50, 0, 1).residual.max;
    assert_true(after_50 < 0.5 * after_5);
    solve_result stopped = run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_SINGLE, 10000, 1e-3, 1);
    assert_true(stopped.iterations < 10000);
    assert_true(stopped.residual.max <= 1e-3);
    assert_true(problem_residual(&t->problem, 1).max == stopped.residual.max);
    free_problem(t);
}

// Near the tolerance the residual is looked at although impulses go on changing; far from it the change has to fall.
static void test_residual_is_looked_at_near_the_tolerance(void **state)
{
    (void)state;
    test_problem *t = make_problem(400, 11);
    const double tolerance = 1e-3;
    solve_result result = run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_SINGLE, 10000, tolerance, 1);
    const scree_solver_def def = {.iterations = 100, .tolerance = tolerance};
    for (int near = 0; near < 2; near++)
        for (int since = 4; since <= 8; since += 4) {
            stopping stop = stopping_begin(&def);
            stop.threshold = 0.1;
            stop.looked = 1;
            result.iterations = 1 + since;
            result.residual.max = (near ? 1.9 : 2.1) * tolerance;
            assert_true(stopping_go_on(&stop, &t->problem, 1, 1, &result) == !(near && since == 8));
        }
    free_problem(t);
}

// The diagonal of a contact is at least its block, in every direction: else momentum would carry steps out of bounds.
static void test_diagonal_bounds_the_block(void **state)
{
    (void)state;
    test_problem *t = make_problem(200, 21);
    random_stream stream = {3};
    for (size_t i = 0; i < t->contact_count; i++) { // contacts at corners, where normal and tangent are coupled
        t->rows[i].arm_a = random_vec(&stream);
        t->rows[i].arm_b = random_vec(&stream);
    }
    load_problem(t, SCREE_PRECISION_DOUBLE, 1);
    for (size_t i = 0; i < t->contact_count; i++) {
        const problem_row *row = &t->rows[i];
        const problem_tile *tile = &t->problem.tiles[problem_tile_of(&t->problem, i)];
        size_t index = tile->first_group * PROBLEM_LANES + t->problem.contact_lane[i], lane = index % PROBLEM_LANES;
        const problem_group_f64 *group = (const problem_group_f64 *)t->problem.groups + index / PROBLEM_LANES;
        for (int k = 0; k < 100; k++) {
            vec3 p = random_vec(&stream), turn_a, turn_b;
            vec3 a = velocity_change(&t->bodies[row->a], row->arm_a, p, &turn_a);
            vec3 b = velocity_change(&t->bodies[row->b], row->arm_b, p, &turn_b);
            vec3 at =
                vec3_add(vec3_add(a, vec3_cross(turn_a, row->arm_a)), vec3_add(b, vec3_cross(turn_b, row->arm_b)));
            double along = vec3_dot(p, row->normal), across = vec3_dot(p, p) - along * along;
            double bound = along * along / group->inverse_normal[lane] + across / group->inverse_tangent[lane];
            assert_true(vec3_dot(at, p) <= bound * (1 + 1e-9));
        }
    }
    free_problem(t);
}

typedef struct stored_diagonal {
    double normal, tangent, rolling, spinning; // inverse
} stored_diagonal;

#define READ_DIAGONAL(suffix)                                                                                          \
    {                                                                                                                  \
        const problem_group_##suffix *g = (const problem_group_##suffix *)p->groups + index / PROBLEM_LANES;           \
        found = (stored_diagonal){(double)g->inverse_normal[lane], (double)g->inverse_tangent[lane], 1, 1};            \
        if (tile->kind == PROBLEM_EXTENDED_CONTACT) {                                                                  \
            const problem_extra_##suffix *e = (const problem_extra_##suffix *)p->extras + index / PROBLEM_LANES;       \
            found.rolling = (double)e->inverse_rolling[lane];                                                          \
            found.spinning = (double)e->inverse_spinning[lane];                                                        \
        }                                                                                                              \
    }

static stored_diagonal read_diagonal(const contact_problem *p, size_t contact)
{
    const problem_tile *tile = &p->tiles[problem_tile_of(p, contact)];
    size_t index = tile->first_group * PROBLEM_LANES + p->contact_lane[contact], lane = index % PROBLEM_LANES;
    stored_diagonal found;
    if (p->precision == SCREE_PRECISION_DOUBLE)
        READ_DIAGONAL(f64)
    else
        READ_DIAGONAL(f32)
    return found;
}

// Diagonals in lanes are those of the contact's block, one contact at a time (contact_block.h), for all kinds.
static void test_diagonals_are_those_of_the_blocks(void **state)
{
    (void)state;
    for (int kind = PROBLEM_ISOTROPIC; kind < PROBLEM_KINDS; kind++)
        for (int precision = 0; precision < 2; precision++) {
            test_problem *t = make_problem(200, 22 + (uint64_t)kind);
            random_stream stream = {4};
            t->kind = (problem_kind)kind;
            for (size_t i = 0; kind == PROBLEM_ISOTROPIC && i < t->body_count; i++)
                for (int k = 0; k < 9; k++)
                    t->bodies[i].inverse_inertia.m[k / 3][k % 3] =
                        k % 4 == 0 && !t->immovable[i] ? 2 + (double)(i % 5) : 0;
            for (size_t i = 0; i < t->contact_count; i++) {
                problem_row *row = &t->rows[i];
                row->arm_a = i % 3 ? random_vec(&stream) : row->arm_a; // else nothing is coupled
                row->arm_b = i % 3 ? random_vec(&stream) : row->arm_b;
                row->compliance = kind == PROBLEM_EXTENDED_CONTACT && i % 2 ? 0.3 : 0;
                row->rolling = kind == PROBLEM_EXTENDED_CONTACT && i % 5 ? 0.1 : 0;
            }
            load_problem(t, (scree_precision)precision, 1);
            double close = precision == SCREE_PRECISION_DOUBLE ? 1e-12 : 2e-5;
            for (size_t i = 0; i < t->contact_count; i++) {
                const problem_row *row = &t->rows[i];
                contact_block block = contact_block_begin(row->normal);
                contact_block_add(&block, &t->bodies[row->a], row->arm_a);
                contact_block_add(&block, &t->bodies[row->b], row->arm_b);
                contact_diagonal expected = contact_block_bound(&block, row);
                stored_diagonal found = read_diagonal(&t->problem, i);
                assert_true(fabs(found.normal * (expected.normal + row->compliance) - 1) < close);
                assert_true(fabs(found.tangent * expected.tangent - 1) < close);
                if (kind != PROBLEM_EXTENDED_CONTACT)
                    continue;
                assert_true(fabs(found.rolling * expected.rolling - 1) < close);
                assert_true(fabs(found.spinning * expected.spinning - 1) < close);
            }
            free_problem(t);
        }
}

// A heap of layers needs many sweeps to carry weight from top to bottom: momentum needs far fewer for the same
// residual.
static void test_momentum_needs_fewer_sweeps(void **state)
{
    (void)state;
    enum { LAYERS = 60 };
    problem_body bodies[LAYERS + 1] = {{.inverse_mass = 0}};
    problem_row rows[LAYERS] = {{.a = 0}};
    uint8_t immovable[LAYERS + 1] = {1};
    for (uint32_t i = 0; i < LAYERS; i++) {
        bodies[i + 1] = (problem_body){.velocity = {0, 0, -1}, .inverse_mass = 1};
        rows[i] = (problem_row){.a = i, .b = i + 1, .normal = {0, 0, 1}, .friction = 0.5};
    }
    test_problem t = {.body_count = LAYERS + 1, .contact_count = LAYERS, .bodies = bodies, .rows = rows};
    t.immovable = immovable;
    solve_result plain = run(&t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 100000, 1e-5, 1);
    solve_result faster = run(&t, SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, 100000, 1e-5, 1);
    assert_true(plain.residual.max <= 1e-5 && faster.residual.max <= 1e-5);
    assert_true(faster.iterations * 4 < plain.iterations);
    assert_int_equal(faster.stop, SCREE_STOP_TOLERANCE);
    for (uint32_t i = 0; i < LAYERS; i++) // the impulse that carries all above it
        assert_true(fabs(problem_get_impulse(&t.problem, i).z - (LAYERS - i)) < 0.5);
    arena_free(&t.scratch);
}

static void test_why_it_stopped(void **state)
{
    (void)state;
    test_problem *t = make_problem(60, 5);
    assert_int_equal(run(t, SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, 3, 0, 1).stop, SCREE_STOP_ITERATIONS);
    assert_int_equal(run(t, SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, 10000, 1e-6, 1).stop, SCREE_STOP_TOLERANCE);
    assert_int_equal(run(t, SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, 1000000, 0, 1).stop, SCREE_STOP_STALLED);
    free_problem(t);
}

static void test_warm_start_from_the_solution_stays_there(void **state)
{
    (void)state;
    test_problem *t = make_problem(100, 4);
    run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 100000, 1e-12, 1);
    for (size_t i = 0; i < t->contact_count; i++)
        t->rows[i].impulse = problem_get_impulse(&t->problem, i);
    solve_result again = run(t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 100, 1e-9, 1);
    assert_int_equal(again.iterations, 1);
    free_problem(t);
}

static void test_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * ALGORITHMS; k++) {
        test_problem *t = make_problem(k < ALGORITHMS ? 5000 : 60, 2); // many tiles, and one that all threads want
        run(t, algorithms[k % ALGORITHMS], SCREE_PRECISION_SINGLE, k < ALGORITHMS ? 20 : 140, 0, 1);
        solution one = get_solution(t);
        for (int threads = 2; threads <= 3; threads++) {
            run(t, algorithms[k % ALGORITHMS], SCREE_PRECISION_SINGLE, k < ALGORITHMS ? 20 : 140, 0, threads);
            solution many = get_solution(t);
            assert_memory_equal(one.impulses, many.impulses, t->contact_count * sizeof(vec3));
            free_solution(&many);
        }
        free_solution(&one);
        free_problem(t);
    }
}

// One contact has a closed form: a ball thrown at a fixed wall sticks or slides by the angle of its approach.
static void test_one_contact_in_closed_form(void **state)
{
    (void)state;
    problem_body ball = {.velocity = {0.6, 0, -1}, .inverse_mass = 2};
    problem_row row = {.a = 1, .b = 0, .normal = {0, 0, 1}, .arm_b = {0, 0, 0}, .friction = 0.3};
    test_problem t = {.body_count = 2, .contact_count = 1, .rows = &row};
    problem_body bodies[2] = {ball, {{0, 0, 0}, {0, 0, 0}, 0, {{{0}}}}};
    uint8_t immovable[2] = {0, 1};
    t.bodies = bodies;
    t.immovable = immovable;
    // No rotation (inverse inertia 0), so the block is 2 times the identity. Sliding with the convex law:
    // minimise |g + v/2|^2 over the cone: x = (0.5 + 0.3 * 0.3) / 1.09, tangential 0.3 x against the motion.
    run(&t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 100, 1e-13, 1);
    vec3 g = problem_get_impulse(&t.problem, 0);
    double x = (0.5 + 0.3 * 0.3) / 1.09;
    assert_true(fabs(g.z - x) < 1e-12 && fabs(g.x + 0.3 * x) < 1e-12 && g.y == 0);
    row.friction = 1;
    run(&t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 100, 1e-13, 1);
    g = problem_get_impulse(&t.problem, 0);
    assert_true(fabs(g.z - 0.5) < 1e-12 && fabs(g.x + 0.3) < 1e-12);
    row.bias = 2; // a gap that is not reached
    run(&t, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, 100, 1e-13, 1);
    assert_true(vec3_length(problem_get_impulse(&t.problem, 0)) == 0);
    arena_free(&t.scratch);
}

static void test_no_contacts(void **state)
{
    (void)state;
    test_problem *t = make_problem(1, 1);
    solve_result result = run(t, SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, 10, 0, 1);
    assert_int_equal(result.iterations, 0);
    assert_true(result.residual.max == 0);
    free_problem(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_algorithms_solve_in_double),
        cmocka_unit_test(test_single_precision_solves_to_its_rounding),
        cmocka_unit_test(test_residual_is_that_of_the_definition),
        cmocka_unit_test(test_residual_falls_and_stopping_follows_it),
        cmocka_unit_test(test_residual_is_looked_at_near_the_tolerance),
        cmocka_unit_test(test_diagonal_bounds_the_block),
        cmocka_unit_test(test_diagonals_are_those_of_the_blocks),
        cmocka_unit_test(test_momentum_needs_fewer_sweeps),
        cmocka_unit_test(test_why_it_stopped),
        cmocka_unit_test(test_warm_start_from_the_solution_stays_there),
        cmocka_unit_test(test_same_bits_on_any_number_of_threads),
        cmocka_unit_test(test_one_contact_in_closed_form),
        cmocka_unit_test(test_no_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
