// The word hash: equal values hash alike, anything else spreads, and no bit of the input is lost.
#include "../../physics/check.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/random.h"

static void test_zeros_of_both_signs_hash_alike(void **state)
{
    (void)state;
    assert_true(hash_double(1, 0.0) == hash_double(1, -0.0));
    assert_true(hash_double(1, 1.0) != hash_double(1, -1.0));
    assert_true(hash_double(1, 1.0) != hash_double(1, nextafter(1.0, 2)));
    assert_true(hash_double(1, 5e-324) != hash_double(1, 0.0));
}

static void test_order_and_seed_matter(void **state)
{
    (void)state;
    assert_true(hash_word(hash_word(0, 1), 2) != hash_word(hash_word(0, 2), 1));
    assert_true(hash_word(1, 5) != hash_word(2, 5));
    // Words of zero count too, for any seed but zero.
    assert_true(hash_word(1, 0) != 1);
    assert_true(hash_word(hash_word(1, 0), 0) != hash_word(1, 0));
}

// Flipping one bit of the word changes at least an eighth of the hash on average, whichever bit it is, and the low 16
// bits, which tables use, see every bit of the word.
static void test_every_bit_spreads(void **state)
{
    (void)state;
    random_stream stream = {12};
    enum { TRIES = 200 };
    for (int bit = 0; bit < 64; bit++) {
        int changed = 0, low_changed = 0;
        for (int i = 0; i < TRIES; i++) {
            uint64_t seed = random_bits(&stream), word = random_bits(&stream);
            uint64_t difference = hash_word(seed, word) ^ hash_word(seed, word ^ ((uint64_t)1 << bit));
            changed += __builtin_popcountll(difference);
            low_changed += (difference & 0xffff) != 0;
        }
        assert_at_least(changed, 8.0 * TRIES);
        assert_at_least(low_changed, 0.9 * TRIES);
    }
}

// Flipping any bit of the last word flips each bit of the ended hash in about half of the tries: 1/2 within five
// standard deviations.
static void test_an_ended_hash_is_spread_over_all_bits(void **state)
{
    (void)state;
    random_stream stream = {13};
    enum { TRIES = 4000 };
    for (int bit = 0; bit < 64; bit++) {
        int flips[64] = {0};
        for (int i = 0; i < TRIES; i++) {
            uint64_t seed = random_bits(&stream), word = random_bits(&stream);
            uint64_t before = hash_end(hash_word(seed, word));
            uint64_t difference = before ^ hash_end(hash_word(seed, word ^ (uint64_t)1 << bit));
            for (int k = 0; k < 64; k++)
                flips[k] += (int)(difference >> k & 1);
        }
        for (int k = 0; k < 64; k++)
            assert_near(flips[k], 0.5 * TRIES, 5 * 0.5 * sqrt(TRIES));
    }
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Cell keys are small integers in threes; 64 bits are wide enough that 10^5 of them should not meet.
static void test_no_collisions_among_cells(void **state)
{
    (void)state;
    enum { SIDE = 48, CELLS = SIDE * SIDE * SIDE };
    uint64_t *hashes = malloc(CELLS * sizeof *hashes);
    assert_non_null(hashes);
    size_t n = 0;
    for (int64_t x = -SIDE / 2; x < SIDE / 2; x++)
        for (int64_t y = -SIDE / 2; y < SIDE / 2; y++)
            for (int64_t z = -SIDE / 2; z < SIDE / 2; z++)
                hashes[n++] = hash_word(hash_word(hash_word(0, (uint64_t)x), (uint64_t)y), (uint64_t)z);
    qsort(hashes, n, sizeof *hashes, compare_words);
    for (size_t i = 1; i < n; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    free(hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros_of_both_signs_hash_alike),
        cmocka_unit_test(test_order_and_seed_matter),
        cmocka_unit_test(test_every_bit_spreads),
        cmocka_unit_test(test_an_ended_hash_is_spread_over_all_bits),
        cmocka_unit_test(test_no_collisions_among_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
