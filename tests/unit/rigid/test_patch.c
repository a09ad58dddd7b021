// The patch around a strike: which bodies it has, what others press on it with, and that a strike stays where it is
// unless its rim runs into others.
#include "../../physics/lab.h"

#include "plain_step.h"
#include "rigid/exits/patch.h"

enum { ROW = 30, RINGS = 6 };

// A row of touching balls of radius 0.1 along x, and one more before it that flies towards the first.
static plain_step *make_row(void)
{
    plain_step *of = plain_make();
    for (int i = 0; i < ROW; i++)
        plain_add(of, vec3_make(0.2 * i, 0, 0), 0.1, 1);
    plain_add(of, vec3_make(-0.3, 0, 0), 0.1, 1);
    for (uint32_t i = 0; i + 1 < ROW; i++)
        plain_touch_balls(of, i, i + 1);
    return of;
}

static contact_array strike(plain_step *of)
{
    contact_array found = {0};
    contact *c = plain_touch_balls(of, 0, ROW);
    of->problem.contact_count--;
    assert_true(array_push(&found, *c));
    return found;
}

static patch mark(plain_step *of, const contact_array *found)
{
    patch marked;
    assert_true(patch_take(of->problem.body_count, &of->scratch, &marked));
    patch_mark(&of->problem, &of->joints, found, &marked);
    return marked;
}

static void test_some_contacts_around(void **state)
{
    (void)state;
    plain_step *of = make_row();
    contact_array found = strike(of);
    patch marked = mark(of, &found);
    for (int i = 0; i <= ROW; i++) {
        bool inside = i <= RINGS || i == ROW;
        assert_int_equal(marked.marked[i], inside);
        assert_int_equal(marked.done[i], !inside);
    }
    array_free(&found);
    plain_free(of);
}

// What sleeps wakes as a whole; immovable bodies pass nothing on.
static void test_sleepers_and_walls(void **state)
{
    (void)state;
    plain_step *of = make_row();
    contact_array found = strike(of);
    for (int i = 4; i < 20; i++)
        of->rest[i] = -1;
    patch marked = mark(of, &found);
    for (int i = 0; i < ROW; i++)
        assert_int_equal(marked.marked[i], i < 22); // the fifth ring is all of them, and two follow
    of->immovable[3] = 1;
    marked = mark(of, &found);
    for (int i = 0; i < ROW; i++)
        assert_int_equal(marked.marked[i], i < 3);
    array_free(&found);
    plain_free(of);
}

static void test_joints_are_not_cut(void **state)
{
    (void)state;
    plain_step *of = make_row();
    contact_array found = strike(of);
    of->rows[0] = (joint_row){.body = {5, 25, NO_BODY}};
    of->joints.count = 1;
    patch marked = mark(of, &found);
    for (int i = 0; i < ROW; i++)
        assert_int_equal(marked.marked[i], i <= RINGS || (i >= 24 && i <= 26));
    array_free(&found);
    plain_free(of);
}

// Contacts of pairs that collide, whichever body is first; of others none stay.
static void test_only_what_collides_stays(void **state)
{
    (void)state;
    plain_step *of = make_row();
    body_velocity reached[ROW + 1] = {0};
    uint8_t fast[ROW + 1] = {0};
    fast_exits exits = {1, fast, reached};
    contact_array found = {0};
    vec3f_array angular = {0};
    fast[ROW] = 1;
    reached[ROW].velocity.x = 12; // 0.12 m in the step: 0.02 beyond the gap, 0.0025 count
    proxy_view view = plain_view(of);
    contact hit = *plain_touch_balls(of, 0, ROW), other = hit, miss = *plain_touch_balls(of, 1, ROW);
    of->problem.contact_count -= 2;
    other.gap = 1; // another point of the same two bodies
    const contact all[] = {hit, other, miss};
    for (int i = 0; i < 3; i++)
        assert_true(array_push(&found, all[i]) && array_push(&angular, ((vec3f){(float)i, 0, 0})));
    assert_true(keep_colliding(&of->problem, &view, &exits, &found, &angular, &of->scratch));
    assert_int_equal(found.count, 2);
    assert_int_equal(angular.count, 2);
    assert_near((double)found.data[1].gap, 1, 0);
    assert_near((double)angular.data[1].x, 1, 0);
    array_free(&found);
    array_free(&angular);
    plain_free(of);
}

// A plane of the beginning would stop balls that pass each other: their contact is found where all bodies are looked
// at, and not where the look is closer. So it stays in neither.
static void test_balls_that_pass_do_not_stay(void **state)
{
    (void)state;
    plain_step *of = make_row();
    body_velocity reached[ROW + 1] = {0};
    uint8_t fast[ROW + 1] = {0};
    fast_exits exits = {1, fast, reached};
    proxy_view view = plain_view(of);
    fast[ROW] = 1;
    reached[ROW].velocity = vec3_make(20, 30, 0); // from 0.3 m away past the first ball, 0.25 m aside
    contact_array found = strike(of);
    assert_true(fast_exit_collides(&of->problem, &exits, &found.data[0]));
    assert_true(keep_colliding(&of->problem, &view, &exits, &found, NULL, &of->scratch));
    assert_int_equal(found.count, 0);
    array_free(&found);
    plain_free(of);
}

// The island of a patch, with an impact between two bodies of it, or with a contact that opens after one; which of its
// bodies belong to the patch then?
static void check_whole(int meets, int opens, int last)
{
    plain_step *of = make_row();
    contact_array found = strike(of);
    patch marked = mark(of, &found);
    float opening[ROW];
    uint8_t in_any[ROW + 1] = {0};
    pair_meeting met = {.a = (uint32_t)meets, .b = (uint32_t)meets + 1, .moment = 0.5f, .kind = MEETING_HIT};
    for (int i = 0; i < ROW; i++)
        opening[i] = i == opens ? 0.5f : -1;
    if (meets >= 0) {
        in_any[meets] = in_any[meets + 1] = 1;
        of->problem.meetings = &met;
        of->problem.meeting_count = 1;
        of->problem.meets = in_any;
    }
    island_set islands;
    assert_true(islands_find(&of->problem, &of->joints, &of->scratch, &islands));
    of->problem.opening = opening;
    patch_take_whole(&of->problem, &islands, &marked);
    for (int i = 0; i <= ROW; i++) {
        assert_int_equal(marked.marked[i], i <= last || i == ROW);
        assert_int_equal(marked.done[i], !marked.marked[i]);
    }
    array_free(&found);
    plain_free(of);
}

static void test_islands_are_taken_whole(void **state)
{
    (void)state;
    check_whole(-1, -1, RINGS);
    check_whole(20, -1, ROW - 1);
    check_whole(-1, 3, ROW - 1);
    check_whole(-1, 20, RINGS); // a blow that does not reach the patch
}

// In place of the contacts that the same two bodies had, sorted by slot of a and id of b.
static void test_contacts_join(void **state)
{
    (void)state;
    plain_step *of = make_row();
    contact_array found = strike(of), contacts = {0};
    vec3f_array found_angular = {0}, angular = {0};
    const contact first[] = {{.a = 0, .b = 1, .feature = 1}, {.a = 0, .b = 5, .feature = 2}, {.a = 3, .b = 4}};
    const contact second[] = {{.a = 0, .b = 5, .feature = 7}, {.a = 0, .b = ROW}, {.a = 2, .b = 6}};
    const uint32_t expected[][3] = {{0, 1, 1}, {0, 5, 7}, {0, ROW, 0}, {2, 6, 0}, {3, 4, 0}};
    patch marked = mark(of, &found);
    found.count = 0;
    for (int i = 0; i < 3; i++) {
        assert_true(array_push(&contacts, first[i]) && array_push(&angular, ((vec3f){1, 0, 0})));
        assert_true(array_push(&found, second[i]) && array_push(&found_angular, ((vec3f){2, 0, 0})));
    }
    assert_true(patch_join(&of->problem, &marked, &found, &found_angular, &contacts, &angular));
    assert_int_equal(contacts.count, 5);
    assert_int_equal(angular.count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(contacts.data[i].a, expected[i][0]);
        assert_int_equal(contacts.data[i].b, expected[i][1]);
        assert_int_equal(contacts.data[i].feature, expected[i][2]);
        assert_near((double)angular.data[i].x, i == 0 || i == 4 ? 1 : 2, 0);
    }
    array_free(&found);
    array_free(&contacts);
    array_free(&angular);
    array_free(&found_angular);
    plain_free(of);
}

// The first ball outside presses on the rim with the impulse of their contact, and nothing else presses.
static void test_what_others_press_with(void **state)
{
    (void)state;
    plain_step *of = make_row();
    contact_array found = strike(of);
    patch marked = mark(of, &found);
    for (uint32_t i = 0; i + 1 < ROW; i++)
        of->contacts[i].impulse = (vec3f){(float)(1 + i), 0.5f, 0};
    step_problem problem = of->problem;
    assert_true(patch_cut_out(&problem, &marked, &of->scratch));
    assert_int_equal(problem.contact_count, RINGS);
    vec3 impulse = {1 + RINGS, 0.5, 0}; // on the first ball outside
    for (int i = 0; i <= RINGS; i++) {
        vec3 pressed = i == RINGS ? vec3_scale(impulse, -1 / problem.step) : vec3_make(0, 0, 0);
        assert_vec3_near(problem.loads[i].force, pressed, 1e-9);
        assert_vec3_near(problem.loads[i].torque, vec3_cross(vec3_make(0.1, 0, 0), pressed), 1e-5);
    }
    for (size_t i = 0; i < problem.contact_count; i++)
        problem.contacts[i].impulse.z = 9;
    patch_return(&problem, &marked, of->contacts, NULL);
    for (uint32_t i = 0; i + 1 < ROW; i++)
        assert_near((double)of->contacts[i].impulse.z, i < RINGS ? 9 : 0, 0);
    array_free(&found);
    plain_free(of);
}

// A heavy ball throws a light one at a row of touching balls: one step, in which the light one is a fast exit. The
// row is pushed as a whole, no ball runs into the next, and momentum is kept. By momentum the two come at 100/6 m/s,
// 6.8 ms into the step, and all of them go on at 100/36 m/s; a second impact gives its velocities in the step after.
static void test_a_row_is_pushed_as_a_whole(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.gravity = vec3_make(0, 0, 0);
    def.step = 0.01;
    def.solver.algorithm = SCREE_ALGORITHM_APGS;
    def.solver.iterations = 2000;
    def.solver.tolerance = 1e-7;
    scree_world *world = lab_create(&def);
    scree_body_def heavy = lab_body(vec3_make(-0.52, 0, 0), vec3_make(20, 0, 0));
    heavy.mass = 5;
    scree_id ids[ROW + 2] = {lab_add(world, heavy, lab_sphere(0.1))};
    for (int i = 0; i <= ROW; i++) {
        scree_body_def ball = lab_body(vec3_make(i == 0 ? -0.28 : 0.2 * (i - 1), 0, 0), vec3_make(0, 0, 0));
        ball.mass = 1;
        ids[i + 1] = lab_add(world, ball, lab_sphere(0.1));
    }
    lab_step(world, 1);
    double momentum = 5 * lab_state(world, ids[0]).velocity.x, gap = HUGE_VAL;
    for (int i = 1; i <= ROW + 1; i++) {
        scree_state before = lab_state(world, ids[i - 1]), at = lab_state(world, ids[i]);
        momentum += at.velocity.x;
        gap = fmin(gap, at.position.x - before.position.x - 0.2);
    }
    assert_near(momentum, 100, 1e-3);
    assert_near(lab_state(world, ids[ROW + 1]).position.x - 0.2 * (ROW - 1), 100.0 / 36 * 0.0032, 2e-4);
    assert_true(gap > -0.0025);
    lab_step(world, 1);
    assert_near(lab_state(world, ids[ROW + 1]).velocity.x, 100.0 / 36, 0.1);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_some_contacts_around),
        cmocka_unit_test(test_sleepers_and_walls),
        cmocka_unit_test(test_joints_are_not_cut),
        cmocka_unit_test(test_only_what_collides_stays),
        cmocka_unit_test(test_balls_that_pass_do_not_stay),
        cmocka_unit_test(test_islands_are_taken_whole),
        cmocka_unit_test(test_contacts_join),
        cmocka_unit_test(test_what_others_press_with),
        cmocka_unit_test(test_a_row_is_pushed_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
