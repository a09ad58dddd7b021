// Blocks of work tile their range exactly, whatever the sizes, and each is taken once.
#include "../../physics/check.h"

#include "base/threads.h"

static void test_blocks_tile_the_range(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, 4096};
    static const size_t blocks[] = {1, 2, 7, 64, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            size_t begin = 0, n = block_count(counts[i], blocks[k]);
            for (size_t b = 0; b < n; b++) {
                assert_int_equal(begin, b * blocks[k]);
                size_t end = block_end(b, blocks[k], counts[i]);
                assert_true(end > begin);
                assert_true(end - begin <= blocks[k]);
                begin = end;
            }
            assert_int_equal(begin, counts[i]);
        }
}

static void test_there_is_a_thread(void **state)
{
    (void)state;
    assert_true(threads_available() >= 1);
    assert_int_equal(thread_index(), 0);
}

static void count_block(void *context, size_t block)
{
    ((int *)context)[block]++;
}

static void test_each_block_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (size_t blocks = 0; blocks < 20; blocks++) {
            int taken[20] = {0};
            for_blocks(threads, blocks, count_block, taken);
            for (size_t b = 0; b < 20; b++)
                assert_int_equal(taken[b], b < blocks);
        }
}

static void count_range(void *context, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        ((int *)context)[i]++;
}

static double last_of_range(void *context, size_t first, size_t end)
{
    (void)context;
    return end > first ? (double)end : 0;
}

static void test_each_item_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (size_t items = 0; items < 20; items++) {
            int taken[20] = {0};
            for_ranges(threads, items, 3, count_range, taken);
            for (size_t i = 0; i < 20; i++)
                assert_int_equal(taken[i], i < items);
            assert_true(largest_of_ranges(threads, items, 3, last_of_range, NULL) == (double)items);
        }
}

static void note_block(void *context, size_t block)
{
    note_least(context, 100 - block);
}

static void test_least_is_kept(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        _Atomic size_t least = SIZE_MAX;
        for_blocks(threads, 60, note_block, &least);
        assert_int_equal(least, 41);
        note_least(&least, 50);
        assert_int_equal(least, 41);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_tile_the_range), cmocka_unit_test(test_there_is_a_thread),
        cmocka_unit_test(test_each_block_once),       cmocka_unit_test(test_each_item_once),
        cmocka_unit_test(test_least_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
