// An open container of five planes.
#include "bench/container.h"

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
