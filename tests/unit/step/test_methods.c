// The table of methods: every value of scree_method has its own, and no other number has any.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "step/methods.h"
#include "step/settings.h"

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

static void test_snapshots_have_a_place_for_every_setting(void **state)
{
    (void)state;
    const method *of;
    size_t reals = 0, choices = 0;
    for (uint64_t i = 0; (of = method_numbered(i)); i++)
        for (size_t k = 0; k < of->setting_count; k++)
            *(of->settings[k].choices ? &choices : &reals) += 1;
    assert_int_equal(reals, SETTING_REALS);
    assert_int_equal(choices, SETTING_CHOICES);
}

// Each by its offset: what is put comes back at the same place, and defaults are all set.
static void test_settings_come_back(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def(), back = {0};
    double reals[SETTING_REALS];
    uint64_t choices[SETTING_CHOICES];
    assert_true(def.penalty.tangential_stiffness == 2.0 / 7 && def.penalty.tangential_damping == 2.0 / 7);
    def.penalty = (scree_penalty_def){SCREE_CONTACT_LAW_HERTZ, SCREE_INTEGRATOR_EULER, 0.25, 0.5, 3};
    settings_put(&def, reals, choices);
    assert_true(settings_get(&back, reals, choices));
    assert_memory_equal(&back.penalty, &def.penalty, sizeof def.penalty);
    choices[1] = SCREE_INTEGRATOR_EULER + 1;
    assert_false(settings_get(&back, reals, choices));
}

static void test_settings_out_of_range_are_refused(void **state)
{
    (void)state;
    scree_error error;
    scree_world *world;
    scree_world_def def = scree_default_world_def();
    def.penalty.law = (scree_contact_law)7;
    assert_int_equal(scree_world_create(&def, &world, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "contact law 7 is unknown");
    def = scree_default_world_def();
    def.penalty.tangential_damping = -1;
    assert_int_equal(scree_world_create(&def, &world, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "penalty tangential damping is -1, must be at least 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_is_there_under_its_name),
        cmocka_unit_test(test_other_numbers_have_no_method),
        cmocka_unit_test(test_a_world_has_the_method_that_it_asks_for),
        cmocka_unit_test(test_snapshots_have_a_place_for_every_setting),
        cmocka_unit_test(test_settings_come_back),
        cmocka_unit_test(test_settings_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
