// The run directory: one run at a time, and clearing takes Scree's files and no others.
#include "record/directory.h"
#include "support.h"

static void one_run_at_a_time(void **unused)
{
    (void)unused;
    scree_error error = {0};
    run_directory first, second;
    check_ok(directory_open(&first, in_scratch("a/b"), &error), error);
    assert_int_equal(directory_open(&second, in_scratch("a/b"), &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "another run"));
    directory_close(&second);
    directory_close(&first);
    directory_close(&first);
    check_ok(directory_open(&second, in_scratch("a/b"), &error), error);
    directory_close(&second);
    write_text(in_scratch("file"), "");
    assert_int_equal(directory_open(&second, in_scratch("file/inner"), &error), SCREE_ERROR_IO);
    directory_close(&second);
}

static void knows_a_run(void **unused)
{
    (void)unused;
    static const char *const marks[] = {"scene.yaml", "summary.json", "checkpoint-000000000010.h5"};
    assert_false(directory_holds_run(in_scratch("none")));
    write_text(in_scratch("notes.txt"), "");
    write_text(in_scratch("series.csv"), "");
    assert_false(directory_holds_run(scratch));
    for (int i = 0; i < 3; i++) {
        write_text(in_scratch(marks[i]), "");
        assert_true(directory_holds_run(scratch));
        unlink(in_scratch(marks[i]));
    }
}

static void clears_its_own_files_only(void **unused)
{
    (void)unused;
    scree_error error;
    static const char *const own[] = {"scene.yaml",
                                      "summary.json",
                                      "series.csv",
                                      "checkpoint-000000000010.h5",
                                      "checkpoint-000000000020.h5.part",
                                      "summary.json.part",
                                      "silo.png",
                                      "flow.png",
                                      "frames/silo.pvd",
                                      "frames/silo.pvd.part",
                                      "frames/bodies-000001.vtp",
                                      "frames/walls-000001.vtp",
                                      "frames/boxes-000001.vtp.part"};
    static const char *const others[] = {"notes.txt",          "my.png",        "checkpoint-1.h5",
                                         "scene.yaml.bak",     "frames/my.vtp", "probes/measured.csv",
                                         "probes/picture.png", "my.yaml",       "something.part"};
    check_ok(folder_make(in_scratch("frames"), &error), error);
    check_ok(folder_make(in_scratch("probes"), &error), error);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        write_text(in_scratch(own[i]), "x");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        write_text(in_scratch(others[i]), "temperature,time\n");
    write_text(in_scratch("probes/ball.csv"), "time,x,y\n0,0,0\n");
    check_ok(directory_clear(scratch, "silo", &error), error);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_false(file_exists(in_scratch(own[i])));
    assert_false(file_exists(in_scratch("probes/ball.csv")));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(file_exists(in_scratch(others[i])));
}

static void empty_folders_go(void **unused)
{
    (void)unused;
    scree_error error;
    check_ok(folder_make(in_scratch("frames"), &error), error);
    check_ok(folder_make(in_scratch("probes"), &error), error);
    check_ok(directory_clear(scratch, "silo", &error), error);
    assert_false(file_exists(in_scratch("frames")) || file_exists(in_scratch("probes")));
}

static void linked_folders_are_left_alone(void **unused)
{
    (void)unused;
    scree_error error;
    static const char *const folders[] = {"probes", "frames", "problems"};
    check_ok(folder_make(in_scratch("mine"), &error), error);
    check_ok(folder_make(in_scratch("run"), &error), error);
    write_text(in_scratch("mine/table.csv"), "time,x\n");
    write_text(in_scratch("mine/bodies-000001.vtp"), "");
    write_text(in_scratch("mine/bodies-000001.vtp.part"), "");
    write_text(in_scratch("summary.json"), "");
    assert_int_equal(symlink("../summary.json", in_scratch("run/summary.json")), 0);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "run/%s", folders[i]);
        assert_int_equal(symlink("../mine", in_scratch(name)), 0);
    }
    check_ok(directory_sweep(in_scratch("run"), &error), error);
    check_ok(directory_clear(in_scratch("run"), "silo", &error), error);
    assert_true(file_exists(in_scratch("mine/table.csv")) && file_exists(in_scratch("mine/bodies-000001.vtp")));
    assert_true(file_exists(in_scratch("mine/bodies-000001.vtp.part")) && file_exists(in_scratch("summary.json")));
    assert_false(path_is_link(in_scratch("run/summary.json")));
}

static void sweeps_drafts(void **unused)
{
    (void)unused;
    scree_error error;
    check_ok(folder_make(in_scratch("frames"), &error), error);
    write_text(in_scratch("checkpoint-000000000020.h5.part"), "");
    write_text(in_scratch("frames/bodies-000003.vtp.part"), "");
    write_text(in_scratch("frames/bodies-000003.vtp"), "");
    write_text(in_scratch("download.part"), "");
    write_text(in_scratch("scene.yaml"), "");
    check_ok(directory_sweep(scratch, &error), error);
    assert_false(file_exists(in_scratch("checkpoint-000000000020.h5.part")));
    assert_false(file_exists(in_scratch("frames/bodies-000003.vtp.part")));
    assert_true(file_exists(in_scratch("frames/bodies-000003.vtp")) && file_exists(in_scratch("download.part")));
    assert_true(file_exists(in_scratch("scene.yaml")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(one_run_at_a_time), test(knows_a_run),   test(clears_its_own_files_only),
        test(empty_folders_go),  test(sweeps_drafts), test(linked_folders_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
