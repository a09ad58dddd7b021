// Vectors, quaternions and the eigenvalue routine against each other and against definitions written out here.
#include "../../physics/check.h"

#include "../geometry/random_pose.h"

static void test_vec3_algebra(void **state)
{
    (void)state;
    vec3 a = {1, 2, 3}, b = {-4, 5, 0.5};
    assert_vec3_near(vec3_add(a, b), vec3_make(-3, 7, 3.5), 0);
    assert_vec3_near(vec3_sub(a, b), vec3_make(5, -3, 2.5), 0);
    assert_vec3_near(vec3_scale(a, -2), vec3_make(-2, -4, -6), 0);
    assert_vec3_near(vec3_negate(a), vec3_make(-1, -2, -3), 0);
    assert_vec3_near(vec3_add_scaled(a, b, 2), vec3_make(-7, 12, 4), 0);
    assert_vec3_near(vec3_multiply(a, b), vec3_make(-4, 10, 1.5), 0);
    assert_near(vec3_dot(a, b), 7.5, 0);
    assert_near(vec3_max(b), 5, 0);
    assert_near(vec3_get(b, 0), -4, 0);
    assert_near(vec3_get(b, 1), 5, 0);
    assert_near(vec3_get(b, 2), 0.5, 0);
    assert_near(vec3_length(vec3_make(2, 3, 6)), 7, 0);
    assert_vec3_near(vec3_normalize(vec3_make(0, 0, 0)), vec3_make(0, 0, 0), 0);
    assert_near(vec3_length(vec3_normalize(a)), 1, 1e-15);
    assert_vec3_near(vec3_from_f(vec3f_from(b)), b, 0);
}

static void test_cross_product_is_right_handed_and_orthogonal(void **state)
{
    (void)state;
    assert_vec3_near(vec3_cross(vec3_make(1, 0, 0), vec3_make(0, 1, 0)), vec3_make(0, 0, 1), 0);
    assert_vec3_near(vec3_cross(vec3_make(0, 1, 0), vec3_make(0, 0, 1)), vec3_make(1, 0, 0), 0);
    random_stream stream = {5};
    for (int i = 0; i < 100; i++) {
        vec3 a = random_vec(&stream, 3), b = random_vec(&stream, 3), c = vec3_cross(a, b);
        assert_near(vec3_dot(a, c), 0, 1e-14);
        assert_near(vec3_dot(b, c), 0, 1e-14);
        // Lagrange's identity fixes the length.
        assert_near(vec3_dot(c, c), vec3_dot(a, a) * vec3_dot(b, b) - vec3_dot(a, b) * vec3_dot(a, b), 1e-12);
    }
}

static void test_finite_checks_see_every_component(void **state)
{
    (void)state;
    const double bad[] = {CHECK_NAN, CHECK_INFINITY, -CHECK_INFINITY};
    assert_true(vec3_finite(vec3_make(1, -2, 1e308)));
    assert_true(quat_finite(quat_identity()));
    for (int i = 0; i < 3; i++) {
        assert_false(vec3_finite(vec3_make(bad[i], 0, 0)));
        assert_false(vec3_finite(vec3_make(0, bad[i], 0)));
        assert_false(vec3_finite(vec3_make(0, 0, bad[i])));
        assert_false(quat_finite((quat){bad[i], 0, 0, 0}));
        assert_false(quat_finite((quat){0, bad[i], 0, 0}));
        assert_false(quat_finite((quat){0, 0, bad[i], 0}));
        assert_false(quat_finite((quat){0, 0, 0, bad[i]}));
    }
}

static void test_rotation_vector_turns_by_the_right_angle(void **state)
{
    (void)state;
    const double quarter = 1.57079632679489661923;
    quat about_z = quat_from_rotation(vec3_make(0, 0, quarter));
    assert_vec3_near(quat_rotate(about_z, vec3_make(1, 0, 0)), vec3_make(0, 1, 0), 1e-15);
    assert_vec3_near(quat_rotate(about_z, vec3_make(0, 1, 0)), vec3_make(-1, 0, 0), 1e-15);
    quat about_x = quat_from_rotation(vec3_make(quarter, 0, 0));
    assert_vec3_near(quat_rotate(about_x, vec3_make(0, 1, 0)), vec3_make(0, 0, 1), 1e-15);
    // Rodrigues' formula, over many orders of magnitude of the angle: the series for tiny angles must join smoothly.
    for (double angle = 1e-12; angle < 3; angle *= 1.7) {
        vec3 axis = vec3_normalize(vec3_make(1, -2, 0.5)), v = {0.3, 0.7, -1.1};
        quat q = quat_from_rotation(vec3_scale(axis, angle));
        vec3 along = vec3_scale(axis, vec3_dot(axis, v)), across = vec3_sub(v, along);
        vec3 expected =
            vec3_add(vec3_add_scaled(along, across, cos(angle)), vec3_scale(vec3_cross(axis, v), sin(angle)));
        assert_near(quat_length(q), 1, 1e-15);
        assert_vec3_near(quat_rotate(q, v), expected, 4e-16);
    }
    quat still = quat_from_rotation(vec3_make(0, 0, 0));
    assert_near(still.w, 1, 0);
    assert_near(still.x, 0, 0);
}

static void test_quaternion_matrix_and_product_agree(void **state)
{
    (void)state;
    random_stream stream = {11};
    for (int i = 0; i < 200; i++) {
        quat p = random_rotation(&stream), q = random_rotation(&stream);
        vec3 v = random_vec(&stream, 2);
        mat3 m = mat3_from_quat(q);
        vec3 turned = quat_rotate(q, v);
        assert_vec3_near(mat3_apply(&m, v), turned, 2e-15);
        assert_vec3_near(mat3_apply_transposed(&m, turned), v, 4e-15);
        assert_vec3_near(quat_rotate_back(q, turned), v, 4e-15);
        assert_vec3_near(quat_rotate(quat_multiply(p, q), v), quat_rotate(p, turned), 4e-15);
        assert_vec3_near(mat3_column(&m, 1), quat_rotate(q, vec3_make(0, 1, 0)), 1e-15);
        // q v q*, written out with the quaternion product.
        quat sandwich = quat_multiply(quat_multiply(q, (quat){0, v.x, v.y, v.z}), quat_conjugate(q));
        assert_vec3_near(vec3_make(sandwich.x, sandwich.y, sandwich.z), turned, 4e-15);
    }
}

static mat3 compose(vec3 values, quat axes)
{
    mat3 r = mat3_from_quat(axes), result;
    double d[3] = {values.x, values.y, values.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            result.m[i][j] = 0;
            for (int k = 0; k < 3; k++)
                result.m[i][j] += r.m[i][k] * d[k] * r.m[j][k];
        }
    return result;
}

static void make_symmetric(mat3 *a)
{
    a->m[1][0] = a->m[0][1];
    a->m[2][0] = a->m[0][2];
    a->m[2][1] = a->m[1][2];
}

// The factors multiply back to the matrix, to rounding relative to its size.
static void check_diagonalized(const mat3 *a)
{
    vec3 values;
    quat axes;
    mat3_diagonalize(a, &values, &axes);
    assert_near(quat_length(axes), 1, 1e-14);
    mat3 back = compose(values, axes);
    double scale = 0;
    for (int i = 0; i < 9; i++)
        scale = fmax(scale, fabs(a->m[i / 3][i % 3]));
    for (int i = 0; i < 9; i++)
        assert_near(back.m[i / 3][i % 3], a->m[i / 3][i % 3], 2e-14 * scale);
}

static void test_diagonalize_random_symmetric_matrices(void **state)
{
    (void)state;
    random_stream stream = {2024};
    for (int i = 0; i < 2000; i++) {
        double scale = exp(random_between(&stream, -30, 30));
        mat3 a;
        for (int k = 0; k < 9; k++)
            a.m[k / 3][k % 3] = random_between(&stream, -scale, scale);
        make_symmetric(&a);
        check_diagonalized(&a);
    }
}

static void test_diagonalize_finds_known_values(void **state)
{
    (void)state;
    random_stream stream = {77};
    for (int i = 0; i < 500; i++) {
        vec3 values = {random_between(&stream, 0.1, 1), random_between(&stream, 2, 3), random_between(&stream, 5, 9)};
        mat3 a = compose(values, random_rotation(&stream));
        make_symmetric(&a);
        vec3 found;
        quat axes;
        mat3_diagonalize(&a, &found, &axes);
        double low = fmin(found.x, fmin(found.y, found.z)), high = vec3_max(found);
        assert_near(low, values.x, 1e-13);
        assert_near(high, values.z, 1e-13);
        assert_near(found.x + found.y + found.z - low - high, values.y, 1e-13);
    }
}

static void test_diagonalize_special_matrices(void **state)
{
    (void)state;
    static const mat3 matrices[] = {
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},               // nothing
        {{{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}},               // a double eigenvalue
        {{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}},               // no trace
        {{{1, 1e-9, 0}, {1e-9, 1, 1e-12}, {0, 1e-12, 1}}}, // nearly a ball
        {{{1e9, 1, 2}, {1, 1e-3, 1e-5}, {2, 1e-5, 1e-6}}}, // a needle
        {{{4, 2, -2}, {2, 1, -1}, {-2, -1, 1}}},           // rank one
    };
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        check_diagonalized(&matrices[i]);
}

static void test_diagonal_matrix_keeps_axes_and_order(void **state)
{
    (void)state;
    mat3 a = {{{3, 0, 0}, {0, 1, 0}, {0, 0, 2}}};
    vec3 values;
    quat axes;
    mat3_diagonalize(&a, &values, &axes);
    assert_vec3_near(values, vec3_make(3, 1, 2), 0);
    assert_near(axes.w, 1, 0);
    assert_near(fabs(axes.x) + fabs(axes.y) + fabs(axes.z), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vec3_algebra),
        cmocka_unit_test(test_cross_product_is_right_handed_and_orthogonal),
        cmocka_unit_test(test_finite_checks_see_every_component),
        cmocka_unit_test(test_rotation_vector_turns_by_the_right_angle),
        cmocka_unit_test(test_quaternion_matrix_and_product_agree),
        cmocka_unit_test(test_diagonalize_random_symmetric_matrices),
        cmocka_unit_test(test_diagonalize_finds_known_values),
        cmocka_unit_test(test_diagonalize_special_matrices),
        cmocka_unit_test(test_diagonal_matrix_keeps_axes_and_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
