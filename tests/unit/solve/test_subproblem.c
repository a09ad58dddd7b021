// Solving a part of a problem again: what lies beyond stays, velocities are still those of the impulses, and what the
// part holds is solved.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "problems.h"
#include "solve/sweep/subproblem.h"

enum { BODIES = 6000, CHANGED = 4000 };

static scree_solver_def many_sweeps(scree_algorithm algorithm)
{
    scree_solver_def def = scree_default_world_def().solver;
    def.algorithm = algorithm;
    def.iterations = 2001; // odd: solutions end up in either of the two arrays
    def.tolerance = 1e-9;
    return def;
}

static void solve(contact_problem *problem, scree_algorithm algorithm, arena *scratch)
{
    scree_solver_def def = many_sweeps(algorithm);
    solve_result result;
    assert_int_equal(solve_problem(problem, &def, 2, scratch, &result, NULL), SCREE_OK);
}

// Velocities as the definition has them for the problem's impulses.
static void check_velocities(const test_problem *t)
{
    vec3 *impulses = malloc(t->contact_count * sizeof *impulses);
    vec3 *velocity = malloc(t->body_count * sizeof *velocity), *spin = malloc(t->body_count * sizeof *spin);
    for (size_t i = 0; i < t->contact_count; i++)
        impulses[i] = problem_get_impulse(&t->problem, i);
    velocities_of(t, impulses, velocity, spin);
    for (size_t i = 0; i < t->body_count; i++) {
        vec3 v, w;
        problem_get_velocity(&t->problem, i, &v, &w);
        assert_true(vec3_length(vec3_sub(v, velocity[i])) < 1e-9);
        assert_true(vec3_length(vec3_sub(w, spin[i])) < 1e-9);
    }
    free(impulses);
    free(velocity);
    free(spin);
}

static bool is_near(const contact_problem *problem, size_t tile, size_t marked)
{
    bool near = tile == marked;
    for (uint32_t i = problem->neighbour_start[tile]; i < problem->neighbour_start[tile + 1]; i++)
        near |= problem->neighbours[i] == marked;
    return near;
}

static void test_the_rest_stays(void **state)
{
    scree_algorithm algorithm = *(const scree_algorithm *)*state;
    test_problem *t = make_problem(BODIES, 5);
    load_problem(t, SCREE_PRECISION_DOUBLE, 2);
    contact_problem *problem = &t->problem, subproblem;
    solve(problem, SCREE_ALGORITHM_APGS, &t->scratch);
    vec3 *before = malloc(t->contact_count * sizeof *before);
    for (size_t i = 0; i < t->contact_count; i++)
        before[i] = problem_get_impulse(problem, i);
    uint8_t *marked = calloc(problem->tile_count, 1);
    size_t tile = problem_tile_of(problem, CHANGED);
    marked[tile] = 1;
    assert_true(problem_take_subproblem(problem, marked, &t->scratch, &subproblem));
    assert_true(subproblem.tile_count > 1 && subproblem.tile_count < problem->tile_count);
    problem_take_off_impulses(&subproblem, 2);
    t->rows[CHANGED].bias -= 0.5;
    t->rows[CHANGED].impulse = before[CHANGED];
    problem_set_contact(problem, CHANGED, &t->rows[CHANGED]);
    solve(&subproblem, algorithm, &t->scratch);
    check_velocities(t);
    assert_true(problem_residual(&subproblem, 1).max <
                (algorithm == SCREE_ALGORITHM_JACOBI ? 1e-3 : 1e-8)); // it is slow
    size_t moved = 0;
    for (size_t i = 0; i < t->contact_count; i++) {
        vec3 after = problem_get_impulse(problem, i);
        bool same = memcmp(&after, &before[i], sizeof after) == 0;
        moved += !same;
        assert_true(same || is_near(problem, problem_tile_of(problem, i), tile));
    }
    assert_true(moved > 0);
    free(before);
    free(marked);
    free_problem(t);
}

int main(void)
{
    static scree_algorithm algorithms[] = {SCREE_ALGORITHM_APGS, SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_ALGORITHM_APGD,
                                           SCREE_ALGORITHM_JACOBI};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_the_rest_stays, &algorithms[0]),
        cmocka_unit_test_prestate(test_the_rest_stays, &algorithms[1]),
        cmocka_unit_test_prestate(test_the_rest_stays, &algorithms[2]),
        cmocka_unit_test_prestate(test_the_rest_stays, &algorithms[3]),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
