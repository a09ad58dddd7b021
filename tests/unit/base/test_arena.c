// The arena: pieces do not overlap, keep their contents until the reset, and a steady user stops allocating.
#include "../../physics/check.h"

#include <string.h>

#include "base/arena.h"
#include "base/random.h"

enum { PIECES = 200 };

static void test_pieces_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    arena scratch = {0};
    random_stream stream = {3};
    unsigned char *pieces[PIECES];
    size_t sizes[PIECES];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PIECES; i++) {
            sizes[i] = (size_t)(random_bits(&stream) % 5000);
            pieces[i] = arena_take(&scratch, sizes[i]);
            assert_non_null(pieces[i]);
            assert_int_equal((uintptr_t)pieces[i] % 64, 0);
            memset(pieces[i], i, sizes[i]);
        }
        for (int i = 0; i < PIECES; i++)
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(pieces[i][k], (unsigned char)i);
        arena_reset(&scratch);
        assert_int_equal(scratch.taken, 0);
    }
    arena_free(&scratch);
}

static void test_zero_bytes_give_distinct_pointers(void **state)
{
    (void)state;
    arena scratch = {0};
    void *a = arena_take(&scratch, 0), *b = arena_take(&scratch, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    arena_free(&scratch);
}

static void test_steady_use_settles_on_one_block(void **state)
{
    (void)state;
    arena scratch = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 50; i++)
            assert_non_null(arena_take(&scratch, 100000));
        arena_reset(&scratch);
    }
    size_t held = scratch.held;
    const arena_block *block = scratch.newest;
    assert_true(held >= scratch.peak);
    assert_true(held < 2 * scratch.peak);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 50; i++)
            assert_non_null(arena_take(&scratch, 100000));
        assert_ptr_equal(scratch.newest, block);
        assert_int_equal(scratch.held, held);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    assert_int_equal(scratch.held, 0);
}

static void take_and_reset(arena *scratch, size_t bytes, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        assert_non_null(arena_take(scratch, bytes));
        arena_reset(scratch);
    }
}

static void test_what_is_not_needed_for_long_is_given_back(void **state)
{
    (void)state;
    arena scratch = {0};
    take_and_reset(&scratch, 10000000, 1);
    take_and_reset(&scratch, 1000000, 40);
    assert_true(scratch.held >= 10000000);
    take_and_reset(&scratch, 1000000, 200);
    assert_true(scratch.held >= 1000000);
    assert_true(scratch.held < 1100000);
    take_and_reset(&scratch, 1100000, 1);
    take_and_reset(&scratch, 1000000, 200);
    assert_true(scratch.held < 1050000);
    const arena_block *block = scratch.newest;
    take_and_reset(&scratch, 1000000, 1000); // and then it stays
    assert_ptr_equal(scratch.newest, block);
    for (int round = 0; round < 1000; round++) // need that comes now and then is not given back
        take_and_reset(&scratch, round % 30 ? 1000 : 1000000, 1);
    assert_ptr_equal(scratch.newest, block);
    arena_free(&scratch);
}

static void test_peak_is_the_most_between_two_resets(void **state)
{
    (void)state;
    arena scratch = {0};
    assert_non_null(arena_take(&scratch, 640));
    assert_non_null(arena_take(&scratch, 640));
    assert_int_equal(scratch.peak, 1280);
    arena_reset(&scratch);
    assert_non_null(arena_take(&scratch, 64));
    assert_int_equal(scratch.taken, 64);
    assert_int_equal(scratch.peak, 1280);
    arena_free(&scratch);
}

// Pieces of work of different sizes within a step: the largest of them decides, however many small ones there are.
static void test_rewinding_keeps_what_the_largest_work_needs(void **state)
{
    (void)state;
    arena scratch = {0};
    arena_block *block = NULL;
    for (int step = 0; step < 300; step++) {
        arena_reset(&scratch);
        for (int piece = 0; piece < 100; piece++) {
            arena_rewind(&scratch);
            assert_non_null(arena_take(&scratch, 100000));
            assert_non_null(arena_take(&scratch, piece == 20 ? 2000000 : 64));
        }
        if (step == 1)
            block = scratch.newest;
        if (step > 1)
            assert_ptr_equal(scratch.newest, block);
    }
    assert_at_most((double)scratch.held, 2.2e6); // one piece of work, not a hundred
    arena_free(&scratch);
}

// Whichever thread gets the large work after the first step, it has memory for it; and all shrink together.
static void test_arenas_of_threads_hold_what_one_of_them_needed(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    arena all[THREADS] = {{0}};
    arena_block *blocks[THREADS] = {0};
    for (int step = 0; step < 400; step++) {
        arena_reset_all(all, THREADS);
        for (int i = 0; i < THREADS; i++) {
            if (step == 1)
                blocks[i] = all[i].newest;
            if (step > 1)
                assert_ptr_equal(all[i].newest, blocks[i]);
            if (step % 3 == i)
                assert_non_null(arena_take(&all[i], 1000000));
        }
    }
    for (int i = 0; i < THREADS; i++)
        assert_at_least((double)all[i].held, 1e6);
    for (int step = 0; step < 200; step++) {
        arena_reset_all(all, THREADS);
        assert_non_null(arena_take(&all[step % THREADS], 100000));
    }
    for (int i = 0; i < THREADS; i++) {
        assert_at_most((double)all[i].held, 110000);
        arena_free(&all[i]);
    }
}

static void test_one_piece_larger_than_any_block(void **state)
{
    (void)state;
    arena scratch = {0};
    double *large = arena_array(&scratch, double, 1000000);
    assert_non_null(large);
    large[999999] = 1;
    char *small = arena_take(&scratch, 1);
    assert_true(small < (char *)large || small >= (char *)(large + 1000000));
    arena_free(&scratch);
}

static void test_impossible_sizes_are_refused(void **state)
{
    (void)state;
    arena scratch = {0};
    assert_non_null(arena_take(&scratch, 10));
    size_t held = scratch.held;
    assert_null(arena_take(&scratch, SIZE_MAX));
    assert_null(arena_take(&scratch, SIZE_MAX - 200));
    assert_null(arena_take_array(&scratch, SIZE_MAX / 4, 8)); // the product wraps around to a small number
    assert_null(arena_take_array(&scratch, (SIZE_MAX >> 1) + 2, 2));
    assert_int_equal(scratch.held, held);
    assert_non_null(arena_take(&scratch, 10));
    arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_aligned_and_do_not_overlap),
        cmocka_unit_test(test_zero_bytes_give_distinct_pointers),
        cmocka_unit_test(test_steady_use_settles_on_one_block),
        cmocka_unit_test(test_what_is_not_needed_for_long_is_given_back),
        cmocka_unit_test(test_peak_is_the_most_between_two_resets),
        cmocka_unit_test(test_rewinding_keeps_what_the_largest_work_needs),
        cmocka_unit_test(test_arenas_of_threads_hold_what_one_of_them_needed),
        cmocka_unit_test(test_one_piece_larger_than_any_block),
        cmocka_unit_test(test_impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
