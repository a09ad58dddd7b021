// Sleeping: what rests falls asleep, exactly where it rests; whatever changes for it wakes it.
#include "../../physics/lab.h"
#include "step/snapshot.h"

static const vec3 AT_REST = {0, 0, 0};

static scree_world *make_world(int threads)
{
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    return lab_create(&def);
}

static scree_id add_box(scree_world *world, double x, double z)
{
    return lab_add(world, lab_body(vec3_make(x, 0, z), AT_REST), lab_box(0.1, 0.1, 0.1));
}

static bool asleep(const scree_world *world, scree_id id)
{
    scree_body_info info;
    lab_ok(scree_world_get_body(world, id, &info, error));
    return info.asleep;
}

static void step_until_asleep(scree_world *world, scree_id id)
{
    for (int i = 0; i < 1000 && !asleep(world, id); i++)
        lab_step(world, 1);
    assert_true(asleep(world, id));
}

// A box on the floor and one on top of it, asleep; another box stands alone.
typedef struct scene {
    scree_world *world;
    scree_id floor, lower, upper, alone;
} scene;

static scene make_sleeping(void)
{
    scene s = {.world = make_world(1)};
    s.floor = lab_add_floor(s.world);
    s.lower = add_box(s.world, 0, 0.11);
    s.upper = add_box(s.world, 0, 0.32);
    s.alone = add_box(s.world, 3, 0.11);
    step_until_asleep(s.world, s.upper);
    step_until_asleep(s.world, s.alone);
    assert_true(asleep(s.world, s.lower));
    return s;
}

static void test_rest_is_rest(void **state)
{
    (void)state;
    scene s = make_sleeping();
    scree_state at = lab_state(s.world, s.upper);
    assert_true(at.velocity.x == 0 && at.velocity.z == 0 && at.spin.y == 0);
    assert_near(at.position.z, 0.3, 1e-3);
    assert_false(asleep(s.world, s.floor)); // fixed bodies do not sleep
    uint64_t hash = scree_world_hash(s.world);
    scree_figures before = scree_world_figures(s.world);
    lab_step(s.world, 100);
    scree_figures after = scree_world_figures(s.world);
    assert_true(scree_world_hash(s.world) == hash);
    assert_int_equal(after.sleeping, 3);
    assert_int_equal(after.contacts, before.contacts);
    assert_int_equal(after.touching, before.touching);
    assert_int_equal(after.iterations, 0);
    scree_world_destroy(s.world);
}

static void test_a_ball_that_lands_wakes_what_it_lands_on(void **state)
{
    (void)state;
    scene s = make_sleeping();
    scree_id ball = lab_add(s.world, lab_body(vec3_make(0, 0, 0.8), AT_REST), lab_sphere(0.05));
    lab_step(s.world, 20);
    assert_true(asleep(s.world, s.upper)); // still in the air
    for (int i = 0; i < 100 && asleep(s.world, s.upper); i++)
        lab_step(s.world, 1);
    assert_false(asleep(s.world, s.upper));
    assert_false(asleep(s.world, s.lower));
    assert_true(asleep(s.world, s.alone));
    assert_near(lab_state(s.world, ball).position.z, 0.45,
                0.02); // it was woken when the ball arrived, not later
    scree_world_destroy(s.world);
}

static void test_support_that_is_removed_wakes(void **state)
{
    (void)state;
    scene s = make_sleeping();
    lab_ok(scree_world_remove_bodies(s.world, &s.lower, 1, error));
    assert_false(asleep(s.world, s.upper));
    assert_true(asleep(s.world, s.alone));
    lab_step(s.world, 10);
    assert_true(lab_state(s.world, s.upper).position.z < 0.299);
    lab_ok(scree_world_remove_bodies(s.world, &s.floor, 1, error));
    assert_false(asleep(s.world, s.alone));
    lab_step(s.world, 10);
    assert_true(lab_state(s.world, s.alone).position.z < 0.099);
    scree_world_destroy(s.world);
}

// Boxes asleep on a ramp of 20 degrees slide when its friction with them is lowered, by g t^2 (sin - mu cos) / 2.
static void test_lower_friction_of_a_pair_wakes(void **state)
{
    (void)state;
    const double slope = 20 * LAB_PI / 180, friction = 0.1, seconds = 0.5;
    scree_world *world = make_world(1);
    int ice;
    lab_ok(scree_world_add_material(world, &(scree_material_def){.density = 900, .friction = 0.8}, &ice, error));
    const vec3 normal = {sin(slope), 0, cos(slope)}, down = {cos(slope), 0, -sin(slope)};
    lab_add_fixed(world, AT_REST, lab_plane(normal, 0));
    scree_id boxes[3];
    scree_state before[3];
    for (int i = 0; i < 3; i++) {
        scree_body_def body = lab_body(vec3_add_scaled(vec3_scale(normal, 0.1), down, i), AT_REST);
        body.orientation = quat_from_rotation(vec3_make(0, slope, 0));
        body.material = ice;
        boxes[i] = lab_add(world, body, lab_box(0.1, 0.1, 0.1));
    }
    for (int i = 0; i < 3; i++)
        step_until_asleep(world, boxes[i]);
    lab_ok(scree_world_get_states(world, boxes, 3, before, error));
    lab_ok(scree_world_set_pair(world, 0, ice, &(scree_pair_def){.friction = friction}, error));
    lab_step(world, (int)(seconds / scree_world_get_def(world).step));
    double path = 0.5 * LAB_G * seconds * seconds * (sin(slope) - friction * cos(slope));
    for (int i = 0; i < 3; i++) {
        assert_false(asleep(world, boxes[i]));
        vec3 moved = vec3_sub(lab_state(world, boxes[i]).position, before[i].position);
        assert_relative(vec3_dot(moved, down), path, 0.03);
    }
    scree_world_destroy(world);
}

static void test_pushes_and_new_states_wake(void **state)
{
    (void)state;
    scene s = make_sleeping();
    vec3 push = {1, 0, 0};
    lab_ok(scree_world_apply_forces(s.world, &s.alone, &push, NULL, 1, error));
    assert_false(asleep(s.world, s.alone));
    assert_true(asleep(s.world, s.upper));
    scree_state away = lab_state(s.world, s.lower);
    away.position.x = -3;
    lab_ok(scree_world_set_states(s.world, &s.lower, 1, &away, error));
    lab_step(s.world, 60);
    assert_true(lab_state(s.world, s.upper).position.z < 0.2); // its support was taken away
    step_until_asleep(s.world, s.upper);
    lab_ok(scree_world_wake(s.world, &s.upper, 1, error));
    assert_false(asleep(s.world, s.upper));
    assert_int_equal(scree_world_wake(s.world, (scree_id[]){99}, 1, NULL), SCREE_ERROR_INVALID);
    step_until_asleep(s.world, s.upper);
    lab_surface(s.world, 0.2, 0);
    assert_false(asleep(s.world, s.upper));
    scree_world_destroy(s.world);
}

static void test_a_moved_body_wakes_when_it_comes(void **state)
{
    (void)state;
    scene s = make_sleeping();
    scree_body_def pusher = lab_body(vec3_make(4, 0, 0.15), AT_REST);
    pusher.fixed = true;
    scree_id id = lab_add(s.world, pusher, lab_box(0.1, 0.1, 0.1));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = vec3_make(-1, 0, 0);
    lab_ok(scree_world_set_motion(s.world, id, &motion, error));
    lab_step(s.world, 100);
    assert_true(asleep(s.world, s.alone)); // 0.3 away
    lab_step(s.world, 100);
    assert_false(asleep(s.world, s.alone));
    assert_true(asleep(s.world, s.upper));
    assert_at_most(lab_state(s.world, s.alone).position.x, 2.801); // pushed along
    scree_world_destroy(s.world);
}

// Slow is not at rest: a box on a slow belt, one in the air at the top of its flight, and a world without gravity.
static void test_what_moves_does_not_sleep(void **state)
{
    (void)state;
    scree_world *world = make_world(1);
    scree_body_def belt = lab_body(vec3_make(0, 0, -0.1), AT_REST);
    belt.fixed = true;
    scree_id floor = lab_add(world, belt, lab_box(5, 1, 0.1));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = vec3_make(1e-4, 0, 0);
    lab_ok(scree_world_set_motion(world, floor, &motion, error));
    scree_id box = add_box(world, 0, 0.1);
    scree_body_def up = lab_body(vec3_make(8, 0, 0), vec3_make(0, 0, 5));
    scree_id flying = lab_add(world, up, lab_sphere(0.1));
    for (int i = 0; i < 400; i++) {
        lab_step(world, 1);
        assert_false(asleep(world, box));
        assert_false(asleep(world, flying));
    }
    scree_world_destroy(world);
    scree_world_def def = scree_default_world_def();
    def.gravity = AT_REST;
    world = lab_create(&def);
    lab_add_floor(world);
    box = add_box(world, 0, 0.1);
    lab_step(world, 400);
    assert_false(asleep(world, box));
    scree_world_destroy(world);
}

static void test_sleep_is_for_who_wants_it(void **state)
{
    (void)state;
    static const struct {
        scree_algorithm algorithm;
        scree_sleep sleep;
        bool sleeps;
    } cases[] = {
        {SCREE_ALGORITHM_AUTO, SCREE_SLEEP_AUTO, true},          {SCREE_ALGORITHM_AUTO, SCREE_SLEEP_OFF, false},
        {SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_SLEEP_AUTO, false}, {SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_SLEEP_ON, true},
        {SCREE_ALGORITHM_NEWTON, SCREE_SLEEP_ON, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scree_world_def def = scree_default_world_def();
        def.solver.algorithm = cases[i].algorithm;
        def.solver.sleep = cases[i].sleep;
        scree_world *world = lab_create(&def);
        lab_add_floor(world);
        scree_id box = add_box(world, 0, 0.1);
        lab_step(world, 400);
        assert_int_equal(asleep(world, box), cases[i].sleeps);
        scree_world_destroy(world);
    }
    scree_world *world;
    scree_world_def def = scree_default_world_def();
    def.solver.sleep = 7;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_ERROR_INVALID);
}

// Two towers, one asleep; then a ball into the other. The same bits with any threads, and through a snapshot.
static uint64_t run_towers(int threads, bool through_snapshot)
{
    scree_world *world = make_world(threads);
    lab_add_floor(world);
    for (int i = 0; i < 6; i++) {
        add_box(world, 0, 0.1 + 0.2 * i);
        add_box(world, 1, 0.105 + 0.201 * i);
    }
    lab_step(world, 300);
    lab_add(world, lab_body(vec3_make(-1, 0, 0.9), vec3_make(3, 0, 2)), lab_sphere(0.08));
    lab_step(world, 30);
    if (through_snapshot) {
        snapshot fields;
        scree_world *again;
        lab_ok(snapshot_take(world, &fields, error));
        lab_ok(snapshot_restore(&fields, threads, &again, error));
        snapshot_release(&fields);
        assert_int_equal(scree_world_figures(again).sleeping, scree_world_figures(world).sleeping);
        assert_true(scree_world_figures(again).sleeping > 0);
        scree_world_destroy(world);
        world = again;
    }
    lab_step(world, 200);
    uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void test_same_bits(void **state)
{
    (void)state;
    uint64_t hash = run_towers(1, false);
    assert_true(run_towers(3, false) == hash);
    assert_true(run_towers(2, true) == hash);
}

static void test_touches_do_not_end_in_sleep(void **state)
{
    (void)state;
    scree_world *world = make_world(1);
    scree_world_watch_touches(world, true);
    lab_add_floor(world);
    scree_id box = add_box(world, 0, 0.11);
    size_t begun = 0, ended = 0;
    for (int i = 0; i < 500; i++) {
        lab_step(world, 1);
        begun += scree_world_touch_begins(world, NULL, 0);
        ended += scree_world_touch_ends(world, NULL, 0);
    }
    assert_true(asleep(world, box));
    assert_int_equal(begun, 1);
    assert_int_equal(ended, 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_is_rest),
        cmocka_unit_test(test_a_ball_that_lands_wakes_what_it_lands_on),
        cmocka_unit_test(test_support_that_is_removed_wakes),
        cmocka_unit_test(test_lower_friction_of_a_pair_wakes),
        cmocka_unit_test(test_pushes_and_new_states_wake),
        cmocka_unit_test(test_a_moved_body_wakes_when_it_comes),
        cmocka_unit_test(test_what_moves_does_not_sleep),
        cmocka_unit_test(test_sleep_is_for_who_wants_it),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_touches_do_not_end_in_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
