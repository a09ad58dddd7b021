// scree render: a picture of a run's newest checkpoint, of a checkpoint, or of a scene at time zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "main/command.h"
#include "main/console.h"
#include "main/painters.h"
#include "main/run_directory.h"
#include "record/checkpoint.h"
#include "record/file.h"
#include "scene/scene.h"
#include "view/world_picture.h"

typedef struct render_settings {
    const char *out, *color;
    option_size size;
    option_point from, look_at;
    int renderer;
} render_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(render_settings, out), "FILE",
     "the picture (default RUN/<scene name>.png, or <scene name>.png)", 0, 0},
    {0, "size", OPTION_SIZE, offsetof(render_settings, size), "WxH", "in pixels (default 1280x720)", 64, 8192},
    {0, "color", OPTION_TEXT, offsetof(render_settings, color), "speed|material|id|height",
     "what the colours tell (default speed)", 0, 0},
    {0, "from", OPTION_POINT, offsetof(render_settings, from), "X,Y,Z", "where the camera stands", 0, 0},
    {0, "look-at", OPTION_POINT, offsetof(render_settings, look_at), "X,Y,Z", "the middle of the picture", 0, 0},
    {0, "renderer", OPTION_CHOICE, offsetof(render_settings, renderer), "auto|opengl|software",
     "who draws (default auto: OpenGL where it is there)", 0, 0},
};

static int render_run(const command *self, int argc, char **argv);

const command render_command = {
    .name = "render",
    .arguments = "RUN|CHECKPOINT|SCENE",
    .summary = "draw a picture of the bodies",
    .notes = "Of a run the newest checkpoint is drawn, of a scene the world at time zero.",
    .example = "scree render out/pile --color height --size 1920x1080 -o pile.png",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = render_run,
};

// What is drawn: a world, and the name that its picture gets.
typedef struct subject {
    scree_world *world;
    char *name;
} subject;

static scree_status subject_from_checkpoint(checkpoint *opened, subject *drawn, scree_error *error)
{
    drawn->name = strdup(opened->header.scene);
    scree_status status = drawn->name ? checkpoint_world(opened, 0, &drawn->world, error) : fail_no_memory(error);
    checkpoint_close(opened);
    return status;
}

static scree_status subject_from_scene(const char *path, subject *drawn, scree_error *error)
{
    scree_scene *scene;
    scree_status status = scree_scene_load(path, NULL, 0, &scene, error);
    if (status != SCREE_OK)
        return status;
    drawn->name = strdup(scene->name);
    status = drawn->name ? scree_scene_build(scene, 0, &drawn->world, error) : fail_no_memory(error);
    scree_scene_destroy(scene);
    return status;
}

static scree_status subject_load(const char *path, path_kind kind, subject *drawn, scree_error *error)
{
    if (kind == PATH_SCENE)
        return subject_from_scene(path, drawn, error);
    checkpoint opened;
    scree_status status =
        kind == PATH_RUN ? checkpoint_open_newest(path, &opened, error) : checkpoint_open(path, &opened, error);
    return status == SCREE_OK ? subject_from_checkpoint(&opened, drawn, error) : status;
}

// Where the picture goes, as a new string; NULL when out of memory.
static char *picture_path(const render_settings *settings, const char *path, path_kind kind, const subject *drawn)
{
    if (settings->out)
        return strdup(settings->out);
    size_t size = strlen(drawn->name) + sizeof ".png";
    char *name = malloc(size);
    if (!name)
        return NULL;
    snprintf(name, size, "%s.png", drawn->name);
    if (kind != PATH_RUN)
        return name;
    char *joined = path_join(path, name);
    free(name);
    return joined;
}

static scree_status make_picture_def(const render_settings *settings, world_picture_def *def, scree_error *error)
{
    *def = world_picture_default();
    if (settings->size.width > 0) {
        def->width = settings->size.width;
        def->height = settings->size.height;
    }
    def->has_from = settings->from.given;
    def->from = settings->from.value;
    def->has_look_at = settings->look_at.given;
    def->look_at = settings->look_at.value;
    return settings->color ? world_picture_color_parse(settings->color, &def->color, error) : SCREE_OK;
}

static int render_run(const command *self, int argc, char **argv)
{
    render_settings settings = {0};
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status))
        return exit_status;
    scree_error error;
    world_picture_def def;
    path_kind kind;
    subject drawn = {0};
    painters painter = {0};
    scree_status status = make_picture_def(&settings, &def, &error);
    if (status == SCREE_OK)
        status = painters_open(&painter, settings.renderer, &error);
    def.painter = painters_use(&painter);
    if (status == SCREE_OK)
        status = path_kind_of(argv[0], &kind, &error);
    if (status == SCREE_OK)
        status = subject_load(argv[0], kind, &drawn, &error);
    char *path = status == SCREE_OK ? picture_path(&settings, argv[0], kind, &drawn) : NULL;
    if (status == SCREE_OK)
        status = path ? world_picture_save(drawn.world, &def, path, &error) : fail_no_memory(&error);
    if (status == SCREE_OK)
        printf("%s\n", path);
    painters_close(&painter);
    free(path);
    free(drawn.name);
    scree_world_destroy(drawn.world);
    return status == SCREE_OK ? EXIT_DONE : complain_error(&error);
}
