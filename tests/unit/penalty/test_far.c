// A heap keeps every bit when another one, of other sizes, masses and speeds, is put a kilometre away.
#include "mixed_heap.h"

static scree_world_def heap_def(scree_contact_law law, int threads)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.penalty.law = law;
    def.step = 4e-4;
    def.threads = threads;
    return def;
}

static void assert_far_heap_does_not_matter(scree_contact_law law, bool resists_rolling)
{
    scree_world_def one = heap_def(law, 1), two = heap_def(law, 2);
    scree_world *alone = heap_create(&one, resists_rolling), *with_far = heap_create(&two, resists_rolling);
    heap_add_far(with_far);
    heap_assert_alike(alone, with_far, CHECK_SANITIZED ? 300 : 600);
    assert_at_least((double)scree_world_figures(alone).touching, HEAP_BODIES / 2);
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

static void test_spheres(void **state)
{
    (void)state;
    assert_far_heap_does_not_matter(SCREE_CONTACT_LAW_LINEAR, false);
    assert_far_heap_does_not_matter(SCREE_CONTACT_LAW_HERTZ, false);
}

static void test_all_shapes(void **state)
{
    (void)state;
    assert_far_heap_does_not_matter(SCREE_CONTACT_LAW_LINEAR, true);
    assert_far_heap_does_not_matter(SCREE_CONTACT_LAW_HERTZ, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres), cmocka_unit_test(test_all_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
