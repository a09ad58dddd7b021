#include "bench/scene/heap.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "base/vec.h"
#include "bench/scene/container.h"
#include "bench/scene/scenes.h"

enum { LAYERS = 16, SETTLING_STEPS = 400, SETTLING_ITERATIONS = 30 };
static const double spacing = 1.6; // hardly any two cubes reach each other, however they are turned

static scree_status drop_cubes(cube_heap *heap, scree_id *ids, scree_error *error)
{
    scree_body_def *bodies = malloc(heap->count * sizeof *bodies);
    if (!bodies)
        return fail_no_memory(error);
    scree_shape_def cube = scree_default_shape_def();
    cube.type = SCREE_SHAPE_BOX;
    random_stream random = {11};
    size_t across = (size_t)(heap->width / spacing);
    const double half = 0.5 * heap->width,
                 quarter = 0.25; // layers are shifted, or cubes would fall on each other's tops
    for (size_t i = 0; i < heap->count; i++) {
        size_t x = i % across, y = i / across % across, z = i / (across * across);
        vec3 turn = {random_between(&random, -1, 1), random_between(&random, -1, 1), random_between(&random, -1, 1)};
        bodies[i] = scree_default_body_def();
        double shift_x = z & 1 ? quarter : -quarter, shift_y = z & 2 ? quarter : -quarter;
        bodies[i].position = vec3_make(((double)x + 0.75 + shift_x) * spacing - half,
                                       ((double)y + 0.75 + shift_y) * spacing - half, ((double)z + 0.6) * spacing);
        bodies[i].orientation = quat_from_rotation(vec3_scale(vec3_normalize(turn), PI * random_unit(&random)));
        bodies[i].mass = 1;
        bodies[i].shapes = &cube;
        bodies[i].shape_count = 1;
    }
    scree_status status = scree_world_add_bodies(heap->world, bodies, heap->count, ids, error);
    free(bodies);
    return status;
}

scree_status cube_heap_make(cube_heap *heap, size_t count, int threads, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    def.step = SCENE_STEP;
    def.threads = threads;
    def.solver.iterations = SETTLING_ITERATIONS;
    def.solver.sleep = SCREE_SLEEP_OFF; // every pair is to be found
    *heap = (cube_heap){.count = count};
    heap->width = spacing * (ceil(sqrt((double)count / LAYERS)) + 0.5);
    heap->states = malloc((count + 1) * sizeof *heap->states);
    scree_id *ids = malloc((count + 1) * sizeof *ids);
    scree_status status = heap->states && ids ? SCREE_OK : fail_no_memory(error);
    if (!status)
        status = scree_world_create(&def, &heap->world, error);
    if (!status)
        status = container_add(heap->world, heap->width, 0, error);
    if (!status)
        status = drop_cubes(heap, ids, error);
    if (!status)
        status = scree_world_step(heap->world, SETTLING_STEPS, error);
    if (!status)
        status = scree_world_get_states(heap->world, ids, count, heap->states, error);
    free(ids);
    if (status)
        cube_heap_free(heap);
    return status;
}

void cube_heap_free(cube_heap *heap)
{
    scree_world_destroy(heap->world);
    free(heap->states);
    *heap = (cube_heap){0};
}
