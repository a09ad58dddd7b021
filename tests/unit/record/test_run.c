// Runs: what a directory accepts, what it holds afterwards, and what a failure leaves behind.
#include <pthread.h>

#include "record/checkpoint.h"
#include "run_support.h"

static void assert_refused(const scree_scene *scene, const scree_run_def *def, scree_status status, const char *part)
{
    scree_error error = {0};
    scree_run *run = NULL;
    assert_int_equal(scree_run_open(scene, def, &run, &error), status);
    assert_null(run);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
}

static void directory_holds_all_that_was_promised(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene(NULL);
    run_whole(scene, in_scratch("out/silo"), RUN_NEW, 1);
    static const char *const files[] = {"scene.yaml",
                                        "summary.json",
                                        "series.csv",
                                        "probes/g1.csv",
                                        "probes/g17.csv",
                                        "probes/blade.csv",
                                        "probes/outflow.csv",
                                        "probes/side.csv",
                                        "frames/silo.pvd",
                                        "checkpoint-000000000200.h5",
                                        "checkpoint-000000000240.h5"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[128];
        snprintf(name, sizeof name, "out/silo/%s", files[i]);
        if (!file_exists(in_scratch(name)))
            fail_msg("%s is missing", files[i]);
    }
    assert_false(file_exists(in_scratch("out/silo/checkpoint-000000000160.h5")));
    // 1.2 s with a row every 0.05 s, and one at the start.
    assert_int_equal(count_lines(in_scratch("out/silo/series.csv")), 1 + 25);
    assert_int_equal(count_lines(in_scratch("out/silo/probes/g17.csv")), 1 + 25);
    // g1 goes at 0.7 s: its last row is that of 0.7 s, from before the removal.
    assert_int_equal(count_lines(in_scratch("out/silo/probes/g1.csv")), 1 + 15);
    char *flow = read_file(in_scratch("out/silo/probes/outflow.csv"), NULL);
    assert_true(strtod(strstr(flow, "\n1.2") + 5, NULL) > 10); // grains fell through
    free(flow);
    char *series = read_file(in_scratch("out/silo/series.csv"), NULL);
    assert_non_null(strstr(series, "\n240,1.2,61,")); // 65 bodies without plug, g0, g1, g5
    free(series);
    scree_scene_destroy(scene);
}

static void scene_yaml_runs_again(void **unused)
{
    (void)unused;
    scree_error error;
    scree_scene *scene = silo_scene(NULL), *again;
    scree_run_def def = run_def(in_scratch("a"), RUN_NEW, 1);
    scree_run *run;
    def.steps = 50; // the written scene must know
    check_ok(scree_run_open(scene, &def, &run, &error), error);
    step_until(run, 50);
    assert_true(scree_run_done(run));
    double cell = scree_world_get_def(scree_run_world(run)).solver.cell;
    uint64_t hash = scree_world_hash(scree_run_world(run));
    check_ok(scree_run_close(run, &error), error);
    check_ok(scree_scene_load(in_scratch("a/scene.yaml"), NULL, 0, &again, &error), error);
    char *text;
    check_ok(scree_scene_text(again, &text, &error), error);
    const char *written = strstr(text, "cell: ");
    assert_non_null(written);
    assert_true(cell > 0 && strtod(written + strlen("cell: "), NULL) == cell); // which the run decided
    scree_text_free(text);
    assert_true(run_whole(again, in_scratch("b"), RUN_NEW, 1) == hash);
    scree_scene_destroy(again);
    scree_scene_destroy(scene);
}

static void earlier_runs_are_protected(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene("time.duration=0.2"), *bad = silo_scene(NULL);
    run_whole(scene, in_scratch("out"), RUN_NEW, 1);
    write_text(in_scratch("out/notes.txt"), "mine");
    char *series = read_file(in_scratch("out/series.csv"), NULL);
    scree_run_def def = run_def(in_scratch("out"), RUN_NEW, 1);
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "--force");
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "--resume");
    assert_file_text(in_scratch("out/series.csv"), series);
    free(series);
    run_whole(scene, in_scratch("out"), RUN_FORCE, 1);
    assert_file_text(in_scratch("out/notes.txt"), "mine");
    def.force = def.resume = true;
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "exclude");
    scree_scene_destroy(scene);
    scree_scene_destroy(bad);
}

static void resuming_needs_a_checkpoint(void **unused)
{
    (void)unused;
    scree_error error;
    scree_scene *scene = silo_scene(NULL);
    scree_run_def def = run_def(in_scratch("none"), RUN_RESUME, 1);
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "no run");
    assert_false(file_exists(in_scratch("none")));
    check_ok(folder_make(in_scratch("some"), &error), error);
    write_text(in_scratch("some/scene.yaml"), "");
    def = run_def(in_scratch("some"), RUN_RESUME, 1);
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "no checkpoint");
    def.directory = "";
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "directory");
    scree_scene_destroy(scene);
}

static void resuming_needs_the_same_scene(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene(NULL), *other = silo_scene("gravity=[0, 0, -2]");
    run_to(scene, in_scratch("out"), RUN_NEW, 1, 90);
    scree_run_def def = run_def(in_scratch("out"), RUN_RESUME, 1);
    assert_refused(other, &def, SCREE_ERROR_INVALID, "gravity");
    def.steps = 80;
    assert_refused(scene, &def, SCREE_ERROR_INVALID, "step 90");
    scree_scene_destroy(scene);
    scree_scene_destroy(other);
}

static void paths_that_cannot_be(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene(NULL);
    write_text(in_scratch("file"), "");
    scree_run_def def = run_def(in_scratch("file/out"), RUN_NEW, 1);
    assert_refused(scene, &def, SCREE_ERROR_IO, "file");
    def.directory = "/proc/scree-cannot-be-here";
    assert_refused(scene, &def, SCREE_ERROR_IO, "/proc/scree-cannot-be-here");
    scree_scene_destroy(scene);
}

static void progress_and_paths(void **unused)
{
    (void)unused;
    scree_error error = {0};
    scree_scene *scene = silo_scene(NULL);
    scree_run_def def = run_def(in_scratch("out"), RUN_NEW, 1);
    scree_run *run;
    check_ok(scree_run_open(scene, &def, &run, &error), error);
    assert_string_equal(scree_run_checkpoint_path(run), "");
    assert_int_equal(scree_run_progress(run).steps, SILO_STEPS);
    step_until(run, 39);
    assert_string_equal(scree_run_checkpoint_path(run), "");
    step_until(run, 41);
    assert_string_equal(scree_run_checkpoint_path(run), in_scratch("out/checkpoint-000000000040.h5"));
    check_ok(scree_run_checkpoint(run, &error), error);
    check_ok(scree_run_checkpoint(run, &error), error);
    assert_string_equal(scree_run_checkpoint_path(run), in_scratch("out/checkpoint-000000000041.h5"));
    step_until(run, SILO_STEPS);
    assert_true(scree_run_done(run));
    assert_int_equal(scree_run_step(run, &error), SCREE_ERROR_INVALID);
    assert_true(scree_run_progress(run).wall_s > 0);
    check_ok(scree_run_close(run, &error), error);
    check_ok(scree_run_close(NULL, &error), error);
    scree_scene_destroy(scene);
}

static void no_steps_is_a_run(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene("time.duration=0.001");
    run_whole(scene, in_scratch("out"), RUN_NEW, 1);
    assert_int_equal(count_lines(in_scratch("out/series.csv")), 2);
    assert_true(file_exists(in_scratch("out/checkpoint-000000000000.h5")));
    assert_true(file_exists(in_scratch("out/summary.json")));
    run_whole(scene, in_scratch("out"), RUN_RESUME, 1);
    assert_int_equal(count_lines(in_scratch("out/series.csv")), 2);
    scree_scene_destroy(scene);
}

static void diverging_keeps_the_good_checkpoint(void **unused)
{
    (void)unused;
    scree_error error = {0}, again = {0};
    // Faster and faster, until it is lost.
    static const char text[] = "gravity: [0, 0, 1.5e5]\n"
                               "time: {step: 0.1, duration: 100}\n"
                               "bodies: [{name: ball, shapes: [{type: sphere, radius: 0.5}]}]\n"
                               "output: {every: 0.1, checkpoint_every: 0.1, frames: true}\n";
    scree_scene *scene = parse_scene(text, NULL, 0);
    scree_run_def def = run_def(in_scratch("out"), RUN_NEW, 1);
    scree_run *run;
    checkpoint good;
    check_ok(scree_run_open(scene, &def, &run, &error), error);
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && !scree_run_done(run))
        status = scree_run_step(run, &error);
    assert_int_equal(status, SCREE_ERROR_DIVERGED);
    assert_int_equal(scree_run_checkpoint(run, &again), SCREE_ERROR_DIVERGED);
    assert_string_equal(again.message, error.message);
    assert_int_equal(scree_run_step(run, &again), SCREE_ERROR_DIVERGED);
    check_ok(checkpoint_open(scree_run_checkpoint_path(run), &good, &error), error);
    assert_int_equal(good.header.step, scree_run_progress(run).step);
    checkpoint_close(&good);
    check_ok(scree_run_close(run, &error), error);
    assert_false(file_exists(in_scratch("out/summary.json")));
    scree_scene_destroy(scene);
}

static const scree_scene *small_disk_scene;
static bool small_disk_resume;

// 0 for a run that went through; otherwise the status, when the last good checkpoint is still whole.
static int run_on_small_disk(void)
{
    scree_error error = {0};
    scree_run *run;
    scree_run_def def = run_def(in_scratch("out"), small_disk_resume ? RUN_RESUME : RUN_NEW, 1);
    scree_status status = scree_run_open(small_disk_scene, &def, &run, &error);
    if (status != SCREE_OK)
        return (int)status;
    while (status == SCREE_OK && !scree_run_done(run))
        status = scree_run_step(run, &error);
    if (status != SCREE_OK && scree_run_step(run, &error) != status)
        return 100;
    scree_run_close(run, &error);
    return (int)status;
}

static void full_disk_fails_and_can_be_resumed(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene(NULL);
    small_disk_scene = scene;
    uint64_t hash = run_whole(scene, in_scratch("whole"), RUN_NEW, 1);
    size_t size = 0;
    free(read_file(in_scratch("whole/checkpoint-000000000200.h5"), &size));
    // Room for the rows and the first checkpoint, which has fewer contacts, but not for the later ones.
    small_disk_resume = false;
    assert_int_equal(with_file_limit(2000, run_on_small_disk), SCREE_ERROR_IO);
    remove_tree(in_scratch("out"));
    run_to(scene, in_scratch("out"), RUN_NEW, 1, 100);
    small_disk_resume = true;
    for (size_t limit = 8000; limit < size; limit += 16000) {
        assert_int_equal(with_file_limit(limit, run_on_small_disk), SCREE_ERROR_IO);
        assert_true(file_exists(in_scratch("out/checkpoint-000000000100.h5")));
    }
    assert_true(run_whole(scene, in_scratch("out"), RUN_RESUME, 1) == hash);
    assert_same_run(in_scratch("whole"), in_scratch("out"), true);
    scree_scene_destroy(scene);
}

static void series_that_cannot_be_written_fails(void **unused)
{
    (void)unused;
    scree_error error;
    scree_scene *scene = silo_scene(NULL);
    check_ok(folder_make(in_scratch("out/series.csv"), &error), error);
    scree_run_def def = run_def(in_scratch("out"), RUN_NEW, 1);
    assert_refused(scene, &def, SCREE_ERROR_IO, "series.csv");
    scree_scene_destroy(scene);
}

typedef struct thread_work {
    const scree_scene *scene;
    char folder[1024];
    uint64_t hash;
} thread_work;

static void *run_in_thread(void *data)
{
    thread_work *work = data;
    work->hash = run_whole(work->scene, work->folder, RUN_NEW, 1);
    return NULL;
}

static void two_runs_in_two_threads(void **unused)
{
    (void)unused;
    scree_scene *scene = silo_scene("output.checkpoint_every=0.05");
    uint64_t hash = run_whole(scene, in_scratch("alone"), RUN_NEW, 1);
    pthread_t threads[2];
    thread_work work[2];
    for (int i = 0; i < 2; i++) {
        work[i].scene = scene;
        snprintf(work[i].folder, sizeof work[i].folder, "%s/thread%d", scratch, i);
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &work[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(work[i].hash == hash);
    }
    scree_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(directory_holds_all_that_was_promised),
        test(scene_yaml_runs_again),
        test(earlier_runs_are_protected),
        test(resuming_needs_a_checkpoint),
        test(resuming_needs_the_same_scene),
        test(paths_that_cannot_be),
        test(progress_and_paths),
        test(no_steps_is_a_run),
        test(diverging_keeps_the_good_checkpoint),
        test(full_disk_fails_and_can_be_resumed),
        test(series_that_cannot_be_written_fails),
        test(two_runs_in_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
