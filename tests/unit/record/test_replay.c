// Runs played back: every frame gives the world as it was, in any order, with what was gone and what was moved.
#include <math.h>

#include "record/replay.h"
#include "run_support.h"

enum { OUTPUTS = 25 }; // 1.2 s every 0.05 s, and the start

typedef struct moment { // what the run itself had at an output
    double time;
    size_t count;
    scree_id ids[80];
    scree_state states[80];
} moment;

static moment moments[OUTPUTS];

static void note(const scree_world *world, moment *now)
{
    scree_error error;
    now->time = scree_world_step_figures(world).time;
    now->count = scree_world_body_count(world);
    assert_true(now->count <= 80);
    scree_world_body_ids(world, now->ids);
    check_ok(scree_world_get_states(world, now->ids, now->count, now->states, &error), error);
}

static void run_silo(const char *folder, const char *set)
{
    scree_error error = {0};
    scree_run *run;
    scree_scene *scene = silo_scene(set);
    scree_run_def def = run_def(folder, RUN_NEW, 2);
    check_ok(scree_run_open(scene, &def, &run, &error), error);
    for (size_t i = 0; i < OUTPUTS; i++) {
        step_until(run, 10 * i);
        note(scree_run_world(run), &moments[i]);
    }
    check_ok(scree_run_close(run, &error), error);
    scree_scene_destroy(scene);
}

static bool near(vec3 a, vec3 b, double tolerance)
{
    return vec3_length(vec3_sub(a, b)) <= tolerance;
}

static void check_moment(replay *film, size_t number)
{
    scree_error error;
    moment shown;
    const moment *real = &moments[number];
    check_ok(replay_show(film, number, &error), error);
    note(film->world, &shown);
    assert_true(shown.time == real->time && replay_time(film, number) == real->time);
    assert_int_equal(shown.count, real->count);
    assert_memory_equal(shown.ids, real->ids, real->count * sizeof(scree_id));
    for (size_t i = 0; i < real->count; i++) {
        const scree_state *a = &shown.states[i], *b = &real->states[i];
        assert_true(near(a->position, b->position, 1e-12));
        assert_true(fabs(a->orientation.w * b->orientation.w + a->orientation.x * b->orientation.x +
                         a->orientation.y * b->orientation.y + a->orientation.z * b->orientation.z) > 1 - 1e-6);
        scree_body_info info;
        check_ok(scree_world_get_body(film->world, shown.ids[i], &info, &error), error);
        if (!info.fixed)
            assert_true(near(a->velocity, b->velocity, 1e-5) && near(a->spin, b->spin, 1e-4));
    }
}

static void frames_give_the_world_back(void **unused)
{
    (void)unused;
    scree_error error;
    replay film;
    run_silo(in_scratch("run"), NULL);
    check_ok(replay_open(&film, in_scratch("run"), 1, &error), error);
    assert_string_equal(film.name, "silo");
    assert_int_equal(replay_count(&film), OUTPUTS);
    for (size_t i = 0; i < OUTPUTS; i++)
        check_moment(&film, i);
    check_moment(&film, 2); // before the events: what went is back
    check_moment(&film, 20);
    check_moment(&film, 10);
    assert_int_equal(replay_show(&film, OUTPUTS, &error), SCREE_ERROR_INVALID);
    replay_close(&film);
}

static void without_frames_checkpoints_are_shown(void **unused)
{
    (void)unused;
    scree_error error;
    replay film;
    run_silo(in_scratch("run"), "output.frames=false");
    check_ok(replay_open(&film, in_scratch("run"), 1, &error), error);
    assert_string_equal(film.name, "silo");
    assert_int_equal(replay_count(&film), 2); // at 1.0 s and at the end
    check_ok(replay_show(&film, 1, &error), error);
    assert_true(scree_world_body_count(film.world) == moments[OUTPUTS - 1].count);
    check_ok(replay_show(&film, 0, &error), error);
    assert_true(fabs(scree_world_step_figures(film.world).time - 1.0) < 1e-9);
    assert_true(fabs(replay_time(&film, 0) - 1.0) < 1e-9);
    replay_close(&film);
}

static void contacts_come_back(void **unused)
{
    (void)unused;
    scree_error error;
    replay film;
    run_silo(in_scratch("run"), "output.contacts=true");
    check_ok(replay_open(&film, in_scratch("run"), 1, &error), error);
    check_ok(replay_show(&film, 5, &error), error);
    assert_true(film.frame.has_contacts && film.frame.contacts.count > 10);
    double weight = 0; // what the plug carries is about what the grains weigh
    for (size_t i = 0; i < film.frame.contacts.count; i++) {
        const frame_contact *line = &film.frame.contacts.data[i];
        assert_true(isfinite(line->normal_force) && line->gap < 0.1f);
        weight += (double)line->normal_force;
    }
    assert_true(weight > 1);
    replay_close(&film);
}

static void what_is_no_run_is_refused(void **unused)
{
    (void)unused;
    scree_error error;
    replay film;
    assert_int_equal(replay_open(&film, in_scratch("nowhere"), 1, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "scene.yaml"));
    run_silo(in_scratch("run"), NULL);
    unlink(in_scratch("run/frames/bodies-000003.vtp"));
    check_ok(replay_open(&film, in_scratch("run"), 1, &error), error);
    assert_int_equal(replay_show(&film, 3, &error), SCREE_ERROR_IO);
    check_moment(&film, 4);
    replay_close(&film);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(frames_give_the_world_back),
        test(without_frames_checkpoints_are_shown),
        test(contacts_come_back),
        test(what_is_no_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
