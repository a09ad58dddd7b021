// Who falls asleep, for islands made by hand. A ball of radius 0.1 with g = 10 rests below 0.005 sqrt(g r) = 0.005, and
// sleeps after 4 sqrt(r / g) = 0.4 of that, which is 40 steps; fewer than 50 are never enough.
#include "plain_step.h"

#include "rigid/rest.h"
#include "world/wake.h"

enum { BALLS = 3 };

typedef struct bed {
    plain_step *step;
    size_t sleeping;
    uint8_t disturbed[BALLS];
    uint32_t of_slot[BALLS];
    island_entry islands[2];
    island_set set;
} bed;

// Two balls of one island that is supported, and a third alone.
static bed *make_bed(void)
{
    bed *made = calloc(1, sizeof *made);
    made->step = plain_make();
    for (int i = 0; i < BALLS; i++)
        plain_add(made->step, vec3_make(i, 0, 0), 0.1, 4);
    made->of_slot[2] = 1;
    for (int i = 0; i < 2; i++)
        made->islands[i] = (island_entry){.awake = true, .supported = true, .solver = ISLAND_SWEPT};
    made->set = (island_set){.count = 2, .islands = made->islands, .of_slot = made->of_slot};
    return made;
}

static void free_bed(bed *of)
{
    plain_free(of->step);
    free(of);
}

static void set_velocity(bed *of, int slot, double speed, double spin)
{
    of->step->velocity[slot] = vec3_make(speed, 0, 0);
    of->step->spin[slot] = vec3_make(0, spin, 0);
}

static bool is_asleep(const bed *of, size_t slot)
{
    return of->step->rest[slot] < 0;
}

// Steps until a body is asleep; 200 when that takes longer.
static int steps_to_sleep(bed *of, size_t slot)
{
    int step = 0;
    for (; step < 200 && !is_asleep(of, slot); step++) {
        step_bodies bodies = plain_bodies(of->step);
        size_t fell_asleep = 0;
        arena_reset(&of->step->scratch);
        if (may_rest(&of->step->problem, &of->set))
            assert_true(
                update_rest(&of->step->problem, &of->set, of->disturbed, &of->step->scratch, &bodies, &fell_asleep));
        of->sleeping += fell_asleep;
        for (size_t i = 0; i < BALLS; i++) // as the next step would find
            if (is_asleep(of, i))
                of->islands[of->of_slot[i]].solver = ISLAND_ASLEEP;
    }
    return step;
}

static void test_rest_takes_its_time(void **state)
{
    (void)state;
    bed *of = make_bed();
    set_velocity(of, 0, 0.003, 0.01); // 0.004 at its surface
    assert_in_range(steps_to_sleep(of, 0), 50, 51);
    assert_int_equal(of->sleeping, 3);
    assert_vec3_near(of->step->velocity[0], vec3_make(0, 0, 0), 0);
    assert_vec3_near(of->step->spin[0], vec3_make(0, 0, 0), 0);
    free_bed(of);
    of = make_bed();
    for (int i = 0; i < BALLS; i++)
        of->step->radius[i] = 1;
    assert_in_range(steps_to_sleep(of, 0), 127, 128); // 4 sqrt(0.1) = 1.265
    free_bed(of);
}

static void test_who_moves_keeps_its_island_awake(void **state)
{
    (void)state;
    bed *of = make_bed();
    set_velocity(of, 1, 0.003, 0.03); // 0.006 at its surface
    assert_int_equal(steps_to_sleep(of, 0), 200);
    assert_true(is_asleep(of, 2));
    assert_near((double)of->step->rest[1], 0, 0);
    set_velocity(of, 1, 0, 0);
    assert_in_range(steps_to_sleep(of, 0), 50, 51); // the time begins anew
    free_bed(of);
}

static void test_only_what_is_supported_rests(void **state)
{
    (void)state;
    bed *of = make_bed();
    of->islands[0].supported = false; // the top of its flight is slow as well
    assert_int_equal(steps_to_sleep(of, 0), 200);
    assert_true(is_asleep(of, 2));
    free_bed(of);
}

// A slow swing of a mechanism is no rest: it must be ten times slower.
static void test_mechanisms_rest_later(void **state)
{
    (void)state;
    bed *of = make_bed();
    of->islands[0].row_count = 5;
    set_velocity(of, 0, 0.003, 0);
    set_velocity(of, 2, 0.003, 0);
    assert_int_equal(steps_to_sleep(of, 0), 200);
    assert_true(is_asleep(of, 2));
    set_velocity(of, 0, 0.0003, 0);
    assert_in_range(steps_to_sleep(of, 0), 50, 51);
    free_bed(of);
}

// Near a body that a motion moves nothing falls asleep.
static void test_what_is_disturbed_stays_awake(void **state)
{
    (void)state;
    bed *of = make_bed();
    of->disturbed[1] = 1;
    assert_int_equal(steps_to_sleep(of, 0), 200);
    assert_true(is_asleep(of, 2));
    free_bed(of);
}

// Who may sleep at all: with `auto`, worlds whose algorithm is.
static void test_sleep_is_asked_for(void **state)
{
    (void)state;
    bed *of = make_bed();
    step_problem *problem = &of->step->problem;
    for (int i = 0; i < 2; i++) {
        bool chosen = i == 0;
        problem->solver.algorithm = chosen ? SCREE_ALGORITHM_AUTO : SCREE_ALGORITHM_APGS;
        problem->solver.sleep = SCREE_SLEEP_AUTO;
        assert_int_equal(may_rest(problem, &of->set), chosen);
        problem->solver.sleep = SCREE_SLEEP_ON;
        assert_true(may_rest(problem, &of->set));
        problem->solver.sleep = SCREE_SLEEP_OFF;
        assert_false(may_rest(problem, &of->set));
    }
    free_bed(of);
}

// Without gravity there is no measure of rest.
static void test_nothing_sleeps_without_gravity(void **state)
{
    (void)state;
    bed *of = make_bed();
    of->step->problem.gravity = vec3_make(0, 0, 0);
    of->step->problem.gravity_length = 0;
    assert_int_equal(steps_to_sleep(of, 0), 200);
    free_bed(of);
}

// An island that a step solves is awake, all of it; one that sleeps stays so.
static void test_islands_wake_as_a_whole(void **state)
{
    (void)state;
    bed *of = make_bed();
    assert_true(steps_to_sleep(of, 0) < 200);
    of->islands[0].solver = ISLAND_SWEPT;
    of->sleeping -= wake_islands(&of->set, BALLS, of->step->rest);
    for (size_t i = 0; i < BALLS; i++)
        assert_int_equal(is_asleep(of, i), i == 2);
    assert_int_equal(of->sleeping, 1);
    free_bed(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_takes_its_time),
        cmocka_unit_test(test_who_moves_keeps_its_island_awake),
        cmocka_unit_test(test_only_what_is_supported_rests),
        cmocka_unit_test(test_mechanisms_rest_later),
        cmocka_unit_test(test_what_is_disturbed_stays_awake),
        cmocka_unit_test(test_sleep_is_asked_for),
        cmocka_unit_test(test_nothing_sleeps_without_gravity),
        cmocka_unit_test(test_islands_wake_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
