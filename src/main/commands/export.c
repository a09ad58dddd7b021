// scree export: a run for other programs: tables, ParaView, POV-Ray, a page for a browser.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "main/command.h"
#include "main/console.h"
#include "main/picture_options.h"
#include "main/run_directory.h"
#include "view/export/povray.h"
#include "view/export/state_table.h"
#include "view/export/web_page.h"

#define ALL_FRAMES UINT64_MAX

extern const unsigned char web_page_script[]; // web/, bundled and embedded by the build
extern const size_t web_page_script_size;     // 0: it was built without

typedef struct export_settings {
    bool csv, vtk, povray, web;
    const char *out;
    picture_options look;
    uint64_t frame, stride;
} export_settings;

static const option options[] = {
    {0, "csv", OPTION_FLAG, offsetof(export_settings, csv), NULL, "states of all bodies, a table per frame", 0, 0},
    {0, "vtk", OPTION_FLAG, offsetof(export_settings, vtk), NULL,
     "files for ParaView, of a run that was made without frames", 0, 0},
    {0, "povray", OPTION_FLAG, offsetof(export_settings, povray), NULL, "scenes for the ray tracer POV-Ray", 0, 0},
    {0, "web", OPTION_FLAG, offsetof(export_settings, web), NULL, "one HTML file that plays in a browser", 0, 0},
    {'o', "out", OPTION_TEXT, offsetof(export_settings, out), "PATH",
     "folder (default RUN/export) or HTML file (default RUN/NAME.html)", 0, 0},
    {0, "frame", OPTION_COUNT, offsetof(export_settings, frame), "N", "only this frame, from 0", 0, 1e15},
    {0, "stride", OPTION_COUNT, offsetof(export_settings, stride), "N", "every Nth frame", 1, 1e15},
    {0, "color", OPTION_TEXT, offsetof(export_settings, look.color), "WHAT",
     "speed, spin, material, body, force, coordination, rank or height", 0, 0},
    {0, "range", OPTION_TEXT, offsetof(export_settings, look.range), "LOW,HIGH", "ends of the colour scale", 0, 0},
    {0, "size", OPTION_SIZE, offsetof(export_settings, look.size), "WxH", "of pictures, in pixels (default 1280x720)",
     64, 8192},
    {0, "from", OPTION_POINT, offsetof(export_settings, look.from), "X,Y,Z", "where the camera stands", 0, 0},
    {0, "look-at", OPTION_POINT, offsetof(export_settings, look.look_at), "X,Y,Z", "the middle of the picture", 0, 0},
    {0, "orbit", OPTION_TEXT, offsetof(export_settings, look.orbit), "AZIMUTH[,ELEVATION]",
     "from which side, in degrees (default 35,21)", 0, 0},
};

static int export_run(const command *self, int argc, char **argv);

const command export_command = {
    .name = "export",
    .arguments = "RUN",
    .summary = "write a run for other programs",
    .notes =
        "One of --csv, --vtk, --povray and --web says what for. Of a run without frames its checkpoints are taken.",
    .example = "scree export out/silo --web -o silo.html",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = export_run,
};

// Writes what is asked for and prints the path to go on with.
typedef scree_status exporter(film *shown, const char *run, const export_settings *settings, scree_error *error);

// The path where a folder of files goes, as a new string; NULL when out of memory.
static char *folder_for(const char *run, const export_settings *settings)
{
    return settings->out ? strdup(settings->out) : path_join(run, "export");
}

static void print_path(const char *folder, const char *name, const char *ending)
{
    printf("%s/%s%s\n", folder, name, ending);
}

static scree_status export_csv(film *shown, const char *run, const export_settings *settings, scree_error *error)
{
    char *folder = folder_for(run, settings);
    scree_status status = folder ? state_table_write(shown, folder, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        print_path(folder, "frames", ".csv");
    free(folder);
    return status;
}

static scree_status export_povray(film *shown, const char *run, const export_settings *settings, scree_error *error)
{
    char *folder = folder_for(run, settings);
    scree_status status = folder ? povray_write(shown, folder, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        print_path(folder, shown->run->name, ".pov");
    free(folder);
    return status;
}

static scree_status write_frames(film *shown, const char *folder, scree_error *error)
{
    scree_scene *scene = shown->run->scene;
    scene->output.frames = scene->output.frame_contacts = true;
    frames to;
    body_roster roster = {0};
    scree_status status = frames_open(&to, scene, folder, threads_available(), NULL, false, error);
    for (size_t i = 0; status == SCREE_OK && i < shown->count; i++) {
        status = film_show(shown, i, error);
        if (status == SCREE_OK)
            status = roster_read(&roster, shown->run->world, error);
        if (status == SCREE_OK)
            status = frames_add(&to, shown->run->world, &roster, error);
    }
    if (status == SCREE_OK)
        printf("%s\n", to.index);
    roster_free(&roster);
    frames_close(&to);
    return status;
}

static scree_status export_vtk(film *shown, const char *run, const export_settings *settings, scree_error *error)
{
    const frame_list *there = &shown->run->frames;
    if (there->count > 0) { // the run's own frames are such files already
        print_path(there->folder, there->name, ".pvd");
        return SCREE_OK;
    }
    char *folder = folder_for(run, settings);
    scree_status status = folder ? write_frames(shown, folder, error) : fail_no_memory(error);
    free(folder);
    return status;
}

static scree_status export_web(film *shown, const char *run, const export_settings *settings, scree_error *error)
{
    const web_script script = {web_page_script, web_page_script_size};
    size_t size = strlen(run) + strlen(shown->run->name) + sizeof "/.html";
    char *path = malloc(size);
    if (!path)
        return fail_no_memory(error);
    snprintf(path, size, "%s/%s.html", run, shown->run->name);
    const char *out = settings->out ? settings->out : path;
    scree_status status = web_page_write(shown, &script, out, error);
    if (status == SCREE_OK)
        printf("%s\n", out);
    free(path);
    return status;
}

static scree_status choose(const export_settings *settings, exporter **chosen, scree_error *error)
{
    int asked = settings->csv + settings->vtk + settings->povray + settings->web;
    if (asked != 1)
        return fail(error, SCREE_ERROR_INVALID, "%s of --csv, --vtk, --povray and --web is accepted",
                    asked == 0 ? "nothing to export is named: one" : "only one");
    if (settings->web && web_page_script_size == 0)
        return fail(error, SCREE_ERROR_INVALID,
                    "--web: this build has no page, since node and npm (Debian: nodejs, npm) were "
                    "missing when it was configured, or SCREE_WEB was off");
    *chosen = settings->csv ? export_csv : settings->vtk ? export_vtk : settings->povray ? export_povray : export_web;
    return SCREE_OK;
}

// The scene's `view`, and the options over it.
static scree_status make_film_def(const export_settings *settings, const replay *run, film_def *def, scree_error *error)
{
    const subject drawn = {.scene = run->scene};
    picture_sections none = {0};
    *def = film_default();
    if (settings->frame != ALL_FRAMES)
        def->first = def->last = (size_t)settings->frame;
    def->stride = (size_t)settings->stride;
    return picture_options_read(&settings->look, &drawn, &def->look, &none, error);
}

static scree_status export_one(const char *run, const export_settings *settings, scree_error *error)
{
    exporter *chosen = NULL;
    replay opened = {0};
    film shown = {0};
    film_def def;
    path_kind kind;
    scree_status status = choose(settings, &chosen, error);
    if (status == SCREE_OK)
        status = path_kind_of(run, &kind, error);
    if (status == SCREE_OK && kind != PATH_RUN)
        status = fail(error, SCREE_ERROR_INVALID, "%s is not a run directory", run);
    if (status == SCREE_OK)
        status = replay_open(&opened, run, 0, error);
    if (status == SCREE_OK)
        status = make_film_def(settings, &opened, &def, error);
    if (status == SCREE_OK)
        status = film_make(&shown, &opened, &def, error);
    if (status == SCREE_OK)
        status = chosen(&shown, run, settings, error);
    film_free(&shown);
    replay_close(&opened);
    return status;
}

static int export_run(const command *self, int argc, char **argv)
{
    export_settings settings = {.frame = ALL_FRAMES, .stride = 1};
    size_t count;
    int exit_status;
    if (!command_read(self, argc, argv, &settings, &count, &exit_status))
        return exit_status;
    scree_error error;
    return export_one(argv[0], &settings, &error) == SCREE_OK ? EXIT_DONE : complain_error(&error);
}
