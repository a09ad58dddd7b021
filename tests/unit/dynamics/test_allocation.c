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

static scree_world *world_by(scree_method method, scree_shape_type ground, const scree_geometry *geometry)
{
    scree_world_def def = scree_default_world_def();
    def.method = method;
    def.threads = 1;
    scree_world *world;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    scree_shape_def floor = scree_default_shape_def();
    floor.type = ground;
    floor.geometry = geometry;
    scree_body_def body = scree_default_body_def();
    body.fixed = true;
    body.shapes = &floor;
    body.shape_count = 1;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    return world;
}

static scree_world *world_on(scree_shape_type ground, const scree_geometry *geometry)
{
    return world_by(SCREE_METHOD_COMPLEMENTARITY, ground, geometry);
}

// Types take turns.
static void add_heap(scree_world *world, int count, const scree_shape_def *shapes, int types)
{
    for (int i = 0; i < count; i++) {
        scree_body_def body = scree_default_body_def();
        body.shapes = &shapes[i % types];
        body.shape_count = 1;
        body.position = (scree_vec3){i % 4 * 1.01, i / 4 % 4 * 1.01, 0.6 + i / 16 * 1.1};
        assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    }
}

static void expect_no_allocation(scree_world *world)
{
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

static void test_settled_heap_allocates_nothing(void **state)
{
    (void)state;
    scree_world *world = world_on(SCREE_PLANE, NULL);
    scree_shape_def ball = scree_default_shape_def();
    add_heap(world, 60, &ball, 1);
    expect_no_allocation(world);
}

static void test_settled_heap_of_bodies_on_their_own_allocates_nothing(void **state)
{
    (void)state;
    scree_world *world = world_by(SCREE_METHOD_FFD, SCREE_PLANE, NULL);
    scree_shape_def shapes[2] = {scree_default_shape_def(), scree_default_shape_def()};
    shapes[1].type = SCREE_BOX;
    shapes[1].half = (scree_vec3){0.4, 0.4, 0.4};
    add_heap(world, 30, shapes, 2);
    expect_no_allocation(world);
}

// Compounds, flat and round shapes on a mesh, with touches watched.
static void test_settled_shapes_allocate_nothing(void **state)
{
    (void)state;
    static const scree_vec3 corners[] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    static const scree_ball balls[] = {{{-0.2, 0, 0}, 0.3}, {{0.2, 0, 0}, 0.3}, {{0, 0.2, 0}, 0.3}};
    scree_geometry *mesh, *set;
    assert_int_equal(scree_mesh_create(corners, 4, triangles, 2, &mesh, NULL), SCREE_OK);
    assert_int_equal(scree_spheres_create(balls, 3, NULL, &set, NULL), SCREE_OK);
    scree_world *world = world_on(SCREE_MESH, mesh);
    scree_world_watch_touches(world, true);
    scree_shape_def shapes[3] = {scree_default_shape_def(), scree_default_shape_def(), scree_default_shape_def()};
    shapes[0].type = SCREE_BOX;
    shapes[0].half = (scree_vec3){0.4, 0.4, 0.4};
    shapes[1].type = SCREE_SPHERES;
    shapes[1].geometry = set;
    shapes[2].type = SCREE_CYLINDER;
    shapes[2].radius = 0.4;
    shapes[2].half_length = 0.4;
    add_heap(world, 12, shapes, 3);
    scree_geometry_release(mesh);
    scree_geometry_release(set);
    expect_no_allocation(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_settled_heap_allocates_nothing),
                                       cmocka_unit_test(test_settled_heap_of_bodies_on_their_own_allocates_nothing),
                                       cmocka_unit_test(test_settled_shapes_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
