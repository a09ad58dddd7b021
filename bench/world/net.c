// Net: balls of radius 0.4, 1 m apart, with a spherical joint between each two neighbours; the first row is fixed, and
// they do not touch. It hangs from that row, where a step has little to find, or is let go level.
//
// The hanging net is the scene `joint_grid` of Box3D's benchmarks.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/stepping.h"
#include "bench/scene/joint_watch.h"

static const double RADIUS = 0.4, NET_STEP = 1.0 / 60, NET_GRAVITY = 10, NET_FRICTION = 0.6;

static scree_vec3 ball_place(const bench_options *options, double column, double row)
{
    return options->level ? (scree_vec3){column, row, 0} : (scree_vec3){column, 0, -row};
}

static scree_status add_ball(scree_world *world, const bench_options *options, size_t column, size_t row, scree_id *id,
                             scree_error *error)
{
    scree_shape_def sphere = scree_default_shape_def();
    sphere.type = SCREE_SHAPE_SPHERE;
    sphere.radius = RADIUS;
    scree_body_def ball = scree_default_body_def();
    ball.position = ball_place(options, (double)column, (double)row);
    ball.fixed = row == 0;
    ball.mask = 0;
    ball.shapes = &sphere;
    ball.shape_count = 1;
    return scree_world_add_bodies(world, &ball, 1, id, error);
}

static scree_status join_balls(scree_world *world, scree_id a, scree_id b, scree_vec3 place, scree_error *error)
{
    scree_joint_def joint = scree_default_joint_def();
    joint.bodies[0] = a;
    joint.bodies[1] = b;
    joint.position = place;
    return scree_world_add_joints(world, &joint, 1, NULL, error);
}

static scree_status tie_net(scree_world *world, const bench_options *options, size_t side, scree_id *ids,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < side * side && !status; i++) {
        size_t column = i / side, row = i % side;
        status = add_ball(world, options, column, row, &ids[i], error);
        if (!status && row > 0)
            status =
                join_balls(world, ids[i - 1], ids[i], ball_place(options, (double)column, (double)row - 0.5), error);
        if (!status && row > 0 && column > 0)
            status =
                join_balls(world, ids[i - side], ids[i], ball_place(options, (double)column - 0.5, (double)row), error);
    }
    return status;
}

static scree_status make_net(const bench_options *options, size_t side, scree_world **world, scree_error *error)
{
    scree_world_def def = bench_world_def(options);
    def.gravity = (scree_vec3){0, 0, -NET_GRAVITY};
    def.step = NET_STEP;
    scree_material_def material = scree_default_material_def();
    material.friction = NET_FRICTION;
    scree_id *ids = malloc((side * side + 1) * sizeof *ids);
    if (!ids)
        return fail_no_memory(error);
    scree_status status = scree_world_create(&def, world, error);
    if (!status)
        status = scree_world_set_material(*world, 0, &material, error);
    if (!status)
        status = tie_net(*world, options, side, ids, error);
    free(ids);
    return status;
}

scree_status bench_net(const bench_options *options, scree_error *error)
{
    scree_world *world = NULL;
    joint_watch watch = {0};
    step_result result;
    size_t side = (size_t)llround(sqrt((double)options->spheres));
    double resident_before = memory_resident_bytes();
    scree_status status = make_net(options, side, &world, error);
    if (!status)
        status = joint_watch_begin(&watch, world, (scree_vec3){1, 0, 0}, error);
    if (!status)
        status = step_world_after(world, options, side * (side - 1), resident_before, joint_watch_note, &watch, &result,
                                  error);
    if (!status)
        status = joint_watch_note(&watch, error);
    if (!status) {
        json_line line = step_result_begin(options->level ? "falling-net" : "net", "scree", &result);
        joint_watch_print(&watch, &line);
        json_line_end(&line);
    }
    joint_watch_end(&watch);
    scree_world_destroy(world);
    return status;
}
