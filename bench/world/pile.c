// The pile: how long a step of many spheres in contact takes once they have come to rest, and how well their contacts
// are solved by then. bench/scene/scenes.h has the scene, bench/peers the same for other engines.
#include <stdlib.h>

#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/stepping.h"
#include "bench/scene/container.h"
#include "bench/scene/particles.h"

typedef struct pile_run {
    pile_scene scene;
    scree_world *world;
    scree_id first; // ids of the spheres run on from here
    double resident_before;
} pile_run;

// Defs live only while the bodies are added, so that they do not count as the engine's memory.
static scree_status add_spheres(pile_run *run, scree_error *error)
{
    size_t count = run->scene.count;
    scree_shape_def *shapes = malloc(count * sizeof *shapes);
    scree_body_def *bodies = malloc(count * sizeof *bodies);
    scree_id *ids = malloc(count * sizeof *ids);
    scree_status status = SCREE_OK;
    if (!shapes || !bodies || !ids)
        status = fail_no_memory(error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        const scene_sphere *sphere = &run->scene.spheres[i];
        shapes[i] = scree_default_shape_def();
        shapes[i].radius = sphere->radius;
        bodies[i] = scree_default_body_def();
        bodies[i].position = (scree_vec3){sphere->x, sphere->y, sphere->z};
        bodies[i].mass = pile_sphere_mass(sphere->radius);
        bodies[i].shapes = &shapes[i];
        bodies[i].shape_count = 1;
    }
    if (status == SCREE_OK)
        status = scree_world_add_bodies(run->world, bodies, count, ids, error);
    if (status == SCREE_OK)
        run->first = ids[0];
    free(shapes);
    free(bodies);
    free(ids);
    return status;
}

static scree_status make_run(const bench_options *options, pile_run *run, scree_error *error)
{
    *run = (pile_run){0};
    if (!pile_scene_make(&run->scene, options->spheres))
        return fail_no_memory(error);
    run->resident_before = memory_resident_bytes();
    scree_world_def def = bench_world_def(options);
    scree_status status = scree_world_create(&def, &run->world, error);
    scree_material_def material = scree_default_material_def();
    if (options->particles) {
        material.youngs_modulus = PARTICLE_YOUNGS_MODULUS;
        material.poisson_ratio = PARTICLE_POISSON_RATIO;
        material.restitution = PARTICLE_RESTITUTION;
    }
    if (status == SCREE_OK)
        status = scree_world_set_material(run->world, 0, &material, error);
    if (status == SCREE_OK)
        status = container_add(run->world, run->scene.width, 0, error);
    if (status == SCREE_OK)
        status = add_spheres(run, error);
    return status;
}

// Puts the spheres of the scene where the world has them now.
static scree_status read_positions(pile_run *run, scree_error *error)
{
    enum { CHUNK = 1024 };
    scree_id ids[CHUNK];
    scree_state states[CHUNK];
    for (size_t start = 0; start < run->scene.count; start += CHUNK) {
        size_t count = run->scene.count - start < CHUNK ? run->scene.count - start : CHUNK;
        for (size_t i = 0; i < count; i++)
            ids[i] = run->first + start + i;
        scree_status status = scree_world_get_states(run->world, ids, count, states, error);
        if (status != SCREE_OK)
            return status;
        for (size_t i = 0; i < count; i++) {
            scene_sphere *sphere = &run->scene.spheres[start + i];
            sphere->x = states[i].position.x;
            sphere->y = states[i].position.y;
            sphere->z = states[i].position.z;
        }
    }
    return SCREE_OK;
}

static scree_status measure_pile(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    step_result *result = output;
    pile_run run;
    scree_status status = make_run(options, &run, error);
    if (status == SCREE_OK)
        status = step_world(run.world, options, options->spheres, run.resident_before, result, error);
    if (status == SCREE_OK)
        status = read_positions(&run, error);
    if (status == SCREE_OK && !overlap_measure(&run.scene, &result->overlap))
        status = fail_no_memory(error);
    scree_world_destroy(run.world);
    pile_scene_free(&run.scene);
    return status;
}

scree_status pile_world_make(const bench_options *options, scree_world **world, scree_error *error)
{
    pile_run run;
    scree_status status = make_run(options, &run, error);
    pile_scene_free(&run.scene);
    if (status != SCREE_OK)
        scree_world_destroy(run.world);
    *world = run.world;
    return status;
}

scree_status pile_measure(const bench_options *options, step_result *result, scree_error *error)
{
    return measure_apart(measure_pile, options, result, sizeof *result, error);
}

scree_status bench_pile(const bench_options *options, scree_error *error)
{
    step_result result;
    scree_status status = pile_measure(options, &result, error);
    if (status != SCREE_OK)
        return status;
    json_line line = step_result_begin(options->particles ? "particles" : "pile", "scree", &result);
    if (options->particles)
        json_line_number(&line, "particle_steps_per_s", 1e3 * (double)options->spheres / result.time.cpu);
    json_line_end(&line);
    return SCREE_OK;
}
