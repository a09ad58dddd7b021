// The curve through space, and sorting along it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "collide/broad/stream_curve.h"
#include "collide/broad/stream_order.h"

// The key by its definition: the box is halved across its longest side, again and again.
static uint32_t key_by_halving(vec3 low, vec3 high, vec3 at)
{
    double side[3] = {high.x - low.x, high.y - low.y, high.z - low.z}, from[3] = {low.x, low.y, low.z};
    uint32_t key = 0;
    for (int k = 0; k < CURVE_BITS; k++) {
        int axis = 0;
        for (int i = 1; i < 3; i++)
            axis = side[i] > side[axis] ? i : axis;
        side[axis] *= 0.5;
        bool upper = vec3_get(at, axis) >= from[axis] + side[axis];
        from[axis] += upper ? side[axis] : 0;
        key = key << 1 | upper;
    }
    return key;
}

static vec3 random_in(random_stream *stream, vec3 low, vec3 high)
{
    double x = random_between(stream, low.x, high.x), y = random_between(stream, low.y, high.y);
    return vec3_make(x, y, random_between(stream, low.z, high.z));
}

// Sizes that are powers of two, so that halving is exact.
static void test_keys_are_answers_of_halving(void **state)
{
    (void)state;
    static const vec3 highs[] = {{8, 8, 8}, {64, 2, 0.5}, {0x1p-3, 0x1p20, 1}, {1, 0, 0}, {0, 0, 0}};
    random_stream stream = {1};
    for (int kind = 0; kind < 5; kind++) {
        vec3 low = {-16, 4, 0}, high = vec3_add(low, highs[kind]);
        space_curve curve;
        curve_make(&curve, low, high);
        for (int i = 0; i < 2000; i++) {
            vec3 at = random_in(&stream, low, high);
            uint32_t key = curve_key(&curve, curve_cell_of(&curve, at));
            assert_true(key < (uint32_t)1 << CURVE_BITS);
            // Without a size there is one cell.
            assert_int_equal(key, kind == 4 ? 0 : key_by_halving(low, high, at));
        }
    }
}

static void test_places_outside_belong_to_the_nearest_cell(void **state)
{
    (void)state;
    space_curve curve;
    vec3 low = {0, 0, 0}, high = {3, 5, 7};
    curve_make(&curve, low, high);
    random_stream stream = {2};
    for (int i = 0; i < 2000; i++) {
        vec3 at = random_in(&stream, vec3_make(-9, -9, -9), vec3_make(9, 9, 9));
        curve_cell outside = curve_cell_of(&curve, at);
        curve_cell inside = curve_cell_of(&curve, vec3_upper(low, vec3_lower(high, at)));
        assert_memory_equal(&outside, &inside, sizeof inside);
    }
    curve_cell first = curve_cell_of(&curve, vec3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL));
    curve_cell last = curve_cell_of(&curve, vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL));
    assert_int_equal(curve_key(&curve, first), 0);
    assert_int_equal(curve_key(&curve, last), ((uint32_t)1 << CURVE_BITS) - 1);
}

// The shifts of a depth leave of each axis what the first bits of a key tell.
static void test_boxes_are_pieces_of_the_curve(void **state)
{
    (void)state;
    space_curve curve;
    vec3 low = {0, 0, 0}, high = {10, 3, 1};
    curve_make(&curve, low, high);
    random_stream stream = {3};
    for (int depth = 0; depth <= CURVE_BITS; depth++) {
        int shift[3];
        curve_shifts(&curve, depth, shift);
        for (int i = 0; i < 300; i++) {
            curve_cell at = curve_cell_of(&curve, random_in(&stream, low, high)), corner = at;
            for (int axis = 0; axis < 3; axis++)
                corner.at[axis] = at.at[axis] >> shift[axis] << shift[axis];
            assert_int_equal(curve_key(&curve, corner), curve_key(&curve, at) >> (CURVE_BITS - depth)
                                                                                     << (CURVE_BITS - depth));
        }
    }
}

static void check_sorted(size_t count, int known, int spread, int threads)
{
    random_stream stream = {count};
    order_entry *entries = malloc((count + 1) * sizeof *entries), *sorted;
    uint64_t sum = 0, again = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (uint64_t)1 << (CURVE_BITS - 1) | (random_bits(&stream) & (((uint64_t)1 << spread) - 1));
        entries[i] = (order_entry){key, random_bits(&stream) % 50, random_bits(&stream) % 3};
        sum += entries[i].key * 31 + entries[i].pair * 7 + entries[i].item;
    }
    arena scratch = {0};
    sorted = order_sort(entries, count, known, threads, &scratch);
    assert_non_null(sorted);
    for (size_t i = 0; i < count; i++) {
        again += sorted[i].key * 31 + sorted[i].pair * 7 + sorted[i].item;
        const order_entry *a = &sorted[i > 0 ? i - 1 : 0], *b = &sorted[i];
        assert_true(a->key < b->key || (a->key == b->key && a->pair < b->pair) ||
                    (a->key == b->key && a->pair == b->pair && a->item <= b->item));
    }
    assert_true(sum == again);
    arena_free(&scratch);
    free(entries);
}

static void test_sorting(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 100, 4095, 4096, 30000};
    for (int i = 0; i < 7; i++)
        for (int threads = 1; threads <= 2; threads++) {
            check_sorted(counts[i], 0, 29, threads);
            check_sorted(counts[i], 1, 29, threads);
            check_sorted(counts[i], 20, 10, threads);
            check_sorted(counts[i], 25, 0, threads); // all in one bucket
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_answers_of_halving),
        cmocka_unit_test(test_places_outside_belong_to_the_nearest_cell),
        cmocka_unit_test(test_boxes_are_pieces_of_the_curve),
        cmocka_unit_test(test_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
