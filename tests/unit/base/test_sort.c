// Sorting in place against the C library's qsort, on orders that are hard for quicksort too, and how often it compares.
#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/random.h"
#include "base/sort.h"

enum { MOST = 3000, ORDERS = 8 };

static size_t compared;

static int compare_counted(const void *a, const void *b)
{
    compared++;
    return compare_words(a, b);
}

static uint64_t value(int order, size_t i, size_t count, random_stream *stream)
{
    switch (order) {
    case 0:
        return random_bits(stream);
    case 1:
        return i; // rising
    case 2:
        return count - i; // falling
    case 3:
        return 5; // all equal
    case 4:
        return random_bits(stream) % 4;
    case 5:
        return i < count / 2 ? i : count - i; // a roof
    case 6:
        return i % 17;
    default:
        return i % 2 ? i : count + i; // two rising ones
    }
}

static void test_sorts_as_the_c_library_does(void **state)
{
    (void)state;
    random_stream stream = {3};
    static uint64_t sorted[MOST], expected[MOST];
    for (int order = 0; order < ORDERS; order++)
        for (size_t count = 0; count <= MOST; count += count < 40 ? 1 : 740) {
            for (size_t i = 0; i < count; i++)
                sorted[i] = expected[i] = value(order, i, count, &stream);
            qsort(expected, count, sizeof *expected, compare_words);
            sort_items(sorted, count, sizeof *sorted, compare_words);
            if (count)
                assert_memory_equal(sorted, expected, count * sizeof *sorted);
        }
}

// Against median of three: an adversary who settles the order of items only when asked, as late as it can (McIlroy,
// "A killer adversary for quicksort", 1999).
static uint64_t *settled;
static uint64_t next_value, gas;
static size_t candidate;

static int compare_by_adversary(const void *a, const void *b)
{
    size_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    compared++;
    if (settled[x] == gas && settled[y] == gas)
        settled[x == candidate ? x : y] = next_value++;
    if (settled[x] == gas)
        candidate = x;
    else if (settled[y] == gas)
        candidate = y;
    return (settled[x] > settled[y]) - (settled[x] < settled[y]);
}

static void test_comparisons_stay_few_at_worst(void **state)
{
    (void)state;
    static uint64_t values[MOST], words[MOST];
    static uint32_t items[MOST];
    settled = values;
    gas = MOST;
    next_value = 0;
    for (uint32_t i = 0; i < MOST; i++) {
        items[i] = i;
        values[i] = gas;
    }
    const double most = 6 * MOST * log2(MOST);
    compared = 0;
    sort_items(items, MOST, sizeof *items, compare_by_adversary);
    assert_at_most((double)compared, most);
    for (size_t i = 1; i < MOST; i++)
        assert_true(values[items[i - 1]] <= values[items[i]]);
    random_stream stream = {4};
    for (int order = 0; order < ORDERS; order++) {
        for (size_t i = 0; i < MOST; i++)
            words[i] = value(order, i, MOST, &stream);
        compared = 0;
        sort_items(words, MOST, sizeof *words, compare_counted);
        assert_at_most((double)compared, most);
    }
}

typedef struct odd_item { // of a size that is no multiple of a word
    char key, rest[12];
} odd_item;

static int compare_keys(const void *a, const void *b)
{
    return ((const odd_item *)a)->key - ((const odd_item *)b)->key;
}

static void test_items_move_whole(void **state)
{
    (void)state;
    odd_item items[100];
    for (int i = 0; i < 100; i++) {
        items[i].key = (char)(i * 37 % 100);
        memset(items[i].rest, items[i].key, sizeof items[i].rest);
    }
    sort_items(items, 100, sizeof *items, compare_keys);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(items[i].key, i);
        for (size_t k = 0; k < sizeof items[i].rest; k++)
            assert_int_equal(items[i].rest[k], i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts_as_the_c_library_does),
        cmocka_unit_test(test_comparisons_stay_few_at_worst),
        cmocka_unit_test(test_items_move_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
