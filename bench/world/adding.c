// Adding and removing bodies in bulk: all at once, then every second one out, then the rest.
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/measure.h"

typedef struct adding_result {
    double add_s, remove_half_s, remove_rest_s;
    double bytes_per_body, memory_bytes;
} adding_result;

static void place_bodies(scree_body_def *bodies, size_t count, const scree_shape_def *shape)
{
    size_t across = (size_t)ceil(cbrt((double)count));
    for (size_t i = 0; i < count; i++) {
        bodies[i] = scree_default_body_def();
        bodies[i].position.x = (double)(i % across);
        bodies[i].position.y = (double)(i / across % across);
        bodies[i].position.z = (double)(i / (across * across));
        bodies[i].shapes = shape;
        bodies[i].shape_count = 1;
    }
}

static scree_status add_and_remove(scree_world *world, const scree_body_def *bodies, scree_id *ids, size_t count,
                                   adding_result *result, scree_error *error)
{
    double start = clock_seconds();
    scree_status status = scree_world_add_bodies(world, bodies, count, ids, error);
    if (status != SCREE_OK)
        return status;
    result->add_s = lap_seconds(&start);
    result->bytes_per_body = (double)scree_world_figures(world).memory_bytes / (double)count;
    size_t half = count / 2;
    for (size_t i = 0; i < half; i++) { // the second of each two to the front, the first behind
        scree_id second = ids[2 * i + 1];
        ids[2 * i + 1] = ids[i];
        ids[i] = second;
    }
    start = clock_seconds();
    status = scree_world_remove_bodies(world, ids, half, error);
    result->remove_half_s = lap_seconds(&start);
    if (status == SCREE_OK)
        status = scree_world_remove_bodies(world, ids + half, count - half, error);
    result->remove_rest_s = lap_seconds(&start);
    result->memory_bytes = memory_peak_bytes();
    return status;
}

static scree_status measure_adding(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    size_t count = options->spheres;
    scree_world *world = NULL;
    scree_world_def def = bench_world_def(options);
    scree_shape_def shape = scree_default_shape_def();
    scree_body_def *bodies = malloc(count * sizeof *bodies);
    scree_id *ids = malloc(count * sizeof *ids);
    scree_status status = bodies && ids ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK)
        status = scree_world_create(&def, &world, error);
    if (status == SCREE_OK) {
        place_bodies(bodies, count, &shape);
        status = add_and_remove(world, bodies, ids, count, output, error);
    }
    scree_world_destroy(world);
    free(bodies);
    free(ids);
    return status;
}

scree_status bench_adding(const bench_options *options, scree_error *error)
{
    adding_result result;
    scree_status status = measure_apart(measure_adding, options, &result, sizeof result, error);
    if (status != SCREE_OK)
        return status;
    json_line line = json_line_begin("adding", "scree");
    json_line_count(&line, "bodies", options->spheres);
    json_line_number(&line, "add_s", result.add_s);
    json_line_number(&line, "remove_half_s", result.remove_half_s);
    json_line_number(&line, "remove_rest_s", result.remove_rest_s);
    json_line_number(&line, "bytes_per_body", result.bytes_per_body);
    json_line_number(&line, "memory_mb", result.memory_bytes / 1e6);
    json_line_end(&line);
    return SCREE_OK;
}
