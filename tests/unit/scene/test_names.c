// The index of names: everything added is found, nothing else is.
#include "parse.h"

#include <stdio.h>

#include "scene/names.h"

static void test_finds_what_was_added(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char names[COUNT][16];
    arena memory = {0};
    name_index index = {0};
    assert_false(names_find(&index, "n0", NULL)); // an index without room is empty
    assert_true(names_init(&index, &memory, COUNT));
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "n%zu", i);
        assert_false(names_find(&index, names[i], NULL));
        names_add(&index, names[i], i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        size_t value = SIZE_MAX;
        assert_true(names_find(&index, names[i], &value));
        assert_int_equal(value, i);
    }
    assert_false(names_find(&index, "n5000", NULL));
    assert_false(names_find(&index, "", NULL));
    arena_free(&memory);
}

static void test_suggests(void **state)
{
    (void)state;
    arena memory = {0};
    name_index index;
    assert_true(names_init(&index, &memory, 2));
    names_add(&index, "steel", 0);
    names_add(&index, "rubber", 1);
    suggestion found = suggest_for("steal");
    names_suggest(&index, &found);
    assert_string_equal(found.best, "steel");
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_was_added),
        cmocka_unit_test(test_suggests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
