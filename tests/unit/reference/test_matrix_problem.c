// From global problems and from the rows of a step to W and q, against the same by plain means: dense elimination, and
// impulses applied to bodies one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "reference/matrix_dense.h"
#include "reference/matrix_problem.h"
#include "unit/solve/problems.h"

static double random_value(random_stream *stream)
{
    return random_between(stream, -1, 1);
}

// M of two parts that do not touch, interleaved, and a D that is nearly full.
enum { FREEDOMS = 12, UNKNOWNS = 7 };

static void make_global(matrix_global *global, double mass[FREEDOMS][FREEDOMS], double d[FREEDOMS][UNKNOWNS])
{
    random_stream stream = {7};
    entry_array entries = {0};
    scree_error error;
    assert_int_equal(matrix_global_allocate(global, UNKNOWNS, UNKNOWNS, FREEDOMS, &error), SCREE_OK);
    for (uint32_t i = 0; i < FREEDOMS; i++)
        for (uint32_t j = 0; j < FREEDOMS; j++) {
            mass[i][j] = i == j ? 5 : i % 2 == j % 2 ? 1 / (1.0 + i + j) : 0;
            array_push(&entries, ((sparse_entry){i, j, mass[i][j]}));
        }
    assert_int_equal(sparse_from_entries(&global->mass, FREEDOMS, FREEDOMS, entries.data, entries.count, &error), 0);
    entries.count = 0;
    for (uint32_t i = 0; i < FREEDOMS; i++) {
        global->force[i] = random_value(&stream);
        for (uint32_t j = 0; j < UNKNOWNS; j++) {
            d[i][j] = (i + j) % 3 ? random_value(&stream) : 0;
            if (d[i][j] != 0)
                array_push(&entries, ((sparse_entry){i, j, d[i][j]}));
        }
    }
    assert_int_equal(sparse_from_entries(&global->directions, FREEDOMS, UNKNOWNS, entries.data, entries.count, &error),
                     0);
    array_free(&entries);
    for (uint32_t j = 0; j < UNKNOWNS; j++) {
        global->bias[j] = random_value(&stream);
        global->compliance[j] = j == 2 ? 0.25 : 0;
        global->blocks[j] = (matrix_block){.first = j, .size = 1, .low = -HUGE_VAL, .high = HUGE_VAL};
    }
}

static void reduction_is_elimination(void **unused)
{
    (void)unused;
    static double mass[FREEDOMS][FREEDOMS], d[FREEDOMS][UNKNOWNS], factors[FREEDOMS * FREEDOMS];
    uint32_t pivot[FREEDOMS];
    matrix_global global;
    matrix_problem problem;
    scree_error error = {0};
    make_global(&global, mass, d);
    assert_int_equal(matrix_reduce(&global, &problem, &error), SCREE_OK);
    memcpy(factors, mass, sizeof factors);
    assert_true(dense_lu(factors, FREEDOMS, pivot));
    for (size_t c = 0; c <= UNKNOWNS; c++) { // the last column is f
        double x[FREEDOMS];
        for (size_t i = 0; i < FREEDOMS; i++)
            x[i] = c < UNKNOWNS ? d[i][c] : global.force[i];
        dense_lu_solve(factors, pivot, FREEDOMS, x);
        for (size_t r = 0; r < UNKNOWNS; r++) {
            double sum = c == r ? global.compliance[r] : c == UNKNOWNS ? global.bias[r] : 0;
            for (size_t i = 0; i < FREEDOMS; i++)
                sum += d[i][r] * x[i];
            assert_true(fabs(sum - (c < UNKNOWNS ? sparse_get(&problem.w, r, c) : problem.q[r])) < 1e-12);
        }
    }
    matrix_problem_free(&problem);
    matrix_global_free(&global);
}

static void indefinite_mass_is_refused(void **unused)
{
    (void)unused;
    static double mass[FREEDOMS][FREEDOMS], d[FREEDOMS][UNKNOWNS];
    matrix_global global;
    matrix_problem problem;
    scree_error error = {0};
    make_global(&global, mass, d);
    for (size_t k = 0; k < sparse_count(&global.mass); k++)
        global.mass.value[k] *= -1;
    assert_int_equal(matrix_reduce(&global, &problem, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "positive definite"));
    matrix_global_free(&global);
}

// ------------------------------------------------------------------------------------------------------------- rows

static vec3 at_point(const problem_body *body, vec3 arm)
{
    return vec3_add(body->velocity, vec3_cross(body->spin, arm));
}

static void push(problem_body *body, vec3 linear, vec3 angular, double amount)
{
    body->velocity = vec3_add_scaled(body->velocity, linear, amount * body->inverse_mass);
    body->spin = vec3_add(body->spin, mat3_apply(&body->inverse_inertia, vec3_scale(angular, amount)));
}

enum { BODIES = 20, JOINTS = 4 };

static void make_joints(random_stream *stream, joint_row joints[JOINTS])
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        joints[i] = (joint_row){.body = {i, 19 - i, i == 3 ? 9 : NO_BODY},
                                .bias = 0.1 * i,
                                .low = -HUGE_VAL,
                                .high = i ? HUGE_VAL : 2,
                                .compliance = i == 1 ? 0.5 : 0,
                                .impulse = 0.3 * i};
        for (int k = 0; k < JOINT_ROW_BODIES; k++) {
            joints[i].linear[k] = random_vec(stream);
            joints[i].angular[k] = random_vec(stream);
        }
    }
}

static double joint_speed(const problem_body *bodies, const joint_row *row)
{
    double sum = 0;
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY)
            sum += vec3_dot(row->linear[k], bodies[row->body[k]].velocity) +
                   vec3_dot(row->angular[k], bodies[row->body[k]].spin);
    return sum;
}

static void apply_starts(problem_body *bodies, const problem_row *rows, size_t row_count, const joint_row *joints)
{
    for (size_t i = 0; i < row_count; i++) {
        const problem_row *row = &rows[i];
        vec3 p = row->impulse, t = row->angular_impulse;
        push(&bodies[row->b], p, vec3_add(vec3_cross(row->arm_b, p), t), 1);
        push(&bodies[row->a], p, vec3_add(vec3_cross(row->arm_a, p), t), -1);
    }
    for (int i = 0; i < JOINTS; i++)
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            if (joints[i].body[k] != NO_BODY)
                push(&bodies[joints[i].body[k]], joints[i].linear[k], joints[i].angular[k], joints[i].impulse);
}

// u of the blocks is what the bodies say after all impulses were applied to them.
static void rows_become_velocities(void **unused)
{
    (void)unused;
    test_problem *t = make_problem(BODIES, 5);
    random_stream stream = {6};
    joint_row joints[JOINTS];
    make_joints(&stream, joints);
    for (size_t i = 0; i < t->contact_count; i++) {
        t->rows[i].impulse = random_vec(&stream);
        t->rows[i].angular_impulse = (vec3){0};
        t->rows[i].compliance = i % 3 ? 0 : 0.2;
        if (i % 4 == 1) {
            t->rows[i].rolling = 0.1, t->rows[i].spinning = 0.05;
            t->rows[i].angular_impulse = random_vec(&stream);
        }
    }
    matrix_global global;
    matrix_problem problem;
    scree_error error = {0};
    assert_int_equal(
        matrix_from_rows(t->bodies, BODIES, t->rows, t->contact_count, joints, JOINTS, false, &global, &error),
        SCREE_OK);
    assert_int_equal(matrix_reduce(&global, &problem, &error), SCREE_OK);
    double *u = calloc(problem.size, sizeof *u);
    sparse_multiply(&problem.w, problem.start, u);
    apply_starts(t->bodies, t->rows, t->contact_count, joints);
    for (size_t i = 0; i < t->contact_count; i++) {
        const problem_row *row = &t->rows[i];
        size_t at = problem.blocks[i].first;
        vec3 seen = vec3_sub(at_point(&t->bodies[row->b], row->arm_b), at_point(&t->bodies[row->a], row->arm_a));
        double normal = vec3_dot(seen, row->normal), bias = row->bias + row->compliance * problem.start[at];
        double slip = vec3_length(vec3_add_scaled(seen, row->normal, -normal));
        assert_int_equal(problem.blocks[i].size, i % 4 == 1 ? 6 : 3);
        assert_true(fabs(u[at] + problem.q[at] - normal - bias) < 1e-10);
        assert_true(fabs(hypot(u[at + 1] + problem.q[at + 1], u[at + 2] + problem.q[at + 2]) - slip) < 1e-10);
        if (i % 4 == 1) {
            vec3 spin = vec3_sub(t->bodies[row->b].spin, t->bodies[row->a].spin);
            assert_true(fabs(u[at + 5] + problem.q[at + 5] - vec3_dot(spin, row->normal)) < 1e-10);
        }
    }
    for (size_t i = 0; i < JOINTS; i++) {
        size_t at = problem.blocks[t->contact_count + i].first;
        double wanted = joint_speed(t->bodies, &joints[i]) + joints[i].bias + joints[i].compliance * joints[i].impulse;
        assert_true(fabs(u[at] + problem.q[at] - wanted) < 1e-10);
        assert_true(problem.blocks[t->contact_count + i].high == joints[i].high);
    }
    free(u);
    matrix_problem_free(&problem);
    matrix_global_free(&global);
    free_problem(t);
}

static void plain_rows_leave_the_rest_out(void **unused)
{
    (void)unused;
    test_problem *t = make_problem(BODIES, 8);
    random_stream stream = {9};
    joint_row joints[JOINTS];
    make_joints(&stream, joints);
    t->rows[0].rolling = t->rows[0].spinning = t->rows[0].compliance = 1;
    matrix_global global;
    scree_error error = {0};
    assert_int_equal(
        matrix_from_rows(t->bodies, BODIES, t->rows, t->contact_count, joints, JOINTS, true, &global, &error),
        SCREE_OK);
    assert_int_equal(global.size, 3 * t->contact_count + JOINTS);
    for (size_t i = 0; i < global.size; i++)
        assert_true(global.compliance[i] == 0);
    assert_true(global.blocks[t->contact_count].high == HUGE_VAL);
    matrix_global_free(&global);
    free_problem(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduction_is_elimination),
        cmocka_unit_test(indefinite_mass_is_refused),
        cmocka_unit_test(rows_become_velocities),
        cmocka_unit_test(plain_rows_leave_the_rest_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
