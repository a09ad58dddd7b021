// Text: every character has a drawing of its own, alignment, turning.
#include "physics/check.h"

#include <string.h>

#include "view/canvas/text.h"

enum { SIDE = 64 };

static const color WHITE = {255, 255, 255, 255}, BLACK = {0, 0, 0, 255};

static canvas drawn(const char *text, canvas_point at, double size, text_align align)
{
    canvas sheet;
    assert_int_equal(canvas_make(&sheet, SIDE, SIDE, WHITE, NULL), SCREE_OK);
    text_draw(&sheet, at, text, size, align, BLACK);
    return sheet;
}

typedef struct box {
    long left, top, right, bottom;
} box;

// Where there is more than a trace of ink.
static box ink_box(const canvas *sheet)
{
    box b = {SIDE, SIDE, -1, -1};
    for (long y = 0; y < (long)sheet->height; y++)
        for (long x = 0; x < (long)sheet->width; x++)
            if (canvas_get(sheet, (size_t)x, (size_t)y).r < 128) {
                b.left = x < b.left ? x : b.left;
                b.right = x > b.right ? x : b.right;
                b.top = y < b.top ? y : b.top;
                b.bottom = y > b.bottom ? y : b.bottom;
            }
    return b;
}

static void every_character_differs(void **state)
{
    (void)state;
    static color pictures[95][SIDE * SIDE];
    for (int c = ' '; c <= '~'; c++) {
        char text[2] = {(char)c, 0};
        canvas sheet = drawn(text, (canvas_point){20, 40}, 18, TEXT_LEFT);
        memcpy(pictures[c - ' '], sheet.pixels, sizeof pictures[0]);
        box b = ink_box(&sheet);
        assert_true(c == ' ' ? b.right < 0 : b.right >= 0);
        assert_true(c == ' ' || (b.left >= 17 && (double)b.right <= 20 + text_width(text, 18) + 3));
        assert_true(c == ' ' || (b.top >= 15 && b.bottom <= 48));
        canvas_free(&sheet);
        for (int other = ' '; other < c; other++)
            assert_memory_not_equal(pictures[other - ' '], pictures[c - ' '], sizeof pictures[0]);
    }
}

static void capitals_have_the_size_asked_for(void **state)
{
    (void)state;
    canvas sheet = drawn("H", (canvas_point){20, 50}, 24, TEXT_LEFT);
    box b = ink_box(&sheet);
    assert_in_range(b.bottom - b.top + 1, 24, 28); // and half a pen at each end
    assert_in_range(b.bottom, 49, 51);
    canvas_free(&sheet);
}

static void alignment_puts_the_ends_in_place(void **state)
{
    (void)state;
    double width = text_width("HTH", 12);
    canvas left = drawn("HTH", (canvas_point){10, 40}, 12, TEXT_LEFT);
    canvas middle = drawn("HTH", (canvas_point){32, 40}, 12, TEXT_CENTER);
    canvas right = drawn("HTH", (canvas_point){60, 40}, 12, TEXT_RIGHT);
    assert_in_range(ink_box(&left).left, 9, 10);
    assert_near((double)ink_box(&left).right, 10 + width, 1.1);
    assert_near(0.5 * (double)(ink_box(&middle).left + ink_box(&middle).right + 1), 32, 1);
    assert_in_range(ink_box(&right).right, 59, 60);
    canvas_free(&left);
    canvas_free(&middle);
    canvas_free(&right);
}

static void widths_add_up(void **state)
{
    (void)state;
    assert_true(text_width("", 10) == 0);
    double gap = text_width("HH", 10) - 2 * text_width("H", 10);
    assert_true(gap > 1 && gap < 5);
    assert_near(text_width("silo", 20), 2 * text_width("silo", 10), 1e-9);
    assert_near(text_width("0000", 10), text_width("1278", 10), 1e-9);
}

static void other_characters_are_one_box_each(void **state)
{
    (void)state;
    assert_near(text_width("\xc2\xb5", 10), text_width("\xe2\x82\xac", 10), 1e-9);
    assert_near(text_width("\xff", 10), text_width("\t", 10), 1e-9);
    canvas sheet = drawn("\xc2\xb5", (canvas_point){20, 40}, 18, TEXT_LEFT);
    assert_true(ink_box(&sheet).right > 0);
    canvas_free(&sheet);
}

static void upward_text_is_turned_text(void **state)
{
    (void)state;
    canvas level = drawn("Rq7", (canvas_point){20, 40}, 14, TEXT_LEFT), upward;
    assert_int_equal(canvas_make(&upward, SIDE, SIDE, WHITE, NULL), SCREE_OK);
    text_draw_upward(&upward, (canvas_point){40, SIDE - 20}, "Rq7", 14, TEXT_LEFT, BLACK);
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            int difference = canvas_get(&level, x, y).r - canvas_get(&upward, y, SIDE - 1 - x).r;
            assert_true(difference >= -2 && difference <= 2);
        }
    canvas_free(&level);
    canvas_free(&upward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_differs),           cmocka_unit_test(capitals_have_the_size_asked_for),
        cmocka_unit_test(alignment_puts_the_ends_in_place),  cmocka_unit_test(widths_add_up),
        cmocka_unit_test(other_characters_are_one_box_each), cmocka_unit_test(upward_text_is_turned_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
