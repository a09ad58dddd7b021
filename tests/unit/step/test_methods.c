// The table of methods: every value of scree_method has its own, and no other number has any.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "step/methods.h"

static void test_every_method_is_there_under_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {[SCREE_METHOD_COMPLEMENTARITY] = "complementarity",
                                        [SCREE_METHOD_PENALTY] = "penalty",
                                        [SCREE_METHOD_FFD] = "ffd"};
    for (uint64_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const method *found = method_numbered(i);
        assert_non_null(found);
        assert_string_equal(found->name, names[i]);
        assert_non_null(found->step);
        assert_true(!found->pack == !found->unpack);
    }
}

static void test_other_numbers_have_no_method(void **state)
{
    (void)state;
    static const uint64_t others[] = {SCREE_METHOD_FFD + 1, UINT32_MAX, (uint64_t)1 << 32, UINT64_MAX};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_null(method_numbered(others[i]));
}

static void test_a_world_has_the_method_that_it_asks_for(void **state)
{
    (void)state;
    for (uint64_t i = 0; i <= SCREE_METHOD_FFD; i++) {
        scree_world_def def = scree_default_world_def();
        scree_world *world;
        def.method = (scree_method)i;
        assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
        assert_ptr_equal(world->method, method_numbered(i));
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_is_there_under_its_name),
        cmocka_unit_test(test_other_numbers_have_no_method),
        cmocka_unit_test(test_a_world_has_the_method_that_it_asks_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
