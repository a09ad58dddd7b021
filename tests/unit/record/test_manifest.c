// scene.yaml of a run: what was written is what may go on, but for its length and its output.
#include "record/manifest.h"
#include "run_support.h"

static void same_scene_goes_on(void **unused)
{
    (void)unused;
    scree_error error;
    scree_scene *scene = silo_scene(NULL);
    check_ok(manifest_write(scratch, scene, 1.2, 0, &error), error);
    check_ok(manifest_check(scratch, scene, &error), error);
    scree_scene_destroy(scene);
}

static void duration_is_the_one_given(void **unused)
{
    (void)unused;
    scree_error error;
    scree_scene *scene = silo_scene(NULL), *again = NULL;
    char *expected, *text;
    check_ok(manifest_write(scratch, scene, 0.25, 0, &error), error);
    check_ok(scree_scene_load(in_scratch("scene.yaml"), NULL, 0, &again, &error), error);
    check_ok(scree_scene_text(again, &text, &error), error);
    scree_scene *shorter = silo_scene("time.duration=0.25");
    check_ok(scree_scene_text(shorter, &expected, &error), error);
    assert_string_equal(text, expected);
    scree_text_free(text);
    scree_text_free(expected);
    scree_scene_destroy(scene);
    scree_scene_destroy(again);
    scree_scene_destroy(shorter);
}

static void length_and_output_may_change(void **unused)
{
    (void)unused;
    scree_error error;
    static const char *const changes[] = {"time.duration=5", "output.every=0.2", "output.frames=false",
                                          "output.probes=[]"};
    scree_scene *scene = silo_scene(NULL);
    check_ok(manifest_write(scratch, scene, 1.2, 0, &error), error);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        scree_scene *other = silo_scene(changes[i]);
        check_ok(manifest_check(scratch, other, &error), error);
        scree_scene_destroy(other);
    }
    scree_scene_destroy(scene);
}

static void nothing_else_may(void **unused)
{
    (void)unused;
    scree_error error = {0};
    static const struct {
        const char *set, *shown;
    } changes[] = {{"gravity=[0, 0, -1]", "gravity"},
                   {"solver.iterations=7", "iterations: 7"},
                   {"time.step=0.004", "0.004"},
                   {"bodies.3.position=[1, 2, 3]", "[1, 2, 3]"},
                   {"seed=99", "seed: 99"},
                   {"events.0.time=0.31", "0.31"},
                   {"materials.default.friction=0.9", "0.9"}};
    scree_scene *scene = silo_scene(NULL);
    check_ok(manifest_write(scratch, scene, 1.2, 0, &error), error);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        scree_scene *other = silo_scene(changes[i].set);
        assert_int_equal(manifest_check(scratch, other, &error), SCREE_ERROR_INVALID);
        assert_non_null(strstr(error.message, changes[i].shown));
        assert_non_null(strstr(error.message, "scene.yaml"));
        scree_scene_destroy(other);
    }
    scree_scene_destroy(scene);
}

// A scene may leave the edge of cells to the run that it carries on, not ask for another.
static void decided_cell_goes_on(void **unused)
{
    (void)unused;
    scree_error error = {0};
    scree_scene *scene = silo_scene(NULL), *written;
    scree_scene *same = silo_scene("solver.cell=0.5"), *other = silo_scene("solver.cell=0.25");
    check_ok(manifest_write(scratch, scene, 1.2, 0.5, &error), error);
    check_ok(scree_scene_load(in_scratch("scene.yaml"), NULL, 0, &written, &error), error);
    check_ok(manifest_check(scratch, scene, &error), error);
    check_ok(manifest_check(scratch, same, &error), error);
    check_ok(manifest_check(scratch, written, &error), error);
    assert_int_equal(manifest_check(scratch, other, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "cell: 0.25"));
    assert_non_null(strstr(error.message, "cell: 0.5"));
    scree_scene_destroy(scene);
    scree_scene_destroy(written);
    scree_scene_destroy(same);
    scree_scene_destroy(other);
}

static void missing_manifest_is_named(void **unused)
{
    (void)unused;
    scree_error error = {0};
    scree_scene *scene = silo_scene(NULL);
    assert_int_not_equal(manifest_check(scratch, scene, &error), SCREE_OK);
    assert_non_null(strstr(error.message, "scene.yaml"));
    scree_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(same_scene_goes_on), test(duration_is_the_one_given), test(length_and_output_may_change),
        test(nothing_else_may),   test(missing_manifest_is_named), test(decided_cell_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
