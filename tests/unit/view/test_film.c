// A run as a film: which frames are shown, that the camera sees what moves in all of them, that colours keep their
// meaning.
#include "physics/check.h"

#include "record/directory.h"
#include "scree/run.h"
#include "unit/view/scratch.h"
#include "view/world/film.h"

static const char scene_text[] = "time: {step: 0.01, duration: 0.5}\n"
                                 "materials: {default: {}, brass: {density: 8000}}\n"
                                 "bodies:\n"
                                 "  - {fixed: true, shapes: [{type: plane, normal: [0, 0, 1], offset: 0}]}\n"
                                 "  - {position: [0, 0, 2], shapes: [{type: sphere, radius: 0.2}]}\n"
                                 "  - {position: [1, 0, 3], material: brass, velocity: [4, 0, 0],\n"
                                 "     shapes: [{type: box, half: [0.2, 0.2, 0.2]}]}\n"
                                 "output: {every: 0.05}\n";

// Runs the scene into a folder of the scratch and opens it.
static void open_run(scratch *s, const char *name, replay *run)
{
    scree_scene *scene;
    scree_run *running;
    scree_error error = {0};
    scree_run_def def = scree_default_run_def();
    def.directory = scratch_path(s, name);
    def.threads = 1;
    def.force = true;
    assert_int_equal(scree_scene_parse(scene_text, strlen(scene_text), "a.yaml", NULL, 0, &scene, &error), SCREE_OK);
    if (scree_run_open(scene, &def, &running, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    while (!scree_run_done(running))
        assert_int_equal(scree_run_step(running, &error), SCREE_OK);
    assert_int_equal(scree_run_close(running, &error), SCREE_OK);
    scree_scene_destroy(scene);
    assert_int_equal(replay_open(run, def.directory, 1, &error), SCREE_OK);
}

static void close_run(scratch *s, const char *name, replay *run)
{
    replay_close(run);
    assert_int_equal(directory_clear(scratch_path(s, name), "a", NULL), SCREE_OK);
    assert_int_equal(rmdir(scratch_path(s, name)), 0); // it left nothing else
}

static void frames_are_chosen(void **state)
{
    replay run;
    film shown;
    scree_error error;
    film_def def = film_default();
    open_run(*state, "frames", &run);
    assert_int_equal(replay_count(&run), 11);
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_OK);
    assert_int_equal(shown.count, 11);
    film_free(&shown);
    def.first = 2;
    def.stride = 4;
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_OK);
    assert_int_equal(shown.count, 3);
    assert_int_equal(film_number(&shown, 2), 10);
    assert_near(film_time(&shown, 1), 0.3, 1e-9);
    assert_int_equal(film_show(&shown, 1, &error), SCREE_OK);
    assert_near(shown.bodies.time, 0.3, 1e-9);
    film_free(&shown);
    def.first = 11;
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "0 to 10"));
    film_free(&shown);
    close_run(*state, "frames", &run);
}

// In the middle of every frame's picture, with room to its edges, lie the bodies that move.
static void the_camera_sees_all_frames(void **state)
{
    replay run;
    film shown;
    scree_error error;
    film_def def = film_default();
    open_run(*state, "camera", &run);
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_OK);
    picture scene = picture_default();
    scene.camera = shown.camera;
    for (size_t i = 0; i < shown.count; i++) {
        assert_int_equal(film_show(&shown, i, &error), SCREE_OK);
        for (size_t k = 0; k < shown.bodies.ids.count; k++) {
            canvas_point at;
            if (shown.bodies.infos.data[k].fixed)
                continue;
            assert_true(picture_project(&scene, shown.bodies.states.data[k].position, &at));
            assert_true(at.x > 0 && at.x < 1280 && at.y > 0 && at.y < 720);
        }
    }
    film_free(&shown);
    close_run(*state, "camera", &run);
}

static bool same_color(color a, color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void colors_keep_their_meaning(void **state)
{
    replay run;
    film shown;
    scree_error error;
    film_def def = film_default();
    open_run(*state, "colors", &run);
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_OK);
    assert_int_equal(film_show(&shown, 0, &error), SCREE_OK);
    assert_true(shown.scale_low <= 0 && shown.scale_high >= 4); // what is ever reached is on the scale
    assert_true(same_color(film_color_of(&shown, 1), color_of_scale(0)));
    assert_true(same_color(film_color_of(&shown, 2), color_of_scale(4 / shown.scale_high)));
    film_free(&shown);
    def.look.color = BODY_COLOR_MATERIAL;
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_OK);
    assert_int_equal(film_show(&shown, 0, &error), SCREE_OK);
    assert_true(same_color(film_color_of(&shown, 1), color_of_kind(0)));
    assert_true(same_color(film_color_of(&shown, 2), color_of_kind(1)));
    film_free(&shown);
    def.look.color = BODY_COLOR_FORCE; // the run wrote no contacts
    assert_int_equal(film_make(&shown, &run, &def, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "contacts"));
    film_free(&shown);
    close_run(*state, "colors", &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_chosen),
        cmocka_unit_test(the_camera_sees_all_frames),
        cmocka_unit_test(colors_keep_their_meaning),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
