// The look at what fast exits may meet, against detection of everything: it never misses a collision, and between
// balls and planes it sees nothing that is not there.
#include "../../physics/lab.h"

#include "../geometry/random_pose.h"
#include "contact/detect_step.h"
#include "plain_step.h"
#include "rigid/fast_exits.h"
#include "world/view.h"

enum { BODIES = 60, TRIALS = 400 };

static bool may_hit(scree_world *world, const fast_exits *exits)
{
    step_problem problem = step_problem_of(world);
    proxy_view view = store_view(&world->bodies);
    bool may_collide;
    assert_true(fast_exits_may_hit(&problem, &view, exits, &world->scratch, &may_collide));
    return may_collide;
}

static bool any_collides(scree_world *world, const fast_exits *exits)
{
    step_problem problem = step_problem_of(world);
    bool any = false;
    for (size_t i = 0; i < problem.contact_count; i++)
        any |= fast_exit_collides(&problem, exits, &problem.contacts[i]);
    return any;
}

// A floor, loose bodies of radius 0.05 to 0.15 above it; every third is a box unless there are only balls.
static scree_world *make_world(random_stream *random, bool only_balls, double half)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    def.step = 0.01;
    scree_world *world = lab_create(&def);
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(0, 0, 1), -half));
    for (int i = 0; i < BODIES; i++) {
        scree_shape_def shape = lab_sphere(random_between(random, 0.05, 0.15));
        scree_body_def body = lab_body(random_vec(random, half), vec3_make(0, 0, 0));
        body.fixed = !only_balls && i % 10 == 0;
        lab_add(world, body, !only_balls && i % 3 == 0 ? lab_box(0.05, 0.1, 0.08) : shape);
    }
    return world;
}

// Some bodies fly by up to two radii in the step, the rest rests.
static fast_exits throw_some(scree_world *world, random_stream *random, double share)
{
    size_t count = world->bodies.count;
    fast_exits exits = {.is_fast_exit = arena_array(&world->scratch, uint8_t, count),
                        .reached = arena_array(&world->scratch, body_velocity, count)};
    memset(exits.is_fast_exit, 0, count);
    memset(exits.reached, 0, count * sizeof *exits.reached);
    for (size_t i = 0; i < count; i++) {
        if (world->bodies.immovable.data[i] || random_between(random, 0, 1) > share)
            continue;
        exits.is_fast_exit[i] = 1;
        exits.count++;
        exits.reached[i] = (body_velocity){random_vec(random, 12), random_vec(random, 5)};
    }
    return exits;
}

typedef struct tally {
    int seen, collided;
} tally;

static tally try_worlds(bool only_balls, double half, double share)
{
    tally found = {0, 0};
    random_stream random = {7};
    for (int trial = 0; trial < TRIALS; trial++) {
        scree_world *world = make_world(&random, only_balls, half);
        fast_exits exits = throw_some(world, &random, share);
        bool may_collide = may_hit(world, &exits);
        assert_int_equal(detect_contacts(world, exits.reached, NULL), SCREE_OK);
        bool collides = any_collides(world, &exits);
        if (collides)
            assert_true(may_collide);
        found.seen += may_collide;
        found.collided += collides;
        scree_world_destroy(world);
    }
    return found;
}

static void test_balls_and_a_floor_are_seen_exactly(void **state)
{
    (void)state;
    tally dense = try_worlds(true, 0.8, 0.05), loose = try_worlds(true, 4, 0.2);
    assert_int_equal(dense.seen, dense.collided);
    assert_int_equal(loose.seen, loose.collided);
    // Neither always nor never, else nothing was tested.
    assert_true(dense.collided > TRIALS / 4 && loose.collided > TRIALS / 20 && loose.collided < TRIALS * 9 / 10);
}

static void test_no_collision_of_other_shapes_is_missed(void **state)
{
    (void)state;
    tally loose = try_worlds(false, 4, 0.1);
    assert_true(loose.collided > TRIALS / 50 && loose.seen < TRIALS * 9 / 10);
}

static bool look_at_speed(scree_world *world, fast_exits *exits, vec3 direction, double speed)
{
    exits->reached[0].velocity = vec3_scale(direction, speed);
    return may_hit(world, exits);
}

// At the largest speed at which the look sees nothing there is nothing, for all that contacts are in single precision:
// else what a body does would depend on whether somebody far away has made detection necessary.
static void test_the_edge_of_a_collision(void **state)
{
    (void)state;
    random_stream random = {12};
    for (int trial = 0; trial < TRIALS; trial++) {
        scree_world_def def = scree_default_world_def();
        def.threads = 1;
        def.step = 0.01;
        scree_world *world = lab_create(&def);
        vec3 direction = vec3_normalize(random_vec(&random, 1));
        lab_add(world, lab_body(vec3_make(0.1, 0.2, 0.3), vec3_make(0, 0, 0)), lab_sphere(0.07));
        if (trial % 2)
            lab_add(world, lab_body(vec3_add_scaled(vec3_make(0.1, 0.2, 0.3), direction, 0.2), vec3_make(0, 0, 0)),
                    lab_sphere(0.11));
        else
            lab_add_fixed(world, vec3_make(0.1, 0.2, 0.3), lab_plane(vec3_scale(direction, -1), -0.2));
        uint8_t is_fast_exit[2] = {1, 0};
        body_velocity reached[2] = {{.spin = random_vec(&random, 5)}};
        fast_exits exits = {.count = 1, .is_fast_exit = is_fast_exit, .reached = reached};
        double slow = 0, fast = 50;
        assert_true(!look_at_speed(world, &exits, direction, slow) && look_at_speed(world, &exits, direction, fast));
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (slow + fast);
            *(look_at_speed(world, &exits, direction, middle) ? &fast : &slow) = middle;
        }
        assert_false(look_at_speed(world, &exits, direction, slow));
        assert_int_equal(detect_contacts(world, exits.reached, NULL), SCREE_OK);
        assert_int_equal(world->contacts.count, 1);
        assert_false(any_collides(world, &exits));
        scree_world_destroy(world);
    }
}

// Detection looks along the velocity at the beginning, up to its end. A ball that is turned aside leaves that way as
// well as one that gets faster; one that is stopped, or slowed down, does not.
static void test_turned_aside(void **state)
{
    (void)state;
    const double across = 0.02 * 0.1 / 0.01 + 0.01 * 9.81; // 2 % of the radius in the step, and what gravity gives
    const struct {
        vec3 end;
        bool fast;
    } cases[] = {{{2, 0, 0}, false},
                 {{0, 0, 0}, false},
                 {{1, 0, 0}, false},
                 {{2 + 1.01 * across, 0, 0}, true},
                 {{1, 0.99 * across, 0}, false},
                 {{1, 1.01 * across, 0}, true},
                 {{0, 2, 0}, true},
                 {{-1, 0, 0}, true}};
    plain_step *of = plain_make();
    of->problem.gravity_length = 9.81;
    plain_add(of, vec3_make(0, 0, 0), 0.1, 1);
    of->velocity[0] = vec3_make(2, 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        body_velocity end = {cases[i].end, {0, 0, 0}};
        step_solution solution = {.end = &end};
        fast_exits exits;
        assert_true(fast_exits_find(&of->problem, &solution, &of->scratch, &exits));
        assert_int_equal(exits.count, cases[i].fast);
    }
    plain_free(of);
}

// On arrays alone: a ball that is thrown at another in a step of 0.01, from a gap of 0.1.
static void test_a_look_on_plain_arrays(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    plain_add(of, vec3_make(0, 0, 0), 0.1, 1);
    plain_add(of, vec3_make(0.3, 0, 0), 0.1, 1);
    plain_add(of, vec3_make(0, 5, 0), 0.1, 1);
    proxy_view view = plain_view(of);
    for (int i = 0; i < 3; i++) {
        const vec3 thrown[] = {{12, 0, 0}, {8, 0, 0}, {0, 12, 0}}; // it hits; it stops short; it passes
        body_velocity end[3] = {{.velocity = thrown[i]}};
        step_solution solution = {.end = end};
        fast_exits exits;
        bool may_collide;
        assert_true(fast_exits_find(&of->problem, &solution, &of->scratch, &exits));
        assert_int_equal(exits.count, 1);
        assert_true(exits.is_fast_exit[0]);
        assert_true(fast_exits_may_hit(&of->problem, &view, &exits, &of->scratch, &may_collide));
        assert_int_equal(may_collide, i == 0);
        contact *c = plain_touch_balls(of, 0, 1);
        assert_int_equal(fast_exit_collides(&of->problem, &exits, c), i == 0);
        const body_velocity *velocities = fast_exits_search_velocities(&of->problem, &exits, &of->scratch);
        assert_non_null(velocities);
        assert_vec3_near(velocities[0].velocity, thrown[i], 0);
        assert_vec3_near(velocities[2].velocity, vec3_make(0, 0, 0), 0);
    }
    plain_free(of);
}

// Of two lists of contacts: those of marked bodies from the second, all others from the first, sorted by slot of a.
static void test_contacts_are_put_back(void **state)
{
    (void)state;
    const contact first[] = {
        {.a = 0, .b = 1, .feature = 1}, {.a = 2, .b = 3, .feature = 2}, {.a = 4, .b = 5, .feature = 3}};
    const contact second[] = {{.a = 0, .b = 1, .feature = 4},
                              {.a = 1, .b = 2, .feature = 5},
                              {.a = 2, .b = 3, .feature = 6},
                              {.a = 4, .b = 5, .feature = 7}};
    const vec3f turned[] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    const uint8_t marked[] = {0, 0, 1, 1, 0, 0};
    const uint32_t expected[] = {1, 5, 6, 3};
    contact_array contacts = {0};
    vec3f_array angular = {0};
    arena scratch = {0};
    kept_contacts kept;
    assert_true(contacts_keep(first, turned, 3, NULL, &scratch, &kept));
    assert_int_equal(kept.count, 3);
    for (int i = 0; i < 4; i++)
        assert_true(array_push(&contacts, second[i]) && array_push(&angular, ((vec3f){(float)(4 + i), 0, 0})));
    assert_true(contacts_put_back(&kept, marked, &scratch, &contacts, &angular));
    assert_int_equal(contacts.count, 4);
    assert_int_equal(angular.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(contacts.data[i].feature, expected[i]);
        assert_near((double)angular.data[i].x, expected[i], 0);
    }
    array_free(&contacts);
    array_free(&angular);
    arena_free(&scratch);
}

// Looking once more for some bodies only gives what looking for all of them gives, to the bit.
static void test_detection_once_more_keeps_the_rest(void **state)
{
    (void)state;
    random_stream random = {5};
    size_t kept = 0, added = 0;
    for (int trial = 0; trial < TRIALS / 2; trial++) {
        scree_world *world = make_world(&random, trial % 2, 0.6);
        lab_step(world, 3);
        arena_reset(&world->scratch);
        assert_int_equal(detect_contacts(world, NULL, NULL), SCREE_OK);
        fast_exits exits = throw_some(world, &random, 0.1);
        for (size_t i = 0; i < world->bodies.count; i++)
            if (!exits.is_fast_exit[i])
                exits.reached[i] = (body_velocity){world->bodies.velocity.data[i], world->bodies.spin.data[i]};
        size_t count = world->contacts.count;
        contact *before = test_calloc(count + 1, sizeof *before);
        memcpy(before, world->contacts.data, count * sizeof *before);
        assert_int_equal(detect_contacts(world, exits.reached, NULL), SCREE_OK);
        size_t all = world->contacts.count;
        contact *expected = test_calloc(all + 1, sizeof *expected);
        memcpy(expected, world->contacts.data, all * sizeof *expected);
        world->contacts.count = count;
        memcpy(world->contacts.data, before, count * sizeof *before);
        assert_int_equal(detect_contacts_again(world, exits.reached, exits.is_fast_exit, before, NULL), SCREE_OK);
        assert_int_equal(world->contacts.count, all);
        assert_memory_equal(world->contacts.data, expected, all * sizeof *expected);
        kept += count;
        added += all - count;
        test_free(before);
        test_free(expected);
        scree_world_destroy(world);
    }
    assert_true(kept > 1000 && added > 100); // else nothing was tested
}

static void test_none_and_too_many(void **state)
{
    (void)state;
    random_stream random = {3};
    scree_world *world = make_world(&random, true, 4);
    fast_exits exits = throw_some(world, &random, 0);
    assert_false(may_hit(world, &exits));
    exits.count = 1000000; // no look is taken then
    assert_true(may_hit(world, &exits));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_and_a_floor_are_seen_exactly),
        cmocka_unit_test(test_no_collision_of_other_shapes_is_missed),
        cmocka_unit_test(test_the_edge_of_a_collision),
        cmocka_unit_test(test_turned_aside),
        cmocka_unit_test(test_a_look_on_plain_arrays),
        cmocka_unit_test(test_contacts_are_put_back),
        cmocka_unit_test(test_detection_once_more_keeps_the_rest),
        cmocka_unit_test(test_none_and_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
