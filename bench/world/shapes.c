// Pyramid and hulls: two scenes of boxes and of general convex shapes that engines for games are judged by, with their
// friction, gravity and step. The pyramid stands from the first step on; the column of hulls collapses, and every hull
// rolls over others.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"
#include "bench/benchmarks.h"
#include "bench/measure/stepping.h"
#include "bench/scene/container.h"
#include "scree/geometry.h"

enum { HULL_POINTS = 32, COLUMN_WIDTH = 8 };

static const double friction = 0.6, gravity = 10, steps_per_second = 60, density = 100;
static const double half_edge = 0.5, hull_radius = 2, hull_spacing = 4;

typedef struct shape_scene {
    scree_world *world;
    scree_shape_def shape;
    size_t count;
} shape_scene;

static scree_status make_world(shape_scene *scene, const bench_options *options, scree_error *error)
{
    scree_world_def def = bench_world_def(options);
    def.gravity = (scree_vec3){0, 0, -gravity};
    def.step = 1 / steps_per_second;
    scree_status status = scree_world_create(&def, &scene->world, error);
    scree_material_def material = scree_default_material_def();
    material.friction = friction;
    material.density = density;
    if (status == SCREE_OK)
        status = scree_world_set_material(scene->world, 0, &material, error);
    return status == SCREE_OK ? floor_add(scene->world, error) : status;
}

static scree_status add_body(shape_scene *scene, vec3 position, scree_error *error)
{
    scree_body_def body = scree_default_body_def();
    body.position = position;
    body.shapes = &scene->shape;
    body.shape_count = 1;
    scene->count++;
    return scree_world_add_bodies(scene->world, &body, 1, NULL, error);
}

// Rows of touching boxes, each shorter by one than the row below, until all boxes are used: 5,050 make a base of 100.
static scree_status add_pyramid(shape_scene *scene, size_t count, scree_error *error)
{
    size_t base = (size_t)ceil(0.5 * (sqrt(8 * (double)count + 1) - 1));
    scree_status status = SCREE_OK;
    for (size_t row = 0; row < base; row++)
        for (size_t i = 0; i < base - row && scene->count < count && status == SCREE_OK; i++) {
            double x = 2 * half_edge * ((double)i - 0.5 * (double)(base - row - 1));
            status = add_body(scene, vec3_make(x, 0, half_edge * (2 * (double)row + 1)), error);
        }
    return status;
}

// Points spread evenly over a sphere, on a spiral of golden angles.
static scree_status make_hull(scree_geometry **hull, scree_error *error)
{
    scree_vec3 points[HULL_POINTS];
    const double golden = PI * (3 - sqrt(5));
    for (int i = 0; i < HULL_POINTS; i++) {
        double z = 1 - (2 * i + 1) / (double)HULL_POINTS, across = sqrt(1 - z * z);
        points[i] = vec3_scale(vec3_make(across * cos(golden * i), across * sin(golden * i), z), hull_radius);
    }
    return scree_hull_create(points, HULL_POINTS, hull, error);
}

static scree_status add_column(shape_scene *scene, size_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < count && status == SCREE_OK; i++) {
        size_t x = i % COLUMN_WIDTH, y = i / COLUMN_WIDTH % COLUMN_WIDTH, z = i / (COLUMN_WIDTH * COLUMN_WIDTH);
        double middle = 0.5 * (COLUMN_WIDTH - 1);
        vec3 at = {(double)x - middle, (double)y - middle, (double)z + 0.5};
        status = add_body(scene, vec3_scale(at, hull_spacing), error);
    }
    return status;
}

static scree_status step_scene(const shape_scene *scene, const bench_options *options, const char *name,
                               double resident_before, scree_error *error)
{
    step_result result;
    scree_status status = step_world(scene->world, options, scene->count, resident_before, &result, error);
    if (status != SCREE_OK)
        return status;
    scree_figures figures = scree_world_figures(scene->world);
    result.overlap.touching = figures.touching;
    result.overlap.mean = figures.penetration_mean;
    result.overlap.maximum = figures.penetration_max;
    json_line line = step_result_begin(name, "scree", &result);
    json_line_number(&line, "kinetic_per_body", figures.kinetic / (double)scene->count);
    json_line_end(&line);
    return SCREE_OK;
}

scree_status bench_pyramid(const bench_options *options, scree_error *error)
{
    shape_scene scene = {.shape = scree_default_shape_def()};
    double resident_before = memory_resident_bytes();
    scree_status status = make_world(&scene, options, error);
    scene.shape.type = SCREE_SHAPE_BOX;
    scene.shape.half = vec3_make(half_edge, half_edge, half_edge);
    if (status == SCREE_OK)
        status = add_pyramid(&scene, options->boxes, error);
    if (status == SCREE_OK)
        status = step_scene(&scene, options, "pyramid", resident_before, error);
    scree_world_destroy(scene.world);
    return status;
}

scree_status bench_hulls(const bench_options *options, scree_error *error)
{
    shape_scene scene = {.shape = scree_default_shape_def()};
    double resident_before = memory_resident_bytes();
    scree_geometry *hull = NULL;
    scree_status status = make_hull(&hull, error);
    scene.shape.type = SCREE_SHAPE_HULL;
    scene.shape.geometry = hull;
    if (status == SCREE_OK)
        status = make_world(&scene, options, error);
    if (status == SCREE_OK)
        status = add_column(&scene, options->boxes, error);
    if (status == SCREE_OK)
        status = step_scene(&scene, options, "hulls", resident_before, error);
    scree_world_destroy(scene.world);
    scree_geometry_release(hull);
    return status;
}
