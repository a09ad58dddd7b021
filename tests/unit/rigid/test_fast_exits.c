// The look at what fast exits may meet, against detection of everything: it never misses a collision, and between
// balls and planes it sees nothing that is not there.
#include "../../physics/lab.h"

#include "../geometry/random_pose.h"
#include "contact/detect_step.h"
#include "plain_step.h"
#include "rigid/exits/exit_look.h"
#include "world/view.h"

enum { BODIES = 60, TRIALS = 400 };

static bool may_hit(scree_world *world, const fast_exits *exits)
{
    step_problem problem = step_problem_of(world);
    proxy_view view = store_view(&world->bodies);
    exit_look look;
    assert_true(exits_look(&problem, &view, exits, &world->scratch, &look));
    assert_int_equal(look.near != NULL, look.count > 0);
    return look.count > 0;
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

// The velocities of a test's own exits, which it may change.
static body_velocity *reached_of(const fast_exits *exits)
{
    return (body_velocity *)exits->reached;
}

// Some bodies fly by up to two radii in the step, the rest rests.
static fast_exits throw_some(scree_world *world, random_stream *random, double share)
{
    size_t count = world->bodies.count;
    fast_exits exits = {.is_fast_exit = arena_array(&world->scratch, uint8_t, count),
                        .reached = arena_array(&world->scratch, body_velocity, count)};
    memset(exits.is_fast_exit, 0, count);
    memset(reached_of(&exits), 0, count * sizeof *exits.reached);
    for (size_t i = 0; i < count; i++) {
        if (world->bodies.immovable.data[i] || random_between(random, 0, 1) > share)
            continue;
        exits.is_fast_exit[i] = 1;
        exits.count++;
        reached_of(&exits)[i] = (body_velocity){random_vec(random, 12), random_vec(random, 5)};
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
    reached_of(exits)[0].velocity = vec3_scale(direction, speed);
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
        exit_look look;
        assert_true(fast_exits_find(&of->problem, &solution, &of->scratch, &exits));
        assert_int_equal(exits.count, 1);
        assert_true(exits.is_fast_exit[0]);
        assert_true(exits_look(&of->problem, &view, &exits, &of->scratch, &look));
        assert_int_equal(look.count, i == 0 ? 2 : 0);
        assert_true(i > 0 || (look.near[0] && look.near[1] && !look.near[2]));
        contact *c = plain_touch_balls(of, 0, 1);
        assert_int_equal(fast_exit_collides(&of->problem, &exits, c), i == 0);
    }
    plain_free(of);
}

// Marks what collides in the contacts that there are: the fast exit and its partner.
static void mark_colliding(scree_world *world, const fast_exits *exits, uint8_t *marked)
{
    step_problem problem = step_problem_of(world);
    for (size_t i = 0; i < problem.contact_count; i++) {
        const contact *c = &problem.contacts[i];
        if (fast_exit_collides(&problem, exits, c))
            marked[c->a] = marked[c->b] = 1;
    }
}

// Everything that collides is near, and where spheres are crowded everything is.
static void test_whatever_collides_is_near(void **state)
{
    (void)state;
    random_stream random = {9};
    size_t near = 0, all = 0;
    for (int trial = 0; trial < TRIALS / 2; trial++) {
        scree_world *world = make_world(&random, trial % 2, trial % 4 < 2 ? 2 : 0.3);
        fast_exits exits = throw_some(world, &random, 0.3);
        step_problem problem = step_problem_of(world);
        proxy_view view = store_view(&world->bodies);
        exit_look look;
        assert_true(exits_look(&problem, &view, &exits, &world->scratch, &look));
        uint8_t *marked = test_calloc(world->bodies.count, 1);
        uint8_t *found = test_calloc(world->bodies.count, 1);
        if (look.near)
            memcpy(found, look.near, world->bodies.count);
        assert_int_equal(detect_contacts(world, exits.reached, NULL), SCREE_OK);
        mark_colliding(world, &exits, marked);
        for (size_t i = 0; i < world->bodies.count; i++)
            assert_true(found[i] || !marked[i]);
        near += look.count;
        all += world->bodies.count;
        test_free(marked);
        test_free(found);
        scree_world_destroy(world);
    }
    assert_true(near > all / 10 && near < all * 9 / 10); // else nothing was tested
}

static bool has_fast(const fast_exits *exits, const contact *c)
{
    return exits->is_fast_exit[c->a] || exits->is_fast_exit[c->b];
}

// Looking for what some bodies strike gives what looking for everything gives of them, to the bit, and the contacts
// that there are stay.
static void test_strikes_are_those_of_detection(void **state)
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
                reached_of(&exits)[i] = (body_velocity){world->bodies.velocity.data[i], world->bodies.spin.data[i]};
        size_t count = world->contacts.count, bodies = world->bodies.count, fast = 0;
        contact *before = test_calloc(count + 1, sizeof *before);
        uint8_t *near = test_calloc(bodies, 1);
        memset(near, 1, bodies);
        memcpy(before, world->contacts.data, count * sizeof *before);
        contact_array found = {0};
        pair_meetings meetings = {0};
        const strike_search search = {exits.is_fast_exit, near, exits.reached, &meetings};
        assert_int_equal(detect_strikes(world, &search, &found, NULL, NULL), SCREE_OK);
        assert_int_equal(world->contacts.count, count);
        assert_memory_equal(world->contacts.data, before, count * sizeof *before);
        assert_int_equal(detect_contacts(world, exits.reached, NULL), SCREE_OK);
        for (size_t i = 0; i < world->contacts.count; i++)
            if (has_fast(&exits, &world->contacts.data[i])) {
                assert_true(fast < found.count);
                assert_memory_equal(&found.data[fast++], &world->contacts.data[i], sizeof(contact));
            }
        assert_int_equal(fast, found.count);
        for (size_t i = 0; i < count; i++)
            kept += has_fast(&exits, &before[i]);
        added += found.count;
        test_free(before);
        test_free(near);
        array_free(&found);
        meetings_free(&meetings);
        scree_world_destroy(world);
    }
    assert_true(kept > 100 && added > 2 * kept); // else nothing was tested
}

static void test_none_and_too_many(void **state)
{
    (void)state;
    random_stream random = {3};
    scree_world *world = make_world(&random, true, 4);
    fast_exits exits = throw_some(world, &random, 0);
    assert_false(may_hit(world, &exits));
    exits = throw_some(world, &random, 1);
    reached_of(&exits)[5].velocity.x = 1e300; // its sphere holds the whole world
    step_problem problem = step_problem_of(world);
    proxy_view view = store_view(&world->bodies);
    exit_look look;
    assert_true(exits_look(&problem, &view, &exits, &world->scratch, &look));
    assert_true(look.count > 1 && look.near[5]);
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
        cmocka_unit_test(test_whatever_collides_is_near),
        cmocka_unit_test(test_strikes_are_those_of_detection),
        cmocka_unit_test(test_none_and_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
