// Sparklines: heights follow the values, columns follow the axis.
#include "physics/check.h"

#include <string.h>

#include "view/chart/sparkline.h"

static void heights_follow_the_values(void **state)
{
    (void)state;
    double x[8], y[8];
    char text[8 * SPARKLINE_BYTES + 1];
    for (int i = 0; i < 8; i++)
        x[i] = y[i] = i + 1;
    sparkline_make(x, y, 8, 1, 8, 8, text);
    assert_int_equal(strncmp(text, "▁", 3), 0);
    assert_int_equal(strcmp(text + strlen(text) - 3, "█"), 0);
    assert_int_equal(strlen(text), 8 * SPARKLINE_BYTES);
    for (size_t i = 3; i < strlen(text); i += 3)
        assert_true(strncmp(text + i, text + i - 3, 3) >= 0);
    for (int i = 0; i < 8; i++)
        y[i] = 4;
    sparkline_make(x, y, 8, 4, 4, 3, text);
    assert_string_equal(text, "▁▁▁");
}

static void columns_follow_the_axis(void **state)
{
    (void)state;
    const double x[] = {0, 9, 9.5, 10}, y[] = {0, 8, 8, 8};
    char text[10 * SPARKLINE_BYTES + 1];
    sparkline_make(x, y, 4, 0, 8, 10, text);
    assert_string_equal(text, "▁▁▁▁▁▁▁▁██"); // nothing new until 9
    const double gap[] = {(double)NAN, 8, 8, 8};
    sparkline_make(x, gap, 4, 0, 8, 5, text);
    assert_string_equal(text, "    █");
    sparkline_make(x, y, 0, 0, 1, 2, text);
    assert_string_equal(text, "  ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_follow_the_values),
        cmocka_unit_test(columns_follow_the_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
