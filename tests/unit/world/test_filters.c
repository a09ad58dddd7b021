// Who touches whom: groups and masks, pairs kept apart, and the lists of touches that began and ended.
#include "../../physics/lab.h"

static const vec3 AT_REST = {0, 0, 0};

static scree_id add_ball(scree_world *world, double x, double z, uint32_t group, uint32_t mask)
{
    scree_body_def body = lab_body(vec3_make(x, 0, z), AT_REST);
    body.group = group;
    body.mask = mask;
    return lab_add(world, body, lab_sphere(0.5));
}

static size_t contacts_of(const scree_world *world, scree_id a, scree_id b)
{
    size_t count, found = 0;
    scree_contact *contacts = lab_contacts(world, &count);
    for (size_t i = 0; i < count; i++)
        found += (contacts[i].a == a && contacts[i].b == b) || (contacts[i].a == b && contacts[i].b == a);
    free(contacts);
    return found;
}

static void test_groups_and_masks(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.005);
    scree_world *world = lab_create(&def);
    scree_id floor = lab_add_floor(world);
    scree_id all = add_ball(world, 0, 0.5, 1, UINT32_MAX);
    scree_id second = add_ball(world, 0.99, 0.5, 2, UINT32_MAX);    // touches all that will touch group 2
    scree_id shy = add_ball(world, 1.98, 0.5, 1, UINT32_MAX & ~2u); // not group 2
    scree_id ghost = add_ball(world, 2.97, 0.5, 4, 0);              // nothing at all
    lab_step(world, 1);
    assert_int_equal(contacts_of(world, all, second), 1);
    assert_int_equal(contacts_of(world, second, shy), 0);
    assert_int_equal(contacts_of(world, shy, ghost), 0);
    assert_int_equal(contacts_of(world, floor, shy), 1);
    assert_int_equal(contacts_of(world, floor, ghost), 0);
    lab_ok(scree_world_set_filter(world, ghost, 1, UINT32_MAX, error));
    lab_step(world, 1);
    assert_int_equal(contacts_of(world, shy, ghost), 1);
    assert_int_equal(scree_world_set_filter(world, 99, 1, 1, NULL), SCREE_ERROR_INVALID);
    scree_world_destroy(world);
}

static void test_pairs_kept_apart(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.005);
    scree_world *world = lab_create(&def);
    lab_add_floor(world);
    scree_id a = add_ball(world, 0, 0.5, 1, UINT32_MAX), b = add_ball(world, 0.99, 0.5, 1, UINT32_MAX);
    scree_id c = add_ball(world, 1.98, 0.5, 1, UINT32_MAX);
    lab_ok(scree_world_keep_apart(world, b, a, true, error));
    lab_ok(scree_world_keep_apart(world, a, b, true, error)); // once is enough
    lab_step(world, 1);
    assert_int_equal(contacts_of(world, a, b), 0);
    assert_int_equal(contacts_of(world, b, c), 1);
    lab_ok(scree_world_keep_apart(world, a, b, false, error));
    lab_step(world, 1);
    assert_int_equal(contacts_of(world, a, b), 1);
    assert_int_equal(scree_world_keep_apart(world, a, a, true, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_keep_apart(world, a, 77, true, NULL), SCREE_ERROR_INVALID);
    lab_ok(scree_world_keep_apart(world, a, b, true, error));
    lab_ok(scree_world_remove_bodies(world, &a, 1, error));
    lab_step(world, 2);
    scree_world_destroy(world);
}

// A ball falls on the floor, rests, and is taken away from below by a floor that no longer touches it.
static void test_touches_begin_and_end(void **state)
{
    (void)state;
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 0.005);
    scree_world *world = lab_create(&def);
    scree_id floor = lab_add_floor(world), ball = add_ball(world, 0, 0.6, 1, UINT32_MAX);
    scree_body_pair pair;
    scree_world_watch_touches(world, true);
    int begun = 0, ended = 0;
    for (int step = 0; step < 200; step++) {
        lab_step(world, 1);
        begun += (int)scree_world_touch_begins(world, &pair, 1);
        ended += (int)scree_world_touch_ends(world, NULL, 0);
        if (begun == 1 && scree_world_touch_begins(world, NULL, 0)) {
            assert_int_equal(pair.a, floor);
            assert_int_equal(pair.b, ball);
        }
    }
    assert_int_equal(begun, 1); // resting does not flicker
    assert_int_equal(ended, 0);
    lab_ok(scree_world_set_filter(world, ball, 1, 0, error));
    lab_step(world, 1);
    assert_int_equal(scree_world_touch_ends(world, &pair, 1), 1);
    assert_int_equal(pair.b, ball);
    lab_step(world, 1);
    assert_int_equal(scree_world_touch_ends(world, &pair, 1), 0);
    scree_world_watch_touches(world, false);
    scree_world_destroy(world);
}

// Against the definition: in a heap, begun minus ended pairs are the pairs that touch.
static void test_touches_add_up(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_add_container(world, 0.65);
    lab_add_heap(world, 100, 0.65, true, 8);
    scree_world_watch_touches(world, true);
    size_t balance = 0;
    for (int step = 0; step < 120; step++) {
        lab_step(world, 1);
        balance += scree_world_touch_begins(world, NULL, 0);
        balance -= scree_world_touch_ends(world, NULL, 0);
    }
    size_t count, near = 0, touching = 0;
    scree_contact *contacts = lab_contacts(world, &count);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (contacts[k].a != contacts[i].a || contacts[k].b != contacts[i].b)
            k++;
        near += k == i;
        touching += k == i && contacts[i].gap <= 0;
    }
    free(contacts);
    assert_in_range(balance, touching, near);
    assert_true(touching > 50);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_and_masks),
        cmocka_unit_test(test_pairs_kept_apart),
        cmocka_unit_test(test_touches_begin_and_end),
        cmocka_unit_test(test_touches_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
