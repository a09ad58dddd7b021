// Lower bounds against a search item by item.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/search.h"

enum { MOST = 60, TRIALS = 200 };

typedef struct item {
    double real;
    uint64_t wide;
    uint32_t before, narrow;
} item;

static size_t first_not_below(const item *items, size_t count, uint32_t key)
{
    size_t at = 0;
    while (at < count && items[at].narrow < key)
        at++;
    return at;
}

static void test_bounds_are_those_of_a_plain_search(void **state)
{
    (void)state;
    random_stream stream = {5};
    for (int trial = 0; trial < TRIALS; trial++) {
        item items[MOST];
        size_t count = (size_t)(random_unit(&stream) * MOST);
        uint32_t key = 0;
        for (size_t i = 0; i < count; i++) {
            key += (uint32_t)(random_unit(&stream) * 3); // some are equal
            items[i] = (item){.real = key, .wide = (uint64_t)key << 32, .before = 7, .narrow = key};
        }
        for (uint32_t k = 0; k < key + 2; k++) {
            size_t expected = first_not_below(items, count, k);
            assert_int_equal(lower_bound_u32(items, count, sizeof *items, offsetof(item, narrow), k), expected);
            assert_int_equal(lower_bound_u64(items, count, sizeof *items, offsetof(item, wide), (uint64_t)k << 32),
                             expected);
            assert_int_equal(lower_bound_f64(items, count, sizeof *items, offsetof(item, real), k), expected);
        }
    }
}

static void test_nothing_has_no_items(void **state)
{
    (void)state;
    assert_int_equal(lower_bound_u32(NULL, 0, sizeof(item), offsetof(item, narrow), 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_are_those_of_a_plain_search),
        cmocka_unit_test(test_nothing_has_no_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
