// From velocities to poses, for solutions made by hand: q + h v by the velocities that move, and the others kept.
#include "../../physics/lab.h"

#include "rigid/integrate.h"
#include "world/wake.h"

enum { BODIES = 5 };

static void assert_same_turn(quat a, quat b)
{
    assert_near(fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1, 1e-14);
}

// A floor, a ball, a box that spins, a ball that sleeps, and another ball.
static scree_world *make_world(void)
{
    scree_world_def def = scree_default_world_def();
    def.step = 0.01;
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_add_floor(world);
    for (int i = 1; i < BODIES; i++) {
        vec3 at = {i, 2, 3};
        lab_add(world, lab_body(at, vec3_make(0, 0, 0)), i == 2 ? lab_box(0.1, 0.2, 0.3) : lab_sphere(0.1));
    }
    world->bodies.rest.data[3] = ASLEEP;
    world->sleeping = 1;
    return world;
}

static void test_poses_follow_velocities(void **state)
{
    (void)state;
    scree_world *world = make_world();
    const body_store *store = &world->bodies;
    body_velocity end[BODIES];
    for (int i = 0; i < BODIES; i++)
        end[i] = (body_velocity){{1, -2, i}, {0.5, 0, 3}};
    step_solution solution = {.end = end};
    assert_int_equal(integrate_bodies(world, &solution, NULL), SIZE_MAX);
    for (int i = 0; i < BODIES; i++) {
        bool moves = i != 0 && i != 3;
        vec3 start = i == 0 ? vec3_make(0, 0, 0) : vec3_make(i, 2, 3);
        vec3 way = moves ? vec3_make(0.01, -0.02, 0.01 * i) : vec3_make(0, 0, 0);
        assert_vec3_near(store->position.data[i], vec3_add(start, way), 1e-15);
        assert_vec3_near(store->velocity.data[i], moves ? end[i].velocity : vec3_make(0, 0, 0), 0);
    }
    quat turned = quat_from_rotation(vec3_scale(end[1].spin, 0.01)); // a ball turns about one axis
    assert_same_turn(store->orientation.data[1], turned);
    assert_vec3_near(store->spin.data[1], end[1].spin, 1e-14);
    scree_world_destroy(world);
}

// Push-out moves and turns, and stays in no velocity; what it moved is remembered.
static void test_what_moves_is_not_what_is_kept(void **state)
{
    (void)state;
    scree_world *world = make_world();
    const body_store *store = &world->bodies;
    body_velocity end[BODIES] = {0}, position[BODIES] = {0};
    end[1] = (body_velocity){{1, 0, 0}, {0, 0, 2}};
    position[1] = (body_velocity){{1, 0, 4}, {0, 0, 5}};
    position[3] = position[1]; // asleep
    position[4] = end[4] = end[1];
    step_solution solution = {.end = end, .position = position};
    assert_true(note_pushes(world, &solution, NULL));
    assert_int_equal(integrate_bodies(world, &solution, NULL), SIZE_MAX);
    assert_vec3_near(store->position.data[1], vec3_make(1.01, 2, 3.04), 1e-15);
    assert_vec3_near(store->velocity.data[1], end[1].velocity, 0);
    assert_vec3_near(store->spin.data[1], end[1].spin, 1e-14);
    quat turned = quat_from_rotation(vec3_make(0, 0, 0.05));
    assert_same_turn(store->orientation.data[1], turned);
    assert_vec3_near(pushes_path(&world->pushes, 1), vec3_make(0, 0, 0.04), 1e-15);
    assert_vec3_near(pushes_path(&world->pushes, 3), vec3_make(0, 0, 0), 0);
    assert_vec3_near(pushes_path(&world->pushes, 4), vec3_make(0, 0, 0), 0);
    scree_world_destroy(world);
}

// A box that turns freely keeps its angular momentum in the world.
static void test_angular_momentum_stays(void **state)
{
    (void)state;
    scree_world *world = make_world();
    const body_store *store = &world->bodies;
    vec3 inertia = vec3_from_f(store->inertia.data[2]);
    body_velocity end[BODIES] = {0};
    end[2].spin = vec3_make(5, 7, 11);
    vec3 momentum = quat_rotate(store->orientation.data[2],
                                vec3_multiply(inertia, quat_rotate_back(store->orientation.data[2], end[2].spin)));
    step_solution solution = {.end = end};
    for (int step = 0; step < 100; step++) {
        integrate_bodies(world, &solution, NULL);
        end[2].spin = store->spin.data[2];
        vec3 now = quat_rotate(store->orientation.data[2],
                               vec3_multiply(inertia, quat_rotate_back(store->orientation.data[2], end[2].spin)));
        assert_vec3_near(now, momentum, 1e-12 * vec3_length(momentum));
    }
    assert_true(vec3_length(vec3_sub(end[2].spin, vec3_make(5, 7, 11))) > 0.1); // its spin does not
    scree_world_destroy(world);
}

static void test_some_are_left_out(void **state)
{
    (void)state;
    scree_world *world = make_world();
    const uint8_t left_out[BODIES] = {0, 1, 0, 0, 0};
    body_velocity end[BODIES], position[BODIES];
    for (int i = 0; i < BODIES; i++) {
        end[i] = (body_velocity){{1, 0, 0}, {0, 0, 0}};
        position[i] = (body_velocity){{2, 0, 0}, {0, 0, 0}};
    }
    step_solution solution = {.end = end, .position = position};
    assert_true(note_pushes(world, &solution, left_out));
    integrate_bodies(world, &solution, left_out);
    assert_near(world->bodies.position.data[1].x, 1, 0);
    assert_near(world->bodies.velocity.data[1].x, 0, 0);
    assert_near(world->bodies.position.data[4].x, 4.02, 1e-15);
    assert_near(pushes_path(&world->pushes, 1).x, 0, 0);
    assert_near(pushes_path(&world->pushes, 4).x, 0.01, 1e-15);
    scree_world_destroy(world);
}

// The first body that is lost, by its slot.
static void test_lost_bodies_are_named(void **state)
{
    (void)state;
    scree_world *world = make_world();
    body_velocity end[BODIES] = {0};
    end[2].spin.x = CHECK_NAN;
    end[4].velocity.y = CHECK_INFINITY;
    step_solution solution = {.end = end};
    assert_int_equal(integrate_bodies(world, &solution, NULL), 2);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_follow_velocities), cmocka_unit_test(test_what_moves_is_not_what_is_kept),
        cmocka_unit_test(test_angular_momentum_stays),  cmocka_unit_test(test_some_are_left_out),
        cmocka_unit_test(test_lost_bodies_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
