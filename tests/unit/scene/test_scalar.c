// Numbers in and out: what is accepted, and that every double survives being written.
#include "parse.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "scene/document/scalar.h"

static void test_reals(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},         {"-9.81", -9.81}, {"+5", 5},       {".5", 0.5},         {"5.", 5},
                {"1e-4", 0.0001}, {"1E+3", 1000},   {"-.5e1", -5},   {"1e999", HUGE_VAL}, {"1e-999", 0},
                {"0.1", 0.1},     {"007", 7},       {"12.5e0", 12.5}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = -1;
        assert_true(scalar_real(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    const char *bad[] = {"",    ".",  "-",  "e5",  "1e",    "1e+", "1.2.3", "0x10", "inf",  ".inf",
                         "nan", "1 ", " 1", "1,5", "1_000", "--1", "one",   "1f",   "1e5.", "+-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value;
        assert_false(scalar_real(bad[i], &value));
    }
}

static void test_wholes(void **state)
{
    (void)state;
    uint64_t value;
    assert_true(scalar_whole("0", &value) && value == 0);
    assert_true(scalar_whole("+12", &value) && value == 12);
    assert_true(scalar_whole("16e3", &value) && value == 16000);
    assert_true(scalar_whole("5.0", &value) && value == 5);
    assert_true(scalar_whole("18446744073709551615", &value) && value == UINT64_MAX);
    assert_false(scalar_whole("18446744073709551616", &value));
    assert_false(scalar_whole("-1", &value));
    assert_false(scalar_whole("1.5", &value));
    assert_false(scalar_whole("1e300", &value));
    assert_false(scalar_whole("1e999", &value));
    assert_false(scalar_whole("", &value));
    assert_false(scalar_whole("ten", &value));
}

static void test_truths(void **state)
{
    (void)state;
    bool value;
    assert_true(scalar_truth("true", &value) && value);
    assert_true(scalar_truth("False", &value) && !value);
    assert_false(scalar_truth("yes", &value));
    assert_false(scalar_truth("1", &value));
    assert_false(scalar_truth("", &value));
}

static void test_every_double_survives(void **state)
{
    (void)state;
    random_stream stream = {3};
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = random_bits(&stream);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[REAL_TEXT_SIZE];
        real_text(value, text);
        double again;
        assert_true(scalar_real(text, &again));
        assert_memory_equal(&again, &value, sizeof value);
    }
}

static void test_short_numbers_stay_short(void **state)
{
    (void)state;
    char text[REAL_TEXT_SIZE];
    real_text(0.1, text);
    assert_string_equal(text, "0.1");
    real_text(-9.81, text);
    assert_string_equal(text, "-9.81");
    real_text(10, text);
    assert_string_equal(text, "10");
    real_text(1.0 / 3, text);
    assert_string_equal(text, "0.3333333333333333");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_wholes),
        cmocka_unit_test(test_truths),
        cmocka_unit_test(test_every_double_survives),
        cmocka_unit_test(test_short_numbers_stay_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
