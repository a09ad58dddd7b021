#include "record/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/file.h"
#include "scene/scene.h"

scree_status manifest_write(const char *folder, const scree_scene *scene, double duration, double cell,
                            scree_error *error)
{
    scree_scene run = *scene;
    run.duration = duration;
    run.world.solver.cell = cell;
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

enum { SHOWN = 120 }; // letters of a line in a message

static int shown_length(const char *line)
{
    int length = (int)strcspn(line, "\n");
    return length < SHOWN ? length : SHOWN;
}

// Where to show two lines that differ: from their beginning, or, when the difference would not be seen, from the entry
// that has it.
static size_t shown_start(const char *before, const char *now)
{
    size_t start = 0, at = 0;
    for (; before[at] == now[at]; at++)
        if (at > 1 && now[at - 2] == ',' && now[at - 1] == ' ')
            start = at;
    return at < SHOWN ? 0 : start;
}

static scree_status compare(const char *path, const char *before, const char *now, scree_error *error)
{
    while (*before && *now) {
        size_t before_length = strcspn(before, "\n"), now_length = strcspn(now, "\n");
        if (before_length != now_length || memcmp(before, now, now_length) != 0) {
            size_t start = shown_start(before, now);
            return fail(
                error, SCREE_ERROR_INVALID,
                "the scene has \"%.*s\" where %s has \"%.*s\"; only time.duration and output may change on resume",
                shown_length(now + start), now + start, path, shown_length(before + start), before + start);
        }
        before += before_length + (before[before_length] == '\n');
        now += now_length + (now[now_length] == '\n');
    }
    if (*before || *now)
        return fail(error, SCREE_ERROR_INVALID,
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
    if (status == SCREE_OK && scene->world.solver.cell == 0)
        earlier->world.solver.cell = 0;
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
