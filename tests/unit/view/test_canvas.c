// Canvas: coverage against areas in closed form, blending, clipping, PNG files.
#include "physics/check.h"

#include "base/random.h"
#include "unit/view/scratch.h"
#include "view/canvas/canvas.h"

static const color WHITE = {255, 255, 255, 255}, BLACK = {0, 0, 0, 255};

// Ink in a white picture drawn on in black, in pixels.
static double ink(const canvas *sheet)
{
    double sum = 0;
    for (size_t i = 0; i < sheet->width * sheet->height; i++)
        sum += 1 - sheet->pixels[i].r / 255.0;
    return sum;
}

static canvas blank(size_t width, size_t height)
{
    canvas sheet;
    assert_int_equal(canvas_make(&sheet, width, height, WHITE, NULL), SCREE_OK);
    return sheet;
}

static void refuses_wrong_sizes(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{0, 10}, {10, 0}, {CANVAS_MAX_SIDE + 1, 10}, {10, SIZE_MAX}};
    for (size_t i = 0; i < 4; i++) {
        canvas sheet;
        scree_error error = {0};
        assert_int_equal(canvas_make(&sheet, sizes[i][0], sizes[i][1], WHITE, &error), SCREE_ERROR_INVALID);
        assert_non_null(strstr(error.message, "8192"));
        assert_null(sheet.pixels);
    }
}

static void rectangle_covers_fractions(void **state)
{
    (void)state;
    canvas sheet = blank(10, 10);
    canvas_rectangle(&sheet, 2.25, 3, 4, 5.5, BLACK);
    assert_int_equal(canvas_get(&sheet, 2, 3).r, 64);
    assert_int_equal(canvas_get(&sheet, 3, 4).r, 0);
    assert_int_equal(canvas_get(&sheet, 3, 5).r, 128);
    assert_int_equal(canvas_get(&sheet, 4, 4).r, 255);
    assert_int_equal(canvas_get(&sheet, 3, 2).r, 255);
    canvas_rectangle(&sheet, -1e300, -5, CHECK_INFINITY, 1, BLACK);
    assert_int_equal(canvas_get(&sheet, 9, 0).r, 0);
    assert_int_equal(canvas_get(&sheet, 9, 1).r, 255);
    canvas_free(&sheet);
}

static double shoelace(const canvas_point *p, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += p[i].x * p[(i + 1) % count].y - p[(i + 1) % count].x * p[i].y;
    return fabs(0.5 * sum);
}

static void polygon_has_its_area(void **state)
{
    (void)state;
    random_stream random = {5};
    for (int trial = 0; trial < 50; trial++) {
        canvas sheet = blank(120, 100);
        canvas_point p[7]; // star-shaped about the middle, so it does not cross itself
        for (size_t i = 0; i < 7; i++) {
            double angle = (trial % 2 ? -1 : 1) * 6.2831853 * ((double)i + 0.6 * random_unit(&random)) / 7;
            double reach = random_between(&random, 10, 45);
            p[i] = (canvas_point){60 + reach * cos(angle), 50 + reach * sin(angle)};
        }
        canvas_polygon(&sheet, p, 7, BLACK);
        assert_near(ink(&sheet), shoelace(p, 7), 0.01 * shoelace(p, 7) + 1);
        canvas_free(&sheet);
    }
}

static void polygon_is_cut_at_the_edges(void **state)
{
    (void)state;
    canvas sheet = blank(40, 30);
    canvas_point p[] = {{-20, 10}, {500, 10}, {500, 25}, {-20, 25}};
    canvas_polygon(&sheet, p, 4, BLACK);
    assert_near(ink(&sheet), 40 * 15, 0.5);
    canvas_free(&sheet);
    sheet = blank(40, 30);
    canvas_clip(&sheet, 5, 12, 20, 40);
    canvas_polygon(&sheet, p, 4, BLACK);
    assert_near(ink(&sheet), 15 * 13, 0.5);
    canvas_unclip(&sheet);
    canvas_rectangle(&sheet, 0, 0, 1, 1, BLACK);
    assert_int_equal(canvas_get(&sheet, 0, 0).r, 0);
    canvas_free(&sheet);
}

static void line_has_the_area_of_a_capsule(void **state)
{
    (void)state;
    random_stream random = {9};
    for (int trial = 0; trial < 50; trial++) {
        canvas sheet = blank(100, 100);
        canvas_point a = {random_between(&random, 20, 80), random_between(&random, 20, 80)};
        canvas_point b = {random_between(&random, 20, 80), random_between(&random, 20, 80)};
        double width = random_between(&random, 1.5, 8), length = hypot(b.x - a.x, b.y - a.y);
        double area = width * length + 0.25 * 3.14159265 * width * width;
        canvas_line(&sheet, a, b, width, BLACK);
        assert_near(ink(&sheet), area, 0.03 * area + 0.6);
        canvas_free(&sheet);
    }
}

static void hairline_is_faint_not_broken(void **state)
{
    (void)state;
    canvas sheet = blank(50, 20);
    canvas_line(&sheet, (canvas_point){5, 10.5}, (canvas_point){45, 10.5}, 0.4, BLACK);
    assert_near(canvas_get(&sheet, 25, 10).r, 255 * 0.6, 2);
    canvas_free(&sheet);
}

static void crossing_strokes_are_blended_once(void **state)
{
    (void)state;
    canvas sheet = blank(60, 60);
    canvas_point p[] = {{10, 30}, {50, 30}, {30, 10}, {30, 50}};
    canvas_polyline(&sheet, p, 4, 5, color_with_alpha(BLACK, 0.5));
    assert_int_equal(canvas_get(&sheet, 30, 30).r, canvas_get(&sheet, 15, 30).r);
    assert_in_range(canvas_get(&sheet, 30, 30).r, 126, 128);
    canvas_free(&sheet);
}

static void what_is_not_finite_draws_nothing(void **state)
{
    (void)state;
    canvas sheet = blank(40, 40);
    double nan = CHECK_NAN, infinity = CHECK_INFINITY;
    canvas_point p[] = {{nan, 5}, {5, infinity}, {20, 20}, {nan, nan}, {-1e300, 3}};
    canvas_polyline(&sheet, p, 5, 3, BLACK);
    canvas_polygon(&sheet, p, 5, BLACK);
    canvas_rectangle(&sheet, nan, 0, 10, 10, BLACK);
    canvas_stroke(&sheet, (canvas_point){1, 1}, (canvas_point){9, 9}, nan);
    canvas_paint_strokes(&sheet, BLACK);
    assert_true(ink(&sheet) == 0);
    canvas_line(&sheet, (canvas_point){-1e8, 20.5}, (canvas_point){1e8, 20.5}, 3, BLACK);
    assert_near(ink(&sheet), 3 * 40, 0.5);
    canvas_free(&sheet);
}

static void blending_over_a_transparent_picture_keeps_the_paint(void **state)
{
    (void)state;
    canvas sheet;
    assert_int_equal(canvas_make(&sheet, 4, 4, (color){10, 20, 30, 0}, NULL), SCREE_OK);
    canvas_blend(&sheet, 1, 1, (color){200, 100, 50, 255}, 0.5);
    color c = canvas_get(&sheet, 1, 1);
    assert_int_equal(c.r, 200);
    assert_int_equal(c.b, 50);
    assert_int_equal(c.a, 128);
    canvas_blend(&sheet, -1, 1, BLACK, 1);
    canvas_blend(&sheet, 1, 4, BLACK, 1);
    canvas_free(&sheet);
}

static void files_come_back_as_they_were(void **state)
{
    scratch *s = *state;
    canvas sheet = blank(31, 17), read;
    random_stream random = {1};
    for (size_t i = 0; i < 31 * 17; i++) {
        uint64_t bits = random_bits(&random);
        sheet.pixels[i] = (color){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
    }
    scree_error error = {0};
    assert_int_equal(canvas_save(&sheet, scratch_path(s, "a.png"), &error), SCREE_OK);
    assert_int_equal(scratch_count(s), 1);
    assert_int_equal(canvas_load(&read, s->path, &error), SCREE_OK);
    assert_int_equal(read.width, 31);
    assert_int_equal(read.height, 17);
    assert_memory_equal(read.pixels, sheet.pixels, 31 * 17 * sizeof(color));
    canvas_free(&read);
    canvas_free(&sheet);
}

static void failures_of_files_are_told(void **state)
{
    scratch *s = *state;
    canvas sheet = blank(8, 8), read;
    scree_error error = {0};
    assert_int_equal(canvas_save(&sheet, scratch_path(s, "none/a.png"), &error), SCREE_ERROR_IO);
    assert_int_equal(error.status, SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "none/a.png"));
    assert_int_equal(canvas_load(&read, scratch_path(s, "missing.png"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "missing.png"));
    FILE *file = fopen(scratch_path(s, "bad.png"), "wb");
    fputs("this is no picture", file);
    fclose(file);
    assert_int_equal(canvas_load(&read, s->path, &error), SCREE_ERROR_IO);
    assert_null(read.pixels);
    canvas_free(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_wrong_sizes),
        cmocka_unit_test(rectangle_covers_fractions),
        cmocka_unit_test(polygon_has_its_area),
        cmocka_unit_test(polygon_is_cut_at_the_edges),
        cmocka_unit_test(line_has_the_area_of_a_capsule),
        cmocka_unit_test(hairline_is_faint_not_broken),
        cmocka_unit_test(crossing_strokes_are_blended_once),
        cmocka_unit_test(what_is_not_finite_draws_nothing),
        cmocka_unit_test(blending_over_a_transparent_picture_keeps_the_paint),
        cmocka_unit_test(files_come_back_as_they_were),
        cmocka_unit_test(failures_of_files_are_told),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
