// Detection of spheres: from a collection in memory, in the order in which it comes, to contact points with full data.
// Seconds are minima of repeats after a first one; memory is kept from one repeat to the next.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/detect_scenes.h"
#include "bench/json_line.h"
#include "bench/measure.h"
#include "collide/stream.h"

enum {
    BRUTE_LIMIT = 32768, // spheres: up to here all pairs are tried as well
    LEAST_REPEATS = 6,
};
static const double least_seconds = 0.5; // of repeats in all

typedef struct sphere_world {
    proxy *proxies;
    vec3 *centres;
    float *margins;
    uint8_t *immovable;
    size_t count;
} sphere_world;

static void free_world(sphere_world *world)
{
    free(world->proxies);
    free(world->centres);
    free(world->margins);
    free(world->immovable);
}

static bool make_world(sphere_world *world, const detect_source *source)
{
    size_t n = world->count = source->count;
    world->proxies = malloc(n * sizeof *world->proxies);
    world->centres = malloc(n * sizeof *world->centres);
    world->margins = calloc(n, sizeof *world->margins);
    world->immovable = calloc(n, sizeof *world->immovable);
    if (!world->proxies || !world->centres || !world->margins || !world->immovable)
        return false;
    for (size_t i = 0; i < n; i++) {
        scene_sphere sphere = detect_sphere(source, i);
        world->centres[i] = vec3_make(sphere.x, sphere.y, sphere.z);
        world->proxies[i] = (proxy){.size = {(float)sphere.radius}, .body = (uint32_t)i, .type = SCREE_SPHERE};
    }
    return true;
}

static proxy_view view_of(const sphere_world *world)
{
    return (proxy_view){.proxies = world->proxies,
                        .proxy_count = world->count,
                        .centres = world->centres,
                        .margins = world->margins,
                        .immovable = world->immovable,
                        .body_count = world->count};
}

static size_t count_by_brute_force(const sphere_world *world)
{
    size_t touching = 0;
    for (size_t i = 0; i < world->count; i++)
        for (size_t j = i + 1; j < world->count; j++) {
            vec3 between = vec3_sub(world->centres[j], world->centres[i]);
            double reach = (double)world->proxies[i].size[0] + (double)world->proxies[j].size[0];
            touching += vec3_length(between) - reach <= 0;
        }
    return touching;
}

typedef struct detect_result {
    samples cpu, wall;
    size_t contacts, brute;
    uint64_t checksum;
    double memory_bytes;
} detect_result;

static uint64_t checksum_of(const sphere_detection *detection)
{
    stream_sum sum;
    memset(&sum, 0, sizeof sum);
    for (size_t i = 0; i < detection->piece_count; i++)
        stream_checksum(&sum, 0, detection->pieces[i].contacts, detection->pieces[i].count);
    return stream_sum_checksum(&sum);
}

static scree_status measure_detect(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    detect_result *result = output;
    detect_source source = detect_source_make((detect_scene)options->scene, options->spheres);
    sphere_world world = {0};
    sphere_detection detection = {0};
    scree_status status = make_world(&world, &source) ? SCREE_OK : fail_no_memory(error);
    proxy_view view = view_of(&world);
    *result = (detect_result){0};
    double begun = clock_seconds();
    for (int i = 0; status == SCREE_OK && (i <= LEAST_REPEATS || clock_seconds() - begun < least_seconds); i++) {
        double cpu = cpu_seconds(), wall = clock_seconds();
        status = sphere_contacts(&detection, &view, options->threads, error);
        if (i == 0)
            continue;
        samples_add(&result->cpu, cpu_seconds() - cpu);
        samples_add(&result->wall, clock_seconds() - wall);
    }
    result->contacts = detection.count;
    result->memory_bytes = memory_peak_bytes();
    result->checksum = checksum_of(&detection);
    if (status == SCREE_OK && world.count <= BRUTE_LIMIT)
        result->brute = count_by_brute_force(&world);
    sphere_detection_free(&detection);
    free_world(&world);
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
