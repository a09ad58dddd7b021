// Sorting of indices by 64-bit keys, against an insertion that is stable by its definition, for every size around the
// ones where the way of sorting changes.
#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix.h"
#include "base/random.h"

enum { MOST = 3000 };

typedef uint64_t key_maker(size_t i, size_t count, random_stream *stream);

static uint64_t whole_word(size_t i, size_t count, random_stream *stream)
{
    (void)i, (void)count;
    return random_bits(stream);
}

// Many equal ones, so that an unstable sort shows.
static uint64_t one_of_five(size_t i, size_t count, random_stream *stream)
{
    (void)i, (void)count;
    return random_bits(stream) % 5;
}

// Only the highest digit tells them apart.
static uint64_t high_bits(size_t i, size_t count, random_stream *stream)
{
    (void)i, (void)count;
    return random_bits(stream) % 7 << 61;
}

// A digit that is zero in all keys lies between two that are not.
static uint64_t hole_in_the_middle(size_t i, size_t count, random_stream *stream)
{
    (void)i, (void)count;
    return random_bits(stream) & 0xffffff00000003ffu;
}

static uint64_t rising(size_t i, size_t count, random_stream *stream)
{
    (void)count, (void)stream;
    return i / 3 * 0x100000001u;
}

static uint64_t falling(size_t i, size_t count, random_stream *stream)
{
    (void)stream;
    return (count - i) / 2;
}

static uint64_t all_ones(size_t i, size_t count, random_stream *stream)
{
    (void)i, (void)count, (void)stream;
    return UINT64_MAX;
}

// Only the last is out of place.
static uint64_t last_first(size_t i, size_t count, random_stream *stream)
{
    (void)stream;
    return i + 1 == count ? 0 : i + 1;
}

// Where each index goes: behind all smaller keys, and behind the equal ones that came before it.
static void sort_by_counting(const uint64_t *keys, const uint32_t *order, uint32_t *sorted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        for (size_t k = 0; k < count; k++)
            place += keys[order[k]] < keys[order[i]] || (k < i && keys[order[k]] == keys[order[i]]);
        sorted[place] = order[i];
    }
}

static void check_sort(key_maker *make, size_t count, random_stream *stream)
{
    static uint64_t keys[MOST];
    static uint32_t order[MOST], other[MOST], expected[MOST];
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
        keys[i] = make(i, count, stream);
    }
    for (size_t i = count; i > 1; i--) { // an order that is not that of memory
        size_t with = random_bits(stream) % i;
        uint32_t swap = order[i - 1];
        order[i - 1] = order[with];
        order[with] = swap;
    }
    for (int again = 0; again < 2; again++) { // the second time they rise already
        sort_by_counting(keys, order, expected, count);
        radix_sort(keys, order, other, count);
        if (count)
            assert_memory_equal(order, expected, count * sizeof *order);
    }
}

static void test_sorts_and_is_stable(void **state)
{
    (void)state;
    static key_maker *const makers[] = {whole_word, one_of_five, high_bits, hole_in_the_middle,
                                        rising,     falling,     all_ones,  last_first};
    static const size_t counts[] = {0, 1, 2, 3, 17, 63, 64, 65, 66, 200, MOST};
    random_stream stream = {11};
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            check_sort(makers[k], counts[n], &stream);
}

// The order may list any indices, each as often as it likes; keys that it does not name are not read.
static void test_order_may_be_a_choice(void **state)
{
    (void)state;
    enum { KEYS = 1000, LISTED = 300 };
    random_stream stream = {5};
    uint64_t keys[KEYS];
    uint32_t order[LISTED], other[LISTED], expected[LISTED];
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = random_bits(&stream) >> 40;
    for (size_t i = 0; i < LISTED; i++)
        order[i] = (uint32_t)(random_bits(&stream) % KEYS);
    sort_by_counting(keys, order, expected, LISTED);
    radix_sort(keys, order, other, LISTED);
    assert_memory_equal(order, expected, sizeof order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts_and_is_stable),
        cmocka_unit_test(test_order_may_be_a_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
