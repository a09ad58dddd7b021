// Detection streamed box by box, for collections too large for memory: spheres are made when they are read, and handed
// to the public function.
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/scene/detect_scenes.h"
#include "bench/scene/detect_sum.h"

typedef struct stream_result {
    double cpu_s, wall_s, memory_bytes;
    uint64_t contacts, checksum;
    scree_detect_result figures;
} stream_result;

static bool read_balls(void *user, uint64_t first, size_t count, scree_ball *out)
{
    for (size_t i = 0; i < count; i++) {
        scene_sphere sphere = detect_sphere(user, first + i);
        out[i] = (scree_ball){{sphere.x, sphere.y, sphere.z}, sphere.radius};
    }
    return true;
}

typedef struct counted_file {
    detect_sum *sum;
    FILE *file;
} counted_file;

// Contacts as they are in memory; stdio locks the file for each call.
static bool count_and_write(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    counted_file *to = user;
    return detect_sum_checksum(to->sum, thread, contacts, count) &&
           fwrite(contacts, sizeof *contacts, count, to->file) == count;
}

static scree_status hand_to(const char *name, detect_sum *sum, scree_detector *detector,
                            const scree_ball_source *source, scree_detect_result *figures, scree_error *error)
{
    if (strcmp(name, "count") == 0)
        return scree_detect_spheres(detector, source, detect_sum_count, sum, figures, error);
    if (strcmp(name, "checksum") == 0)
        return scree_detect_spheres(detector, source, detect_sum_checksum, sum, figures, error);
    counted_file to = {sum, fopen(name, "wb")};
    if (!to.file)
        return fail(error, SCREE_ERROR_IO, "cannot open %s for writing", name);
    scree_status status = scree_detect_spheres(detector, source, count_and_write, &to, figures, error);
    if (fclose(to.file) != 0 && status == SCREE_OK)
        status = fail(error, SCREE_ERROR_IO, "cannot write %s to its end", name);
    return status;
}

static scree_status run_stream(const bench_options *options, detect_sum *sum, scree_detect_result *figures,
                               scree_error *error)
{
    detect_source scene = detect_source_make((detect_scene)options->scene, options->spheres);
    scree_ball_source source = {read_balls, &scene, options->spheres};
    scree_detect_def def = scree_default_detect_def();
    def.threads = options->threads;
    def.memory_bytes = (uint64_t)options->memory_mb * 1000000;
    def.order = SCREE_DETECT_ORDER_AS_FOUND;
    scree_detector *detector;
    scree_status status = scree_detector_create(&def, &detector, error);
    if (status == SCREE_OK)
        status = hand_to(options->stream, sum, detector, &source, figures, error);
    scree_detector_destroy(detector);
    return status;
}

static scree_status measure_stream(const void *input, void *output, scree_error *error)
{
    stream_result *result = output;
    detect_sum sum;
    memset(&sum, 0, sizeof sum);
    double cpu = cpu_seconds(), wall = clock_seconds();
    scree_status status = run_stream(input, &sum, &result->figures, error);
    result->cpu_s = cpu_seconds() - cpu;
    result->wall_s = clock_seconds() - wall;
    result->contacts = detect_sum_contacts(&sum);
    result->checksum = detect_sum_of_all(&sum);
    result->memory_bytes = memory_peak_bytes();
    return status;
}

scree_status bench_detect_stream(const bench_options *options, scree_error *error)
{
    stream_result result;
    scree_status status = measure_apart(measure_stream, options, &result, sizeof result, error);
    if (status != SCREE_OK)
        return status;
    json_line line = json_line_begin("stream", "scree");
    json_line_text(&line, "scene", detect_scene_names[options->scene]);
    json_line_count(&line, "bodies", options->spheres);
    json_line_count(&line, "threads", (size_t)options->threads);
    json_line_number(&line, "cpu_s", result.cpu_s);
    json_line_number(&line, "wall_s", result.wall_s);
    json_line_count(&line, "contacts", result.contacts);
    json_line_number(&line, "contacts_per_s", (double)result.contacts / result.wall_s);
    json_line_count(&line, "checksum", result.checksum);
    json_line_count(&line, "boxes", result.figures.boxes);
    json_line_count(&line, "passes", result.figures.readings);
    json_line_number(&line, "read_s", result.figures.read_s);
    json_line_number(&line, "detect_s", result.figures.detect_s);
    json_line_number(&line, "memory_mb", result.memory_bytes / 1e6);
    json_line_end(&line);
    return SCREE_OK;
}
