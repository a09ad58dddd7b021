// scree detect: what touches in a scene as it is built, and where. Nothing is stepped.
#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "base/clock.h"
#include "main/command.h"
#include "main/console.h"
#include "record/file.h"
#include "scree/detect.h"
#include "scree/scene.h"

enum { MOST_THREADS = 256 };

typedef struct detect_settings {
    option_list sets;
    const char *out;
    option_number margin;
    uint64_t memory_mb, threads;
    bool json;
} detect_settings;

static const option options[] = {
    {'o', "out", OPTION_TEXT, offsetof(detect_settings, out), "FILE",
     "write the contacts there as CSV: a,b,x,y,z,nx,ny,nz,gap", 0, 0},
    {0, "margin", OPTION_NUMBER, offsetof(detect_settings, margin), "L",
     "bodies count as near up to this gap, a length (default 0)", 0, 1e15},
    {0, "memory", OPTION_COUNT, offsetof(detect_settings, memory_mb), "MB",
     "megabytes for detecting, beside the bodies (default 1000)", 1, 1e9},
    {'t', "threads", OPTION_COUNT, offsetof(detect_settings, threads), "N",
     "threads (default 0: as many as the machine has)", 0, MOST_THREADS},
    {0, "set", OPTION_LIST, offsetof(detect_settings, sets), "PATH=VALUE", "as for scree run; may be repeated", 0, 0},
    {0, "json", OPTION_FLAG, offsetof(detect_settings, json), NULL, "print one JSON object instead of a table", 0, 0},
};

static int detect_run(const command *self, int argc, char **argv);

const command detect_command = {
    .name = "detect",
    .arguments = "SCENE",
    .summary = "find the contacts of a scene as it is built",
    .notes =
        "Builds the bodies and finds what touches, or is nearer than a margin, without a step. Bodies that cannot\n"
        "touch are left out: both fixed, kept apart by filters or joined. In the file, a and b are ids of bodies\n"
        "(a < b), x y z the point midway between the surfaces, nx ny nz the normal from a to b, and gap their\n"
        "distance, negative where they overlap. Neither threads nor memory change a number or the order.",
    .example = "scree detect scenes/silo.yaml --margin 0.001 -o contacts.csv",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = detect_run,
};

// ------------------------------------------------------------------------------------------------------------ the file

// Points are of double precision; nine digits tell the numbers that are of single precision.
static bool write_rows(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    (void)thread;
    FILE *file = user;
    for (size_t i = 0; i < count; i++) {
        const scree_detect_contact *c = &contacts[i];
        fprintf(file, "%" PRIu64 ",%" PRIu64 ",%.15g,%.15g,%.15g,%.9g,%.9g,%.9g,%.9g\n", c->a, c->b, c->point.x,
                c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->gap);
    }
    return !ferror(file);
}

// The file appears whole or not at all.
static scree_status detect_into_file(scree_world *world, const scree_detect_def *def, const char *path,
                                     scree_detect_result *result, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status)
        return status;
    fputs("a,b,x,y,z,nx,ny,nz,gap\n", draft.stream);
    status = scree_world_detect(world, def, write_rows, draft.stream, result, error);
    if (status == SCREE_ERROR_IO) // the stream has failed: a commit fails too, and says why
        status = SCREE_OK;
    return draft_finish(&draft, status, error);
}

// ---------------------------------------------------------------------------------------------------------- the report

typedef struct detect_report {
    scree_detect_result result;
    double seconds, world_bytes;
} detect_report;

static void print_table(const char *scene, const detect_settings *settings, const detect_report *report)
{
    const scree_detect_result *r = &report->result;
    printf("%s\n", scene);
    print_row("bodies", "%s", format_count(r->bodies).text);
    print_row("pairs", "%s with a gap of at most %g", format_count(r->pairs).text, settings->margin.value);
    print_row("contacts", "%s, %s overlapping", format_plural(r->contacts, "point", "points").text,
              format_count(r->overlapping).text);
    if (r->overlapping > 0)
        print_row("deepest", "%.6g, of bodies %" PRIu64 " and %" PRIu64, r->deepest, r->deepest_a, r->deepest_b);
    print_row("time", "%s in %s", format_duration(report->seconds).text, format_plural(r->boxes, "box", "boxes").text);
    print_row("memory", "%s, and %s for the bodies", format_bytes((double)r->memory_bytes).text,
              format_bytes(report->world_bytes).text);
    if (settings->out)
        print_row("written", "%s", settings->out);
}

static void print_json(const detect_settings *settings, const detect_report *report)
{
    const scree_detect_result *r = &report->result;
    printf("{\"bodies\": %" PRIu64 ", \"margin\": %.17g, \"pairs\": %" PRIu64 ", \"contacts\": %" PRIu64
           ", \"overlapping\": %" PRIu64 ", \"deepest\": %.9g",
           r->bodies, settings->margin.value, r->pairs, r->contacts, r->overlapping, r->deepest);
    if (r->overlapping > 0)
        printf(", \"deepest_pair\": [%" PRIu64 ", %" PRIu64 "]", r->deepest_a, r->deepest_b);
    else
        printf(", \"deepest_pair\": null");
    printf(", \"boxes\": %" PRIu64 ", \"readings\": %" PRIu64 ", \"seconds\": %.6g, \"memory_bytes\": %" PRIu64
           ", \"world_bytes\": %.0f}\n",
           r->boxes, r->readings, report->seconds, r->memory_bytes, report->world_bytes);
}

// ------------------------------------------------------------------------------------------------------------- running

static scree_status detect_scene(const scree_scene *scene, const detect_settings *settings, detect_report *report,
                                 scree_error *error)
{
    scree_detect_def def = scree_default_detect_def();
    def.threads = (int)settings->threads;
    def.margin = settings->margin.value;
    if (settings->memory_mb > 0)
        def.memory_bytes = settings->memory_mb * 1000000;
    scree_world *world;
    scree_status status = scree_scene_build(scene, (int)settings->threads, &world, error);
    if (status)
        return status;
    double start = clock_seconds();
    status = settings->out ? detect_into_file(world, &def, settings->out, &report->result, error)
                           : scree_world_detect(world, &def, NULL, NULL, &report->result, error);
    report->seconds = clock_seconds() - start;
    report->world_bytes = (double)scree_world_figures(world).memory_bytes;
    scree_world_destroy(world);
    return status;
}

static int detect_path(const char *path, const detect_settings *settings)
{
    scree_scene *scene = NULL;
    scree_error error;
    detect_report report = {0};
    if (scree_scene_load(path, settings->sets.data, settings->sets.count, &scene, &error) != SCREE_OK)
        return complain_scene_error(&error);
    scree_status status = detect_scene(scene, settings, &report, &error);
    scree_scene_destroy(scene);
    if (status != SCREE_OK)
        return complain_error(&error);
    if (settings->json)
        print_json(settings, &report);
    else
        print_table(path, settings, &report);
    return EXIT_DONE;
}

static int detect_run(const command *self, int argc, char **argv)
{
    detect_settings settings = {.out = NULL};
    size_t count;
    int exit_status;
    if (command_read(self, argc, argv, &settings, &count, &exit_status))
        exit_status = detect_path(argv[0], &settings);
    array_free(&settings.sets);
    return exit_status;
}
