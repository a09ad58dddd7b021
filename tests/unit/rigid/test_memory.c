// What a pile of spheres holds in memory once it rests, as the world itself counts it: columns of bodies, contacts, and
// the scratch memory of a step. What only an impact needed is given back some steps after it: the least over the last
// steps is what the pile holds.
#include "../../physics/lab.h"

enum { COUNT = CHECK_SANITIZED ? 2000 : 4000, SETTLING = 240, WATCHED = 60 };

static double settled_bytes(int threads)
{
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    def.solver.sleep = SCREE_SLEEP_OFF;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 3);
    lab_add_heap(world, COUNT, 3, false, 8);
    lab_step(world, SETTLING);
    double least = HUGE_VAL;
    for (int i = 0; i < WATCHED; i++) {
        lab_step(world, 1);
        scree_figures figures = scree_world_figures(world);
        assert_at_least((double)figures.contacts, 2 * COUNT);
        least = fmin(least, (double)figures.memory_bytes);
    }
    scree_world_destroy(world);
    return least;
}

// A large pile takes less than 600 bytes a sphere (docs/results.md). A small one notices the blocks of work of each
// thread, which have a size of their own.
static void test_sphere_of_a_settled_pile_takes_few_bytes(void **state)
{
    (void)state;
    const double of_sphere = 590, of_thread = 100e3;
    for (int threads = 1; threads <= 2; threads++)
        assert_at_most(settled_bytes(threads), of_sphere * COUNT + of_thread * threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sphere_of_a_settled_pile_takes_few_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
