// The sequence of frames: numbering, the index that lists them, walls only when they change, and cutting back.
#include "record/frames/frames.h"
#include "record/state.h"
#include "world_support.h"

static char scene_name[] = "mixer";

static scree_scene frame_scene(bool contacts)
{
    return (scree_scene){.name = scene_name, .output = {.frames = true, .frame_contacts = contacts}};
}

static bool has(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "frames/%s", name);
    return file_exists(in_scratch(path));
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

static void walls_are_written_when_they_change(void **unused)
{
    (void)unused;
    scree_error error;
    frames list = {0};
    body_roster roster = {0};
    scree_scene scene = frame_scene(true);
    scree_world *world = column_world(3, 1);
    scree_shape_def blade = box_shape(0.5, 0.1, 0.1);
    scree_id id = add_body(world, &blade, 1, (scree_vec3){3, 0, 0}, true);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(frames_open(&list, &scene, scratch, 1, NULL, false, &error), error);
    for (int i = 0; i < 3; i++) { // nothing fixed moves
        check_ok(frames_add(&list, world, &roster, &error), error);
        take_steps(world, 1);
    }
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_VELOCITY;
    motion.linear = (scree_vec3){1, 0, 0};
    check_ok(scree_world_set_motion(world, id, &motion, &error), error);
    take_steps(world, 1);
    check_ok(frames_add(&list, world, &roster, &error), error); // 3: moved
    check_ok(scree_world_remove_bodies(world, &id, 1, &error), error);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(frames_add(&list, world, &roster, &error), error); // 4: removed
    check_ok(frames_add(&list, world, &roster, &error), error); // 5: as before
    assert_true(has("walls-000000.vtp") && has("walls-000003.vtp") && has("walls-000004.vtp"));
    assert_false(has("walls-000001.vtp") || has("walls-000002.vtp") || has("walls-000005.vtp"));
    assert_true(has("bodies-000005.vtp") && has("boxes-000005.vtp") && has("contacts-000005.vtp"));
    char *index = read_file(in_scratch("frames/mixer.pvd"), NULL);
    assert_int_equal(occurrences(index, "walls-000000.vtp"), 3);
    assert_int_equal(occurrences(index, "walls-000003.vtp"), 1);
    assert_int_equal(occurrences(index, "walls-000004.vtp"), 2);
    assert_int_equal(occurrences(index, "<DataSet "), 6 * 4);
    assert_non_null(strstr(index, "<DataSet timestep=\"0.005\" group=\"\" part=\"0\" name=\"bodies\" "
                                  "file=\"bodies-000001.vtp\"/>"));
    free(index);
    frames_close(&list);
    roster_free(&roster);
    scree_world_destroy(world);
}

static void later_frames_go_on_reopening(void **unused)
{
    (void)unused;
    scree_error error;
    frames list = {0};
    snapshot state = {0};
    body_roster roster = {0};
    scree_scene scene = frame_scene(false);
    scree_world *world = column_world(3, 1);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(frames_open(&list, &scene, scratch, 1, NULL, false, &error), error);
    check_ok(frames_add(&list, world, &roster, &error), error);
    check_ok(frames_add(&list, world, &roster, &error), error);
    check_ok(frames_save(&list, &state, &error), error);
    char *before = read_file(in_scratch("frames/mixer.pvd"), NULL);
    check_ok(frames_add(&list, world, &roster, &error), error);
    char *longer = read_file(in_scratch("frames/mixer.pvd"), NULL);
    frames_close(&list);
    write_text(in_scratch("frames/bodies-000003.vtp" FILE_DRAFT_ENDING), "half a frame");
    write_text(in_scratch("frames/notes.txt"), "mine");

    check_ok(frames_open(&list, &scene, scratch, 1, &state, true, &error), error); // keep
    frames_close(&list);
    assert_file_text(in_scratch("frames/mixer.pvd"), longer);
    check_ok(frames_open(&list, &scene, scratch, 1, &state, false, &error), error);
    assert_file_text(in_scratch("frames/mixer.pvd"), before);
    assert_true(has("bodies-000001.vtp") && has("notes.txt"));
    assert_false(has("bodies-000002.vtp") || has("boxes-000002.vtp") || has("bodies-000003.vtp.part"));
    check_ok(frames_add(&list, world, &roster, &error), error);
    assert_file_text(in_scratch("frames/mixer.pvd"), longer);
    assert_false(has("walls-000002.vtp"));
    frames_close(&list);
    free(before);
    free(longer);
    state_release(&state);
    roster_free(&roster);
    scree_world_destroy(world);
}

static void off_writes_nothing(void **unused)
{
    (void)unused;
    scree_error error;
    frames list = {0};
    body_roster roster = {0};
    scree_scene scene = frame_scene(true);
    scene.output.frames = false;
    scree_world *world = column_world(3, 1);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(frames_open(&list, &scene, scratch, 1, NULL, false, &error), error);
    check_ok(frames_add(&list, world, &roster, &error), error);
    frames_close(&list);
    assert_false(file_exists(in_scratch("frames")));
    roster_free(&roster);
    scree_world_destroy(world);
}

static void names_are_told_apart(void **unused)
{
    (void)unused;
    uint64_t number;
    assert_true(frame_name_number("walls-000012.vtp", &number) && number == 12);
    assert_true(frame_name_number("contacts-1000000.vtp", &number) && number == 1000000);
    assert_true(frame_name_number("bodies-000001.vtp.part", &number) && number == 1);
    assert_false(frame_name_number("walls-.vtp", &number) || frame_name_number("wall-000012.vtp", &number));
    assert_false(frame_name_number("walls-000012.vtk", &number) || frame_name_number("walls-12.vtp.old", &number));
}

// The folder stands in the way of the draft.
static void entry_that_cannot_be_written_is_an_error(void **unused)
{
    (void)unused;
    scree_error error = {0};
    frames list = {0};
    body_roster roster = {0};
    scree_scene scene = frame_scene(false);
    scree_world *world = column_world(3, 1);
    check_ok(roster_read(&roster, world, &error), error);
    check_ok(frames_open(&list, &scene, scratch, 1, NULL, false, &error), error);
    check_ok(frames_add(&list, world, &roster, &error), error);
    char *before = read_file(in_scratch("frames/mixer.pvd"), NULL);
    check_ok(folder_make(in_scratch("frames/mixer.pvd" FILE_DRAFT_ENDING), &error), error);
    assert_int_equal(frames_add(&list, world, &roster, &error), SCREE_ERROR_IO);
    assert_file_text(in_scratch("frames/mixer.pvd"), before);
    free(before);
    frames_close(&list);
    roster_free(&roster);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(walls_are_written_when_they_change),
        test(later_frames_go_on_reopening),
        test(off_writes_nothing),
        test(names_are_told_apart),
        test(entry_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
