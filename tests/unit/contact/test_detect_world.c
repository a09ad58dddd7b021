// Detection of a world as it stands: the contacts of its bodies given one by one, under their ids, without those that a
// step would not look at; and nothing of the world changes.
#include "../collide/detect_support.h"

#include "base/random.h"
#include "scree/joint.h"
#include "world/world.h"

enum { BODIES = 120 };

static scree_world *new_world(void)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = vec3_make(0, 0, 0);
    def.threads = 2;
    scree_world *world;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    return world;
}

static scree_id add(scree_world *world, vec3 position, const scree_shape_def *shapes, size_t count, bool fixed)
{
    scree_body_def body = scree_default_body_def();
    body.position = position;
    body.orientation = quat_from_rotation(vec3_scale(position, 0.3));
    body.shapes = shapes;
    body.shape_count = count;
    body.fixed = fixed;
    scree_id id;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, &id, NULL), SCREE_OK);
    return id;
}

static scree_id add_ball(scree_world *world, double x, double radius)
{
    scree_shape_def ball = scree_default_shape_def();
    ball.radius = radius;
    return add(world, vec3_make(x, 0, 0), &ball, 1, false);
}

// Balls, boxes, capsules and bodies of two boxes over a plane; every seventh is removed again.
static scree_world *mixed_world(uint64_t seed)
{
    scree_world *world = new_world();
    random_stream random = {seed};
    scree_shape_def plane = scree_default_shape_def();
    plane.type = SCREE_SHAPE_PLANE;
    plane.offset = 0.3;
    add(world, vec3_make(0, 0, 0), &plane, 1, true);
    for (int i = 0; i < BODIES; i++) {
        scree_shape_def shapes[2] = {scree_default_shape_def(), scree_default_shape_def()};
        shapes[0].type = i % 3 == 0 ? SCREE_SHAPE_SPHERE : i % 3 == 1 ? SCREE_SHAPE_BOX : SCREE_SHAPE_CAPSULE;
        shapes[0].half = vec3_make(0.5, 0.25, 0.375);
        shapes[0].half_length = 0.25;
        shapes[1] = shapes[0];
        shapes[1].position = vec3_make(0.5, 0.25, 0);
        double x = random_between(&random, 0, 4), y = random_between(&random, 0, 4);
        add(world, vec3_make(x, y, random_between(&random, 0, 4)), shapes, i % 5 == 0 ? 2 : 1, i % 11 == 0);
    }
    for (scree_id id = 7; id <= BODIES; id += 7)
        assert_int_equal(scree_world_remove_bodies(world, &id, 1, NULL), SCREE_OK);
    return world;
}

static kept_contacts detect(scree_world *world, int threads, uint64_t memory, double margin)
{
    kept_contacts kept = {.list = {0}};
    scree_detect_def def = scree_default_detect_def();
    def.threads = threads;
    def.memory_bytes = memory;
    def.margin = margin;
    scree_error error = {0};
    assert_int_equal(scree_world_detect(world, &def, keep_contacts, &kept, &kept.result, &error), SCREE_OK);
    return kept;
}

typedef struct body_list {
    scree_detect_body bodies[BODIES + 1];
    scree_shape_def shapes[BODIES + 1][2];
    scree_id ids[BODIES + 1];
    size_t count;
} body_list;

// The same bodies through the public interface alone.
static body_list *list_bodies(const scree_world *world)
{
    body_list *list = calloc(1, sizeof *list);
    list->count = scree_world_body_count(world);
    scree_world_body_ids(world, list->ids);
    for (size_t i = 0; i < list->count; i++) {
        scree_body_info info;
        scree_state at;
        assert_int_equal(scree_world_get_body(world, list->ids[i], &info, NULL), SCREE_OK);
        assert_int_equal(scree_world_get_states(world, &list->ids[i], 1, &at, NULL), SCREE_OK);
        scree_detect_body *body = &list->bodies[i];
        *body = scree_default_detect_body();
        body->position = info.frame;
        body->orientation = at.orientation;
        body->fixed = info.fixed;
        body->shapes = list->shapes[i];
        body->shape_count = info.shape_count;
        for (size_t k = 0; k < info.shape_count; k++)
            assert_int_equal(scree_world_get_shape(world, list->ids[i], k, &list->shapes[i][k], NULL), SCREE_OK);
    }
    return list;
}

static uint64_t pair_of(const scree_detect_contact *c)
{
    return c->a << 32 | c->b;
}

static void test_world_is_its_bodies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        scree_world *world = mixed_world(seed);
        kept_contacts got = detect(world, 2, 200000, 0.05), expected = {.list = {0}};
        body_list *list = list_bodies(world);
        scree_body_source source = scree_body_array(list->bodies, list->count);
        scree_detector *detector = new_detector(1, 1000000000, 0.05, SCREE_DETECT_ORDER_FIXED);
        assert_int_equal(scree_detect_bodies(detector, &source, keep_contacts, &expected, &expected.result, NULL),
                         SCREE_OK);
        check_result(&got, 0.05);
        assert_int_equal(got.result.bodies, list->count);
        assert_true(got.result.pairs > 100);
        assert_int_equal(got.result.pairs, expected.result.pairs);
        assert_true(fabs(got.result.deepest - expected.result.deepest) < 1e-5);
        // Which pairs, whatever the rounding of frames does to the order of the curve.
        uint64_t sum = 0, expected_sum = 0;
        for (size_t i = 0; i < got.list.count; i++)
            if (i == 0 || pair_of(&got.list.data[i]) != pair_of(&got.list.data[i - 1]))
                sum += hash_word(0, pair_of(&got.list.data[i]));
        for (size_t i = 0; i < expected.list.count; i++) {
            scree_detect_contact *c = &expected.list.data[i];
            c->a = list->ids[c->a];
            c->b = list->ids[c->b];
            if (i == 0 || pair_of(c) != pair_of(c - 1))
                expected_sum += hash_word(0, pair_of(c));
        }
        assert_true(sum == expected_sum);
        scree_detector_destroy(detector);
        array_free(&got.list);
        array_free(&expected.list);
        free(list);
        scree_world_destroy(world);
    }
}

static void test_memory_and_threads_make_no_difference(void **state)
{
    (void)state;
    scree_world *world = mixed_world(9);
    kept_contacts whole = detect(world, 1, 1000000000, 0.1);
    static const uint64_t memories[] = {250000, 100000, 65536};
    for (int i = 0; i < 6; i++) {
        kept_contacts parts = detect(world, 1 + i % 2, memories[i / 2], 0.1);
        assert_true(hash_in_order(&parts) == hash_in_order(&whole));
        assert_same_counts(&parts.result, &whole.result);
        assert_true(parts.result.boxes > 1);
        array_free(&parts.list);
    }
    array_free(&whole.list);
    scree_world_destroy(world);
}

// Slots follow the order of space from the first step on, ids do not. Nothing touches, so nothing moves.
static void test_order_in_memory_makes_no_difference(void **state)
{
    (void)state;
    enum { ACROSS = 6, COUNT = ACROSS * ACROSS * ACROSS };
    scree_world *world = new_world();
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_CAPSULE;
    shape.radius = 0.3;
    shape.half_length = 0.1;
    for (int i = 0; i < COUNT; i++) {
        int k = i * 37 % COUNT;
        scree_body_def body = scree_default_body_def();
        body.position = vec3_make(k % ACROSS, k / ACROSS % ACROSS, k / (ACROSS * ACROSS));
        body.shapes = &shape;
        body.shape_count = 1;
        assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
    }
    kept_contacts before = detect(world, 2, 200000, 0.4);
    assert_true(before.result.pairs > COUNT && before.result.overlapping == 0);
    uint64_t hash = scree_world_hash(world);
    scree_id first = world->bodies.id.data[1];
    assert_int_equal(scree_world_step(world, 1, NULL), SCREE_OK);
    assert_int_not_equal(world->bodies.id.data[1], first);
    assert_true(scree_world_hash(world) == hash);
    kept_contacts after = detect(world, 2, 200000, 0.4);
    assert_true(hash_in_order(&before) == hash_in_order(&after));
    array_free(&before.list);
    array_free(&after.list);
    scree_world_destroy(world);
}

// A row of balls in which each overlaps the next by 0.1.
static void test_what_may_not_touch_is_left_out(void **state)
{
    (void)state;
    scree_world *world = new_world();
    for (int i = 0; i < 10; i++)
        add_ball(world, 0.9 * i, 0.5);
    kept_contacts plain = detect(world, 1, 65536, 0);
    assert_int_equal(plain.list.count, 9);
    for (int i = 0; i < 9; i++) {
        const scree_detect_contact *c = &plain.list.data[i];
        assert_int_equal(c->a, i + 1);
        assert_int_equal(c->b, i + 2);
        assert_true(fabs(c->gap + 0.1) < 1e-6 && fabs(c->normal.x - 1) < 1e-6);
        assert_true(fabs(c->point.x - (0.9 * i + 0.45)) < 1e-6 && fabs(c->point.y) < 1e-9);
    }
    array_free(&plain.list);

    assert_int_equal(scree_world_keep_apart(world, 3, 4, true, NULL), SCREE_OK);
    assert_int_equal(scree_world_set_filter(world, 6, 2, UINT32_MAX, NULL), SCREE_OK);
    assert_int_equal(scree_world_set_filter(world, 7, 1, 1, NULL), SCREE_OK);
    scree_joint_def tie = scree_default_joint_def();
    tie.bodies[0] = 9;
    tie.bodies[1] = 10;
    assert_int_equal(scree_world_add_joints(world, &tie, 1, NULL, NULL), SCREE_OK);
    kept_contacts fewer = detect(world, 1, 65536, 0);
    assert_int_equal(fewer.list.count, 6);
    for (size_t i = 0; i < fewer.list.count; i++) {
        scree_id a = fewer.list.data[i].a;
        assert_true(a != 3 && a != 6 && a != 9);
    }
    array_free(&fewer.list);
    scree_world_destroy(world);
}

static void test_balls_alone_and_fixed_ones(void **state)
{
    (void)state;
    scree_world *world = new_world();
    scree_shape_def ball = scree_default_shape_def();
    for (int i = 0; i < 10; i++)
        add(world, vec3_make(0.9 * i, 0, 0), &ball, 1, i < 5);
    scree_detect_result result;
    assert_int_equal(scree_world_detect(world, NULL, NULL, NULL, &result, NULL), SCREE_OK);
    assert_int_equal(result.pairs, 5); // of nine, four are of two fixed ones
    scree_world_destroy(world);
    world = new_world();
    assert_int_equal(scree_world_detect(world, NULL, NULL, NULL, &result, NULL), SCREE_OK);
    assert_true(result.bodies == 0 && result.pairs == 0 && result.deepest == 0);
    scree_detect_def bad = scree_default_detect_def();
    bad.margin = -1;
    scree_error error;
    assert_int_equal(scree_world_detect(world, &bad, NULL, NULL, NULL, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "margin"));
    scree_world_destroy(world);
}

// A step after detecting is the same as one without.
static void test_stepping_goes_on_as_before(void **state)
{
    (void)state;
    scree_world *one = mixed_world(13), *other = mixed_world(13);
    for (int i = 0; i < 5; i++) {
        kept_contacts kept = detect(one, 2, 100000, 0.01);
        array_free(&kept.list);
        assert_int_equal(scree_world_step(one, 1, NULL), SCREE_OK);
        assert_int_equal(scree_world_step(other, 1, NULL), SCREE_OK);
        assert_true(scree_world_hash(one) == scree_world_hash(other));
    }
    scree_world_destroy(one);
    scree_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world_is_its_bodies),
        cmocka_unit_test(test_memory_and_threads_make_no_difference),
        cmocka_unit_test(test_order_in_memory_makes_no_difference),
        cmocka_unit_test(test_what_may_not_touch_is_left_out),
        cmocka_unit_test(test_balls_alone_and_fixed_ones),
        cmocka_unit_test(test_stepping_goes_on_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
