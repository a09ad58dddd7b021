// scree view: a window on a scene that runs live, or on a run that is played back.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "main/command.h"
#include "main/console.h"
#include "main/load.h"
#include "main/picture_options.h"
#if SCREE_HAVE_WINDOW
#include "view/window/viewer.h"
#endif

enum { MOST_SCENES = 9 };

typedef struct view_settings {
    picture_options look;
    option_list sets;
    uint64_t threads;
    bool paused;
    const char *log, *shots;
} view_settings;

static const option options[] = {
    PICTURE_OPTIONS(view_settings, look),
    {0, "set", OPTION_LIST, offsetof(view_settings, sets), "PATH=VALUE",
     "a value of the scenes, such as solver.iterations=200; may be repeated", 0, 0},
    {'t', "threads", OPTION_COUNT, offsetof(view_settings, threads), "N",
     "threads of the simulation (default 0: as many as the machine has)", 0, 1024},
    {0, "paused", OPTION_FLAG, offsetof(view_settings, paused), NULL, "begin with a pause", 0, 0},
    {0, "shots", OPTION_TEXT, offsetof(view_settings, shots), "DIR", "where screenshots go (default .)", 0, 0},
    {0, "log", OPTION_TEXT, offsetof(view_settings, log), "FILE", "write every action as a line of JSON", 0, 0},
};

static int view_run(const command *self, int argc, char **argv);

const command view_command = {
    .name = "view",
    .arguments = "SCENE|RUN",
    .summary = "a window to watch and to play in",
    .notes = "Key 1 begins the scene again, keys 2 to 9 its variants. H shows all keys.",
    .example = "scree view scenes/cubes.yaml --color body",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = view_run,
};

#if SCREE_HAVE_WINDOW

// Everything that the window borrows.
typedef struct viewed {
    subject first; // what gives name and look: the run, or the scene
    scree_scene *scenes[MOST_SCENES];
    const char *names[MOST_SCENES];
    size_t count;
    picture_sections sections;
    FILE *log;
} viewed;

// The scene, or one of its variants where a name is given.
static scree_status load_scene(viewed *all, const view_settings *settings, const char *path, const char *variant,
                               scree_error *error)
{
    char choice[256];
    scree_scene **scene = &all->scenes[all->count];
    snprintf(choice, sizeof choice, "variant=%s", variant ? variant : "");
    scree_status status = load_scene_with(path, &settings->sets, variant ? choice : NULL, scene, error);
    if (status == SCREE_OK)
        all->names[all->count++] = variant ? variant : (*scene)->name;
    return status;
}

static scree_status open_subject(viewed *all, const view_settings *settings, const char *path, scree_error *error)
{
    path_kind kind;
    scree_status status = path_kind_of(path, &kind, error);
    if (status != SCREE_OK)
        return status;
    if (kind == PATH_CHECKPOINT)
        return fail(error, SCREE_ERROR_INVALID, "%s: the window shows a scene or a run directory", path);
    if (kind == PATH_RUN)
        return subject_open(&all->first, path, error);
    status = load_scene(all, settings, path, NULL, error);
    size_t variants = status == SCREE_OK ? scree_scene_variant_count(all->scenes[0]) : 0;
    for (size_t i = 0; status == SCREE_OK && i < variants && all->count < MOST_SCENES; i++)
        status = load_scene(all, settings, path, scree_scene_variant(all->scenes[0], i), error);
    all->first = (subject){.path = "", .kind = PATH_SCENE, .scene = all->scenes[0], .name = all->names[0], .count = 1};
    return status;
}

static scree_status show(viewed *all, const view_settings *settings, scree_error *error)
{
    bool is_run = all->first.kind == PATH_RUN;
    char title[256];
    viewer_def def = {.title = title,
                      .source = {.scenes = all->scenes,
                                 .scene_count = all->count,
                                 .run = is_run ? &all->first.film : NULL,
                                 .threads = (int)settings->threads,
                                 .paused = settings->paused},
                      .variant_names = all->names,
                      .shots = settings->shots ? settings->shots : ".",
                      .name = all->first.name};
    snprintf(title, sizeof title, "%s - Scree", all->first.name);
    scree_status status = picture_options_read(&settings->look, &all->first, &def.look, &all->sections, error);
    if (status == SCREE_OK && settings->log) {
        all->log = fopen(settings->log, "w");
        if (!all->log)
            status = fail(error, SCREE_ERROR_IO, "%s: cannot be written: %s", settings->log, strerror(errno));
    }
    def.log = all->log;
    def.look.bounds = false;
    def.look.without_grid = false;
    return status == SCREE_OK ? viewer_run(&def, error) : status;
}

static void close_all(viewed *all)
{
    subject_close(&all->first);
    for (size_t i = 0; i < all->count; i++)
        scree_scene_destroy(all->scenes[i]);
    array_free(&all->sections);
    if (all->log)
        fclose(all->log);
}

static scree_status view(const view_settings *settings, const char *path, scree_error *error)
{
    viewed all = {0};
    scree_status status = open_subject(&all, settings, path, error);
    if (status == SCREE_OK)
        status = show(&all, settings, error);
    close_all(&all);
    return status;
}

#else

static scree_status view(const view_settings *settings, const char *path, scree_error *error)
{
    (void)settings;
    (void)path;
    return fail(error, SCREE_ERROR_IO,
                "this build has no window: it needs OpenGL and GLFW (Debian: libepoxy-dev, libglfw3-dev)");
}

#endif

static int view_run(const command *self, int argc, char **argv)
{
    view_settings settings = {0};
    size_t count;
    int exit_status;
    scree_error error;
    if (command_read(self, argc, argv, &settings, &count, &exit_status))
        exit_status = view(&settings, argv[0], &error) == SCREE_OK ? EXIT_DONE : complain_error(&error);
    array_free(&settings.look.sections);
    array_free(&settings.sets);
    return exit_status;
}
