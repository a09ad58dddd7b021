// Gas: spheres with random velocities in an evacuated box, 1 % of its volume, at three sizes up to a million (Iglberger
// and Rüde 2009, Figs. 5 and 6: there the time grew faster than the number of spheres). Processor time per sphere and
// step would be the same at every size if the engine were wholly linear and memory equally fast. Of ten rounds of steps
// the quickest counts.
#include <math.h>
#include <stdio.h>

#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "scree/scene.h"

enum { TEXT_SIZE = 1024, ROUNDS = 10, MIXING_STEPS = 60, LEAST_SPHERE_STEPS = 100000 };

typedef struct gas_result {
    size_t bodies, contacts, steps;
    samples rounds;
    double us_per_sphere, bytes_per_body;
    double energy; // at the end, of what there was
} gas_result;

static int scene_text(size_t spheres, char *text)
{
    double side = ceil(cbrt((double)spheres) - 1e-9);
    return snprintf(text, TEXT_SIZE,
                    "method: ffd\n"
                    "gravity: [0, 0, 0]\n"
                    "time: { step: 0.02 }\n"
                    "materials: { default: { friction: 0, restitution: 1 } }\n"
                    "bodies:\n"
                    "  - fixed: true\n"
                    "    shapes:\n"
                    "      - { type: plane, normal: [1, 0, 0] }\n"
                    "      - { type: plane, normal: [-1, 0, 0], offset: %g }\n"
                    "      - { type: plane, normal: [0, 1, 0] }\n"
                    "      - { type: plane, normal: [0, -1, 0], offset: %g }\n"
                    "      - { type: plane, normal: [0, 0, 1] }\n"
                    "      - { type: plane, normal: [0, 0, -1], offset: %g }\n"
                    "fills:\n"
                    "  - { count: %zu, box: [[0, 0, 0], [%g, %g, %g]], spacing: [1, 1, 1], speed: [0.5, 1.5],\n"
                    "      shapes: [ { type: sphere, radius: 0.13365 } ] }\n",
                    -side, -side, -side, spheres, side, side, side);
}

static scree_status run_gas(const bench_options *options, scree_world *world, gas_result *result, scree_error *error)
{
    result->steps = 1 + LEAST_SPHERE_STEPS / options->spheres;
    result->rounds.count = 0;
    double first = scree_world_figures(world).kinetic;
    scree_status status = scree_world_step(world, MIXING_STEPS, error); // until they have met each other
    for (int i = 0; i < ROUNDS && status == SCREE_OK; i++) {
        double start = cpu_seconds();
        status = scree_world_step(world, (int)result->steps, error);
        samples_add(&result->rounds, cpu_seconds() - start);
    }
    scree_figures figures = scree_world_figures(world);
    result->bodies = figures.bodies;
    result->contacts = figures.contacts;
    result->energy = figures.kinetic / first;
    result->us_per_sphere = 1e6 * samples_least(&result->rounds) / (double)result->steps / (double)options->spheres;
    result->bytes_per_body = (double)figures.memory_bytes / (double)figures.bodies;
    return status;
}

static scree_status measure_gas(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    char text[TEXT_SIZE];
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    size_t size = (size_t)scene_text(options->spheres, text);
    scree_status status = scree_scene_parse(text, size, "gas.yaml", NULL, 0, &scene, error);
    if (status == SCREE_OK)
        status = scree_scene_build(scene, options->threads, &world, error);
    if (status == SCREE_OK)
        status = run_gas(options, world, output, error);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return status;
}

scree_status bench_gas(const bench_options *options, scree_error *error)
{
    const size_t sizes[] = {1000, options->spheres, 1000000};
    double first = 0;
    for (int i = 0; i < 3; i++) {
        bench_options sized = *options;
        sized.spheres = sizes[i];
        gas_result result;
        scree_status status = measure_apart(measure_gas, &sized, &result, sizeof result, error);
        if (status != SCREE_OK)
            return status;
        first = i == 0 ? result.us_per_sphere : first;
        json_line line = json_line_begin("gas", "scree");
        json_line_count(&line, "bodies", result.bodies);
        json_line_count(&line, "threads", (size_t)options->threads);
        json_line_count(&line, "steps", MIXING_STEPS + ROUNDS * result.steps);
        json_line_count(&line, "contacts", result.contacts);
        json_line_number(&line, "cpu_us_per_sphere", result.us_per_sphere);
        json_line_repeats(&line, MIXING_STEPS, ROUNDS, samples_median(&result.rounds) / samples_least(&result.rounds));
        json_line_number(&line, "time_ratio", result.us_per_sphere / first);
        json_line_number(&line, "bytes_per_body", result.bytes_per_body);
        json_line_number(&line, "energy_kept", result.energy);
        json_line_end(&line);
    }
    return SCREE_OK;
}
