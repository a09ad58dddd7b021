// Well: half a million spheres and boxes fall into a well that is built of 3,000 fixed boxes (Iglberger and Rüde 2009,
// Fig. 2; there on 91 processes). The well is as large as scenes/well.yaml has it for that number; other numbers of
// bodies fill it more or less. Counts what has got out of it, which should be nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "scree/scene.h"

enum { TEXT_SIZE = 2048, WELL_BOXES = 3000 };

static const double well_side = 84, tightest = 1.06; // of a lattice of bodies

typedef struct well_result {
    size_t moving, fixed, contacts, lost;
    double build_s, ms_per_step, last_ms, cpu_ms_per_step;
    double penetration_mean, kinetic, bytes_per_body, memory_bytes;
} well_result;

static int scene_text(const bench_options *options, char *text)
{
    size_t half = options->spheres / 2, across = (size_t)(well_side / tightest);
    double middle = ceil((double)half / (double)(across * across)) * tightest + 1;
    double top = middle + ceil((double)half / (double)(across * across) * 2.2) * 1.4 + 3;
    return snprintf(
        text, TEXT_SIZE,
        "method: ffd\n"
        "time: { step: 0.01 }\n"
        "fills:\n"
        "  - { count: 400, fixed: true, box: [[0, 0, -1], [84, 84, 0]], shapes: [ { type: box, half: [2.1, 2.1, 0.5] } "
        "] }\n"
        "  - { count: 650, fixed: true, box: [[-1, -1, 0], [0, 85, 125]],\n"
        "      shapes: [ { type: box, half: [0.5, 1.653, 2.5] } ] }\n"
        "  - { count: 650, fixed: true, box: [[84, -1, 0], [85, 85, 125]],\n"
        "      shapes: [ { type: box, half: [0.5, 1.653, 2.5] } ] }\n"
        "  - { count: 650, fixed: true, box: [[0, -1, 0], [84, 0, 125]],\n"
        "      shapes: [ { type: box, half: [1.615, 0.5, 2.5] } ] }\n"
        "  - { count: 650, fixed: true, box: [[0, 84, 0], [84, 85, 125]],\n"
        "      shapes: [ { type: box, half: [1.615, 0.5, 2.5] } ] }\n"
        "  - { count: %zu, box: [[0, 0, 0], [84, 84, %g]], spacing: [%g, %g, %g], jitter: 0.5,\n"
        "      shapes: [ { type: sphere, radius: [0.4, 0.5] } ] }\n"
        "  - { count: %zu, box: [[0, 0, %g], [84, 84, %g]], spacing: [1.4, 1.4, 1.4], jitter: 0.5,\n"
        "      orientation: random, shapes: [ { type: box, half: [[0.3, 0.4], [0.3, 0.4], [0.3, 0.4]] } ] }\n",
        half, middle, tightest, tightest, tightest, options->spheres - half, middle, top);
}

// Bodies whose centres are outside of the walls, or below the floor.
static scree_status count_lost(const scree_world *world, size_t *lost, scree_error *error)
{
    size_t count = scree_world_body_count(world);
    scree_id *ids = malloc(count * sizeof *ids);
    scree_state *states = malloc(count * sizeof *states);
    scree_status status = ids && states ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK) {
        scree_world_body_ids(world, ids);
        status = scree_world_get_states(world, ids, count, states, error);
    }
    for (size_t i = WELL_BOXES; i < count && status == SCREE_OK; i++) { // ids rise, the well came first
        scree_vec3 at = states[i].position;
        bool inside = at.z > 0 && at.x > 0 && at.y > 0 && at.x < well_side && at.y < well_side;
        *lost += !inside;
    }
    free(ids);
    free(states);
    return status;
}

static scree_status run_well(const bench_options *options, scree_world *world, well_result *result, scree_error *error)
{
    double start = clock_seconds(), cpu_start = cpu_seconds(), last = start;
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < options->steps && status == SCREE_OK; i++) {
        last = clock_seconds();
        status = scree_world_step(world, 1, error);
    }
    double end = clock_seconds();
    result->ms_per_step = 1e3 * (end - start) / (double)options->steps;
    result->last_ms = 1e3 * (end - last);
    result->cpu_ms_per_step = 1e3 * (cpu_seconds() - cpu_start) / (double)options->steps;
    scree_figures figures = scree_world_figures(world);
    result->fixed = WELL_BOXES;
    result->moving = figures.bodies - WELL_BOXES;
    result->contacts = figures.contacts;
    result->penetration_mean = figures.penetration_mean;
    result->kinetic = figures.kinetic;
    result->bytes_per_body = (double)figures.memory_bytes / (double)figures.bodies;
    return status == SCREE_OK ? count_lost(world, &result->lost, error) : status;
}

static scree_status measure_well(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    well_result *result = output;
    *result = (well_result){0};
    char text[TEXT_SIZE];
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    double start = clock_seconds();
    size_t size = (size_t)scene_text(options, text);
    scree_status status = scree_scene_parse(text, size, "well.yaml", NULL, 0, &scene, error);
    if (status == SCREE_OK)
        status = scree_scene_build(scene, options->threads, &world, error);
    result->build_s = lap_seconds(&start);
    if (status == SCREE_OK)
        status = run_well(options, world, result, error);
    result->memory_bytes = memory_peak_bytes();
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return status;
}

scree_status bench_well(const bench_options *options, scree_error *error)
{
    well_result result;
    scree_status status = measure_apart(measure_well, options, &result, sizeof result, error);
    if (status != SCREE_OK)
        return status;
    json_line line = json_line_begin("well", "scree");
    json_line_count(&line, "moving", result.moving);
    json_line_count(&line, "fixed", result.fixed);
    json_line_count(&line, "lost", result.lost);
    json_line_count(&line, "threads", (size_t)options->threads);
    json_line_count(&line, "steps", options->steps);
    json_line_number(&line, "build_s", result.build_s);
    json_line_number(&line, "ms_per_step", result.ms_per_step);
    json_line_number(&line, "cpu_ms_per_step", result.cpu_ms_per_step);
    json_line_number(&line, "last_step_ms", result.last_ms);
    json_line_count(&line, "contacts", result.contacts);
    json_line_number(&line, "penetration_mean", result.penetration_mean);
    json_line_number(&line, "kinetic", result.kinetic);
    json_line_number(&line, "bytes_per_body", result.bytes_per_body);
    json_line_number(&line, "memory_mb", result.memory_bytes / 1e6);
    json_line_end(&line);
    return SCREE_OK;
}
