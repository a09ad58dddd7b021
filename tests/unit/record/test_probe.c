// Probes: rows hold the states exactly, and stop when the body is gone.
#include "record/probe.h"
#include "record/state.h"
#include "scree/joint.h"
#include "world_support.h"

static char box_name[] = "box", ball_name[] = "ball";

static void rows_are_states(void **unused)
{
    (void)unused;
    scree_error error;
    probe_set set = {0};
    scree_world *world = column_world(4, 1);
    scene_probe probes[2] = {{box_name, 6, 0}, {ball_name, 2, 0}};
    scene_output output = {.probes = probes, .probe_count = 2};
    check_ok(probes_open(&set, &output, scratch, NULL, false, &error), error);
    check_ok(probes_row(&set, world, 0, &error), error);
    take_steps(world, 50);
    check_ok(probes_row(&set, world, 0.25, &error), error);
    row_set_close(&set.files);

    scree_state at;
    double row[14];
    char *text = read_file(in_scratch("probes/box.csv"), NULL), *line = strchr(strchr(text, '\n') + 1, '\n') + 1;
    assert_int_equal(strncmp(text, "time,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", 40), 0);
    for (int i = 0; i < 14; i++, line++)
        row[i] = strtod(line, &line);
    scree_id id = 6;
    check_ok(scree_world_get_states(world, &id, 1, &at, &error), error);
    const double expected[14] = {0.25,
                                 at.position.x,
                                 at.position.y,
                                 at.position.z,
                                 at.orientation.w,
                                 at.orientation.x,
                                 at.orientation.y,
                                 at.orientation.z,
                                 at.velocity.x,
                                 at.velocity.y,
                                 at.velocity.z,
                                 at.spin.x,
                                 at.spin.y,
                                 at.spin.z};
    for (int i = 0; i < 14; i++)
        assert_true(row[i] == expected[i]);
    assert_true(at.velocity.z != 0);
    free(text);
    scree_world_destroy(world);
}

static void joints_have_rows_of_their_own(void **unused)
{
    (void)unused;
    scree_error error;
    probe_set set = {0};
    scree_world *world = column_world(4, 1);
    scree_joint_def def = scree_default_joint_def();
    scree_id id = 0;
    def.type = SCREE_JOINT_SPRING;
    def.bodies[0] = 2;
    def.bodies[1] = 6;
    def.positions[1] = (scree_vec3){3, 4, 0};
    check_ok(scree_world_add_joints(world, &def, 1, &id, &error), error);
    scene_probe probes[2] = {{ball_name, 0, id}, {box_name, 6, 0}};
    scene_output output = {.probes = probes, .probe_count = 2};
    check_ok(probes_open(&set, &output, scratch, NULL, false, &error), error);
    check_ok(probes_row(&set, world, 0.5, &error), error);
    check_ok(scree_world_remove_joints(world, &id, 1, &error), error);
    check_ok(probes_row(&set, world, 1, &error), error);
    row_set_close(&set.files);
    char *text = read_file(in_scratch("probes/ball.csv"), NULL);
    assert_string_equal(text, "time,fx,fy,fz,tx,ty,tz,position,speed,local_fx,local_fy,local_fz,local_tx,local_ty,"
                              "local_tz,broken\n0.5,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0\n");
    free(text);
    assert_int_equal(count_lines(in_scratch("probes/box.csv")), 3);
    scree_world_destroy(world);
}

static void removed_bodies_get_no_rows(void **unused)
{
    (void)unused;
    scree_error error;
    probe_set set = {0};
    scree_world *world = column_world(4, 1);
    scene_probe probes[2] = {{box_name, 6, 0}, {ball_name, 2, 0}};
    scene_output output = {.probes = probes, .probe_count = 2};
    check_ok(probes_open(&set, &output, scratch, NULL, false, &error), error);
    check_ok(probes_row(&set, world, 0, &error), error);
    scree_id gone = 6;
    check_ok(scree_world_remove_bodies(world, &gone, 1, &error), error);
    check_ok(probes_row(&set, world, 1, &error), error);
    row_set_close(&set.files);
    assert_int_equal(count_lines(in_scratch("probes/box.csv")), 2);
    assert_int_equal(count_lines(in_scratch("probes/ball.csv")), 3);
    scree_world_destroy(world);
}

static void files_are_cut_back(void **unused)
{
    (void)unused;
    scree_error error;
    probe_set set = {0};
    snapshot state = {0};
    scree_world *world = column_world(4, 1);
    scene_probe probes[2] = {{box_name, 6, 0}, {ball_name, 2, 0}};
    scene_output output = {.probes = probes, .probe_count = 1};
    check_ok(probes_open(&set, &output, scratch, NULL, false, &error), error);
    check_ok(probes_row(&set, world, 0, &error), error);
    check_ok(row_set_save(&set.files, &state, &error), error);
    check_ok(probes_row(&set, world, 1, &error), error);
    row_set_close(&set.files);
    // A probe more than before gets a new file.
    output.probe_count = 2;
    check_ok(probes_open(&set, &output, scratch, &state, false, &error), error);
    row_set_close(&set.files);
    assert_int_equal(count_lines(in_scratch("probes/box.csv")), 2);
    assert_int_equal(count_lines(in_scratch("probes/ball.csv")), 1);
    state_release(&state);
    scree_world_destroy(world);
}

static void full_disk_is_an_error(void **unused)
{
    (void)unused;
    scree_error error = {0};
    probe_set set = {0};
    scene_probe probe = {box_name, 6, 0};
    scene_output output = {.probes = &probe, .probe_count = 1};
    check_ok(folder_make(in_scratch("probes"), &error), error);
    set_disk_room(0);
    assert_int_equal(probes_open(&set, &output, scratch, NULL, false, &error), SCREE_ERROR_IO);
    set_disk_room(RLIM_INFINITY);
    assert_non_null(strstr(error.message, "box.csv"));
    row_set_close(&set.files);
}

static void linked_folder_is_refused(void **unused)
{
    (void)unused;
    scree_error error = {0};
    probe_set set = {0};
    scene_probe probe = {box_name, 6, 0};
    scene_output output = {.probes = &probe, .probe_count = 1};
    check_ok(folder_make(in_scratch("elsewhere"), &error), error);
    assert_int_equal(symlink("elsewhere", in_scratch("probes")), 0);
    assert_int_equal(probes_open(&set, &output, scratch, NULL, false, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "symbolic link"));
    assert_false(file_exists(in_scratch("elsewhere/box.csv")));
    row_set_close(&set.files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(rows_are_states),    test(joints_have_rows_of_their_own), test(removed_bodies_get_no_rows),
        test(files_are_cut_back), test(full_disk_is_an_error),         test(linked_folder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
