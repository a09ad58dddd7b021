// Charts: lines pass through their data, gaps stay open, layouts fit.
#include "physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "unit/view/scratch.h"
#include "view/chart/chart.h"

static const color RED = {230, 20, 20, 255}, BLUE = {20, 20, 230, 255};

static bool near_color(color a, color b)
{
    return abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b) < 180;
}

static canvas drawn(const chart *c)
{
    canvas sheet;
    assert_int_equal(canvas_make(&sheet, c->width, c->height, color_make(0xffffff), NULL), SCREE_OK);
    chart_draw(c, &sheet, 0, 0);
    return sheet;
}

static color at(const canvas *sheet, canvas_point p)
{
    return canvas_get(sheet, (size_t)p.x, (size_t)p.y);
}

static size_t count_of(const canvas *sheet, color wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < sheet->width * sheet->height; i++)
        count += near_color(sheet->pixels[i], wanted);
    return count;
}

static void lines_pass_through_their_data(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    double x[COUNT], y[COUNT], z[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 0.25 * i;
        y[i] = 3 + 40 * sin(0.1 * i);
        z[i] = -20 + 0.5 * i;
    }
    chart_series series[] = {{"a", x, y, COUNT, RED}, {"b", x, z, COUNT, BLUE}};
    chart c = chart_default();
    c.series = series;
    c.series_count = 2;
    canvas sheet = drawn(&c);
    chart_layout layout = chart_lay_out(&c);
    for (int i = 0; i < COUNT; i++) {
        canvas_point p = chart_place(&layout, x[i], y[i]), q = chart_place(&layout, x[i], z[i]);
        assert_true(near_color(at(&sheet, q), BLUE)); // drawn last
        if (fabs(p.y - q.y) > 4)
            assert_true(near_color(at(&sheet, p), RED));
        p.y += p.y < 300 ? 30 : -30;
        if (fabs(p.y - q.y) > 4)
            assert_false(near_color(at(&sheet, p), RED));
    }
    canvas_free(&sheet);
}

static void places_follow_the_axes(void **state)
{
    (void)state;
    double x[] = {0, 10}, y[] = {2, 98};
    chart_series series = {"a", x, y, 2, RED};
    chart c = chart_default();
    c.series = &series;
    c.series_count = 1;
    chart_layout layout = chart_lay_out(&c);
    assert_near(layout.x.low, 0, 0);
    assert_near(layout.x.high, 10, 0);
    assert_near(layout.y.low, 0, 0);
    assert_near(layout.y.high, 100, 0);
    canvas_point middle = chart_place(&layout, 5, 50);
    assert_near(middle.x, 0.5 * (layout.left + layout.right), 1e-9);
    assert_near(middle.y, 0.5 * (layout.top + layout.bottom), 1e-9);
    assert_true(chart_place(&layout, 5, 60).y < middle.y);
    assert_true(layout.left > 20 && layout.right < 960 && layout.top > 5 && layout.bottom < 600);
    y[0] = 60;
    assert_true(chart_lay_out(&c).y.low > 0);
    c.from_zero = true;
    assert_near(chart_lay_out(&c).y.low, 0, 0);
    y[0] = -60;
    assert_true(chart_lay_out(&c).y.low <= -60);
}

static void gaps_stay_open_and_single_points_are_dots(void **state)
{
    (void)state;
    double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {1, 1, CHECK_NAN, 1, CHECK_INFINITY, 1, 1};
    chart_series series = {NULL, x, y, 7, RED};
    chart c = chart_default();
    c.series = &series;
    c.series_count = 1;
    canvas sheet = drawn(&c);
    chart_layout layout = chart_lay_out(&c);
    assert_true(near_color(at(&sheet, chart_place(&layout, 0.5, 1)), RED));
    assert_false(near_color(at(&sheet, chart_place(&layout, 1.5, 1)), RED));
    assert_false(near_color(at(&sheet, chart_place(&layout, 2, 1)), RED));
    assert_true(near_color(at(&sheet, chart_place(&layout, 3, 1)), RED));
    assert_false(near_color(at(&sheet, chart_place(&layout, 3.5, 1)), RED));
    assert_true(near_color(at(&sheet, chart_place(&layout, 5.5, 1)), RED));
    canvas_free(&sheet);
}

static void logarithmic_lines_are_straight_for_powers(void **state)
{
    (void)state;
    double x[21], y[21];
    for (int i = 0; i <= 20; i++) {
        x[i] = i;
        y[i] = pow(10, -0.25 * i);
    }
    y[7] = 0; // has no place there
    chart_series series = {"residual", x, y, 21, RED};
    chart c = chart_default();
    c.series = &series;
    c.series_count = 1;
    c.logarithmic_y = true;
    chart_layout layout = chart_lay_out(&c);
    assert_relative(layout.y.low, 1e-5, 1e-9);
    canvas sheet = drawn(&c);
    canvas_point a = chart_place(&layout, 0, 1), b = chart_place(&layout, 20, 1e-5);
    for (int i = 8; i < 20; i++) {
        canvas_point p = {a.x + (b.x - a.x) * i / 20.0 + 2, a.y + (b.y - a.y) * i / 20.0};
        p.y += 2 * (b.y - a.y) / (b.x - a.x);
        assert_true(near_color(at(&sheet, p), RED));
    }
    assert_false(near_color(at(&sheet, (canvas_point){a.x + (b.x - a.x) * 7 / 20, a.y + (b.y - a.y) * 7 / 20}), RED));
    canvas_free(&sheet);
}

static void legends_name_several_series(void **state)
{
    (void)state;
    double x[] = {0, 1}, y[] = {0, 1}, high[] = {5, 6};
    chart_series series[] = {{"kinetic", x, y, 2, RED}, {"potential", x, high, 2, BLUE}};
    chart c = chart_default();
    c.y_label = "energy";
    c.series = series;
    c.series_count = 1;
    double plain = chart_lay_out(&c).top;
    c.series_count = 2;
    chart_layout layout = chart_lay_out(&c);
    assert_true(layout.top > plain);
    canvas sheet = drawn(&c);
    bool red = false, blue = false;
    for (size_t i = 0; i < (size_t)(layout.top - 2) * c.width; i++) {
        red = red || near_color(sheet.pixels[i], RED);
        blue = blue || near_color(sheet.pixels[i], BLUE);
    }
    assert_true(red && blue);
    canvas_free(&sheet);
}

static void many_series_take_more_rows(void **state)
{
    (void)state;
    double x[] = {0, 1}, y[] = {0, 1};
    chart_series series[30];
    for (int i = 0; i < 30; i++)
        series[i] = (chart_series){"a rather long name", x, y, 2, {0}};
    chart c = chart_default();
    c.series = series;
    c.series_count = 2;
    double one = chart_lay_out(&c).top;
    c.series_count = 30;
    assert_true(chart_lay_out(&c).top > one + 50);
    canvas sheet = drawn(&c);
    assert_true(count_of(&sheet, color_of_kind(29)) > 10);
    canvas_free(&sheet);
}

static void charts_without_data_are_drawn(void **state)
{
    scratch *s = *state;
    double nan[] = {CHECK_NAN, CHECK_NAN}, same[] = {4, 4};
    chart_series cases[] = {{"none", NULL, NULL, 0, RED}, {"nan", nan, nan, 2, RED}, {"one place", same, same, 2, RED}};
    for (int i = 0; i < 3; i++) {
        chart c = chart_default();
        c.width = c.height = 64; // and the smallest one
        c.title = "A title that is much longer than the picture is wide, but does no harm";
        c.series = &cases[i];
        c.series_count = 1;
        for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
            c.logarithmic_y = logarithmic;
            assert_int_equal(chart_save(&c, scratch_path(s, "small.png"), NULL), SCREE_OK);
        }
    }
}

static void stacked_charts_share_their_left_edge(void **state)
{
    scratch *s = *state;
    double x[] = {0, 1}, y[] = {0, 1e6}, low[] = {0, 1};
    chart_series a = {"a", x, y, 2, RED}, b = {"b", x, low, 2, BLUE};
    chart charts[] = {chart_default(), chart_default()};
    charts[0].series = &a;
    charts[1].series = &b;
    charts[0].series_count = charts[1].series_count = 1;
    charts[0].y_label = charts[1].y_label = "energy";
    charts[1].height = 300;
    scree_error error = {0};
    assert_int_equal(chart_save_stacked(charts, 2, scratch_path(s, "stack.png"), &error), SCREE_OK);
    canvas sheet;
    assert_int_equal(canvas_load(&sheet, s->path, &error), SCREE_OK);
    assert_int_equal(sheet.width, 960);
    assert_int_equal(sheet.height, 900);
    size_t first[2] = {960, 960};
    for (size_t row = 0; row < 900; row++)
        for (size_t column = 0; column < 960; column++)
            if (near_color(canvas_get(&sheet, column, row), row < 600 ? RED : BLUE) && column < first[row >= 600])
                first[row >= 600] = column;
    assert_int_equal(first[0], first[1]);
    canvas_free(&sheet);
}

static void wrong_input_is_refused(void **state)
{
    scratch *s = *state;
    scree_error error = {0};
    chart c = chart_default();
    c.width = 9000;
    assert_int_equal(chart_save(&c, scratch_path(s, "x.png"), &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "64 to 8192"));
    c = chart_default();
    c.scale = 0;
    assert_int_equal(chart_save(&c, s->path, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "scale"));
    chart_series series = {"a", NULL, NULL, 3, RED};
    c = chart_default();
    c.series = &series;
    c.series_count = 1;
    assert_int_equal(chart_save(&c, s->path, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "series 0"));
    assert_int_equal(chart_save_stacked(NULL, 0, s->path, &error), SCREE_ERROR_INVALID);
    c = chart_default();
    assert_int_equal(chart_save(&c, scratch_path(s, "no/x.png"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "no/x.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_pass_through_their_data),
        cmocka_unit_test(places_follow_the_axes),
        cmocka_unit_test(gaps_stay_open_and_single_points_are_dots),
        cmocka_unit_test(logarithmic_lines_are_straight_for_powers),
        cmocka_unit_test(legends_name_several_series),
        cmocka_unit_test(many_series_take_more_rows),
        cmocka_unit_test(charts_without_data_are_drawn),
        cmocka_unit_test(stacked_charts_share_their_left_edge),
        cmocka_unit_test(wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
