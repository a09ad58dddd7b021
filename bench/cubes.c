// Cubes: a column of unit cubes falling, toppling and piling up. Box contacts have up to eight points, so this shows
// the narrow phase and many contacts per body.
#include <stdlib.h>

#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/container.h"
#include "bench/stepping.h"

static scree_status add_cubes(scree_world *world, const cube_scene *scene, scree_error *error)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_BOX;
    shape.half = (scree_vec3){0.5, 0.5, 0.5};
    scree_body_def *bodies = malloc(scene->count * sizeof *bodies);
    if (!bodies)
        return fail_no_memory(error);
    for (size_t i = 0; i < scene->count; i++) {
        bodies[i] = scree_default_body_def();
        bodies[i].position = (scree_vec3){scene->cubes[i].x, scene->cubes[i].y, scene->cubes[i].z};
        bodies[i].mass = 1;
        bodies[i].shapes = &shape;
        bodies[i].shape_count = 1;
    }
    scree_status status = scree_world_add_bodies(world, bodies, scene->count, NULL, error);
    free(bodies);
    return status;
}

static scree_status make_world(const bench_options *options, scree_world **world, scree_error *error)
{
    cube_scene scene;
    if (!cube_scene_make(&scene, options->boxes))
        return fail_no_memory(error);
    scree_world_def def = bench_world_def(options);
    scree_status status = scree_world_create(&def, world, error);
    if (status == SCREE_OK)
        status = container_add(*world, scene.width, 0, error);
    if (status == SCREE_OK)
        status = add_cubes(*world, &scene, error);
    cube_scene_free(&scene);
    return status;
}

// No yardstick of our own for boxes: the overlaps are the engine's figures.
static scree_status measure_cubes(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    step_result *result = output;
    scree_world *world = NULL;
    double resident_before = memory_resident_bytes();
    scree_status status = make_world(options, &world, error);
    if (status == SCREE_OK)
        status = step_world(world, options, options->boxes, resident_before, result, error);
    if (status == SCREE_OK) {
        scree_figures figures = scree_world_figures(world);
        result->overlap.touching = figures.touching;
        result->overlap.mean = figures.penetration_mean;
        result->overlap.maximum = figures.penetration_max;
    }
    scree_world_destroy(world);
    return status;
}

scree_status bench_cubes(const bench_options *options, scree_error *error)
{
    step_result result;
    scree_status status = measure_apart(measure_cubes, options, &result, sizeof result, error);
    if (status != SCREE_OK)
        return status;
    json_line line = step_result_begin("cubes", "scree", &result);
    json_line_end(&line);
    return SCREE_OK;
}
