// Bodies come and go: ids rise and are never reused, the others do not notice, and bulk is cheap enough to be usual.
#include "../../physics/lab.h"

#include <string.h>

static const vec3 NOWHERE = {0, 0, 0};

static scree_world *small_world(void)
{
    return lab_world(&LAB_GS_SINGLE, 0.005, vec3_make(0, 0, -LAB_G));
}

static void test_ids_rise_and_are_never_reused(void **state)
{
    (void)state;
    scree_world *world = small_world();
    scree_id last = 0;
    for (int round = 0; round < 20; round++) {
        scree_id ids[5];
        for (int i = 0; i < 5; i++) {
            ids[i] = lab_add(world, lab_body(vec3_make(2.0 * i, 3.0 * round, 0), NOWHERE), lab_sphere(0.4));
            assert_int_equal(ids[i], last + 1);
            last = ids[i];
        }
        lab_ok(scree_world_remove_bodies(world, ids + 1, 4, error)); // the newest among them
        for (int i = 1; i < 5; i++)
            assert_false(scree_world_has_body(world, ids[i]));
        assert_true(scree_world_has_body(world, ids[0]));
        lab_step(world, 1);
    }
    assert_int_equal(scree_world_body_count(world), 20);
    scree_id all[20];
    scree_world_body_ids(world, all);
    for (int i = 0; i < 20; i++)
        assert_int_equal(all[i], 5 * i + 1);
    scree_world_destroy(world);
}

static void test_bulk_ids_follow_the_order_of_definitions(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    scree_world *world = small_world();
    scree_body_def defs[COUNT];
    scree_shape_def shapes[COUNT];
    scree_id ids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        shapes[i] = i % 2 ? lab_sphere(0.1 + 0.001 * i) : lab_box(0.1, 0.2, 0.1 + 0.001 * i);
        defs[i] = lab_body(vec3_make((i * 37) % 100, (i * 59) % 100, (i * 83) % 100), vec3_make(i, -i, 0.5 * i));
        defs[i].shapes = &shapes[i];
        defs[i].shape_count = 1;
    }
    lab_ok(scree_world_add_bodies(world, defs, COUNT, ids, error));
    lab_ok(scree_world_add_bodies(world, defs, 0, NULL, error)); // none is a number too
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(ids[i], i + 1);
        scree_state now = lab_state(world, ids[i]);
        assert_vec3_near(now.position, defs[i].position, 0);
        assert_vec3_near(now.velocity, defs[i].velocity, 0);
        scree_shape_def shape;
        lab_ok(scree_world_get_shape(world, ids[i], 0, &shape, error));
        assert_int_equal(shape.type, shapes[i].type);
        if (i % 2)
            assert_near(shape.radius, shapes[i].radius, 1e-7);
        else
            assert_vec3_near(shape.half, shapes[i].half, 1e-7);
    }
    scree_world_destroy(world);
}

// Shapes of a compound are read back where and as they were given, though the world keeps them in principal axes.
static void test_compound_shapes_read_back(void **state)
{
    (void)state;
    scree_world *world = small_world();
    scree_shape_def shapes[3] = {lab_sphere(0.2), lab_box(0.1, 0.2, 0.3), lab_box(0.3, 0.1, 0.1)};
    shapes[0].position = vec3_make(0.5, 0.1, -0.2);
    shapes[1].position = vec3_make(-0.3, 0, 0.4);
    shapes[1].orientation = quat_from_rotation(vec3_make(0.3, 0.6, -0.2));
    shapes[2].material = 0;
    scree_body_def body = lab_body(vec3_make(1, 2, 3), NOWHERE);
    body.orientation = quat_from_rotation(vec3_make(-1, 0.5, 0.2));
    body.shapes = shapes;
    body.shape_count = 3;
    scree_id id;
    lab_ok(scree_world_add_bodies(world, &body, 1, &id, error));
    for (size_t i = 0; i < 3; i++) {
        scree_shape_def read;
        lab_ok(scree_world_get_shape(world, id, i, &read, error));
        assert_int_equal(read.type, shapes[i].type);
        assert_vec3_near(read.position, shapes[i].position, 1e-12);
        vec3 mark = {1, 2, 3};
        assert_vec3_near(quat_rotate(read.orientation, mark), quat_rotate(shapes[i].orientation, mark), 1e-12);
    }
    scree_state now = lab_state(world, id);
    vec3 mark = {0.3, -0.4, 0.5};
    assert_vec3_near(quat_rotate(now.orientation, mark), quat_rotate(body.orientation, mark), 1e-12);
    scree_world_destroy(world);
}

// States of bodies that stay are the same bits after others were added and removed, before the next step is taken.
static void test_others_do_not_notice(void **state)
{
    (void)state;
    scree_world *world = small_world();
    lab_add_container(world, 0.65);
    lab_add_heap(world, 100, 0.65, true, 5);
    lab_step(world, 100);
    size_t count = scree_world_body_count(world);
    scree_id ids[200], gone[50];
    scree_state before[200], after[200];
    scree_world_body_ids(world, ids);
    lab_ok(scree_world_get_states(world, ids, count, before, error));
    uint64_t hash = scree_world_hash(world);

    scree_id extra = lab_add(world, lab_body(vec3_make(0, 0, 50), NOWHERE), lab_sphere(0.1));
    lab_ok(scree_world_get_states(world, ids, count, after, error));
    assert_memory_equal(before, after, count * sizeof *before);
    assert_true(scree_world_hash(world) != hash);
    lab_ok(scree_world_remove_bodies(world, &extra, 1, error));
    assert_true(scree_world_hash(world) == hash);

    size_t removed = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i >= 5 && i % 3 == 0 && removed < 50) {
            gone[removed++] = ids[i];
            continue;
        }
        ids[kept] = ids[i];
        before[kept++] = before[i];
    }
    lab_ok(scree_world_remove_bodies(world, gone, removed, error));
    assert_int_equal(scree_world_body_count(world), kept);
    lab_ok(scree_world_get_states(world, ids, kept, after, error));
    assert_memory_equal(before, after, kept * sizeof *before);
    for (size_t i = 0; i < removed; i++)
        assert_false(scree_world_has_body(world, gone[i]));
    lab_step(world, 200); // the rest settles again
    assert_int_equal(scree_world_body_count(world), kept);
    for (size_t i = 5; i < kept; i++) {
        scree_state now = lab_state(world, ids[i]);
        assert_at_least(now.position.z, 0.02);
        assert_at_most(fabs(now.position.x), 0.65);
    }
    scree_world_destroy(world);
}

static void test_everything_can_be_removed_and_added_again(void **state)
{
    (void)state;
    scree_world *world = small_world();
    uint64_t empty = scree_world_hash(world);
    for (int round = 0; round < 3; round++) {
        lab_add_container(world, 0.65);
        lab_add_heap(world, 60, 0.65, true, 5);
        lab_step(world, 40);
        size_t count = scree_world_body_count(world);
        assert_int_equal(count, 65);
        scree_id ids[65];
        scree_world_body_ids(world, ids);
        for (size_t i = 0; i < count / 2; i++) { // the order of removal is free
            scree_id swap = ids[i];
            ids[i] = ids[count - 1 - i];
            ids[count - 1 - i] = swap;
        }
        lab_ok(scree_world_remove_bodies(world, ids, count, error));
        assert_int_equal(scree_world_body_count(world), 0);
        assert_true(scree_world_hash(world) == empty);
        lab_step(world, 5);
        scree_figures figures = scree_world_figures(world);
        assert_int_equal(figures.bodies, 0);
        assert_int_equal(figures.contacts, 0);
        assert_near(figures.kinetic, 0, 0);
    }
    scree_world_destroy(world);
}

// A feeder may run for ever: what is gone leaves nothing behind.
static void test_bodies_that_come_and_go_take_no_memory(void **state)
{
    (void)state;
    enum { ROUNDS = CHECK_SANITIZED ? 20000 : 200000 };
    scree_world *world = small_world();
    scree_id kept = lab_add(world, lab_body(NOWHERE, NOWHERE), lab_sphere(0.4)), last = kept;
    size_t bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_id id = lab_add(world, lab_body(vec3_make(2, 0, 0), NOWHERE), lab_box(0.1, 0.2, 0.3));
        assert_int_equal(id, ++last);
        lab_ok(scree_world_remove_bodies(world, &id, 1, error));
        if (round == 0)
            bytes = scree_world_figures(world).memory_bytes;
    }
    assert_int_equal(scree_world_figures(world).memory_bytes, bytes);
    assert_true(scree_world_has_body(world, kept));
    assert_false(scree_world_has_body(world, last));
    scree_id all[1];
    scree_world_body_ids(world, all);
    assert_int_equal(all[0], kept);
    scree_world_destroy(world);
}

static void test_removing_a_support_lets_things_fall(void **state)
{
    (void)state;
    scree_world *world = small_world();
    lab_add_floor(world);
    scree_id shelf = lab_add_fixed(world, vec3_make(0, 0, 2), lab_box(1, 1, 0.1));
    scree_id ball = lab_add(world, lab_body(vec3_make(0, 0, 2.4), NOWHERE), lab_sphere(0.3));
    scree_id box = lab_add(world, lab_body(vec3_make(0.6, 0, 2.2), NOWHERE), lab_box(0.1, 0.1, 0.1));
    lab_step(world, 100);
    assert_near(lab_state(world, ball).position.z, 2.4, 1e-3);
    assert_near(lab_state(world, box).position.z, 2.2, 1e-3);
    lab_ok(scree_world_remove_bodies(world, &shelf, 1, error));
    lab_step(world, 20);
    assert_near(lab_state(world, ball).velocity.z, -20 * 0.005 * LAB_G, 0.01);
    assert_near(lab_state(world, box).velocity.z, -20 * 0.005 * LAB_G, 0.01);
    lab_step(world, 300);
    assert_near(lab_state(world, ball).position.z, 0.3, 2e-3);
    assert_near(lab_state(world, box).position.z, 0.1, 2e-3);
    scree_world_destroy(world);
}

// A state put back is a state taken: positions to rounding where the internal frame differs from the user's.
static void test_states_can_be_set(void **state)
{
    (void)state;
    scree_world *world = small_world();
    scree_id ids[2] = {lab_add(world, lab_body(NOWHERE, NOWHERE), lab_sphere(0.5)),
                       lab_add(world, lab_body(vec3_make(5, 0, 0), NOWHERE), lab_box(0.3, 0.1, 0.2))};
    scree_state wanted[2], read[2];
    for (int i = 0; i < 2; i++)
        wanted[i] = (scree_state){.position = vec3_make(10 + 3 * i, 2, 1),
                                  .orientation = {2, 0.2, -0.4, 0.6}, // normalised on use
                                  .velocity = vec3_make(1, 2, 3),
                                  .spin = vec3_make(-1, 0, 2)};
    lab_ok(scree_world_set_states(world, ids, 2, wanted, error));
    lab_ok(scree_world_get_states(world, ids, 2, read, error));
    for (int i = 0; i < 2; i++) {
        assert_vec3_near(read[i].position, wanted[i].position, 1e-14);
        assert_vec3_near(read[i].velocity, wanted[i].velocity, 0);
        assert_vec3_near(read[i].spin, wanted[i].spin, 1e-14);
        assert_near(quat_length(read[i].orientation), 1, 1e-14);
        assert_near(read[i].orientation.y, -0.4 / quat_length(wanted[i].orientation), 1e-14);
    }
    lab_step(world, 1);
    assert_near(lab_state(world, ids[0]).position.x, 10 + 0.005, 1e-12);
    scree_world_destroy(world);
}

// Bodies put far away from the others, and back, still collide: nothing assumes a box known in advance.
static void test_bodies_collide_anywhere(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, 0.005, NOWHERE);
    lab_surface(world, 0, 1);
    const double places[] = {0, 1e3, -1e5, 1e7};
    scree_id left[4], right[4];
    for (int i = 0; i < 4; i++) {
        vec3 at = {places[i], -0.5 * places[i], 0.25 * places[i]};
        left[i] = lab_add(world, lab_body(vec3_add(at, vec3_make(-0.6, 0, 0)), vec3_make(1, 0, 0)), lab_sphere(0.5));
        right[i] = lab_add(world, lab_body(vec3_add(at, vec3_make(0.6, 0, 0)), vec3_make(-1, 0, 0)), lab_sphere(0.5));
    }
    lab_step(world, 100);
    for (int i = 0; i < 4; i++) {
        assert_near(lab_state(world, left[i]).velocity.x, -1, 1e-4);
        assert_near(lab_state(world, right[i]).velocity.x, 1, 1e-4);
    }
    scree_world_destroy(world);
}

static void test_a_million_bodies_come_and_go(void **state)
{
    (void)state;
    const size_t count = CHECK_SANITIZED ? 50000 : 1000000;
    scree_world *world = small_world();
    scree_shape_def shape = lab_sphere(0.4);
    scree_body_def *defs = malloc(count * sizeof *defs);
    scree_id *ids = malloc(count * sizeof *ids);
    assert_non_null(defs);
    assert_non_null(ids);
    for (size_t i = 0; i < count; i++) {
        defs[i] = lab_body(vec3_make((double)(i % 100), (double)(i / 100 % 100), (double)(i / 10000)), NOWHERE);
        defs[i].shapes = &shape;
        defs[i].shape_count = 1;
    }
    lab_ok(scree_world_add_bodies(world, defs, count, ids, error));
    assert_int_equal(scree_world_body_count(world), count);
    lab_step(world, 1);
    assert_near(lab_state(world, ids[count - 1]).velocity.z, -LAB_G * 0.005, 1e-12);
    lab_ok(scree_world_remove_bodies(world, ids, count / 2, error));
    assert_int_equal(scree_world_body_count(world), count - count / 2);
    assert_vec3_near(vec3_sub(lab_state(world, ids[count - 1]).position, defs[count - 1].position),
                     vec3_make(0, 0, -0.5 * LAB_G * 0.005 * 0.005), 1e-10);
    lab_ok(scree_world_remove_bodies(world, ids + count / 2, count - count / 2, error));
    assert_int_equal(scree_world_body_count(world), 0);
    free(defs);
    free(ids);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_rise_and_are_never_reused),
        cmocka_unit_test(test_bulk_ids_follow_the_order_of_definitions),
        cmocka_unit_test(test_compound_shapes_read_back),
        cmocka_unit_test(test_others_do_not_notice),
        cmocka_unit_test(test_everything_can_be_removed_and_added_again),
        cmocka_unit_test(test_bodies_that_come_and_go_take_no_memory),
        cmocka_unit_test(test_removing_a_support_lets_things_fall),
        cmocka_unit_test(test_states_can_be_set),
        cmocka_unit_test(test_bodies_collide_anywhere),
        cmocka_unit_test(test_a_million_bodies_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
