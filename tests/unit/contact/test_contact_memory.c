// Impulses find their contacts of the last step: by feature, by place, and from either side of the pair.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/memory.h"

static contact point(uint32_t a, uint32_t b, uint32_t feature, float x, float impulse)
{
    return (contact){.a = a, .b = b, .feature = feature, .arm = {x, 0, 0}, .impulse = {0, 0, impulse}};
}

// Bodies stand one apart along x.
static const vec3 centers[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
static const proxy_view view = {.centers = centers, .body_count = 4};

static void recall(contact *old, size_t old_count, contact *now, size_t count)
{
    arena scratch = {0};
    contact_memory memory;
    contact_array contacts = {old, old_count, old_count};
    assert_true(memory_take(&memory, &contacts, 4, false, 2, &scratch));
    memory_recall(&memory, &view, now, count);
    arena_free(&scratch);
}

static void test_by_feature(void **state)
{
    (void)state;
    contact old[] = {point(0, 1, 5, 0, 1), point(0, 1, 6, 1, 2), point(0, 2, 5, 0, 3), point(2, 3, 5, 0, 4)};
    contact now[] = {point(0, 1, 6, 0, 0), point(0, 1, 5, 1, 0), point(0, 2, 5, 0, 0), point(2, 3, 5, 0, 0)};
    recall(old, 4, now, 4);
    assert_true(now[0].impulse.z == 2 && now[1].impulse.z == 1 && now[2].impulse.z == 3 && now[3].impulse.z == 4);
}

static void test_by_place_where_the_name_changed(void **state)
{
    (void)state;
    contact old[] = {point(0, 1, 5, 0, 1), point(0, 1, 6, 1, 2), point(0, 1, 7, 2, 3)};
    contact now[] = {point(0, 1, 8, 1.9f, 0), point(0, 1, 5, 0.1f, 0), point(0, 1, 9, 0.2f, 0)};
    recall(old, 3, now, 3);
    // The second keeps its name; the others take the nearest of what is left, each once.
    assert_true(now[0].impulse.z == 3 && now[1].impulse.z == 1 && now[2].impulse.z == 2);
}

static void test_from_the_other_side(void **state)
{
    (void)state;
    contact old[] = {point(2, 1, 5, -0.6f, 1), point(2, 1, 6, -0.2f, 2)};
    contact now[] = {point(1, 2, 7, 0.75f, 0), point(1, 2, 5, 0.4f, 0)};
    recall(old, 2, now, 2);
    assert_true(now[0].impulse.z == -2 && now[1].impulse.z == -1);
}

static void test_new_pairs_start_from_zero(void **state)
{
    (void)state;
    contact old[] = {point(0, 1, 5, 0, 1)};
    contact now[] = {point(0, 1, 5, 0, 0), point(0, 1, 6, 0, 0), point(0, 3, 5, 0, 0), point(1, 2, 5, 0, 0)};
    recall(old, 1, now, 4);
    assert_true(now[0].impulse.z == 1 && now[1].impulse.z == 0 && now[2].impulse.z == 0 && now[3].impulse.z == 0);
}

static void test_nothing_to_remember(void **state)
{
    (void)state;
    contact now[] = {point(0, 1, 5, 0, 0)};
    recall(NULL, 0, now, 1);
    assert_true(now[0].impulse.z == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_feature),          cmocka_unit_test(test_by_place_where_the_name_changed),
        cmocka_unit_test(test_from_the_other_side), cmocka_unit_test(test_new_pairs_start_from_zero),
        cmocka_unit_test(test_nothing_to_remember),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
