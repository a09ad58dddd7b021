// Cubes: a column of unit cubes falling, toppling and piling up. Box contacts have up to eight points, so this shows
// the narrow phase and many contacts per body.
#include <stdlib.h>

#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/stepping.h"
#include "bench/scene/container.h"
#include "bench/scene/particles.h"
#include "scree/geometry.h"

// What a cube is made of. Particles are those of bench/scene/particles.h, whose cubes are wider than the scene's by a
// factor.
typedef struct cube_kind {
    scree_shape_def shape;
    double scale, mass;
} cube_kind;

static scree_status make_particles(scree_geometry **set, scree_error *error)
{
    scree_ball balls[27];
    for (int i = 0; i < 27; i++)
        balls[i] = (scree_ball){.position = {2 * PARTICLE_RADIUS * (i % 3 - 1), 2 * PARTICLE_RADIUS * (i / 3 % 3 - 1),
                                             2 * PARTICLE_RADIUS * (i / 9 - 1)},
                                .radius = PARTICLE_RADIUS};
    return scree_spheres_create(balls, 27, NULL, set, error);
}

static scree_status make_kind(const bench_options *options, cube_kind *kind, scree_error *error)
{
    *kind = (cube_kind){scree_default_shape_def(), 1, 1};
    kind->shape.type = SCREE_SHAPE_BOX;
    kind->shape.half = (scree_vec3){0.5, 0.5, 0.5};
    if (!options->particles)
        return SCREE_OK;
    scree_geometry *set;
    scree_status status = make_particles(&set, error);
    kind->shape.type = SCREE_SHAPE_SPHERES;
    kind->shape.geometry = status == SCREE_OK ? set : NULL;
    kind->scale = PARTICLE_CUBE_EDGE;
    kind->mass = PARTICLE_CUBE_MASS;
    return status;
}

static scree_status add_cubes(scree_world *world, const cube_scene *scene, const cube_kind *kind, scree_error *error)
{
    scree_body_def *bodies = malloc(scene->count * sizeof *bodies);
    if (!bodies)
        return fail_no_memory(error);
    for (size_t i = 0; i < scene->count; i++) {
        const scene_sphere *at = &scene->cubes[i];
        bodies[i] = scree_default_body_def();
        bodies[i].position = (scree_vec3){kind->scale * at->x, kind->scale * at->y, kind->scale * at->z};
        bodies[i].mass = kind->mass;
        bodies[i].shapes = &kind->shape;
        bodies[i].shape_count = 1;
    }
    scree_status status = scree_world_add_bodies(world, bodies, scene->count, NULL, error);
    free(bodies);
    return status;
}

static scree_status fill_world(scree_world *world, const bench_options *options, const cube_scene *scene,
                               scree_error *error)
{
    cube_kind kind;
    scree_material_def material = scree_default_material_def();
    if (options->particles) {
        material.stiffness = PARTICLE_STIFFNESS;
        material.damping = PARTICLE_DAMPING;
    }
    scree_status status = scree_world_set_material(world, 0, &material, error);
    if (status == SCREE_OK)
        status = make_kind(options, &kind, error);
    if (status != SCREE_OK)
        return status;
    status = container_add(world, kind.scale * scene->width, 0, error);
    if (status == SCREE_OK)
        status = add_cubes(world, scene, &kind, error);
    scree_geometry_release(kind.shape.geometry);
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
        status = fill_world(*world, options, &scene, error);
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
    json_line line = step_result_begin(options->particles ? "particle-cubes" : "cubes", "scree", &result);
    json_line_end(&line);
    return SCREE_OK;
}
