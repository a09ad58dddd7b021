// Bits depend neither on the slots that bodies have in memory nor on bodies that were there and are gone.
#include "busy_yard.h"
#include "shuffle.h"

enum { STEPS = CHECK_SANITIZED ? 60 : 200 };

static void test_shuffled_yard(void **state)
{
    const yard_setting *set = *state;
    scree_world_def def = yard_def(set, 1);
    scree_world *steady = yard_create(&def), *shuffled = yard_create(&def);
    lab_step(steady, STEPS);
    step_shuffled(shuffled, STEPS, 3);
    assert_at_least((double)scree_world_figures(steady).touching, HEAP_BODIES / 2);
    assert_true(scree_world_hash(steady) == scree_world_hash(shuffled));
    scree_world_destroy(steady);
    scree_world_destroy(shuffled);
}

// The far yard comes when some bodies sleep, and goes while it is in uproar; its joints go with it.
static void test_guests_leave_no_trace(void **state)
{
    (void)state;
    scree_world_def def =
        yard_def(&(yard_setting){SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX}, 2);
    scree_world *alone = yard_create(&def), *with_guests = yard_create(&def);
    scree_id last = (scree_id)scree_world_figures(alone).bodies;
    heap_assert_alike(alone, with_guests, STEPS / 2);
    yard_add_far(with_guests);
    heap_assert_alike(alone, with_guests, STEPS / 4);
    for (scree_id end = (scree_id)scree_world_figures(with_guests).bodies, id = end; id > last; id--)
        lab_ok(scree_world_remove_bodies(with_guests, &id, 1, error));
    heap_assert_alike(alone, with_guests, STEPS / 4);
    assert_true(scree_world_hash(alone) == scree_world_hash(with_guests));
    scree_world_destroy(alone);
    scree_world_destroy(with_guests);
}

// One island that is solved by all threads at once.
static void test_large_island(void **state)
{
    (void)state;
    scree_world *steady = yard_create_large(1), *shuffled = yard_create_large(2);
    lab_step(steady, LARGE_HEAP_STEPS);
    step_shuffled(shuffled, LARGE_HEAP_STEPS, 5);
    assert_at_least((double)scree_world_figures(steady).contacts, LARGE_HEAP_CONTACTS);
    assert_true(scree_world_hash(steady) == scree_world_hash(shuffled));
    scree_world_destroy(steady);
    scree_world_destroy(shuffled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {YARD_TEST(test_shuffled_yard, AUTO, SINGLE, CONVEX),
                                       YARD_TEST(test_shuffled_yard, AUTO, DOUBLE, EXACT),
                                       YARD_TEST(test_shuffled_yard, APGS, SINGLE, EXACT),
                                       YARD_TEST(test_shuffled_yard, JACOBI, DOUBLE, CONVEX),
                                       YARD_TEST(test_shuffled_yard, APGD, SINGLE, CONVEX),
                                       cmocka_unit_test(test_guests_leave_no_trace),
                                       cmocka_unit_test(test_large_island)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
