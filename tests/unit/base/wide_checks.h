// What every width and precision of base/wide.h must do, lane by lane as plain C does it. Included after the choice of
// SCREE_REAL_DOUBLE and SCREE_LANES.
#include "../../physics/check.h"

#include "base/random.h"
#include "base/wide.h"

static wide random_wide(random_stream *stream)
{
    wide result;
    for (int i = 0; i < LANES; i++)
        result[i] = (real)random_between(stream, -2, 2);
    return result;
}

static bool same_bits(real a, real b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void test_lanes_do_what_plain_numbers_do(void **state)
{
    (void)state;
    random_stream stream = {5};
    for (int round = 0; round < 100; round++) {
        wide a = random_wide(&stream), b = random_wide(&stream);
        wide most = wide_max(a, b), least = wide_min(a, b), size = wide_abs(a), root = wide_sqrt(wide_abs(b));
        wide chosen = wide_select(a < b, a + a, b * b);
        double sum = 0, largest = -HUGE_VAL;
        for (int i = 0; i < LANES; i++) {
            assert_true(same_bits(most[i], a[i] > b[i] ? a[i] : b[i]));
            assert_true(same_bits(least[i], a[i] < b[i] ? a[i] : b[i]));
            assert_true(same_bits(size[i], a[i] < 0 ? -a[i] : a[i]));
            assert_true(same_bits(root[i], real_sqrt(b[i] < 0 ? -b[i] : b[i])));
            assert_true(same_bits(chosen[i], a[i] < b[i] ? a[i] + a[i] : b[i] * b[i]));
            sum += (double)a[i];
            largest = (double)a[i] > largest ? (double)a[i] : largest;
        }
        assert_true(wide_sum(a) == sum);
        assert_true(wide_largest(a) == largest);
        assert_true(wide_all(most >= least));
        assert_true(wide_all(a < b) == (wide_largest(a - b) < 0));
    }
}

static void test_bits_of_masks(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 1u << LANES; bits++) {
        wide_mask mask;
        for (int i = 0; i < LANES; i++)
            mask[i] = bits >> i & 1 ? -1 : 0;
        assert_int_equal(wide_bits(mask), bits);
    }
}

static void test_zeros_and_infinities(void **state)
{
    (void)state;
    wide minus = wide_set((real)-0.0), endless = wide_set((real)-HUGE_VAL);
    assert_true(same_bits(wide_abs(minus)[0], 0));
    assert_true(same_bits(wide_abs(endless)[1], (real)HUGE_VAL));
    assert_true(same_bits(wide_max(endless, minus)[2], (real)-0.0));
}

static void test_transpose_turns_rows_into_columns(void **state)
{
    (void)state;
    wide rows[LANES], turned[LANES];
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j < LANES; j++)
            turned[i][j] = rows[i][j] = (real)(10 * i + j);
    wide_transpose(turned);
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j < LANES; j++)
            assert_true(same_bits(turned[i][j], rows[j][i]));
}

static void test_vectors(void **state)
{
    (void)state;
    random_stream stream = {9};
    wide3 a = {random_wide(&stream), random_wide(&stream), random_wide(&stream)};
    wide3 b = {random_wide(&stream), random_wide(&stream), random_wide(&stream)};
    wide3 cross = wide3_cross(a, b);
    wide across = wide3_dot(cross, a), along = wide3_dot(a, b);
    wide lagrange = wide3_dot(a, a) * wide3_dot(b, b) - along * along - wide3_dot(cross, cross);
    real kept[3][LANES];
    wide3_store(kept, wide3_sub(wide3_add(a, b), wide3_scale(b, wide_set(1))));
    for (int i = 0; i < LANES; i++) {
        assert_true(fabs((double)across[i]) < 1e-5);
        assert_true(fabs((double)lagrange[i]) < 1e-4);
        assert_true(fabs((double)(kept[1][i] - a.y[i])) < 1e-6);
    }
}

static void test_four_lanes_change_type_as_plain_numbers_do(void **state)
{
    (void)state;
    random_stream stream = {13};
    for (int round = 0; round < 100; round++) {
        double numbers[4];
        float rounded[4];
        four_doubles doubles;
        four_integers integers;
        for (int i = 0; i < 4; i++) {
            numbers[i] = doubles[i] = random_between(&stream, -1e9, 1e9);
            rounded[i] = (float)numbers[i];
            integers[i] = (int32_t)numbers[i];
        }
        four_floats floats = floats_of_doubles(doubles);
        four_doubles again = doubles_of_floats(four_floats_load(rounded)), whole = doubles_of_integers(integers);
        for (int i = 0; i < 4; i++) {
            assert_true(floats[i] == rounded[i]);
            assert_true(again[i] == (double)rounded[i]);
            assert_true(whole[i] == (double)integers[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_do_what_plain_numbers_do),
        cmocka_unit_test(test_bits_of_masks),
        cmocka_unit_test(test_zeros_and_infinities),
        cmocka_unit_test(test_transpose_turns_rows_into_columns),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_four_lanes_change_type_as_plain_numbers_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
