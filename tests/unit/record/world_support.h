// A small world for the tests that need one, made by the public interface.
#ifndef TEST_RECORD_WORLD_SUPPORT_H
#define TEST_RECORD_WORLD_SUPPORT_H

#include "support.h"

static inline scree_shape_def sphere_shape(double radius)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.radius = radius;
    return shape;
}

static inline scree_shape_def box_shape(double x, double y, double z)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_BOX;
    shape.half = (scree_vec3){x, y, z};
    return shape;
}

static inline scree_shape_def plane_shape(scree_vec3 normal, double offset)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_PLANE;
    shape.normal = normal;
    shape.offset = offset;
    return shape;
}

static inline scree_id add_body(scree_world *world, const scree_shape_def *shapes, size_t count, scree_vec3 position,
                                bool fixed)
{
    scree_error error;
    scree_id id = 0;
    scree_body_def def = scree_default_body_def();
    def.shapes = shapes;
    def.shape_count = count;
    def.position = position;
    def.fixed = fixed;
    check_ok(scree_world_add_bodies(world, &def, 1, &id, &error), error);
    return id;
}

static inline scree_world *empty_world(int threads)
{
    scree_error error;
    scree_world *world = NULL;
    scree_world_def def = scree_default_world_def();
    def.threads = threads;
    check_ok(scree_world_create(&def, &world, &error), error);
    return world;
}

// A floor (id 1), `spheres` spheres in a loose column, and a box on top (the last id).
static inline scree_world *column_world(int spheres, int threads)
{
    scree_world *world = empty_world(threads);
    scree_shape_def floor = plane_shape((scree_vec3){0, 0, 1}, 0), ball = sphere_shape(0.1);
    scree_shape_def box = box_shape(0.3, 0.2, 0.1);
    add_body(world, &floor, 1, (scree_vec3){0, 0, 0}, true);
    for (int i = 0; i < spheres; i++)
        add_body(world, &ball, 1, (scree_vec3){0.05 * (i % 3), 0.04 * (i % 2), 0.1 + 0.21 * i}, false);
    add_body(world, &box, 1, (scree_vec3){0, 0, 0.3 + 0.21 * spheres}, false);
    return world;
}

static inline void take_steps(scree_world *world, int steps)
{
    scree_error error;
    check_ok(scree_world_step(world, steps, &error), error);
}

#endif
