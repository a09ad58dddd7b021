// Bits depend neither on the slots that bodies have in memory nor on bodies that were there and are gone.
#include "mixed_heap.h"
#include "shuffle.h"

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

static void assert_slots_do_not_matter(scree_contact_law law, bool rich)
{
    scree_world_def def = heap_def(law);
    scree_world *steady = heap_create(&def, rich), *shuffled = heap_create(&def, rich);
    lab_step(steady, STEPS);
    step_shuffled(shuffled, STEPS, 3);
    assert_at_least((double)scree_world_figures(steady).touching, HEAP_BODIES / 2);
    assert_true(scree_world_hash(steady) == scree_world_hash(shuffled));
    scree_world_destroy(steady);
    scree_world_destroy(shuffled);
}

static void test_shuffled_spheres(void **state)
{
    (void)state;
    assert_slots_do_not_matter(SCREE_LAW_LINEAR, false);
    assert_slots_do_not_matter(SCREE_LAW_HERTZ, false);
}

static void test_shuffled_shapes(void **state)
{
    (void)state;
    assert_slots_do_not_matter(SCREE_LAW_LINEAR, true);
    assert_slots_do_not_matter(SCREE_LAW_HERTZ, true);
}

static void test_bodies_that_are_gone(void **state)
{
    (void)state;
    scree_world_def def = heap_def(SCREE_LAW_LINEAR);
    scree_world *alone = heap_create(&def, true), *with_guests = heap_create(&def, true);
    heap_assert_guests_leave_no_trace(alone, with_guests, STEPS);
    scree_world_destroy(alone);
    scree_world_destroy(with_guests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shuffled_spheres), cmocka_unit_test(test_shuffled_shapes),
                                       cmocka_unit_test(test_bodies_that_are_gone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
