// Colours: the scale rises evenly in lightness and stays inside sRGB; kinds and ids can be told apart.
#include "physics/check.h"

#include <stdlib.h>

#include "view/canvas/color.h"

// Forward OKLab, from its definition: the way back from what color.c does.
static double ok_lightness(color c)
{
    double r = (double)color_to_linear(c.r), g = (double)color_to_linear(c.g), b = (double)color_to_linear(c.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

static int difference(color a, color b)
{
    return abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b);
}

static void lightness_of_the_scale_rises_evenly(void **state)
{
    (void)state;
    double first = ok_lightness(color_of_scale(0)), last = ok_lightness(color_of_scale(1));
    assert_true(last - first > 0.45);
    for (int i = 0; i <= 256; i++) {
        double t = i / 256.0;
        // A colour cut off at the border of sRGB would miss its lightness.
        assert_near(ok_lightness(color_of_scale(t)), first + t * (last - first), 0.006);
        if (i > 0)
            assert_in_range(difference(color_of_scale(t), color_of_scale((i - 1) / 256.0)), 0, 12);
    }
}

static void values_beyond_the_scale_are_clamped(void **state)
{
    (void)state;
    assert_int_equal(difference(color_of_scale(-3), color_of_scale(0)), 0);
    assert_int_equal(difference(color_of_scale(CHECK_INFINITY), color_of_scale(1)), 0);
    color c = color_of_scale(CHECK_NAN);
    assert_true(c.r == c.g && c.g == c.b && c.a == 255);
}

static void kinds_and_ids_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < COLOR_KINDS; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(difference(color_of_kind(i), color_of_kind(j)) > 50);
    assert_int_equal(difference(color_of_kind(3), color_of_kind(3 + COLOR_KINDS)), 0);
    for (uint64_t id = 1; id < 1000; id++)
        assert_true(difference(color_of_id(id), color_of_id(id + 1)) > 60);
}

static void bytes_come_back_from_linear_light(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++)
        assert_int_equal(color_from_linear(color_to_linear((uint8_t)i)), i);
    assert_near((double)color_to_linear(128), 0.2158605, 1e-5); // IEC 61966-2-1
    assert_int_equal(color_from_linear(-1), 0);
    assert_int_equal(color_from_linear(7), 255);
    assert_int_equal(color_from_linear(NAN), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lightness_of_the_scale_rises_evenly),
        cmocka_unit_test(values_beyond_the_scale_are_clamped),
        cmocka_unit_test(kinds_and_ids_differ),
        cmocka_unit_test(bytes_come_back_from_linear_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
