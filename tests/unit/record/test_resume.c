// A run that is stopped, killed or extended ends with the same bits and the same files as one that was not.
#include <time.h>

#include "run_support.h"

static void stopped_anywhere(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene(NULL);
    char *whole = strdup(in_scratch("whole")), *parts = strdup(in_scratch("parts"));
    uint64_t hash = run_whole(scene, whole, RUN_NEW, 1);
    // On and off output times, before and after events, at the end of the first output interval, at the last step.
    const uint64_t stops[] = {1, 37, 60, 61, 100, 141, 239};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        run_to(scene, parts, i ? RUN_RESUME : RUN_NEW, 2, stops[i]);
    assert_true(run_whole(scene, parts, RUN_RESUME, 3) == hash);
    assert_same_run(whole, parts, true);
    // Once more with nothing left to do.
    assert_true(run_whole(scene, parts, RUN_RESUME, 1) == hash);
    assert_same_run(whole, parts, true);
    free(whole);
    free(parts);
    scree_scene_destroy(scene);
}

// A driven pendulum that breaks, a spring, a gear, a rope that an event cuts, and something to fall on.
static const char machine[] =
    "time: {step: 0.005, duration: 1.2}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: plane, offset: -2}]}\n"
    "  - {name: upper, position: [0.5, 0, 0], shapes: [{type: box, half: [0.5, 0.05, 0.05]}]}\n"
    "  - {name: lower, position: [1.5, 0, 0], shapes: [{type: box, half: [0.5, 0.05, 0.05]}]}\n"
    "  - {name: ball, position: [2.5, 0, 0], shapes: [{type: sphere, radius: 0.2}]}\n"
    "  - {name: wheel, position: [0, 2, 0], shapes: [{type: cylinder, radius: 0.5, half: 0.1}]}\n"
    "joints:\n"
    "  - {name: pin, type: revolute, bodies: [world, upper], axis: [0, 1, 0], motor: {speed: 2, max_force: 30}}\n"
    "  - {name: elbow, type: spherical, bodies: [upper, lower], position: [1, 0, 0], friction: 1, break_force: 900}\n"
    "  - {name: rope, type: distance, bodies: [lower, ball], positions: [[2, 0, 0], [2.3, 0, 0]], limits: [0, 0.5]}\n"
    "  - {name: axle, type: revolute, bodies: [world, wheel], position: [0, 2, 0], axis: [0, 1, 0]}\n"
    "  - {name: belt, type: gear, joints: [pin, axle], ratio: 3}\n"
    "  - {name: spring, type: spring, bodies: [world, ball], positions: [[2, 1, 0], [2.5, 0, 0]], stiffness: 50}\n"
    "events:\n"
    "  - {time: 0.8, remove: [spring, wheel]}\n"
    "output: {every: 0.05, checkpoint_every: 0.2, probes: [pin, elbow, rope, axle, belt, spring, ball]}\n";

static void machines_stopped_anywhere(void **unused)
{
    (void)unused;
    scree_scene *scene = parse_scene(machine, NULL, 0);
    char *whole = strdup(in_scratch("whole")), *parts = strdup(in_scratch("parts"));
    uint64_t hash = run_whole(scene, whole, RUN_NEW, 1);
    const uint64_t stops[] = {1, 61, 100, 159, 160, 161, 200};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        run_to(scene, parts, i ? RUN_RESUME : RUN_NEW, 2, stops[i]);
    assert_true(run_whole(scene, parts, RUN_RESUME, 3) == hash);
    assert_same_run(whole, parts, true);
    assert_int_equal(count_lines(in_scratch("whole/probes/pin.csv")), 1 + 25);
    assert_int_equal(count_lines(in_scratch("whole/probes/belt.csv")), 1 + 17); // goes with the wheel
    free(whole);
    free(parts);
    scree_scene_destroy(scene);
}

static void frames_do_not_change_the_bits(void **unused)
{
    (void)unused;
    scree_scene *with = silo_scene(NULL), *without = silo_scene("output.frames=false");
    uint64_t hash = run_whole(with, in_scratch("with"), RUN_NEW, 1);
    assert_true(run_whole(without, in_scratch("without"), RUN_NEW, 2) == hash);
    assert_false(file_exists(in_scratch("without/frames")));
    assert_same_run(in_scratch("with"), in_scratch("without"), false);
    scree_scene_destroy(with);
    scree_scene_destroy(without);
}

// Between two output times at its end, a run has a row more; one that goes on from there has not.
static void extended_beyond_an_odd_end(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene(NULL), *shorter = silo_scene("time.duration=0.635");
    char *whole = strdup(in_scratch("whole")), *parts = strdup(in_scratch("parts"));
    uint64_t hash = run_whole(scene, whole, RUN_NEW, 1);
    run_whole(shorter, parts, RUN_NEW, 1);
    assert_int_equal(count_lines(in_scratch("parts/series.csv")), 1 + 13 + 1);
    assert_true(file_exists(in_scratch("parts/frames/bodies-000013.vtp")));
    // Resuming without going on leaves the closing row where it is.
    run_whole(shorter, parts, RUN_RESUME, 1);
    assert_int_equal(count_lines(in_scratch("parts/series.csv")), 1 + 13 + 1);
    assert_true(file_exists(in_scratch("parts/frames/bodies-000013.vtp")));
    assert_true(run_whole(scene, parts, RUN_RESUME, 1) == hash);
    assert_same_run(whole, parts, true);
    free(whole);
    free(parts);
    scree_scene_destroy(scene);
    scree_scene_destroy(shorter);
}

// Runs in a child that is killed after a while; false when it had finished before.
static bool run_and_kill(const scree_scene *scene, const char *folder, run_mode mode, long microseconds)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        scree_error error;
        scree_run *run;
        scree_run_def def = run_def(folder, mode, 1);
        // A run killed before its first checkpoint starts anew.
        if (scree_run_open(scene, &def, &run, &error) != SCREE_OK) {
            def = run_def(folder, RUN_FORCE, 1);
            if (scree_run_open(scene, &def, &run, &error) != SCREE_OK)
                _exit(2);
        }
        while (!scree_run_done(run))
            if (scree_run_step(run, &error) != SCREE_OK)
                _exit(3);
        _exit(scree_run_close(run, &error) == SCREE_OK ? 0 : 4);
    }
    int status;
    struct timespec pause = {0, microseconds * 1000};
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

static void killed_at_any_moment(const char *set, bool frames)
{
    scree_scene *scene = silo_scene(set);
    char *whole = strdup(in_scratch("whole"));
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    uint64_t hash = run_whole(scene, whole, RUN_NEW, 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    long took = (end.tv_sec - start.tv_sec) * 1000000 + (end.tv_nsec - start.tv_nsec) / 1000;
    for (int round = 0; round < 3; round++) {
        char name[32];
        snprintf(name, sizeof name, "killed%d", round);
        char *folder = strdup(in_scratch(name));
        run_mode mode = RUN_NEW;
        // Shorter and longer lives, until one gets through.
        for (int life = 0; life < 40 && run_and_kill(scene, folder, mode, took * (3 + (life * 7 + round) % 11) / 20);
             life++)
            mode = RUN_RESUME;
        assert_true(run_whole(scene, folder, RUN_RESUME, 2) == hash);
        assert_same_run(whole, folder, frames);
        free(folder);
    }
    free(whole);
    scree_scene_destroy(scene);
}

static void killed_with_frames(void **unused)
{
    (void)unused;
    killed_at_any_moment("output.checkpoint_every=0.06", true);
}

static void killed_without_frames(void **unused)
{
    (void)unused;
    killed_at_any_moment("output.frames=false", false);
}

static void flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 4, file);
    fclose(file);
}

static void damaged_checkpoints(void **unused)
{
    (void)unused;
    scree_error error = {0};
    scree_run *run;
    scree_scene *scene = silo_scene(NULL);
    char *whole = strdup(in_scratch("whole")), *parts = strdup(in_scratch("parts"));
    uint64_t hash = run_whole(scene, whole, RUN_NEW, 1);
    run_to(scene, parts, RUN_NEW, 1, 130);
    // Checkpoints at 120 and 130: the damaged newest is passed over, and replaced in time.
    assert_true(file_exists(in_scratch("parts/checkpoint-000000000120.h5")));
    flip(in_scratch("parts/checkpoint-000000000130.h5"), 5000);
    assert_true(run_to(scene, parts, RUN_RESUME, 1, 125) != 0);
    assert_false(file_exists(in_scratch("parts/checkpoint-000000000130.h5")));
    assert_true(run_whole(scene, parts, RUN_RESUME, 1) == hash);
    assert_same_run(whole, parts, true);
    // All damaged: refused with a message, nothing is lost.
    flip(in_scratch("parts/checkpoint-000000000240.h5"), 700);
    assert_int_equal(truncate(in_scratch("parts/checkpoint-000000000200.h5"), 4000), 0);
    scree_run_def def = run_def(parts, RUN_RESUME, 1);
    assert_int_equal(scree_run_open(scene, &def, &run, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "damaged"));
    assert_null(run);
    assert_same_run(whole, parts, true);
    free(whole);
    free(parts);
    scree_scene_destroy(scene);
}

static void output_may_change(void **unused)
{
    (void)unused;
    char *text = silo_text("output:\n  every: 0.1\n  frames: false\n  probes: [g1, g2]\n");
    scree_scene *scene = silo_scene(NULL), *other = parse_scene(text, NULL, 0);
    uint64_t hash = run_whole(scene, in_scratch("whole"), RUN_NEW, 1);
    run_to(scene, in_scratch("parts"), RUN_NEW, 1, 100);
    assert_true(run_whole(other, in_scratch("parts"), RUN_RESUME, 1) == hash);
    assert_int_equal(count_lines(in_scratch("parts/series.csv")), 1 + 11 + 7);
    assert_int_equal(count_lines(in_scratch("parts/probes/g2.csv")), 1 + 7);
    assert_int_equal(count_lines(in_scratch("parts/probes/g17.csv")), 1 + 11);
    assert_false(file_exists(in_scratch("parts/frames/bodies-000011.vtp")));
    free(text);
    scree_scene_destroy(scene);
    scree_scene_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(stopped_anywhere),      test(frames_do_not_change_the_bits), test(killed_with_frames),
        test(killed_without_frames), test(damaged_checkpoints),           test(extended_beyond_an_odd_end),
        test(output_may_change),     test(machines_stopped_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
