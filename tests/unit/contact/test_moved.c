// What moved bodies come near: against every pair of spheres, and how many pairs are looked at.
#include "../../physics/lab.h"

#include <stdlib.h>

#include "base/random.h"
#include "contact/moved.h"
#include "world/motion.h"

static const vec3 AT_REST = {0, 0, 0};

static scree_world *world_without_gravity(void)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = AT_REST;
    def.threads = 1;
    return lab_create(&def);
}

static void add_moved(scree_world *world, vec3 position, scree_shape_def shape, vec3 velocity, vec3 spin)
{
    scree_id id = lab_add_fixed(world, position, shape);
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = velocity;
    motion.angular = spin;
    lab_set_motion(world, id, motion);
}

static vec3 random_place(random_stream *stream, double size)
{
    return vec3_make(random_between(stream, -size, size), random_between(stream, -size, size),
                     random_between(stream, -size, size));
}

// By definition: the distance of the centres against both radii, the body's by 1.01, and the way of the moved one.
static bool near_by_force(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    for (size_t m = 0; m < world->motions.count; m++) {
        uint32_t moved = body_slot(store, world->motions.data[m].id);
        vec3 v = store->velocity.data[moved], w = store->spin.data[moved];
        double reach = 1.01 * (double)store->radius.data[slot] + (double)store->radius.data[moved] +
                       world->def.step * vec3_length(v);
        double distance = vec3_length(vec3_sub(store->position.data[slot], store->position.data[moved]));
        if ((vec3_length(v) > 0 || vec3_length(w) > 0) && distance <= reach)
            return true;
    }
    return false;
}

// The slots of bodies with a motion, in scratch memory.
static const uint32_t *moved_slots(scree_world *world)
{
    uint32_t *slots = arena_array(&world->scratch, uint32_t, world->motions.count);
    assert_non_null(slots);
    for (size_t i = 0; i < world->motions.count; i++)
        slots[i] = body_slot(&world->bodies, world->motions.data[i].id);
    return slots;
}

static moved_bodies find_moved(scree_world *world, const step_problem *problem)
{
    moved_bodies moved;
    assert_true(moved_bodies_find(problem, moved_slots(world), world->motions.count, &world->scratch, &moved));
    return moved;
}

static size_t check_all(scree_world *world)
{
    size_t near = 0;
    arena_reset(&world->scratch);
    step_problem problem = step_problem_of(world);
    moved_bodies moved = find_moved(world, &problem);
    for (uint32_t i = 0; i < world->bodies.count; i++) {
        bool expected = near_by_force(world, i);
        assert_int_equal(is_near_moved(&problem, &moved, i), expected);
        near += expected;
    }
    return near;
}

// Bodies have all sizes and speeds; some moved ones only turn, some stand still, and in some rounds a plane moves,
// which is near to everything, or a body is so far away that it has no box.
static void test_near_as_by_looking_at_all_pairs(void **state)
{
    (void)state;
    enum { ROUNDS = 40, BODIES = 150 };
    random_stream stream = {17};
    size_t near = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_world *world = world_without_gravity();
        for (int i = 0; i < BODIES; i++)
            lab_add(world, lab_body(random_place(&stream, 10), AT_REST),
                    lab_sphere(pow(10, random_between(&stream, -2, 0))));
        for (int i = 0; i < round; i++)
            add_moved(world, random_place(&stream, 10), lab_sphere(pow(10, random_between(&stream, -2, 0.3))),
                      i % 5 < 2 ? AT_REST : random_place(&stream, 50), i % 5 == 1 ? vec3_make(0, 0, 1) : AT_REST);
        if (round % 10 == 7)
            add_moved(world, vec3_make(1e40, 0, 0), lab_sphere(1), vec3_make(0, 1, 0), AT_REST);
        if (round % 10 == 9)
            add_moved(world, AT_REST, lab_plane(vec3_make(0, 0, 1), -20), vec3_make(0, 0, 0.1), AT_REST);
        motions_set_velocities(world);
        size_t here = check_all(world);
        assert_true(round % 10 != 9 || here == world->bodies.count);
        near += here;
        scree_world_destroy(world);
    }
    assert_in_range(near, ROUNDS * BODIES / 10, ROUNDS * BODIES * 9 / 10); // both answers are usual
}

// 1,000 paddles turn between 20,000 balls: a pair is looked at for what is near, where all pairs would be 20 million.
static void test_cost_goes_with_what_is_near(void **state)
{
    (void)state;
    enum { BALLS = 20000, PADDLES = 1000 };
    random_stream stream = {18};
    scree_world *world = world_without_gravity();
    scree_body_def *defs = malloc(BALLS * sizeof *defs);
    scree_shape_def ball = lab_sphere(0.1);
    assert_non_null(defs);
    for (int i = 0; i < BALLS; i++) {
        defs[i] = lab_body(random_place(&stream, 10), AT_REST);
        defs[i].shapes = &ball;
        defs[i].shape_count = 1;
    }
    lab_ok(scree_world_add_bodies(world, defs, BALLS, NULL, error));
    free(defs);
    for (int i = 0; i < PADDLES; i++)
        add_moved(world, random_place(&stream, 10), lab_box(0.3, 0.05, 0.1), AT_REST, vec3_make(0, 0, 1));
    motions_set_velocities(world);
    step_problem problem = step_problem_of(world);
    moved_bodies moved = find_moved(world, &problem);
    size_t near = 0;
    for (uint32_t i = 0; i < world->bodies.count; i++)
        near += !world->bodies.immovable.data[i] && is_near_moved(&problem, &moved, i);
    assert_int_equal(moved.count, PADDLES);
    assert_true(near > BALLS / 100);
    assert_at_most((double)moved.compared, 8.0 * BALLS);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_near_as_by_looking_at_all_pairs),
                                       cmocka_unit_test(test_cost_goes_with_what_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
