#include "record/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/file.h"
#include "scene/scene.h"

scree_status manifest_write(const char *folder, const scree_scene *scene, double duration, scree_error *error)
{
    scree_scene run = *scene;
    run.duration = duration;
    char *text = NULL;
    char *path = path_join(folder, "scene.yaml");
    scree_status status = path ? scree_scene_text(&run, &text, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = file_write(path, text, strlen(text), error);
    scree_text_free(text);
    free(path);
    return status;
}

// The scene's text without what a resumed run may change.
static scree_status core_text(const scree_scene *scene, char **text, scree_error *error)
{
    scree_scene core = *scene;
    core.duration = 0;
    core.output = (scene_output){0};
    return scree_scene_text(&core, text, error);
}

static scree_status compare(const char *path, const char *before, const char *now, scree_error *error)
{
    while (*before && *now) {
        int before_length = (int)strcspn(before, "\n"), now_length = (int)strcspn(now, "\n");
        if (before_length != now_length || memcmp(before, now, (size_t)now_length) != 0)
            return fail(
                error, SCREE_INVALID,
                "the scene has \"%.*s\" where %s has \"%.*s\"; only time.duration and output may change on resume",
                now_length < 120 ? now_length : 120, now, path, before_length < 120 ? before_length : 120, before);
        before += before_length + (before[before_length] == '\n');
        now += now_length + (now[now_length] == '\n');
    }
    if (*before || *now)
        return fail(error, SCREE_INVALID,
                    "the scene is longer or shorter than %s; only time.duration and output may "
                    "change on resume",
                    path);
    return SCREE_OK;
}

scree_status manifest_check(const char *folder, const scree_scene *scene, scree_error *error)
{
    scree_scene *earlier = NULL;
    char *before = NULL, *now = NULL;
    char *path = path_join(folder, "scene.yaml");
    scree_status status = path ? scree_scene_load(path, NULL, 0, &earlier, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = core_text(earlier, &before, error);
    if (status == SCREE_OK)
        status = core_text(scene, &now, error);
    if (status == SCREE_OK)
        status = compare(path, before, now, error);
    scree_text_free(before);
    scree_text_free(now);
    scree_scene_destroy(earlier);
    free(path);
    return status;
}
