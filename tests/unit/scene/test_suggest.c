// Edit distances against a plain recursion of their definition, and what is near enough to be suggested.
#include "parse.h"

#include <stdio.h>

#include "base/random.h"
#include "scene/document/suggest.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The definition, without any table: what the last letters of the two texts cost.
static size_t distance_by_recursion(const char *a, size_t m, const char *b, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t best = distance_by_recursion(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    best = least(best, distance_by_recursion(a, m - 1, b, n) + 1);
    best = least(best, distance_by_recursion(a, m, b, n - 1) + 1);
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1])
        best = least(best, distance_by_recursion(a, m - 2, b, n - 2) + 1);
    return best;
}

static void test_known_distances(void **state)
{
    (void)state;
    assert_int_equal(edit_distance("", ""), 0);
    assert_int_equal(edit_distance("", "abc"), 3);
    assert_int_equal(edit_distance("gravity", "gravity"), 0);
    assert_int_equal(edit_distance("gravty", "gravity"), 1);
    assert_int_equal(edit_distance("iteratoins", "iterations"), 1);
    assert_int_equal(edit_distance("kitten", "sitting"), 3);
}

static void test_against_recursion(void **state)
{
    (void)state;
    random_stream stream = {7};
    for (int i = 0; i < 2000; i++) {
        char texts[2][8] = {"", ""};
        size_t lengths[2];
        for (int t = 0; t < 2; t++) {
            lengths[t] = random_bits(&stream) % 7;
            for (size_t j = 0; j < lengths[t]; j++)
                texts[t][j] = (char)('a' + random_bits(&stream) % 3);
        }
        assert_int_equal(edit_distance(texts[0], texts[1]),
                         distance_by_recursion(texts[0], lengths[0], texts[1], lengths[1]));
    }
}

static void test_long_texts_are_far(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'a', sizeof text);
    text[SUGGEST_LENGTH] = 0;
    assert_int_equal(edit_distance(text, text), 0);
    text[SUGGEST_LENGTH] = 'a';
    text[199] = 0;
    assert_true(edit_distance(text, text) == SIZE_MAX);
    assert_true(edit_distance("a", text) == SIZE_MAX);
}

static const char *nearest(const char *text)
{
    suggestion found = suggest_for(text);
    suggest_offer(&found, "mass");
    suggest_offer(&found, "material");
    suggest_offer(&found, "position");
    return found.best;
}

static void test_nearest(void **state)
{
    (void)state;
    assert_string_equal(nearest("mas"), "mass");
    assert_string_equal(nearest("matreial"), "material");
    assert_string_equal(nearest("posiiton"), "position");
    assert_null(nearest("colour"));
    assert_null(nearest("x"));
    assert_null(nearest(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distances),
        cmocka_unit_test(test_against_recursion),
        cmocka_unit_test(test_long_texts_are_far),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
