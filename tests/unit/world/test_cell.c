// The edge of cells: how a world decides it, that it stays, and that nothing but the order of relaxation follows it.
#include "../../physics/lab.h"

enum { HEAP = CHECK_SANITIZED ? 80 : 200, STEPS = 120 };

static double cell_in_use(const scree_world *world)
{
    return scree_world_get_def(world).solver.cell;
}

static scree_world *world_with_cell(double cell, int threads)
{
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    def.solver.algorithm = SCREE_ALGORITHM_GAUSS_SEIDEL;
    def.solver.cell = cell;
    return lab_create(&def);
}

static scree_world *heap_with_cell(double cell, int threads)
{
    scree_world *world = world_with_cell(cell, threads);
    lab_add_container(world, 0.65);
    lab_add_heap(world, HEAP, 0.65, false, 5);
    return world;
}

static void add_spheres(scree_world *world, int count, double radius, double x)
{
    for (int i = 0; i < count; i++)
        lab_add(world, lab_body(vec3_make(x + 3 * radius * i, 0, 0), vec3_make(0, 0, 0)), lab_sphere(radius));
}

static void test_default_follows_the_median_diameter(void **state)
{
    (void)state;
    // Three of five have the diameter 0.1: 0.46 < 8/16, a quarter of 1/4 being 1/16. A fixed body does not count.
    scree_world *world = world_with_cell(0, 1);
    add_spheres(world, 3, 0.05, 0);
    add_spheres(world, 2, 7, 100);
    lab_add_fixed(world, vec3_make(0, 0, -50), lab_sphere(20));
    assert_near(cell_in_use(world), 0, 0);
    lab_step(world, 1);
    assert_near(cell_in_use(world), 0.5, 0);
    // It stays, whatever comes later.
    add_spheres(world, 20, 7, 500);
    lab_step(world, 1);
    assert_near(cell_in_use(world), 0.5, 0);
    scree_world_destroy(world);
}

static void test_nothing_that_moves_decides_nothing(void **state)
{
    (void)state;
    scree_world *world = world_with_cell(0, 1);
    lab_add_floor(world);
    lab_step(world, 2);
    assert_near(cell_in_use(world), 0, 0);
    add_spheres(world, 1, 0.001, 0);
    lab_step(world, 1);
    assert_near(cell_in_use(world), 5.0 / 512, 0); // 0.0092 < 5/512
    scree_world_destroy(world);
}

static void test_given_edge_is_taken(void **state)
{
    (void)state;
    scree_world *world = world_with_cell(0.3, 1);
    add_spheres(world, 3, 0.05, 0);
    assert_near(cell_in_use(world), 0.3, 0);
    lab_step(world, 2);
    assert_near(cell_in_use(world), 0.3, 0);
    scree_world_destroy(world);
}

// Edges far below a body and far beyond the world are as good as the world's own, and the same on any threads.
static void test_any_edge_gives_a_heap(void **state)
{
    (void)state;
    const double edges[] = {0, 1e-3, 0.01, 0.17, 0.3, 3, 1e300};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        scree_world *one = heap_with_cell(edges[i], 1), *three = heap_with_cell(edges[i], 3);
        lab_step(one, STEPS);
        lab_step(three, STEPS);
        assert_true(scree_world_hash(one) == scree_world_hash(three));
        scree_figures figures = scree_world_figures(one);
        assert_at_least((double)figures.contacts, HEAP);
        assert_at_least(0.1, figures.penetration_max);
        for (scree_id id = 6; id < 6 + HEAP; id++) {
            vec3 at = lab_state(one, id).position;
            assert_true(fabs(at.x) < 0.65 && fabs(at.y) < 0.65 && at.z > 0);
        }
        scree_world_destroy(one);
        scree_world_destroy(three);
    }
}

static void test_smallest_edge_does_no_harm(void **state)
{
    (void)state;
    scree_world *world = heap_with_cell(5e-324, 2);
    lab_step(world, 40);
    assert_at_least(0.1, scree_world_figures(world).penetration_max);
    scree_world_destroy(world);
}

static void assert_same_heap(const scree_world *a, const scree_world *b)
{
    for (scree_id id = 1; id <= 5 + HEAP; id++) {
        scree_state first = lab_state(a, id), second = lab_state(b, id);
        assert_memory_equal(&first, &second, sizeof first);
    }
}

// One body more, far away.
static void test_far_body_does_not_change_a_heap(void **state)
{
    (void)state;
    scree_world *alone = heap_with_cell(0.5, 1), *beside = heap_with_cell(0.5, 2);
    add_spheres(beside, 1, 3, 0x1p9);
    lab_step(alone, STEPS);
    lab_step(beside, STEPS);
    assert_same_heap(alone, beside);
    scree_world_destroy(alone);
    scree_world_destroy(beside);
}

// Larger bodies far away, more than half of all: the world would decide otherwise, and the edge that was in use keeps
// the bits.
static void test_edge_in_use_holds_with_other_bodies(void **state)
{
    (void)state;
    scree_world *alone = heap_with_cell(0, 1), *other = heap_with_cell(0, 1);
    lab_step(alone, STEPS);
    scree_world *beside = heap_with_cell(cell_in_use(alone), 1);
    add_spheres(other, HEAP + 1, 0.7, 0x1p9);
    add_spheres(beside, HEAP + 1, 0.7, 0x1p9);
    lab_step(beside, STEPS);
    assert_same_heap(alone, beside);
    lab_step(other, 1);
    assert_true(cell_in_use(other) > cell_in_use(alone));
    scree_world_destroy(alone);
    scree_world_destroy(other);
    scree_world_destroy(beside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_follows_the_median_diameter),
        cmocka_unit_test(test_nothing_that_moves_decides_nothing),
        cmocka_unit_test(test_given_edge_is_taken),
        cmocka_unit_test(test_any_edge_gives_a_heap),
        cmocka_unit_test(test_smallest_edge_does_no_harm),
        cmocka_unit_test(test_far_body_does_not_change_a_heap),
        cmocka_unit_test(test_edge_in_use_holds_with_other_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
