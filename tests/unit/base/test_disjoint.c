// Disjoint sets against labels that are spread until nothing changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/disjoint.h"
#include "base/random.h"

enum { ITEMS = 200, TRIALS = 50 };

static void test_roots_are_lowest_items(void **state)
{
    (void)state;
    random_stream stream = {11};
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t parent[ITEMS], label[ITEMS], a[ITEMS], b[ITEMS];
        size_t unions = (size_t)(random_unit(&stream) * ITEMS);
        disjoint_begin(parent, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++)
            label[i] = i;
        for (size_t i = 0; i < unions; i++) {
            a[i] = (uint32_t)(random_unit(&stream) * ITEMS);
            b[i] = (uint32_t)(random_unit(&stream) * ITEMS);
            disjoint_unite(parent, a[i], b[i]);
        }
        for (int round = 0; round < ITEMS; round++)
            for (size_t i = 0; i < unions; i++) {
                uint32_t lowest = label[a[i]] < label[b[i]] ? label[a[i]] : label[b[i]];
                label[a[i]] = label[b[i]] = lowest;
            }
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_int_equal(disjoint_root(parent, i), label[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots_are_lowest_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
