// A million spheres from end to end: a scene read and built, steps run, a checkpoint written and the run resumed from
// it, all in one process whose peak memory counts. The spheres start as a tight lattice, so that every one of them has
// contacts from the first step on.
#define _XOPEN_SOURCE 700 // nftw

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/measure.h"
#include "scree/run.h"

enum { PATH_SIZE = 256, TEXT_SIZE = 1024 };

typedef struct million_result {
    size_t bodies, contacts;
    double parse_s, build_s, steps_s, steps_cpu_s, checkpoint_s, close_s, resume_s;
    double bytes_per_body, memory_bytes;
    int same_hash; // whether the resumed world is the one that was left
} million_result;

static int scene_text(const bench_options *options, char *text)
{
    double layers = 30, side = ceil(sqrt((double)options->spheres / layers));
    double half = 0.5 * side + 1e-3, height = ceil((double)options->spheres / (side * side)) + 1e-3;
    return snprintf(text, TEXT_SIZE,
                    "time: { step: %g, duration: %g }\n"
                    "bodies:\n"
                    "  - fixed: true\n"
                    "    shapes:\n"
                    "      - { type: plane, normal: [0, 0, 1], offset: 0 }\n"
                    "      - { type: plane, normal: [1, 0, 0], offset: %.3f }\n"
                    "      - { type: plane, normal: [-1, 0, 0], offset: %.3f }\n"
                    "      - { type: plane, normal: [0, 1, 0], offset: %.3f }\n"
                    "      - { type: plane, normal: [0, -1, 0], offset: %.3f }\n"
                    "fills:\n"
                    "  - { count: %zu, pattern: lattice, box: [[%.3f, %.3f, 0], [%.3f, %.3f, %.3f]],\n"
                    "      jitter: 0, shapes: [ { type: sphere, radius: 0.5 } ] }\n"
                    "output: { every: 1000, frames: false }\n",
                    SCENE_STEP, SCENE_STEP * (double)(options->steps + 1), -half, -half, -half, -half, options->spheres,
                    -half, -half, half, half, height);
}

static scree_status first_part(const bench_options *options, const scree_scene *scene, const char *directory,
                               million_result *result, uint64_t *hash, scree_error *error)
{
    scree_run_def def = scree_default_run_def();
    def.directory = directory;
    def.threads = options->threads;
    def.force = true;
    scree_run *run = NULL;
    double start = clock_seconds();
    scree_status status = scree_run_open(scene, &def, &run, error);
    if (status != SCREE_OK)
        return status;
    result->build_s = lap_seconds(&start);
    double cpu_start = cpu_seconds();
    for (size_t step = 0; status == SCREE_OK && step < options->steps; step++)
        status = scree_run_step(run, error);
    result->steps_s = lap_seconds(&start);
    result->steps_cpu_s = cpu_seconds() - cpu_start;
    if (status == SCREE_OK)
        status = scree_run_checkpoint(run, error);
    result->checkpoint_s = lap_seconds(&start);
    scree_figures figures = scree_world_figures(scree_run_world(run));
    result->bodies = figures.bodies;
    result->contacts = figures.contacts;
    result->bytes_per_body = (double)figures.memory_bytes / (double)figures.bodies;
    *hash = scree_world_hash(scree_run_world(run));
    start = clock_seconds();
    scree_status closed = scree_run_close(run, status == SCREE_OK ? error : NULL);
    result->close_s = lap_seconds(&start);
    return status == SCREE_OK ? closed : status;
}

static scree_status second_part(const bench_options *options, const scree_scene *scene, const char *directory,
                                million_result *result, uint64_t hash, scree_error *error)
{
    scree_run_def def = scree_default_run_def();
    def.directory = directory;
    def.threads = options->threads;
    def.resume = true;
    scree_run *run = NULL;
    double start = clock_seconds();
    scree_status status = scree_run_open(scene, &def, &run, error);
    if (status != SCREE_OK)
        return status;
    result->resume_s = lap_seconds(&start);
    result->same_hash = scree_world_hash(scree_run_world(run)) == hash;
    status = scree_run_step(run, error);
    scree_status closed = scree_run_close(run, status == SCREE_OK ? error : NULL);
    return status == SCREE_OK ? closed : status;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

static scree_status measure_million(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    million_result *result = output;
    *result = (million_result){0};
    char directory[PATH_SIZE], text[TEXT_SIZE];
    scree_status status = temporary_folder(directory, sizeof directory, error);
    if (status != SCREE_OK)
        return status;
    scree_scene *scene = NULL;
    uint64_t hash = 0;
    double start = clock_seconds();
    size_t size = (size_t)scene_text(options, text);
    status = scree_scene_parse(text, size, "million.yaml", NULL, 0, &scene, error);
    result->parse_s = lap_seconds(&start);
    if (status == SCREE_OK)
        status = first_part(options, scene, directory, result, &hash, error);
    if (status == SCREE_OK)
        status = second_part(options, scene, directory, result, hash, error);
    scree_scene_destroy(scene);
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    result->memory_bytes = memory_peak_bytes();
    return status;
}

scree_status bench_million(const bench_options *options, scree_error *error)
{
    million_result result;
    scree_status status = measure_apart(measure_million, options, &result, sizeof result, error);
    if (status != SCREE_OK)
        return status;
    json_line line = json_line_begin("million", "scree");
    json_line_count(&line, "bodies", result.bodies);
    json_line_count(&line, "threads", (size_t)options->threads);
    json_line_count(&line, "steps", options->steps);
    json_line_number(&line, "parse_s", result.parse_s);
    json_line_number(&line, "build_s", result.build_s);
    json_line_number(&line, "ms_per_step", 1e3 * result.steps_s / (double)options->steps);
    json_line_number(&line, "cpu_ms_per_step", 1e3 * result.steps_cpu_s / (double)options->steps);
    json_line_number(&line, "checkpoint_s", result.checkpoint_s);
    json_line_number(&line, "close_s", result.close_s);
    json_line_number(&line, "resume_s", result.resume_s);
    json_line_text(&line, "resumed", result.same_hash ? "same" : "different");
    json_line_count(&line, "contacts", result.contacts);
    json_line_number(&line, "bytes_per_body", result.bytes_per_body);
    json_line_number(&line, "memory_mb", result.memory_bytes / 1e6);
    json_line_end(&line);
    return SCREE_OK;
}
