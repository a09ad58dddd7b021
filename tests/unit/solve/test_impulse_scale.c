// The factor for all impulses at once, against the definition of the energy that it makes least.
#include "../../physics/check.h"

#include "problems.h"
#include "solve/sweep/impulse_scale.h"

enum { BODIES = 400 };

typedef struct scaled {
    test_problem *t;
    void *unpushed;
    double given; // impulses are this times those of the first
} scaled;

// Contacts push by what they would need each on its own: less than all of them together.
static vec3 own_push(const test_problem *t, const problem_row *row)
{
    vec3 v[BODIES], w[BODIES];
    for (size_t i = 0; i < t->body_count; i++) {
        v[i] = t->bodies[i].velocity;
        w[i] = t->bodies[i].spin;
    }
    double closing = -vec3_dot(row->normal, contact_velocity(row, v, w));
    return vec3_scale(row->normal, fmax(0.05, 0.2 * closing));
}

static scaled make_scaled(scree_precision precision, double given)
{
    scaled made = {.t = make_problem(BODIES, 8), .given = given};
    test_problem *t = made.t;
    for (size_t i = 0; i < t->contact_count; i++)
        t->rows[i].impulse = vec3_scale(own_push(t, &t->rows[i]), given);
    load_problem(t, precision, 2);
    size_t real = precision == SCREE_PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
    size_t size = (t->problem.body_count + 1) * PROBLEM_BODY_REALS * real;
    made.unpushed = arena_take(&t->scratch, size);
    assert_non_null(made.unpushed);
    memcpy(made.unpushed, t->problem.velocities, size);
    problem_apply_impulses(&t->problem, NULL, 2);
    return made;
}

// d/ds of 1/2 s^2 x.Nx + s x.r at s = 1, for impulses that are the rows' times `factor`; and x.r alone.
static double slope_at(const test_problem *t, double factor, double *without)
{
    vec3 *impulses = calloc(t->contact_count, sizeof *impulses), v[BODIES], w[BODIES];
    double slope = 0;
    *without = 0;
    for (size_t i = 0; i < t->contact_count; i++)
        impulses[i] = vec3_scale(t->rows[i].impulse, factor);
    for (int k = 0; k < 2; k++) {
        velocities_of(t, impulses, v, w);
        for (size_t i = 0; i < t->contact_count; i++) {
            const problem_row *row = &t->rows[i];
            *(k == 0 ? &slope : without) += vec3_dot(row->impulse, contact_velocity(row, v, w));
            impulses[i] = vec3_make(0, 0, 0);
        }
    }
    free(impulses);
    return slope;
}

static void test_energy_is_least(void **state)
{
    (void)state;
    const scree_precision precisions[] = {SCREE_PRECISION_DOUBLE, SCREE_PRECISION_SINGLE};
    for (int k = 0; k < 2; k++) {
        scaled of = make_scaled(precisions[k], 1);
        double factor = impulse_scale_find(&of.t->problem, of.unpushed, 2), without;
        double slope = slope_at(of.t, factor, &without);
        print_message("factor %g: slope %.1e of %g\n", factor, slope, without);
        assert_true(factor > 0.2 && factor < 5 && fabs(factor - 1) > 0.05);
        assert_near(slope, 0, (k == 0 ? 1e-12 : 1e-5) * fabs(without));
        free_problem(of.t);
    }
}

// Impulses that are too small by some factor get it back, up to ten at a time.
static void test_what_is_far_off_is_left_to_the_next_time(void **state)
{
    (void)state;
    double factors[4];
    const double given[] = {1, 0.5, 1e-3, 1e3};
    for (int i = 0; i < 4; i++) {
        scaled of = make_scaled(SCREE_PRECISION_DOUBLE, given[i]);
        factors[i] = impulse_scale_find(&of.t->problem, of.unpushed, 1);
        free_problem(of.t);
    }
    assert_near(factors[1], 2 * factors[0], 1e-10);
    assert_near(factors[2], 10, 0);
    assert_near(factors[3], 0.1, 0);
}

static void test_velocities_follow(void **state)
{
    (void)state;
    scaled of = make_scaled(SCREE_PRECISION_DOUBLE, 1);
    contact_problem *problem = &of.t->problem;
    size_t reals = (problem->body_count + 1) * PROBLEM_BODY_REALS;
    sweep_points points = {{problem->impulses, arena_take(&of.t->scratch, problem->impulse_reals * sizeof(double))},
                           {problem->velocities, arena_take(&of.t->scratch, reals * sizeof(double))}};
    memcpy(points.impulses[1], points.impulses[0], problem->impulse_reals * sizeof(double));
    memcpy(points.velocities[1], points.velocities[0], reals * sizeof(double));
    impulse_scale_apply(problem, &points, 0, of.unpushed, 1.7, 2);
    vec3 *impulses = calloc(of.t->contact_count, sizeof *impulses), v[BODIES], w[BODIES];
    for (size_t i = 0; i < of.t->contact_count; i++) {
        impulses[i] = vec3_scale(of.t->rows[i].impulse, 1.7);
        assert_vec3_near(problem_get_impulse(problem, i), impulses[i], 1e-14);
    }
    velocities_of(of.t, impulses, v, w);
    for (size_t i = 0; i < of.t->body_count; i++) {
        vec3 velocity, spin;
        problem_get_velocity(problem, i, &velocity, &spin);
        assert_vec3_near(velocity, v[i], 1e-12);
        assert_vec3_near(spin, w[i], 1e-12);
    }
    assert_memory_equal(points.impulses[1], points.impulses[0], problem->impulse_reals * sizeof(double));
    assert_memory_equal(points.velocities[1], points.velocities[0], reals * sizeof(double));
    free(impulses);
    free_problem(of.t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_is_least),
        cmocka_unit_test(test_what_is_far_off_is_left_to_the_next_time),
        cmocka_unit_test(test_velocities_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
