// Elementary functions against those of the C library in extended precision, and against bits that were kept.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "base/random.h"

enum { TRIALS = 20000 };

static const double most_error = 1.5; // units in the last place; 1.43 is the worst of 10^7 values

static double error_in_last_place(double got, long double right)
{
    int exponent;
    frexp((double)right, &exponent);
    return (double)(fabsl((long double)got - right) / ldexpl(1, exponent - 53));
}

static void check(double got, long double right)
{
    assert_true(error_in_last_place(got, right) <= most_error);
}

static void test_sine_and_cosine(void **state)
{
    (void)state;
    const double ranges[] = {1e-6, 0.01, 1, 10, 1e3, 1e6};
    random_stream stream = {3};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int i = 0; i < TRIALS; i++) {
            double x = random_between(&stream, -ranges[r], ranges[r]), s, c;
            sin_cos(x, &s, &c);
            check(s, sinl((long double)x));
            check(c, cosl((long double)x));
            assert_true(sine_of(x) == s);
        }
}

static void test_sine_and_cosine_far_out_and_of_what_is_no_number(void **state)
{
    (void)state;
    double s, c;
    sin_cos(3e7, &s, &c);
    assert_true(fabs(s - sin(3e7)) < 1e-8 && fabs(c - cos(3e7)) < 1e-8);
    sin_cos((double)NAN, &s, &c);
    assert_true(isnan(s) && isnan(c));
    sin_cos(0, &s, &c);
    assert_true(s == 0 && c == 1);
    // Multiples of a quarter turn meet the double nearest to pi / 2, whose cosine is not zero.
    sin_cos(PI / 2, &s, &c);
    assert_true(s == 1);
    check(c, cosl((long double)(PI / 2)));
}

static void test_arc_tangent(void **state)
{
    (void)state;
    random_stream stream = {4};
    for (int i = 0; i < TRIALS; i++) {
        double x = random_between(&stream, -1, 1), y = random_between(&stream, -1, 1);
        y *= i % 3 == 0 ? 1e-9 : 1;
        x *= i % 5 == 0 ? 1e-9 : 1;
        check(arc_tangent(y, x), atan2l((long double)y, (long double)x));
    }
    const double axes[][3] = {{0, 1, 0}, {1, 0, PI / 2}, {-1, 0, -PI / 2}, {0, -1, PI}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        assert_true(arc_tangent(axes[i][0], axes[i][1]) == axes[i][2]);
    assert_true(isnan(arc_tangent((double)NAN, 1)) && isnan(arc_tangent(1, (double)NAN)));
}

static void test_logarithm_and_cube_root(void **state)
{
    (void)state;
    random_stream stream = {5};
    for (int i = 0; i < TRIALS; i++) {
        double x = i % 2 ? random_unit(&stream) : exp(random_between(&stream, -300, 300));
        check(natural_log(x), logl((long double)x));
        check(cube_root(x), cbrtl((long double)x));
    }
    assert_true(natural_log(1) == 0 && cube_root(0) == 0 && cube_root(1) == 1);
    check(cube_root(5e-324), cbrtl((long double)5e-324));
}

static void test_bits_are_those_of_every_other_machine(void **state)
{
    (void)state;
    random_stream stream = {6};
    uint64_t hash = 0;
    for (int i = 0; i < TRIALS; i++) {
        double x = random_between(&stream, -100, 100), y = random_between(&stream, 0, 10), found[5];
        sin_cos(x, &found[0], &found[1]);
        found[2] = arc_tangent(x, y);
        found[3] = natural_log(y);
        found[4] = cube_root(y);
        for (int k = 0; k < 5; k++)
            hash = hash_double(hash, found[k]);
    }
    assert_int_equal(hash, 0xaf82685454768432);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_and_cosine),
        cmocka_unit_test(test_sine_and_cosine_far_out_and_of_what_is_no_number),
        cmocka_unit_test(test_arc_tangent),
        cmocka_unit_test(test_logarithm_and_cube_root),
        cmocka_unit_test(test_bits_are_those_of_every_other_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
