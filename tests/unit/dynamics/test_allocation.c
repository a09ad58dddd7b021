// A settled world takes no memory: scratch is reset, never freed, and arrays have their sizes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "scree/world.h"

// The linker sends the library's allocations here (see tests/CMakeLists.txt).
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static int allocations;

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}

static void test_settled_heap_allocates_nothing(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    scree_world *world;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    scree_shape_def floor = scree_default_shape_def(), ball = scree_default_shape_def();
    floor.type = SCREE_PLANE;
    scree_body_def body = scree_default_body_def();
    body.fixed = true;
    body.shapes = &floor;
    body.shape_count = 1;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    body.fixed = false;
    body.shapes = &ball;
    for (int i = 0; i < 60; i++) {
        body.position = (scree_vec3){i % 4 * 1.01, i / 4 % 4 * 1.01, 0.6 + i / 16 * 1.1};
        assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    }
    allocations = 0;
    assert_int_equal(scree_world_step(world, 400, NULL), SCREE_OK);
    assert_true(allocations > 0); // so that the count is known to count
    size_t bytes = scree_world_figures(world).memory_bytes;
    allocations = 0;
    assert_int_equal(scree_world_step(world, 100, NULL), SCREE_OK);
    assert_int_equal(allocations, 0);
    assert_int_equal(scree_world_figures(world).memory_bytes, bytes);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_settled_heap_allocates_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
