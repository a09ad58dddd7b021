// The rows that a step hands out are those that it solves: the reference solver, given them, finds the velocities that
// the world ends the step with. (In the convex law velocities are unique, though impulses may not be.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "reference/matrix_solver.h"
#include "rigid/capture.h"

enum { BALLS = 18 };

// Nothing overlaps: what pushes overlaps out does not stay in the velocities after a step.
static scree_world *make_heap(void)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.solver.friction = SCREE_FRICTION_CONVEX;
    def.solver.precision = SCREE_PRECISION_DOUBLE;
    def.solver.iterations = 20000;
    def.solver.tolerance = 1e-10;
    scree_world *world;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    scree_shape_def shapes[3] = {scree_default_shape_def(), scree_default_shape_def(), scree_default_shape_def()};
    shapes[0].type = SCREE_SHAPE_PLANE;
    shapes[2].type = SCREE_SHAPE_BOX;
    scree_body_def body = scree_default_body_def();
    body.fixed = true;
    body.shapes = shapes;
    body.shape_count = 1;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    for (int i = 0; i < BALLS; i++) {
        body = scree_default_body_def();
        body.shapes = &shapes[1 + i % 2];
        body.shape_count = 1;
        body.position = (scree_vec3){i % 3 * 1.002, i / 3 % 3 * 1.002, 0.501 + i / 9 * 1.001};
        body.velocity = (scree_vec3){0.2 - i % 3 * 0.2, 0.05 * i - 0.5, 0};
        assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    }
    return world;
}

// v = v_free + M^-1 D r, into the captured bodies. Freedoms are numbered body by body, velocities before spins.
static void apply_impulses(step_capture *rows, const matrix_global *global, const double *r)
{
    double *push = calloc(global->mass.rows + 1, sizeof *push);
    sparse_multiply(&global->directions, r, push);
    const double *at = push;
    for (size_t i = 0; i < rows->bodies.count; i++) {
        problem_body *body = &rows->bodies.data[i];
        if (!(body->inverse_mass > 0))
            continue;
        vec3 linear = {at[0], at[1], at[2]}, angular = {at[3], at[4], at[5]};
        body->velocity = vec3_add_scaled(body->velocity, linear, body->inverse_mass);
        body->spin = vec3_add(body->spin, mat3_apply(&body->inverse_inertia, angular));
        at += 6;
    }
    free(push);
}

static void solve_rows(step_capture *rows)
{
    matrix_global global;
    matrix_problem problem;
    matrix_result result;
    scree_error error = {0};
    const matrix_options options = {.algorithm = MATRIX_AUTO, .iterations = 20000, .tolerance = 1e-10};
    assert_int_equal(matrix_from_rows(rows->bodies.data, rows->bodies.count, rows->rows.data, rows->rows.count,
                                      rows->joints.data, rows->joints.count, false, &global, &error),
                     SCREE_OK);
    assert_int_equal(matrix_reduce(&global, &problem, &error), SCREE_OK);
    double *r = calloc(problem.size + 1, sizeof *r);
    assert_int_equal(matrix_solve(&problem, &options, r, &result, &error), SCREE_OK);
    assert_true(result.solved);
    apply_impulses(rows, &global, r);
    free(r);
    matrix_problem_free(&problem);
    matrix_global_free(&global);
}

static void reference_finds_the_same_velocities(void **state)
{
    (void)state;
    scree_world *world = make_heap();
    step_capture rows = {0};
    size_t contacts = 0;
    for (int step = 0; step < 40; step++) {
        world_capture(world, step % 8 == 7 ? &rows : NULL);
        assert_int_equal(scree_world_step(world, 1, NULL), SCREE_OK);
        if (step % 8 != 7)
            continue;
        assert_int_equal(rows.bodies.count, BALLS + 1);
        contacts += rows.rows.count;
        solve_rows(&rows);
        for (size_t i = 0; i < rows.bodies.count; i++) {
            scree_state after;
            assert_int_equal(scree_world_get_states(world, &rows.ids.data[i], 1, &after, NULL), SCREE_OK);
            assert_true(vec3_length(vec3_sub(after.velocity, rows.bodies.data[i].velocity)) < 1e-6);
        }
    }
    assert_true(contacts > 100);
    capture_free(&rows);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reference_finds_the_same_velocities)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
