// NULL, given to every public function in the place of everything that is needed, is refused or does nothing. The other
// arguments point to nothing of use: a function looks for NULL before it looks at anything else.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scree/scree.h"

static long long nothing_of_use[64];
static void *const thing = nothing_of_use;

#define refused(call)                                                                                                  \
    do {                                                                                                               \
        error = (scree_error){0};                                                                                      \
        if ((call) != SCREE_ERROR_INVALID)                                                                             \
            fail_msg("%s is not refused", #call);                                                                      \
    } while (0)

static bool is_nothing(const void *text)
{
    return !text || *(const char *)text == '\0';
}

static void test_null_is_refused_everywhere(void **state)
{
    (void)state;
    scree_error error;
    refused(scree_world_detect(NULL, NULL, NULL, NULL, NULL, NULL));
    refused(scree_world_detect(NULL, thing, NULL, thing, thing, &error));
    refused(scree_detector_create(NULL, NULL, NULL));
    refused(scree_detector_create(thing, NULL, &error));
    scree_detector_destroy(NULL);
    (void)scree_ball_array(NULL, 1);
    (void)scree_ball_array(NULL, 1);
    refused(scree_detect_spheres(NULL, NULL, NULL, NULL, NULL, NULL));
    refused(scree_detect_spheres(NULL, thing, NULL, thing, thing, &error));
    refused(scree_detect_spheres(thing, NULL, NULL, thing, thing, &error));
    (void)scree_body_array(NULL, 1);
    (void)scree_body_array(NULL, 1);
    refused(scree_detect_bodies(NULL, NULL, NULL, NULL, NULL, NULL));
    refused(scree_detect_bodies(NULL, thing, NULL, thing, thing, &error));
    refused(scree_detect_bodies(thing, NULL, NULL, thing, thing, &error));
    refused(scree_hull_create(NULL, 1, NULL, NULL));
    refused(scree_hull_create(NULL, 1, thing, &error));
    refused(scree_hull_create(thing, 1, NULL, &error));
    refused(scree_mesh_create(NULL, 1, NULL, 1, NULL, NULL));
    refused(scree_mesh_create(NULL, 1, thing, 1, thing, &error));
    refused(scree_mesh_create(thing, 1, NULL, 1, thing, &error));
    refused(scree_mesh_create(thing, 1, thing, 1, NULL, &error));
    refused(scree_heightfield_create(NULL, NULL, NULL));
    refused(scree_heightfield_create(NULL, thing, &error));
    refused(scree_heightfield_create(thing, NULL, &error));
    refused(scree_spheres_create(NULL, 1, NULL, NULL, NULL));
    refused(scree_spheres_create(NULL, 1, thing, thing, &error));
    refused(scree_spheres_create(thing, 1, thing, NULL, &error));
    refused(scree_geometry_load(1, NULL, NULL, NULL, NULL));
    refused(scree_geometry_load(1, NULL, thing, thing, &error));
    refused(scree_geometry_load(1, thing, thing, NULL, &error));
    assert_true(is_nothing(scree_geometry_retain(NULL)));
    assert_true(is_nothing(scree_geometry_retain(NULL)));
    scree_geometry_release(NULL);
    refused(scree_world_add_joints(NULL, NULL, 1, NULL, NULL));
    refused(scree_world_add_joints(NULL, thing, 1, thing, &error));
    refused(scree_world_add_joints(thing, NULL, 1, thing, &error));
    refused(scree_world_remove_joints(NULL, NULL, 1, NULL));
    refused(scree_world_remove_joints(NULL, thing, 1, &error));
    refused(scree_world_remove_joints(thing, NULL, 1, &error));
    refused(scree_world_set_interrupt(NULL, NULL, NULL, &error));
    refused(scree_run_set_interrupt(NULL, NULL, NULL, NULL));
    refused(scree_world_set_motor(NULL, 1, NULL, NULL));
    refused(scree_world_set_motor(NULL, 1, thing, &error));
    refused(scree_world_set_motor(thing, 1, NULL, &error));
    refused(scree_world_get_joint(NULL, 1, NULL, NULL));
    refused(scree_world_get_joint(NULL, 1, thing, &error));
    refused(scree_world_get_joint(thing, 1, NULL, &error));
    assert_true(scree_world_joint_count(NULL) == 0);
    assert_true(scree_world_joint_count(NULL) == 0);
    assert_true(scree_world_has_joint(NULL, 1) == false);
    assert_true(scree_world_has_joint(NULL, 1) == false);
    scree_world_joint_ids(NULL, NULL);
    scree_world_joint_ids(NULL, thing);
    scree_world_joint_ids(thing, NULL);
    refused(scree_world_cast_rays(NULL, NULL, 1, NULL, NULL));
    refused(scree_world_cast_rays(NULL, thing, 1, thing, &error));
    refused(scree_world_cast_rays(thing, NULL, 1, thing, &error));
    refused(scree_world_cast_rays(thing, thing, 1, NULL, &error));
    refused(scree_world_find_nearest(NULL, NULL, 1, 1, 1, NULL, NULL));
    refused(scree_world_find_nearest(NULL, thing, 1, 1, 1, thing, &error));
    refused(scree_world_find_nearest(thing, NULL, 1, 1, 1, thing, &error));
    refused(scree_world_find_nearest(thing, thing, 1, 1, 1, NULL, &error));
    refused(scree_world_find_near(NULL, NULL, NULL, 1, 1, NULL, 1, NULL, NULL));
    refused(scree_world_find_near(NULL, thing, thing, 1, 1, thing, 1, thing, &error));
    refused(scree_world_find_near(thing, NULL, thing, 1, 1, thing, 1, thing, &error));
    refused(scree_world_find_near(thing, thing, NULL, 1, 1, thing, 1, thing, &error));
    refused(scree_world_find_near(thing, thing, thing, 1, 1, NULL, 1, thing, &error));
    refused(scree_world_find_near(thing, thing, thing, 1, 1, thing, 1, NULL, &error));
    refused(scree_run_open(NULL, NULL, NULL, NULL));
    refused(scree_run_open(NULL, thing, thing, &error));
    refused(scree_run_open(thing, NULL, thing, &error));
    refused(scree_run_open(thing, thing, NULL, &error));
    assert_true(scree_run_done(NULL) == true);
    assert_true(scree_run_done(NULL) == true);
    refused(scree_run_step(NULL, NULL));
    refused(scree_run_step(NULL, &error));
    refused(scree_run_checkpoint(NULL, NULL));
    refused(scree_run_checkpoint(NULL, &error));
    assert_true(is_nothing(scree_run_checkpoint_path(NULL)));
    assert_true(is_nothing(scree_run_checkpoint_path(NULL)));
    assert_true(is_nothing(scree_run_passed_over(NULL)));
    assert_true(is_nothing(scree_run_passed_over(NULL)));
    assert_true(is_nothing(scree_run_world(NULL)));
    assert_true(is_nothing(scree_run_world(NULL)));
    (void)scree_run_progress(NULL);
    (void)scree_run_progress(NULL);
    (void)scree_run_close(NULL, NULL);
    refused(scree_scene_load(NULL, NULL, 1, NULL, NULL));
    refused(scree_scene_parse(NULL, 1, NULL, NULL, 1, NULL, NULL));
    scree_scene_destroy(NULL);
    refused(scree_scene_text(NULL, NULL, NULL));
    refused(scree_scene_text(NULL, thing, &error));
    refused(scree_scene_text(thing, NULL, &error));
    scree_text_free(NULL);
    refused(scree_scene_build(NULL, 1, NULL, NULL));
    refused(scree_scene_build(NULL, 1, thing, &error));
    refused(scree_scene_build(thing, 1, NULL, &error));
    assert_true(scree_scene_body(NULL, NULL) == 0);
    assert_true(scree_scene_variant_count(NULL) == 0);
    assert_true(scree_scene_variant_count(NULL) == 0);
    assert_true(is_nothing(scree_scene_variant(NULL, 1)));
    assert_true(is_nothing(scree_scene_variant(NULL, 1)));
    assert_true(scree_scene_joint(NULL, NULL) == 0);
    refused(scree_shape_gap(NULL, NULL, NULL, NULL, NULL, NULL));
    refused(scree_shape_gap(NULL, thing, thing, thing, thing, &error));
    refused(scree_shape_gap(thing, NULL, thing, thing, thing, &error));
    refused(scree_shape_gap(thing, thing, NULL, thing, thing, &error));
    refused(scree_shape_gap(thing, thing, thing, NULL, thing, &error));
    refused(scree_shape_gap(thing, thing, thing, thing, NULL, &error));
    assert_true(isnan(scree_shape_reach(NULL)));
    assert_true(isnan(scree_shape_reach(NULL)));
    assert_true(isnan(scree_shape_volume(NULL)));
    assert_true(isnan(scree_shape_volume(NULL)));
    refused(scree_world_create(NULL, NULL, NULL));
    refused(scree_world_create(NULL, thing, &error));
    refused(scree_world_create(thing, NULL, &error));
    scree_world_destroy(NULL);
    refused(scree_world_add_material(NULL, NULL, NULL, NULL));
    refused(scree_world_add_material(NULL, thing, thing, &error));
    refused(scree_world_add_material(thing, NULL, thing, &error));
    refused(scree_world_add_material(thing, thing, NULL, &error));
    refused(scree_world_set_material(NULL, 1, NULL, NULL));
    refused(scree_world_set_material(NULL, 1, thing, &error));
    refused(scree_world_set_material(thing, 1, NULL, &error));
    (void)scree_combine_materials(NULL, NULL);
    (void)scree_combine_materials(NULL, thing);
    (void)scree_combine_materials(thing, NULL);
    refused(scree_world_set_pair(NULL, 1, 1, NULL, NULL));
    refused(scree_world_set_pair(NULL, 1, 1, thing, &error));
    refused(scree_world_set_pair(thing, 1, 1, NULL, &error));
    refused(scree_world_get_pair(NULL, 1, 1, NULL, NULL));
    refused(scree_world_get_pair(NULL, 1, 1, thing, &error));
    refused(scree_world_get_pair(thing, 1, 1, NULL, &error));
    refused(scree_world_add_bodies(NULL, NULL, 1, NULL, NULL));
    refused(scree_world_add_bodies(NULL, thing, 1, thing, &error));
    refused(scree_world_add_bodies(thing, NULL, 1, thing, &error));
    refused(scree_world_remove_bodies(NULL, NULL, 1, NULL));
    refused(scree_world_remove_bodies(NULL, thing, 1, &error));
    refused(scree_world_remove_bodies(thing, NULL, 1, &error));
    refused(scree_world_set_filter(NULL, 1, 1, 1, NULL));
    refused(scree_world_set_filter(NULL, 1, 1, 1, &error));
    refused(scree_world_keep_apart(NULL, 1, 1, 1, NULL));
    refused(scree_world_keep_apart(NULL, 1, 1, 1, &error));
    refused(scree_world_set_motion(NULL, 1, NULL, NULL));
    refused(scree_world_set_motion(NULL, 1, thing, &error));
    refused(scree_world_set_motion(thing, 1, NULL, &error));
    refused(scree_world_wake(NULL, NULL, 1, NULL));
    refused(scree_world_wake(NULL, thing, 1, &error));
    refused(scree_world_wake(thing, NULL, 1, &error));
    refused(scree_world_apply_forces(NULL, NULL, NULL, NULL, 1, NULL));
    refused(scree_world_apply_forces(NULL, thing, thing, thing, 1, &error));
    refused(scree_world_apply_forces(thing, NULL, thing, thing, 1, &error));
    refused(scree_world_apply_forces(thing, thing, NULL, thing, 1, &error));
    refused(scree_world_check(NULL, NULL, NULL));
    refused(scree_world_check(NULL, thing, &error));
    refused(scree_world_step(NULL, 1, NULL));
    refused(scree_world_step(NULL, 1, &error));
    (void)scree_world_figures(NULL);
    (void)scree_world_figures(NULL);
    (void)scree_world_step_figures(NULL);
    (void)scree_world_step_figures(NULL);
    assert_true(scree_world_body_count(NULL) == 0);
    assert_true(scree_world_body_count(NULL) == 0);
    scree_world_body_ids(NULL, NULL);
    scree_world_body_ids(NULL, thing);
    scree_world_body_ids(thing, NULL);
    assert_true(scree_world_has_body(NULL, 1) == false);
    assert_true(scree_world_has_body(NULL, 1) == false);
    refused(scree_world_get_states(NULL, NULL, 1, NULL, NULL));
    refused(scree_world_get_states(NULL, thing, 1, thing, &error));
    refused(scree_world_get_states(thing, NULL, 1, thing, &error));
    refused(scree_world_get_states(thing, thing, 1, NULL, &error));
    refused(scree_world_get_body(NULL, 1, NULL, NULL));
    refused(scree_world_get_body(NULL, 1, thing, &error));
    refused(scree_world_get_body(thing, 1, NULL, &error));
    refused(scree_world_get_shape(NULL, 1, 1, NULL, NULL));
    refused(scree_world_get_shape(NULL, 1, 1, thing, &error));
    refused(scree_world_get_shape(thing, 1, 1, NULL, &error));
    refused(scree_world_set_states(NULL, NULL, 1, NULL, NULL));
    refused(scree_world_set_states(NULL, thing, 1, thing, &error));
    refused(scree_world_set_states(thing, NULL, 1, thing, &error));
    refused(scree_world_set_states(thing, thing, 1, NULL, &error));
    assert_true(scree_world_contacts(NULL, NULL, 1) == 0);
    assert_true(scree_world_contacts(NULL, thing, 1) == 0);
    assert_true(scree_world_contacts(thing, NULL, 1) == 0);
    scree_world_watch_touches(NULL, 1);
    scree_world_watch_touches(NULL, 1);
    assert_true(scree_world_touch_begins(NULL, NULL, 1) == 0);
    assert_true(scree_world_touch_begins(NULL, thing, 1) == 0);
    assert_true(scree_world_touch_begins(thing, NULL, 1) == 0);
    assert_true(scree_world_touch_ends(NULL, NULL, 1) == 0);
    assert_true(scree_world_touch_ends(NULL, thing, 1) == 0);
    assert_true(scree_world_touch_ends(thing, NULL, 1) == 0);
    assert_true(scree_world_hash(NULL) == 0);
    assert_true(scree_world_hash(NULL) == 0);
    (void)scree_world_get_def(NULL);
    (void)scree_world_get_def(NULL);
    assert_true(scree_world_material_count(NULL) == 0);
    assert_true(scree_world_material_count(NULL) == 0);
    refused(scree_world_get_material(NULL, 1, NULL, NULL));
    refused(scree_world_get_material(NULL, 1, thing, &error));
    refused(scree_world_get_material(thing, 1, NULL, &error));
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

// A function that is new in a header is missing here.
static void test_all_functions_are_tried(void **state)
{
    (void)state;
    static const char *const headers[] = {"detect", "geometry", "joint", "query", "run", "scene", "shape", "world"};
    char *own = text_of(SCREE_SOURCE_DIR "/tests/unit/scene/test_null.c");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char path[1024];
        snprintf(path, sizeof path, SCREE_SOURCE_DIR "/include/scree/%s.h", headers[i]);
        char *text = text_of(path);
        for (const char *at = text; (at = strstr(at, "\nSCREE_API ")); at++) {
            const char *open = strchr(at, '('), *name = open;
            char wanted[128];
            while (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z'))
                name--;
            snprintf(wanted, sizeof wanted, "%.*s(", (int)(open - name), name);
            if (strncmp(open, "(void)", 6) != 0 && !strstr(own, wanted))
                fail_msg("%s is not tried", wanted);
        }
        free(text);
    }
    free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_is_refused_everywhere),
        cmocka_unit_test(test_all_functions_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
