// scree render: pictures and films of a run, of a checkpoint, or of a scene at time zero.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "main/command.h"
#include "main/console.h"
#include "main/film.h"
#include "main/picture_options.h"
#include "main/run_directory.h"
#include "main/subject.h"
#include "record/file.h"
#include "view/painters/painters.h"

typedef struct render_settings {
    picture_options look;
    const char *out;
    bool all;
    option_number time;
    uint64_t stride, rate;
    option_number turn;
    int renderer;
} render_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(render_settings, out), "FILE",
     "a picture .png, or a film .mp4, .webm or .gif (default <scene name>.png)", 0, 0},
    PICTURE_OPTIONS(render_settings, look),
    {0, "time", OPTION_NUMBER, offsetof(render_settings, time), "SECONDS", "of a run, the frame nearest to this time",
     0, 1e300},
    {0, "all", OPTION_FLAG, offsetof(render_settings, all), NULL,
     "every frame of a run as a picture; FILE is a folder (default RUN/pictures)", 0, 0},
    {0, "stride", OPTION_COUNT, offsetof(render_settings, stride), "N", "every Nth frame of --all or a film", 1, 1e9},
    {0, "rate", OPTION_COUNT, offsetof(render_settings, rate), "N", "frames per second of a film (default 25)", 1, 240},
    {0, "turn", OPTION_NUMBER, offsetof(render_settings, turn), "DEGREES",
     "the camera goes round by so much over --all or a film", -36000, 36000},
    {0, "renderer", OPTION_CHOICE, offsetof(render_settings, renderer), "auto|opengl|software",
     "who draws (default auto: OpenGL where it is there)", 0, 0},
};

static int render_run(const command *self, int argc, char **argv);

const command render_command = {
    .name = "render",
    .arguments = "RUN|CHECKPOINT|SCENE",
    .summary = "draw pictures and films of the bodies",
    .notes = "Of a run its end is drawn, of a scene the world at time zero. Films need ffmpeg.",
    .example = "scree render out/pile --color height --size 1920x1080 -o pile.png",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = render_run,
};

// The path where the picture or the pictures go, as a new string; NULL when out of memory.
static char *output_path(const render_settings *settings, const subject *drawn)
{
    if (settings->out)
        return strdup(settings->out);
    if (settings->all)
        return path_join(drawn->path, "pictures");
    size_t size = strlen(drawn->name) + sizeof ".png";
    char *name = malloc(size);
    if (!name)
        return NULL;
    snprintf(name, size, "%s.png", drawn->name);
    if (drawn->kind != PATH_RUN)
        return name;
    char *joined = path_join(drawn->path, name);
    free(name);
    return joined;
}

static scree_status draw_one(const render_settings *settings, subject *drawn, const world_picture_def *def,
                             const char *path, scree_error *error)
{
    canvas sheet = {0};
    scree_status status = settings->time.text ? subject_show(drawn, subject_nearest(drawn, settings->time.value), error)
                                              : subject_show_newest(drawn, error);
    if (status == SCREE_OK)
        status = world_picture_draw(&drawn->bodies, def, &sheet, error);
    if (status == SCREE_OK)
        status = canvas_save(&sheet, path, error);
    canvas_free(&sheet);
    return status;
}

static scree_status draw(const render_settings *settings, subject *drawn, painters *painter, scree_error *error)
{
    world_picture_def def;
    picture_sections sections = {0};
    scree_status status = picture_options_read(&settings->look, drawn, &def, &sections, error);
    char *path = status == SCREE_OK ? output_path(settings, drawn) : NULL;
    if (status == SCREE_OK && !path)
        status = fail_no_memory(error);
    const char *ending = path && !settings->all && !film_is_name(path) ? path_ending(path) : "";
    if (status == SCREE_OK && *ending && strcmp(ending, "png") != 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s: a picture is a .png, a film an .mp4, .webm or .gif, not a .%s",
                      path, ending);
    def.painter = painters_use(painter);
    bool of_frames = drawn->kind == PATH_RUN && (settings->time.text || settings->all || film_is_name(path));
    bool told = def.force_chains || def.color == BODY_COLOR_FORCE || def.color == BODY_COLOR_COORDINATION;
    if (status == SCREE_OK && of_frames && def.normals && told)
        status = fail(error, SCREE_ERROR_INVALID,
                      "of a frame --normals or forces are accepted, not both; a checkpoint has both");
    drawn->normals = def.normals;
    film_settings film = {.path = path,
                          .folder = settings->all,
                          .stride = settings->stride > 0 ? settings->stride : 1,
                          .rate = settings->rate > 0 ? (int)settings->rate : 25,
                          .turn = settings->turn.value * 0.017453292519943295};
    if (status == SCREE_OK && (settings->all || film_is_name(path)))
        status = film_draw(drawn, &def, &film, error);
    else if (status == SCREE_OK)
        status = draw_one(settings, drawn, &def, path, error);
    if (status == SCREE_OK)
        printf("%s\n", path);
    array_free(&sections);
    free(path);
    return status;
}

static int render_run(const command *self, int argc, char **argv)
{
    render_settings settings = {0};
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status)) {
        array_free(&settings.look.sections);
        return exit_status;
    }
    scree_error error;
    subject drawn = {0};
    painters painter = {0};
    scree_status status = painters_open(&painter, settings.renderer, &error);
    if (status == SCREE_OK)
        status = subject_open(&drawn, argv[0], &error);
    if (status == SCREE_OK)
        status = draw(&settings, &drawn, &painter, &error);
    painters_close(&painter);
    subject_close(&drawn);
    array_free(&settings.look.sections);
    return status == SCREE_OK ? EXIT_DONE : complain_error(&error);
}
