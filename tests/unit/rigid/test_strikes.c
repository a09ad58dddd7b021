// What a step does around a strike besides solving it: how the patch is solved, which of two patches is widened, what
// is told of both solves, who still rests, and what memory is given back.
#include "../../physics/lab.h"

#include "plain_step.h"
#include "rigid/exits/patch.h"
#include "world/world.h"

enum { ROW = 30, RINGS = 6 };

static const vec3 NOWHERE = {0, 0, 0};

// ------------------------------------------------------------------------------------------------------ plain patches

// A row of touching balls of radius 0.1 along x at a height, and one more before it; returns the slot of the first.
static uint32_t add_row(plain_step *of, double height)
{
    uint32_t first = (uint32_t)of->problem.body_count;
    for (int i = 0; i < ROW; i++)
        plain_add(of, vec3_make(0.2 * i, 0, height), 0.1, 1);
    plain_add(of, vec3_make(-0.3, 0, height), 0.1, 1);
    for (uint32_t i = 0; i + 1 < ROW; i++)
        plain_touch_balls(of, first + i, first + i + 1);
    return first;
}

// Strikes of both rows come to the contacts once the islands before them are known.
static contact_array add_strikes(plain_step *of, const uint32_t rows[2])
{
    contact_array found = {0};
    for (int i = 0; i < 2; i++)
        assert_true(array_push(&found, *plain_touch_balls(of, rows[i], rows[i] + ROW)));
    return found;
}

static island_set find_islands(plain_step *of, const step_problem *problem)
{
    island_set set;
    assert_true(islands_find(problem, &of->joints, &of->scratch, &set));
    return set;
}

// A few balls are solved by factors, unless they were part of a heap that was swept.
static void test_patch_of_a_swept_heap_is_swept(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    uint8_t done[ROW + 1] = {0};
    add_row(of, 0);
    memset(of->solved_by, SOLVED_BY_SWEEPS, ROW + 1);
    assert_int_equal(find_islands(of, &of->problem).islands[0].solver, ISLAND_SWEPT_THEN_CHECKED);
    step_problem again = of->problem;
    again.done = done;
    assert_int_equal(find_islands(of, &again).islands[0].solver, ISLAND_SWEPT);
    memset(of->solved_by, SOLVED_BY_FACTORS, ROW + 1);
    assert_int_equal(find_islands(of, &again).islands[0].solver, ISLAND_SWEPT_THEN_CHECKED);
    plain_free(of);
}

// Two rows are struck, and the rim of one runs into the rest of its row: all of that row is then in its patch, and
// nothing more in the other.
static void test_one_of_two_patches_is_widened(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    const uint32_t rows[2] = {add_row(of, 0), add_row(of, 1)};
    island_set before = find_islands(of, &of->problem);
    contact_array found = add_strikes(of, rows);
    patch struck;
    assert_true(patch_take(of->problem.body_count, &of->scratch, &struck));
    patch_mark(&of->problem, &of->joints, &found, &struck);
    step_problem again = of->problem;
    assert_true(patch_cut_out(&again, &struck, &of->scratch));
    island_set after = find_islands(of, &again);
    body_velocity velocities[2 * (ROW + 1)] = {0};
    assert_false(patch_widen(&of->problem, &before, &after, velocities, &struck));
    velocities[rows[1] + RINGS].velocity.x = 10;
    assert_true(patch_widen(&of->problem, &before, &after, velocities, &struck));
    for (uint32_t i = 0; i <= ROW; i++) {
        assert_int_equal(struck.marked[rows[0] + i], i <= RINGS || i == ROW);
        assert_int_equal(struck.marked[rows[1] + i], 1);
        assert_int_equal(struck.done[rows[0] + i], !struck.marked[rows[0] + i]);
        assert_int_equal(struck.done[rows[1] + i], 0);
    }
    array_free(&found);
    plain_free(of);
}

// ------------------------------------------------------------------------------------------------------------- worlds

static scree_world *make_world(vec3 gravity, int iterations)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = gravity;
    def.step = 0.005;
    def.threads = 1;
    def.solver.algorithm = SCREE_ALGORITHM_APGS;
    def.solver.iterations = iterations;
    def.solver.tolerance = 1e-6;
    def.solver.sleep = SCREE_SLEEP_ON;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0.3, 0);
    return world;
}

static scree_id add_ball(scree_world *world, vec3 at, double mass, double speed)
{
    scree_body_def ball = lab_body(at, vec3_make(speed, 0, 0));
    ball.mass = mass;
    return lab_add(world, ball, lab_sphere(0.1));
}

// A heavy ball in front of a light one, about to throw it along x.
static scree_id add_throw(scree_world *world, vec3 at, double speed)
{
    add_ball(world, vec3_add(at, vec3_make(-0.24, 0, 0)), 10, speed);
    return add_ball(world, at, 1, 0);
}

static float rest_of(const scree_world *world, scree_id id)
{
    return world->bodies.rest.data[body_slot(&world->bodies, id)];
}

// A block that is too heavy to be moved by a strike, and another far from it.
static void test_what_is_struck_does_not_rest(void **state)
{
    (void)state;
    scree_world *world = make_world(vec3_make(0, 0, -LAB_G), 100);
    lab_add_floor(world);
    scree_body_def block = lab_body(vec3_make(0.7, 0, 0.5), NOWHERE);
    block.mass = 1e6;
    scree_id struck = lab_add(world, block, lab_box(0.5, 0.5, 0.5));
    block.position.y = 10;
    scree_id other = lab_add(world, block, lab_box(0.5, 0.5, 0.5));
    lab_step(world, 20);
    assert_true(rest_of(world, struck) > 0);
    scree_id thrown = add_throw(world, vec3_make(0.04, 0, 0.5), 30); // 0.06 m from the block, on a way of 0.1 m
    lab_step(world, 1);
    assert_at_most(lab_state(world, thrown).position.x, 0.105);
    assert_at_most(vec3_length(lab_state(world, struck).velocity), 1e-3);
    assert_true(rest_of(world, other) > 0);
    assert_near((double)rest_of(world, struck), 0, 0);
    scree_world_destroy(world);
}

static void add_chain(scree_world *world, double x, double y)
{
    for (int i = 0; i < ROW; i++)
        add_ball(world, vec3_make(x + 0.2 * i, y, 0), 1, 0);
}

// Figures are of both solves. Here the second one has the more to do.
static void test_figures_of_the_second_solve_count(void **state)
{
    (void)state;
    scree_world *world = make_world(NOWHERE, 20);
    add_throw(world, NOWHERE, 40);
    scree_world *struck = make_world(NOWHERE, 20);
    add_throw(struck, NOWHERE, 40);
    add_chain(struck, 0.3, 0);
    lab_step(world, 1);
    lab_step(struck, 1);
    scree_figures alone = scree_world_figures(world), all = scree_world_figures(struck);
    assert_int_equal(alone.contacts, 1);
    assert_int_equal(all.contacts, 1 + 1 + ROW - 1);
    assert_true(alone.iterations < 20);
    assert_int_equal(all.iterations, 20);
    assert_at_least(all.residual_max, 10 * alone.residual_max);
    assert_at_least(all.residual_mean, 10 * alone.residual_mean);
    scree_world_destroy(world);
    scree_world_destroy(struck);
}

// And here the first, of a row that is pressed together far from the strike.
static void test_figures_of_the_first_solve_count(void **state)
{
    (void)state;
    scree_world *worlds[2];
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_world(NOWHERE, 20);
        add_ball(worlds[i], vec3_make(-0.2, 5, 0), 10, 5);
        add_chain(worlds[i], 0, 5);
        if (i == 1) {
            add_throw(worlds[i], NOWHERE, 40);
            add_ball(worlds[i], vec3_make(0.3, 0, 0), 1, 0);
        }
        lab_step(worlds[i], 1);
    }
    scree_figures alone = scree_world_figures(worlds[0]), all = scree_world_figures(worlds[1]);
    assert_int_equal(alone.iterations, 20);
    assert_int_equal(all.iterations, 20);
    assert_int_equal(all.contacts, alone.contacts + 2);
    assert_near(all.residual_max, alone.residual_max, 0);
    assert_at_most(all.residual_mean, alone.residual_mean);
    assert_at_least(all.residual_mean, 0.5 * alone.residual_mean);
    for (int i = 0; i < 2; i++)
        scree_world_destroy(worlds[i]);
}

// Scratch memory that a step still holds when it ends, with many bodies that are far from everything.
static size_t memory_of_a_throw(double speed)
{
    scree_world *world = make_world(NOWHERE, 100);
    for (int i = 0; i < 3000; i++)
        add_ball(world, vec3_make(i % 50, 2 + i / 50, 0), 1, 0);
    lab_step(world, 2); // there is room for all of it from then on
    add_throw(world, NOWHERE, speed);
    lab_step(world, 1);
    size_t taken = world->scratch.taken;
    scree_world_destroy(world);
    return taken;
}

// A look at where a fast exit goes takes a byte of each body and more, and gives it back.
static void test_memory_of_a_look_is_given_back(void **state)
{
    (void)state;
    assert_at_most(fabs((double)memory_of_a_throw(30) - (double)memory_of_a_throw(1)), 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch_of_a_swept_heap_is_swept),
        cmocka_unit_test(test_one_of_two_patches_is_widened),
        cmocka_unit_test(test_what_is_struck_does_not_rest),
        cmocka_unit_test(test_figures_of_the_second_solve_count),
        cmocka_unit_test(test_figures_of_the_first_solve_count),
        cmocka_unit_test(test_memory_of_a_look_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
