// Growable arrays: contents survive growth, data are aligned, and a size that cannot be is refused without damage.
#include "../../physics/check.h"

#include "base/array.h"

static void test_pushed_values_survive_growth(void **state)
{
    (void)state;
    ARRAY(uint32_t) numbers = {0};
    for (uint32_t i = 0; i < 10000; i++) {
        assert_true(array_push(&numbers, i * 3));
        assert_int_equal(numbers.count, i + 1);
        assert_true(numbers.capacity >= numbers.count);
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(numbers.data[i], i * 3);
    assert_int_equal(array_bytes(&numbers), numbers.capacity * sizeof(uint32_t));
    array_free(&numbers);
    assert_null(numbers.data);
    assert_int_equal(numbers.count, 0);
    assert_int_equal(numbers.capacity, 0);
}

static void test_growth_is_geometric(void **state)
{
    (void)state;
    ARRAY(char) bytes = {0};
    int growths = 0;
    size_t capacity = 0;
    for (int i = 0; i < 100000; i++) {
        assert_true(array_push(&bytes, 'x'));
        growths += bytes.capacity != capacity;
        capacity = bytes.capacity;
    }
    // Growing by half each time from 16 needs log(100000 / 16) / log(1.5) = 22 growths.
    assert_in_range(growths, 2, 24);
    array_free(&bytes);
}

static void test_data_are_aligned_to_64_bytes(void **state)
{
    (void)state;
    for (size_t n = 1; n < 300; n += 7) {
        ARRAY(double) a = {0};
        ARRAY(char) b = {0};
        assert_true(array_resize(&a, n));
        assert_true(array_resize(&b, n));
        assert_int_equal((uintptr_t)a.data % 64, 0);
        assert_int_equal((uintptr_t)b.data % 64, 0);
        memset(a.data, 0, n * sizeof *a.data); // the sanitizer sees it when there is less than that
        memset(b.data, 0, n);
        array_free(&a);
        array_free(&b);
    }
}

static void test_reserve_keeps_count_and_never_shrinks(void **state)
{
    (void)state;
    ARRAY(int) a = {0};
    assert_true(array_reserve_exact(&a, 37));
    assert_int_equal(a.capacity, 37);
    assert_int_equal(a.count, 0);
    const int *before = a.data;
    assert_true(array_reserve(&a, 30));
    assert_ptr_equal(a.data, before);
    assert_true(array_resize(&a, 5));
    assert_int_equal(a.count, 5);
    assert_int_equal(a.capacity, 37);
    assert_true(array_reserve_exact(&a, 40));
    assert_int_equal(a.capacity, 40);
    assert_int_equal(a.count, 5);
    array_free(&a);
}

static void test_impossible_size_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    ARRAY(double) a = {0};
    assert_true(array_push(&a, 1.5));
    const double *before = a.data;
    size_t capacity = a.capacity;
    assert_true(!array_reserve(&a, SIZE_MAX / sizeof(double)));
    assert_true(!array_resize(&a, SIZE_MAX));
    assert_true(!array_reserve_exact(&a, SIZE_MAX / 4));
    assert_ptr_equal(a.data, before);
    assert_int_equal(a.capacity, capacity);
    assert_int_equal(a.count, 1);
    assert_near(a.data[0], 1.5, 0);
    array_free(&a);
    array_free(&a); // an empty array may be freed
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushed_values_survive_growth),
        cmocka_unit_test(test_growth_is_geometric),
        cmocka_unit_test(test_data_are_aligned_to_64_bytes),
        cmocka_unit_test(test_reserve_keeps_count_and_never_shrinks),
        cmocka_unit_test(test_impossible_size_is_refused_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
