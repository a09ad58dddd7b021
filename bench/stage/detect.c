// Detection of spheres: from a collection in memory, in the order in which it comes, to contact points with full data
// in the hands of a sink, through the public function. Seconds are minima of repeats after a first one; the detector
// keeps its memory from one repeat to the next.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/vec.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/scene/detect_scenes.h"
#include "bench/scene/detect_sum.h"

enum {
    BRUTE_LIMIT = 32768, // spheres: up to here all pairs are tried as well
    LEAST_REPEATS = 6,
};
static const double least_seconds = 0.5; // of repeats in all

static scree_ball *make_balls(const detect_source *source)
{
    scree_ball *balls = malloc(source->count * sizeof *balls);
    for (size_t i = 0; balls && i < source->count; i++) {
        scene_sphere sphere = detect_sphere(source, i);
        balls[i] = (scree_ball){{sphere.x, sphere.y, sphere.z}, sphere.radius};
    }
    return balls;
}

static size_t count_by_brute_force(const scree_ball *balls, size_t count)
{
    size_t touching = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            vec3 between = vec3_sub(balls[j].position, balls[i].position);
            double reach = (double)(float)balls[i].radius + (double)(float)balls[j].radius;
            touching += vec3_length(between) - reach <= 0;
        }
    return touching;
}

typedef struct detect_result {
    samples cpu, wall;
    uint64_t contacts, brute, checksum;
    double memory_bytes;
} detect_result;

static scree_status new_detector(const bench_options *options, scree_detector **detector, scree_error *error)
{
    scree_detect_def def = scree_default_detect_def();
    def.threads = options->threads;
    def.memory_bytes = (uint64_t)options->memory_mb * 1000000;
    def.order = SCREE_DETECT_ORDER_AS_FOUND;
    return scree_detector_create(&def, detector, error);
}

static scree_status measure_balls(const bench_options *options, const scree_ball *balls, detect_result *result,
                                  scree_error *error)
{
    scree_detector *detector;
    scree_ball_source source = scree_ball_array(balls, options->spheres);
    detect_sum sum;
    scree_status status = new_detector(options, &detector, error);
    double begun = clock_seconds();
    for (int i = 0; status == SCREE_OK && (i <= LEAST_REPEATS || clock_seconds() - begun < least_seconds); i++) {
        memset(&sum, 0, sizeof sum);
        double cpu = cpu_seconds(), wall = clock_seconds();
        status = scree_detect_spheres(detector, &source, detect_sum_count, &sum, NULL, error);
        if (i == 0)
            continue;
        samples_add(&result->cpu, cpu_seconds() - cpu);
        samples_add(&result->wall, clock_seconds() - wall);
    }
    result->memory_bytes = memory_peak_bytes();
    memset(&sum, 0, sizeof sum);
    if (status == SCREE_OK)
        status = scree_detect_spheres(detector, &source, detect_sum_checksum, &sum, NULL, error);
    result->contacts = detect_sum_contacts(&sum);
    result->checksum = detect_sum_of_all(&sum);
    scree_detector_destroy(detector);
    return status;
}

static scree_status measure_detect(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    detect_result *result = output;
    detect_source source = detect_source_make((detect_scene)options->scene, options->spheres);
    scree_ball *balls = make_balls(&source);
    *result = (detect_result){0};
    scree_status status = balls ? measure_balls(options, balls, result, error) : fail_no_memory(error);
    if (status == SCREE_OK && options->spheres <= BRUTE_LIMIT)
        result->brute = count_by_brute_force(balls, options->spheres);
    free(balls);
    return status;
}

static void print_result(const bench_options *options, const detect_result *result)
{
    double cpu_s = samples_least(&result->cpu);
    json_line line = json_line_begin("detect", "scree");
    json_line_text(&line, "scene", detect_scene_names[options->scene]);
    json_line_count(&line, "bodies", options->spheres);
    json_line_count(&line, "threads", (size_t)options->threads);
    json_line_number(&line, "cpu_s", cpu_s);
    json_line_number(&line, "wall_s", samples_least(&result->wall));
    json_line_repeats(&line, 1, result->cpu.count, samples_median(&result->cpu) / cpu_s);
    json_line_number(&line, "ns_per_sphere", 1e9 * cpu_s / (double)options->spheres);
    json_line_count(&line, "contacts", result->contacts);
    json_line_number(&line, "contacts_per_cpu_s", (double)result->contacts / cpu_s);
    json_line_count(&line, "checksum", result->checksum);
    if (options->spheres <= BRUTE_LIMIT)
        json_line_count(&line, "brute_force", result->brute);
    json_line_number(&line, "memory_mb", result->memory_bytes / 1e6);
    json_line_end(&line);
}

scree_status bench_detect(const bench_options *options, scree_error *error)
{
    if (options->stream)
        return bench_detect_stream(options, error);
    detect_result result;
    scree_status status = measure_apart(measure_detect, options, &result, sizeof result, error);
    if (status == SCREE_OK)
        print_result(options, &result);
    return status;
}
