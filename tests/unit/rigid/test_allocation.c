// A settled world takes no memory: scratch is reset, never freed, and arrays have their sizes.
#include "../../physics/lab.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "scree/joint.h"

// The linker sends what the library calls here (see tests/CMakeLists.txt). It does not see what the C library does
// within, so qsort, which takes memory as it likes, counts too.
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);
typedef int compare_function(const void *a, const void *b);
void __real_qsort(void *items, size_t count, size_t size, compare_function *compare);
void __wrap_qsort(void *items, size_t count, size_t size, compare_function *compare);

static atomic_int allocations;

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    allocations++;
    return __real_posix_memalign(memory, alignment, size);
}

void __wrap_qsort(void *items, size_t count, size_t size, compare_function *compare)
{
    allocations++;
    __real_qsort(items, count, size, compare);
}

enum { SETTLING = 400, WATCHED = 100, HEAP = 60 };

// Nothing sleeps, so that every step is a whole one.
static scree_world *world_by(scree_method method, int threads, scree_shape_def ground)
{
    scree_world_def def = scree_default_world_def();
    def.method = method;
    def.threads = threads;
    def.solver.sleep = SCREE_SLEEP_OFF;
    scree_world *world = lab_create(&def);
    lab_add_fixed(world, vec3_make(0, 0, 0), ground);
    return world;
}

static scree_shape_def level_ground(void)
{
    return lab_plane(vec3_make(0, 0, 1), 0);
}

static vec3 place_in_heap(int i)
{
    return vec3_make(i % 4 * 1.01, i / 4 % 4 * 1.01, 0.6 + i / 16 * 1.1);
}

// Types take turns.
static void add_heap(scree_world *world, int count, const scree_shape_def *shapes, int types)
{
    for (int i = 0; i < count; i++)
        lab_add(world, lab_body(place_in_heap(i), vec3_make(0, 0, 0)), shapes[i % types]);
}

static void expect_no_allocation(scree_world *world, int settling)
{
    allocations = 0;
    lab_step(world, settling);
    assert_true(allocations > 0); // so that the count is known to count
    size_t sleeping = scree_world_figures(world).sleeping, bytes = scree_world_figures(world).memory_bytes;
    assert_int_equal(sleeping, scree_world_get_def(world).solver.sleep == SCREE_SLEEP_OFF ? 0 : HEAP);
    allocations = 0;
    lab_step(world, WATCHED);
    assert_int_equal(allocations, 0);
    assert_int_equal(scree_world_figures(world).memory_bytes, bytes);
    scree_world_destroy(world);
}

static void test_settled_heap_allocates_nothing(void **state)
{
    (void)state;
    scree_shape_def ball = lab_sphere(0.5);
    for (int threads = 1; threads <= 2; threads++) {
        scree_world *world = world_by(SCREE_METHOD_COMPLEMENTARITY, threads, level_ground());
        add_heap(world, HEAP, &ball, 1);
        expect_no_allocation(world, SETTLING);
    }
}

static void test_settled_heap_of_bodies_on_their_own_allocates_nothing(void **state)
{
    (void)state;
    scree_shape_def shapes[2] = {lab_sphere(0.5), lab_box(0.4, 0.4, 0.4)};
    for (int threads = 1; threads <= 2; threads++) {
        scree_world *world = world_by(SCREE_METHOD_FFD, threads, level_ground());
        add_heap(world, 30, shapes, 2);
        expect_no_allocation(world, SETTLING);
    }
}

static void test_settled_particles_allocate_nothing(void **state)
{
    (void)state;
    scree_shape_def ball = lab_sphere(0.5);
    for (int threads = 1; threads <= 2; threads++) {
        scree_world *world = world_by(SCREE_METHOD_PENALTY, threads, level_ground());
        scree_material_def material = scree_default_material_def();
        material.stiffness = 1e6;
        material.damping = 1e4;
        lab_ok(scree_world_set_material(world, 0, &material, error));
        add_heap(world, HEAP, &ball, 1);
        expect_no_allocation(world, 1000);
    }
}

// Compounds, flat and round shapes on a mesh, with touches watched.
static void test_settled_shapes_allocate_nothing(void **state)
{
    (void)state;
    static const scree_vec3 corners[] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    static const scree_ball balls[] = {{{-0.2, 0, 0}, 0.3}, {{0.2, 0, 0}, 0.3}, {{0, 0.2, 0}, 0.3}};
    scree_shape_def shapes[3] = {lab_box(0.4, 0.4, 0.4), scree_default_shape_def(), scree_default_shape_def()};
    scree_shape_def ground = scree_default_shape_def();
    scree_geometry *mesh, *set;
    lab_ok(scree_mesh_create(corners, 4, triangles, 2, &mesh, error));
    lab_ok(scree_spheres_create(balls, 3, NULL, &set, error));
    ground.type = SCREE_SHAPE_MESH;
    ground.geometry = mesh;
    shapes[1].type = SCREE_SHAPE_SPHERES;
    shapes[1].geometry = set;
    shapes[2].type = SCREE_SHAPE_CYLINDER;
    shapes[2].radius = 0.4;
    shapes[2].half_length = 0.4;
    scree_world *world = world_by(SCREE_METHOD_COMPLEMENTARITY, 1, ground);
    scree_world_watch_touches(world, true);
    add_heap(world, 12, shapes, 3);
    scree_geometry_release(mesh);
    scree_geometry_release(set);
    expect_no_allocation(world, SETTLING);
}

static void join(scree_world *world, scree_id a, scree_id b, vec3 at)
{
    scree_joint_def joint = scree_default_joint_def();
    joint.type = SCREE_JOINT_REVOLUTE;
    joint.bodies[0] = a;
    joint.bodies[1] = b;
    joint.position = at;
    joint.axis = vec3_make(0, 1, 0);
    lab_ok(scree_world_add_joints(world, &joint, 1, NULL, error));
}

// Chains of boxes lie on the ground, of two to thirty links each, among many boxes alone, so that islands differ in
// size. Beside them a heap of balls has a chain in it, whose joints are swept with its contacts; and a paddle turns.
static void test_settled_joints_allocate_nothing(void **state)
{
    (void)state;
    static const int links[] = {2, 30, 3, 30, 4, 30, 5, 30, 6, 30};
    for (int threads = 1; threads <= 2; threads++) {
        scree_world *world = world_by(SCREE_METHOD_COMPLEMENTARITY, threads, level_ground());
        scree_shape_def ball = lab_sphere(0.5);
        add_heap(world, HEAP, &ball, 1);
        for (int chain = 0; chain < 10; chain++)
            for (int i = 0; i < links[chain]; i++) {
                double x = 0.41 * i, y = -1 - chain;
                scree_id link =
                    lab_add(world, lab_body(vec3_make(x, y, 0.1), vec3_make(0, 0, 0)), lab_box(0.2, 0.2, 0.1));
                if (i > 0)
                    join(world, link - 1, link, vec3_make(x - 0.205, y, 0.1));
            }
        for (int i = 0; i < 150; i++)
            lab_add(world, lab_body(vec3_make(20 + i % 10, i / 10, 0.2), vec3_make(0, 0, 0)), lab_box(0.2, 0.2, 0.2));
        for (scree_id ball_id = 2; ball_id < 2 + 4; ball_id++)
            join(world, ball_id, ball_id + 4, lab_state(world, ball_id).position);
        assert_true(scree_world_joint_count(world) > 160);
        scree_id paddle = lab_add_fixed(world, vec3_make(-5, -5, 0.5), lab_box(0.5, 0.1, 0.1));
        scree_motion_def motion = scree_default_motion_def();
        motion.type = SCREE_MOTION_ROTATION;
        motion.speed = 1;
        motion.center = vec3_make(-5, -5, 0.5);
        lab_set_motion(world, paddle, motion);
        expect_no_allocation(world, SETTLING);
    }
}

// Bodies that sleep are set aside in every step, and bodies near a paddle looked for.
static void test_a_sleeping_world_allocates_nothing(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_add_floor(world);
    scree_shape_def ball = lab_sphere(0.5);
    add_heap(world, HEAP, &ball, 1);
    scree_id paddle = lab_add_fixed(world, vec3_make(-5, -5, 0.5), lab_box(0.5, 0.1, 0.1));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_ROTATION;
    motion.speed = 1;
    motion.center = vec3_make(-5, -5, 0.5);
    lab_set_motion(world, paddle, motion);
    expect_no_allocation(world, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settled_heap_allocates_nothing),
        cmocka_unit_test(test_settled_heap_of_bodies_on_their_own_allocates_nothing),
        cmocka_unit_test(test_settled_particles_allocate_nothing),
        cmocka_unit_test(test_settled_shapes_allocate_nothing),
        cmocka_unit_test(test_settled_joints_allocate_nothing),
        cmocka_unit_test(test_a_sleeping_world_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
