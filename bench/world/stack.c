// Stack: a tower of cubes, or a heavy cube on light ones, for ten seconds: does it stand, and how still?
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/stepping.h"
#include "bench/scene/container.h"
#include "bench/scene/stack_motion.h"

static scree_status add_cube(scree_world *world, size_t index, const bench_options *options, scree_error *error)
{
    scene_sphere at = stack_place(index);
    scree_shape_def box = scree_default_shape_def();
    box.type = SCREE_SHAPE_BOX;
    box.half = (scree_vec3){at.radius, at.radius, at.radius};
    scree_body_def cube = scree_default_body_def();
    cube.position = (scree_vec3){at.x, at.y, at.z};
    cube.mass = stack_mass(index, options->boxes, options->ratio);
    cube.shapes = &box;
    cube.shape_count = 1;
    return scree_world_add_bodies(world, &cube, 1, NULL, error);
}

static scree_status make_world(const bench_options *options, scree_world **world, scree_error *error)
{
    scree_world_def def = bench_world_def(options);
    scree_status status = scree_world_create(&def, world, error);
    if (status == SCREE_OK)
        status = floor_add(*world, error);
    for (size_t i = 0; i < options->boxes && status == SCREE_OK; i++)
        status = add_cube(*world, i, options, error);
    return status;
}

typedef struct watched_stack {
    scree_world *world;
    size_t cubes;
    stack_motion motion;
} watched_stack;

static scree_status note_motion(void *context, scree_error *error)
{
    watched_stack *stack = context;
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < stack->cubes && status == SCREE_OK; i++) {
        scree_id id = i + 2; // after the floor
        scree_state state = {0};
        status = scree_world_get_states(stack->world, &id, 1, &state, error);
        stack_motion_note(&stack->motion, i, (scene_sphere){state.position.x, state.position.y, state.position.z, 0});
    }
    return status;
}

scree_status bench_stack(const bench_options *options, scree_error *error)
{
    watched_stack stack = {.cubes = options->boxes};
    step_result result;
    double resident_before = memory_resident_bytes();
    scree_status status = make_world(options, &stack.world, error);
    if (status == SCREE_OK)
        status =
            step_world_after(stack.world, options, stack.cubes, resident_before, note_motion, &stack, &result, error);
    if (status == SCREE_OK)
        status = note_motion(&stack, error);
    if (status == SCREE_OK) {
        scree_figures figures = scree_world_figures(stack.world);
        result.overlap.touching = figures.touching;
        result.overlap.mean = figures.penetration_mean;
        result.overlap.maximum = figures.penetration_max;
        json_line line = step_result_begin("stack", "scree", &result);
        stack_motion_print(&stack.motion, options->ratio, &line);
        json_line_end(&line);
    }
    scree_world_destroy(stack.world);
    return status;
}
