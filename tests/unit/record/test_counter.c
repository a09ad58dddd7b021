// Counters against a slow count by hand, on bodies that are put wherever chance says.
#include "base/random.h"
#include "record/counter.h"
#include "record/state.h"
#include "world_support.h"

enum { BODIES = 700 };

static char first_name[] = "first", second_name[] = "second";

static scene_output two_counters(scene_counter counters[2])
{
    counters[0] = (scene_counter){.name = first_name, .normal = {0, 0, 1}, .offset = 0.5};
    counters[1] = (scene_counter){.name = second_name, .normal = {0.6, 0.8, 0}, .offset = -0.25, .of = COUNT_MASS};
    return (scene_output){.counters = counters, .counter_count = 2};
}

static scree_world *cloud(int threads)
{
    scree_error error;
    scree_world *world = empty_world(threads);
    random_stream chance = {7};
    scree_shape_def floor = plane_shape((scree_vec3){0, 0, 1}, -100), shapes[BODIES];
    scree_body_def defs[BODIES];
    add_body(world, &floor, 1, (scree_vec3){0, 0, 0}, true);
    for (int i = 0; i < BODIES; i++) {
        shapes[i] = sphere_shape(random_between(&chance, 0.01, 0.02));
        defs[i] = scree_default_body_def();
        defs[i].shapes = &shapes[i];
        defs[i].shape_count = 1;
        defs[i].fixed = i % 10 == 0;
    }
    check_ok(scree_world_add_bodies(world, defs, BODIES, NULL, &error), error);
    return world;
}

static void scatter(scree_world *world, const body_roster *roster, random_stream *chance)
{
    scree_error error;
    for (size_t i = 0; i < roster->moving.count; i++) {
        scree_state state = {.orientation = {1, 0, 0, 0}};
        state.position =
            (scree_vec3){random_between(chance, -1, 1), random_between(chance, -1, 1), random_between(chance, -1, 1)};
        check_ok(scree_world_set_states(world, &roster->moving.data[i], 1, &state, &error), error);
    }
}

static bool above(const scree_world *world, scree_id id, const scene_counter *def)
{
    scree_error error;
    scree_state state;
    check_ok(scree_world_get_states(world, &id, 1, &state, &error), error);
    return state.position.x * def->normal.x + state.position.y * def->normal.y + state.position.z * def->normal.z >=
           def->offset;
}

// What the counters should say, kept by id.
typedef struct hand_count {
    bool was_above[2][BODIES + 2];
    double count[2];
} hand_count;

static void tally_update(hand_count *tally, const scree_world *world, const body_roster *roster,
                         const scene_counter *counters, bool count)
{
    scree_error error;
    for (int c = 0; c < 2; c++)
        for (size_t i = 0; i < roster->moving.count; i++) {
            scree_id id = roster->moving.data[i];
            scree_body_info info;
            bool now = above(world, id, &counters[c]);
            check_ok(scree_world_get_body(world, id, &info, &error), error);
            if (count && tally->was_above[c][id] && !now)
                tally->count[c] += c == 1 ? info.mass : 1;
            tally->was_above[c][id] = now;
        }
}

static void assert_tally(const counter_set *set, const hand_count *tally)
{
    assert_true(set->counters[0].count == tally->count[0]);
    assert_true(set->counters[0].count > 100);
    double difference = set->counters[1].count - tally->count[1];
    assert_true(difference * difference <= 1e-24 * tally->count[1] * tally->count[1]);
    assert_true(tally->count[1] > 0);
}

static void counts_each_crossing_with_threads(int threads, double *mass)
{
    scree_error error;
    scene_counter counters[2];
    scene_output output = two_counters(counters);
    counter_set set = {0};
    body_roster roster = {0};
    hand_count tally = {0};
    random_stream chance = {3};
    scree_world *world = cloud(threads);
    check_ok(roster_read(&roster, world, &error), error);
    assert_int_equal(roster.moving.count, BODIES - BODIES / 10);
    assert_int_equal(roster.fixed.count, BODIES / 10 + 1);
    scatter(world, &roster, &chance);
    check_ok(counters_open(&set, &output, scratch, world, &roster, NULL, false, &error), error);
    tally_update(&tally, world, &roster, counters, false);
    for (int step = 0; step < 10; step++) {
        scatter(world, &roster, &chance);
        check_ok(counters_check(&set, world, &roster, &error), error);
        tally_update(&tally, world, &roster, counters, true);
        // Bodies go now and then; what they had crossed stays counted.
        if (step % 4 == 2) {
            scree_id gone[20];
            for (int i = 0; i < 20; i++)
                gone[i] = roster.moving.data[i * 7 + step];
            check_ok(scree_world_remove_bodies(world, gone, 20, &error), error);
            counters_forget(&set, world, &roster);
            check_ok(roster_read(&roster, world, &error), error);
        }
    }
    assert_tally(&set, &tally);
    *mass = set.counters[1].count;
    counters_close(&set);
    roster_free(&roster);
    scree_world_destroy(world);
}

static void counts_each_crossing(void **unused)
{
    (void)unused;
    double one, three;
    counts_each_crossing_with_threads(1, &one);
    counts_each_crossing_with_threads(3, &three);
    assert_true(one == three);
}

static void move_to(scree_world *world, scree_id id, double z)
{
    scree_error error;
    scree_state state = {.position = {0, 0, z}, .orientation = {1, 0, 0, 0}};
    check_ok(scree_world_set_states(world, &id, 1, &state, &error), error);
}

static void one_body_to_and_fro(void **unused)
{
    (void)unused;
    scree_error error;
    char name[] = "gate";
    scene_counter gate = {.name = name, .normal = {0, 0, 1}, .offset = 1};
    scene_output output = {.counters = &gate, .counter_count = 1};
    counter_set set = {0};
    body_roster roster = {0};
    scree_world *world = empty_world(1);
    scree_shape_def ball = sphere_shape(0.1);
    scree_id id = add_body(world, &ball, 1, (scree_vec3){0, 0, 2}, false);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(counters_open(&set, &output, scratch, world, &roster, NULL, false, &error), error);
    check_ok(counters_row(&set, 0, &error), error);
    // On the plane is above it; coming back does not count, going through again does.
    const double heights[] = {1, 0.5, 0.2, 3, 1, 0.999, 1.5};
    const double expected[] = {0, 1, 1, 1, 1, 2, 2};
    for (int i = 0; i < 7; i++) {
        move_to(world, id, heights[i]);
        check_ok(counters_check(&set, world, &roster, &error), error);
        assert_true(set.counters[0].count == expected[i]);
        check_ok(counters_row(&set, 0.5 * (i + 1), &error), error);
    }
    assert_file_text(in_scratch("probes/gate.csv"), "time,count,rate\n0,0,0\n0.5,0,0\n1,1,2\n1.5,1,0\n2,1,0\n2.5,1,0\n"
                                                    "3,2,2\n3.5,2,0\n");
    counters_close(&set);
    roster_free(&roster);
    scree_world_destroy(world);
}

static void state_carries_on(void **unused)
{
    (void)unused;
    scree_error error = {0};
    scene_counter counters[2];
    scene_output output = two_counters(counters);
    counter_set set = {0}, again = {0};
    body_roster roster = {0};
    snapshot state = {0};
    random_stream chance = {5};
    scree_world *world = cloud(2);
    check_ok(roster_read(&roster, world, &error), error);
    scatter(world, &roster, &chance);
    check_ok(counters_open(&set, &output, scratch, world, &roster, NULL, false, &error), error);
    scatter(world, &roster, &chance);
    check_ok(counters_check(&set, world, &roster, &error), error);
    check_ok(counters_row(&set, 1, &error), error);
    check_ok(counters_save(&set, &state, &error), error);
    check_ok(counters_row(&set, 2, &error), error); // will be cut off
    scatter(world, &roster, &chance);               // sides change between the state and the reopening
    check_ok(counters_open(&again, &output, scratch, world, &roster, &state, false, &error), error);
    check_ok(counters_check(&set, world, &roster, &error), error);
    check_ok(counters_check(&again, world, &roster, &error), error);
    for (int c = 0; c < 2; c++)
        assert_true(set.counters[c].count == again.counters[c].count);
    assert_true(again.counters[0].row_time == 1);
    assert_int_equal(count_lines(in_scratch("probes/first.csv")), 2);
    counters_close(&again);
    // The same name for another plane is refused; a new name starts from nothing.
    counters[0].offset = 0.75;
    assert_int_equal(counters_open(&again, &output, scratch, world, &roster, &state, false, &error),
                     SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "first"));
    counters_close(&again);
    char third_name[] = "third";
    counters[0].name = third_name;
    check_ok(counters_open(&again, &output, scratch, world, &roster, &state, false, &error), error);
    assert_true(again.counters[0].count == 0);
    assert_file_text(in_scratch("probes/third.csv"), "time,count,rate\n");
    counters_close(&again);
    counters_close(&set);
    state_release(&state);
    roster_free(&roster);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(counts_each_crossing),
        test(one_body_to_and_fro),
        test(state_carries_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
