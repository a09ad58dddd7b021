// Detection streamed box by box, for collections too large for memory: spheres are made when they are read.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/detect_scenes.h"
#include "bench/json_line.h"
#include "bench/measure.h"
#include "collide/stream.h"

typedef struct stream_result {
    double cpu_s, wall_s, memory_bytes;
    uint64_t contacts, checksum;
    stream_figures figures;
} stream_result;

static bool read_spheres(void *context, uint64_t first, size_t count, stream_sphere *out)
{
    for (size_t i = 0; i < count; i++) {
        scene_sphere sphere = detect_sphere(context, first + i);
        out[i] = (stream_sphere){{sphere.x, sphere.y, sphere.z}, (float)sphere.radius};
    }
    return true;
}

typedef struct counted_file {
    stream_sum *sum;
    FILE *file;
} counted_file;

static bool count_and_write(void *context, int thread, const contact *contacts, size_t count)
{
    counted_file *to = context;
    return stream_checksum(to->sum, thread, contacts, count) && stream_write(to->file, thread, contacts, count);
}

static scree_status run_stream(const bench_options *options, stream_sum *sum, stream_figures *figures,
                               scree_error *error)
{
    detect_source scene = detect_source_make((detect_scene)options->scene, options->spheres);
    stream_source source = {read_spheres, &scene, options->spheres};
    stream_options how = {.threads = options->threads, .memory_bytes = (uint64_t)options->memory_mb * 1000000};
    if (strcmp(options->stream, "count") == 0)
        return stream_contacts(&source, &how, stream_count, sum, figures, error);
    if (strcmp(options->stream, "checksum") == 0)
        return stream_contacts(&source, &how, stream_checksum, sum, figures, error);
    counted_file to = {sum, fopen(options->stream, "wb")};
    if (!to.file)
        return fail(error, SCREE_IO, "cannot open %s for writing", options->stream);
    scree_status status = stream_contacts(&source, &how, count_and_write, &to, figures, error);
    if (fclose(to.file) != 0 && status == SCREE_OK)
        status = fail(error, SCREE_IO, "cannot write %s to its end", options->stream);
    return status;
}

static scree_status measure_stream(const void *input, void *output, scree_error *error)
{
    stream_result *result = output;
    stream_sum sum;
    memset(&sum, 0, sizeof sum);
    double cpu = cpu_seconds(), wall = clock_seconds();
    scree_status status = run_stream(input, &sum, &result->figures, error);
    result->cpu_s = cpu_seconds() - cpu;
    result->wall_s = clock_seconds() - wall;
    result->contacts = stream_sum_count(&sum);
    result->checksum = stream_sum_checksum(&sum);
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
    json_line_count(&line, "passes", result.figures.passes);
    json_line_number(&line, "read_s", result.figures.read_s);
    json_line_number(&line, "detect_s", result.figures.detect_s);
    json_line_number(&line, "memory_mb", result.memory_bytes / 1e6);
    json_line_end(&line);
    return SCREE_OK;
}
