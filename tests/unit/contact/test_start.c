// What the first step could only lose is refused before it; what is merely large, crowded or far is not.
#include "../../physics/lab.h"

#include <string.h>

static scree_world *new_world(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.threads = 2;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    return world;
}

static scree_id add_ball(scree_world *world, vec3 position, double radius, vec3 velocity, vec3 spin)
{
    scree_shape_def shape = scree_default_shape_def();
    scree_body_def body = scree_default_body_def();
    scree_id id;
    shape.radius = radius;
    body.shapes = &shape;
    body.shape_count = 1;
    body.position = position;
    body.velocity = velocity;
    body.spin = spin;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, &id, NULL), SCREE_OK);
    return id;
}

static const vec3 none = {0, 0, 0};

static void assert_check_fails(scree_world *world, const char *word)
{
    scree_error error = {0};
    assert_int_equal(scree_world_check(world, NULL, &error), SCREE_ERROR_INVALID);
    if (!strstr(error.message, word))
        print_error("'%s' has no '%s'\n", error.message, word);
    assert_non_null(strstr(error.message, word));
    scree_world_destroy(world);
}

static void test_hopeless_bodies(void **state)
{
    (void)state;
    scree_world *world = new_world();
    add_ball(world, vec3_make(1e15, 0, 0), 0.5, none, none);
    assert_check_fails(world, "distance");
    add_ball(world = new_world(), none, 0.5, vec3_make(0, 1e300, 0), none);
    assert_check_fails(world, "speed");
    add_ball(world = new_world(), none, 0.5, none, vec3_make(0, 0, 1e200));
    assert_check_fails(world, "spin");
    add_ball(world = new_world(), none, 1e-15, none, none);
    assert_check_fails(world, "gravity");
}

// Whatever passes the check is stepped.
static void test_what_passes_is_stepped(void **state)
{
    (void)state;
    static const double powers[] = {1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9, 1e12};
    int stepped = 0;
    for (int i = 0; i < 8 * 8 * 8; i++) {
        scree_world *world = new_world();
        add_ball(world, vec3_make(powers[i % 8], 0, 0), powers[i / 64], vec3_make(0, powers[i / 8 % 8], 0), none);
        add_ball(world, none, 0.5, none, none);
        if (scree_world_check(world, NULL, NULL) == SCREE_OK) {
            scree_status status = scree_world_step(world, 1, NULL);
            if (status != SCREE_OK)
                print_error("case %d passed, and was lost in its first step\n", i);
            assert_int_equal(status, SCREE_OK);
            stepped++;
        }
        scree_world_destroy(world);
    }
    assert_true(stepped > 100 && stepped < 500);
}

// A motion counts with the speed that it gives to its body.
static void test_hopeless_motion(void **state)
{
    (void)state;
    const double speeds[] = {1, 1e20};
    for (int i = 0; i < 2; i++) {
        scree_world *world = new_world();
        scree_shape_def ball = scree_default_shape_def();
        scree_body_def body = scree_default_body_def();
        body.fixed = true;
        body.shapes = &ball;
        body.shape_count = 1;
        scree_id id;
        assert_int_equal(scree_world_add_bodies(world, &body, 1, &id, NULL), SCREE_OK);
        scree_motion_def motion = scree_default_motion_def();
        motion.type = SCREE_MOTION_ROTATION;
        motion.axis = vec3_make(0, 0, 1);
        motion.speed = speeds[i];
        assert_int_equal(scree_world_set_motion(world, id, &motion, NULL), SCREE_OK);
        if (i == 1) {
            assert_check_fails(world, "spin");
            continue;
        }
        assert_int_equal(scree_world_check(world, NULL, NULL), SCREE_OK);
        scree_world_destroy(world);
    }
}

// A needle of 4e9 by 0.6 has moments of 1e31; a ball may have what it likes.
static void test_hopeless_moments(void **state)
{
    (void)state;
    scree_world *world = new_world();
    scree_shape_def needle = scree_default_shape_def();
    needle.type = SCREE_SHAPE_BOX;
    needle.half = vec3_make(0.3, 0.3, 2e9);
    scree_body_def body = scree_default_body_def();
    body.shapes = &needle;
    body.shape_count = 1;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    assert_check_fails(world, "moments of inertia");
}

static void test_crowds(void **state)
{
    (void)state;
    scree_world *world = new_world();
    for (int i = 0; i < 200; i++)
        add_ball(world, none, 0.5, none, none);
    assert_int_equal(scree_world_check(world, NULL, NULL), SCREE_OK);
    for (int i = 0; i < 3000; i++)
        add_ball(world, none, 0.4 + 0.0001 * i, none, none);
    scree_error error = {0};
    assert_int_equal(scree_world_step(world, 1, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "in one place"));
    assert_check_fails(world, "in one place");
}

// A large ball may touch thousands of small ones.
static void test_many_small_ones_are_no_crowd(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    scree_world *world = new_world();
    add_ball(world, none, 1, none, none);
    for (int i = 0; i < COUNT; i++) { // along a spiral over the sphere
        double z = 1 - 2 * (i + 0.5) / COUNT, r = sqrt(1 - z * z), angle = i * 2.399963229728653;
        add_ball(world, vec3_scale(vec3_make(r * cos(angle), r * sin(angle), z), 1.01), 0.01, none, none);
    }
    assert_int_equal(scree_world_check(world, NULL, NULL), SCREE_OK);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hopeless_bodies), cmocka_unit_test(test_what_passes_is_stepped),
        cmocka_unit_test(test_hopeless_motion), cmocka_unit_test(test_hopeless_moments),
        cmocka_unit_test(test_crowds),          cmocka_unit_test(test_many_small_ones_are_no_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
