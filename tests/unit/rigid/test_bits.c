// The same bits: for any number of threads, for worlds that run side by side, and for worlds that are built again.
#include "../../physics/lab.h"

#include <pthread.h>

enum { HEAP = CHECK_SANITIZED ? 300 : 800, STEPS = CHECK_SANITIZED ? 80 : 200 };

typedef struct setting {
    lab_solver solver;
    int threads;
    uint64_t seed;
} setting;

static scree_world *build_heap(const setting *set)
{
    scree_world_def def = scree_default_world_def();
    def.threads = set->threads;
    def.solver.algorithm = set->solver.algorithm;
    def.solver.precision = set->solver.precision;
    def.solver.iterations = 10;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 1.3);
    lab_add_heap(world, HEAP, 1.3, true, set->seed);
    return world;
}

static uint64_t hash_after(const setting *set)
{
    scree_world *world = build_heap(set);
    lab_step(world, STEPS);
    uint64_t hash = scree_world_hash(world);
    assert_at_least((double)scree_world_figures(world).contacts, 0.2 * HEAP); // it is a heap by now
    scree_world_destroy(world);
    return hash;
}

static void test_same_bits_on_any_number_of_threads(void **state)
{
    setting set = {*(const lab_solver *)*state, 1, 21};
    uint64_t one = hash_after(&set);
    for (set.threads = 2; set.threads <= 3; set.threads++)
        assert_true(hash_after(&set) == one);
}

static void test_different_worlds_have_different_hashes(void **state)
{
    (void)state;
    setting set = {LAB_GS_SINGLE, 2, 21};
    uint64_t first = hash_after(&set);
    assert_true(hash_after(&set) == first); // again
    set.seed = 22;
    assert_true(hash_after(&set) != first);
    set.seed = 21;
    set.solver = LAB_GS_DOUBLE;
    assert_true(hash_after(&set) != first);
}

// Stepping by one and by many is the same, and so is reading in between.
static void test_step_counts_add_up(void **state)
{
    (void)state;
    setting set = {LAB_GS_SINGLE, 2, 5};
    scree_world *many = build_heap(&set), *single = build_heap(&set);
    lab_step(many, 50);
    for (int i = 0; i < 50; i++) {
        lab_step(single, 1);
        scree_world_figures(single);
        scree_world_hash(single);
        size_t count;
        free(lab_contacts(single, &count));
    }
    assert_true(scree_world_hash(many) == scree_world_hash(single));
    scree_world_destroy(many);
    scree_world_destroy(single);
}

typedef struct runner { // cmocka's assertions belong to the main thread, so threads only report
    scree_world *world;
    scree_status status;
    uint64_t hash;
} runner;

static void *run(void *argument)
{
    runner *self = argument;
    for (int i = 0; i < STEPS && self->status == SCREE_OK; i++)
        self->status = scree_world_step(self->world, 1, NULL);
    self->hash = scree_world_hash(self->world);
    return NULL;
}

static void test_two_worlds_in_two_threads(void **state)
{
    (void)state;
    setting sets[2] = {{LAB_GS_SINGLE, 1, 31}, {LAB_JACOBI_SINGLE, 2, 32}};
    uint64_t alone[2];
    runner runners[2] = {{0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        alone[i] = hash_after(&sets[i]);
        runners[i].world = build_heap(&sets[i]);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, &runners[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(runners[i].status, SCREE_OK);
        assert_true(runners[i].hash == alone[i]);
        scree_world_destroy(runners[i].world);
    }
}

// Bodies added and removed on the way, and motions set: still the same bits for any number of threads.
static uint64_t hash_of_a_busy_world(int threads)
{
    setting set = {LAB_GS_SINGLE, threads, 3};
    scree_world *world = build_heap(&set);
    scree_id blade = lab_add_fixed(world, vec3_make(0, 0, 0.4), lab_box(0.8, 0.05, 0.2));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_ROTATION;
    motion.axis = vec3_make(0, 0, 1);
    motion.speed = 2;
    lab_set_motion(world, blade, motion);
    for (int i = 0; i < 5; i++) {
        lab_step(world, STEPS / 10);
        scree_id gone[10];
        for (int k = 0; k < 10; k++)
            gone[k] = (scree_id)(6 + 12 * i + k);
        lab_ok(scree_world_remove_bodies(world, gone, 10, error));
        lab_add_heap(world, 20, 0.6, true,
                     (uint64_t)i); // drops in from the floor's level up: overlaps are welcome here
    }
    lab_step(world, STEPS / 10);
    uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void test_busy_world_has_the_same_bits(void **state)
{
    (void)state;
    uint64_t one = hash_of_a_busy_world(1);
    assert_true(hash_of_a_busy_world(2) == one);
    assert_true(hash_of_a_busy_world(3) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST_ALL(test_same_bits_on_any_number_of_threads),
        cmocka_unit_test(test_different_worlds_have_different_hashes),
        cmocka_unit_test(test_step_counts_add_up),
        cmocka_unit_test(test_two_worlds_in_two_threads),
        cmocka_unit_test(test_busy_world_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
