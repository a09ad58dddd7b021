// A floor, and an open container of five planes.
#include "bench/scene/container.h"

scree_status floor_add(scree_world *world, scree_error *error)
{
    scree_shape_def plane = scree_default_shape_def();
    plane.type = SCREE_SHAPE_PLANE;
    plane.normal = (scree_vec3){0, 0, 1};
    scree_body_def floor = scree_default_body_def();
    floor.fixed = true;
    floor.shapes = &plane;
    floor.shape_count = 1;
    return scree_world_add_bodies(world, &floor, 1, NULL, error);
}

scree_status container_add(scree_world *world, double width, int material, scree_error *error)
{
    static const scree_vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    scree_shape_def planes[5];
    for (int i = 0; i < 5; i++) {
        planes[i] = scree_default_shape_def();
        planes[i].type = SCREE_SHAPE_PLANE;
        planes[i].normal = normals[i];
        planes[i].offset = i == 0 ? 0 : -0.5 * width;
    }
    scree_body_def body = scree_default_body_def();
    body.fixed = true;
    body.material = material;
    body.shapes = planes;
    body.shape_count = 5;
    return scree_world_add_bodies(world, &body, 1, NULL, error);
}
