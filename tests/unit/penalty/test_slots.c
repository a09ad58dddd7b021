// Bits depend neither on the slots that bodies have in memory nor on bodies that were there and are gone.
#include "heap_slots.h"

enum { STEPS = CHECK_SANITIZED ? 300 : 500 };

static scree_world_def heap_def(scree_contact_law law)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.penalty.law = law;
    def.step = 4e-4;
    def.threads = 1;
    return def;
}

static void test_shuffled_spheres(void **state)
{
    (void)state;
    scree_world_def linear = heap_def(SCREE_CONTACT_LAW_LINEAR), hertz = heap_def(SCREE_CONTACT_LAW_HERTZ);
    heap_assert_slots_do_not_matter(&linear, false, STEPS);
    heap_assert_slots_do_not_matter(&hertz, false, STEPS);
}

static void test_shuffled_shapes(void **state)
{
    (void)state;
    scree_world_def linear = heap_def(SCREE_CONTACT_LAW_LINEAR), hertz = heap_def(SCREE_CONTACT_LAW_HERTZ);
    heap_assert_slots_do_not_matter(&linear, true, STEPS);
    heap_assert_slots_do_not_matter(&hertz, true, STEPS);
}

static void test_bodies_that_are_gone(void **state)
{
    (void)state;
    scree_world_def def = heap_def(SCREE_CONTACT_LAW_LINEAR);
    heap_assert_the_gone_do_not_matter(&def, STEPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shuffled_spheres), cmocka_unit_test(test_shuffled_shapes),
                                       cmocka_unit_test(test_bodies_that_are_gone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
