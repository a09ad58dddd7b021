// Sums and sorting on a device beside plain loops, at awkward sizes and for any size of work-groups.
#include "lab.h"

#include "base/random.h"
#include "device/kernels/sort.h"
#include "device/sort.h"

static const uint32_t sizes[] = {0, 1, 7, 8, 63, 64, 65, 1023, 1024, 1025, 5000, 1100000};
static const size_t groups[] = {1, 8, 64, 256};

enum { SIZES = sizeof sizes / sizeof *sizes, GROUPS = sizeof groups / sizeof *groups };

typedef struct item {
    uint32_t key, value;
} item;

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->value > y->value) - (x->value < y->value);
}

static void put(device *on, device_buffer *buffer, const uint32_t *numbers, uint32_t count)
{
    assert_int_equal(device_buffer_reserve(on, buffer, sizeof *numbers * count + 1, NULL), SCREE_OK);
    assert_int_equal(device_write(on, buffer, numbers, sizeof *numbers * count, NULL), SCREE_OK);
}

static uint32_t *get(device *on, const device_buffer *buffer, uint32_t count)
{
    uint32_t *numbers = malloc(sizeof *numbers * count + 1);
    assert_non_null(numbers);
    assert_int_equal(device_read(on, buffer, numbers, sizeof *numbers * count, NULL), SCREE_OK);
    return numbers;
}

static uint32_t *draw(uint32_t count, double below)
{
    random_stream stream = {count + 1};
    uint32_t *numbers = malloc(sizeof *numbers * count + 1);
    assert_non_null(numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)random_between(&stream, 0, below);
    return numbers;
}

static void check_scan(device *on, device_sorter *sorter, uint32_t count)
{
    device_buffer buffer = {.name = "numbers"};
    uint32_t *numbers = draw(count, 9), sum = 0;
    put(on, &buffer, numbers, count);
    scree_error error;
    if (device_scan(sorter, on, &buffer, count, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    uint32_t *found = get(on, &buffer, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(found[i], sum);
        sum += numbers[i];
    }
    free(found);
    free(numbers);
    device_buffer_free(on, &buffer);
}

// Few different keys, so that what must stay in order is most of it.
static void check_sort(device *on, device_sorter *sorter, uint32_t count, int bits)
{
    device_buffer keys = {.name = "keys"}, values = {.name = "values"};
    uint32_t *key = draw(count, bits == 32 ? 0x1p32 - 1 : 700), *value = malloc(sizeof *value * count + 1);
    item *items = malloc(sizeof *items * count + 1);
    assert_true(value && items);
    for (uint32_t i = 0; i < count; i++) {
        value[i] = i;
        items[i] = (item){key[i], i};
    }
    put(on, &keys, key, count);
    put(on, &values, value, count);
    scree_error error;
    if (device_sort(sorter, on, &keys, &values, count, bits, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    qsort(items, count, sizeof *items, compare_items);
    uint32_t *found = get(on, &keys, count), *moved = get(on, &values, count);
    for (uint32_t i = 0; i < count; i++)
        assert_true(found[i] == items[i].key && moved[i] == items[i].value);
    free(found);
    free(moved);
    free(items);
    free(key);
    free(value);
    device_buffer_free(on, &keys);
    device_buffer_free(on, &values);
}

static void test_scan_and_sort_at_all_sizes(void **state)
{
    (void)state;
    device on = open_first(0);
    device_sorter sorter;
    scree_error error;
    if (device_sorter_make(&sorter, &on, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    for (size_t g = 0; g < GROUPS; g++) {
        sorter.group_size = groups[g];
        for (size_t s = 0; s < SIZES; s++) {
            if (groups[g] != SORT_MOST_ITEMS && sizes[s] > 5000)
                continue; // millions take long in small groups
            check_scan(&on, &sorter, sizes[s]);
            check_sort(&on, &sorter, sizes[s], 10);
            check_sort(&on, &sorter, sizes[s], 32);
        }
    }
    device_sorter_free(&sorter, &on);
    assert_int_equal(on.used, 0);
    device_close(&on);
}

static void test_what_the_budget_does_not_hold_is_refused(void **state)
{
    (void)state;
    device on = open_first(1000000);
    device_buffer small = {.name = "small things"}, large = {.name = "large things"};
    scree_error error;
    assert_int_equal(device_buffer_reserve(&on, &small, 600000, &error), SCREE_OK);
    assert_int_equal(device_buffer_reserve(&on, &large, 500000, &error), SCREE_ERROR_NO_MEMORY);
    assert_non_null(strstr(error.message, "0.5 MB for large things"));
    assert_int_equal(on.used, 600000);
    // Growing asks for half as much again where the budget has it, and for what is needed where it has not.
    assert_int_equal(device_buffer_reserve(&on, &small, 600001, &error), SCREE_OK);
    assert_int_equal(small.bytes, 900000);
    assert_int_equal(device_buffer_reserve(&on, &small, 950000, &error), SCREE_OK);
    assert_int_equal(on.used, 950000);
    device_buffer_free(&on, &small);
    assert_int_equal(on.used, 0);
    device_close(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_and_sort_at_all_sizes),
        cmocka_unit_test(test_what_the_budget_does_not_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, open_driver, close_driver);
}
