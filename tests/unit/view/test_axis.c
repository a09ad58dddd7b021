// Axes: marks are round, inside, enough, and labelled with what they are.
#include "physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "view/chart/axis.h"

static double read_label(const char *label)
{
    char plain[AXIS_LABEL_SIZE];
    size_t used = 0;
    for (; *label; label++)
        if (*label != ',')
            plain[used++] = *label;
    plain[used] = '\0';
    char *end;
    double value = strtod(plain, &end);
    assert_int_equal(*end, '\0');
    return value;
}

static bool is_round_step(double step)
{
    double mantissa = step / pow(10, floor(log10(step) + 1e-6));
    return fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6;
}

static void check_ticks(const value_axis *a, size_t wanted)
{
    double span = a->high - a->low;
    assert_in_range(a->tick_count, wanted / 2, 2 * wanted + 3);
    for (size_t i = 0; i < a->tick_count; i++) {
        assert_true(a->ticks[i] >= a->low - 1e-6 * span && a->ticks[i] <= a->high + 1e-6 * span);
        assert_near(read_label(a->labels[i]), a->ticks[i], 1e-6 * span);
        assert_true(strlen(a->labels[i]) < AXIS_LABEL_SIZE - 1);
        if (i > 0) {
            assert_string_not_equal(a->labels[i], a->labels[i - 1]);
            assert_true(is_round_step(a->ticks[i] - a->ticks[i - 1]));
        }
    }
}

static void marks_are_round_and_labelled(void **state)
{
    (void)state;
    random_stream random = {3};
    for (int trial = 0; trial < 5000; trial++) {
        double middle = random_between(&random, -1, 1) * pow(10, random_between(&random, -6, 9));
        double half = pow(10, random_between(&random, -4, 4)) * fabs(middle);
        size_t wanted = 3 + (size_t)(trial % 4);
        value_axis plain = axis_make(middle - half, middle + half, wanted);
        check_ticks(&plain, wanted);
        assert_true(plain.low == middle - half && plain.high == middle + half);
        value_axis rounded = axis_make_rounded(middle - half, middle + half, wanted);
        check_ticks(&rounded, wanted);
        assert_true(rounded.low <= middle - half + 1e-6 * half && rounded.high >= middle + half - 1e-6 * half);
        assert_true(rounded.ticks[0] == rounded.low);
        assert_true(rounded.ticks[rounded.tick_count - 1] == rounded.high);
    }
}

static void known_labels(void **state)
{
    (void)state;
    value_axis a = axis_make(0, 1.37, 5);
    assert_int_equal(a.tick_count, 7);
    assert_string_equal(a.labels[0], "0");
    assert_string_equal(a.labels[1], "0.2");
    assert_string_equal(a.labels[5], "1.0");
    a = axis_make(0, 20000, 4);
    assert_string_equal(a.labels[a.tick_count - 1], "20,000");
    a = axis_make(0, 2e-5, 2);
    assert_string_equal(a.labels[1], "1e-5");
    a = axis_make(0, 3e-5, 6);
    assert_string_equal(a.labels[1], "5e-6");
    a = axis_make(-3e9, 3e9, 6);
    assert_string_equal(a.labels[0], "-3e9");
    assert_string_equal(a.labels[3], "0");
}

static void impossible_ranges_are_repaired(void **state)
{
    (void)state;
    double nan = CHECK_NAN, infinity = CHECK_INFINITY;
    double ranges[][2] = {{0, 0}, {5, 5},           {-2e-300, -2e-300}, {nan, 3},        {infinity, -infinity},
                          {3, 1}, {1e300, 1.1e300}, {1e15, 1e15 + 1},   {-1e308, 1e308}, {1e-310, 2e-310}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        value_axis a = axis_make_rounded(ranges[i][0], ranges[i][1], 5);
        assert_true(a.low < a.high);
        assert_true(a.tick_count >= 2);
        value_axis logarithmic = axis_make_logarithmic(ranges[i][0], ranges[i][1]);
        assert_true(logarithmic.low > 0 && logarithmic.low < logarithmic.high);
        assert_true(logarithmic.tick_count >= 2);
    }
}

static void logarithmic_marks_are_powers_of_ten(void **state)
{
    (void)state;
    value_axis a = axis_make_logarithmic(3e-5, 0.4);
    assert_near(a.low, 1e-5, 1e-12);
    assert_near(a.high, 1, 1e-12);
    assert_int_equal(a.tick_count, 6);
    assert_string_equal(a.labels[0], "1e-5");
    assert_string_equal(a.labels[3], "0.01");
    assert_near(axis_place(&a, 1e-5), 0, 1e-12);
    assert_near(axis_place(&a, 1e-3), 0.4, 1e-12);
    assert_true(isnan(axis_place(&a, 0)));
    assert_true(isnan(axis_place(&a, -1)));
    a = axis_make_logarithmic(1e-30, 1e30);
    assert_in_range(a.tick_count, 5, AXIS_MAX_TICKS);
}

static void places_run_from_zero_to_one(void **state)
{
    (void)state;
    value_axis a = axis_make(-2, 6, 4);
    assert_near(axis_place(&a, -2), 0, 1e-12);
    assert_near(axis_place(&a, 0), 0.25, 1e-12);
    assert_near(axis_place(&a, 6), 1, 1e-12);
    assert_true(isnan(axis_place(&a, CHECK_INFINITY)));
}

static void numbers_are_formatted(void **state)
{
    (void)state;
    static const struct {
        double value;
        int places;
        const char *label;
    } cases[] = {{0, 0, "0"},
                 {999, 0, "999"},
                 {1000, 0, "1,000"},
                 {-16000, 0, "-16,000"},
                 {1234567, 0, "1,234,567"},
                 {1234.5, 2, "1,234.50"},
                 {0.25, 2, "0.25"}};
    char label[AXIS_LABEL_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        axis_format(cases[i].value, cases[i].places, label);
        assert_string_equal(label, cases[i].label);
    }
    axis_format(2.5e9, 0, label);
    assert_near(read_label(label), 2.5e9, 1);
}

static void steps_are_rounded_up(void **state)
{
    (void)state;
    assert_near(axis_round_up(1.37), 2, 1e-12);
    assert_near(axis_round_up(0.021), 0.05, 1e-12);
    assert_near(axis_round_up(700), 1000, 1e-9);
    assert_near(axis_round_up(5), 5, 1e-12);
    assert_near(axis_round_up(0), 1, 1e-12);
    assert_near(axis_round_up(CHECK_NAN), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_round_and_labelled),   cmocka_unit_test(known_labels),
        cmocka_unit_test(impossible_ranges_are_repaired), cmocka_unit_test(logarithmic_marks_are_powers_of_ten),
        cmocka_unit_test(places_run_from_zero_to_one),    cmocka_unit_test(numbers_are_formatted),
        cmocka_unit_test(steps_are_rounded_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
