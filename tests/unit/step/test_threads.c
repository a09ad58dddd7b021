// Small worlds step with one thread unless their definition asks for a number; the bits are the same.
#include "../../physics/lab.h"

#include "world/world.h"

static scree_world *lattice(int threads, int edge)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.threads = threads;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    scree_shape_def shape = scree_default_shape_def();
    scree_body_def body = scree_default_body_def();
    body.shapes = &shape;
    body.shape_count = 1;
    shape.radius = 0.5;
    for (int i = 0; i < edge * edge * edge; i++) {
        body.position = vec3_make(i % edge, i / edge % edge, 0.999 * (i / edge / edge));
        assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    }
    assert_int_equal(scree_world_step(world, 3, NULL), SCREE_OK);
    return world;
}

static void test_small_worlds_use_one_thread(void **state)
{
    (void)state;
    scree_world *by_default = lattice(0, 4), *by_three = lattice(3, 4);
    assert_int_equal(by_default->threads, 1);
    assert_int_equal(by_three->threads, 3);
    assert_true(scree_world_hash(by_default) == scree_world_hash(by_three));
    scree_world_destroy(by_default);
    scree_world_destroy(by_three);
}

static void test_large_worlds_use_all(void **state)
{
    (void)state;
    scree_world *by_default = lattice(0, 14), *by_three = lattice(3, 14);
    assert_int_equal(by_default->threads, by_default->most_threads);
    assert_true(scree_world_hash(by_default) == scree_world_hash(by_three));
    scree_world_destroy(by_default);
    scree_world_destroy(by_three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_worlds_use_one_thread),
        cmocka_unit_test(test_large_worlds_use_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
