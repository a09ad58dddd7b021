// All movements are along the axes of the camera that they start from.
#include "view/world/orbit.h"

#include "view/raster/camera.h"
#include "view/raster/vec3f.h"

static const double HIGHEST = 1.553; // just short of straight down

typedef struct level_axes { // square to up: towards the right and the back at azimuth 0
    vec3 right, back;
} level_axes;

static level_axes axes_of(vec3 up)
{
    vec3 right = vec3_square_to(up);
    return (level_axes){right, vec3_cross(up, right)};
}

// From the camera to the target.
static vec3 forward_of(const orbit_camera *orbit)
{
    level_axes level = axes_of(orbit->up);
    vec3 flat = vec3_add_scaled(vec3_scale(level.right, -sin(orbit->azimuth)), level.back, cos(orbit->azimuth));
    return vec3_add_scaled(vec3_scale(flat, cos(orbit->elevation)), orbit->up, -sin(orbit->elevation));
}

orbit_camera orbit_from(const picture_camera *camera)
{
    vec3 up = vec3_normalize(camera->up), run = vec3_sub(camera->look_at, camera->position);
    vec3 forward = vec3_normalize(run);
    level_axes level = axes_of(up);
    return (orbit_camera){.target = camera->look_at,
                          .up = up,
                          .azimuth = atan2(-vec3_dot(forward, level.right), vec3_dot(forward, level.back)),
                          .elevation = fmin(fmax(asin(-vec3_dot(forward, up)), -HIGHEST), HIGHEST),
                          .distance = vec3_length(run),
                          .field_of_view = camera->field_of_view};
}

picture_camera orbit_place(const orbit_camera *orbit)
{
    vec3 position = vec3_add_scaled(orbit->target, forward_of(orbit), -orbit->distance);
    return (picture_camera){position, orbit->target, orbit->up, orbit->field_of_view};
}

void orbit_turn(orbit_camera *orbit, double azimuth, double elevation)
{
    orbit->azimuth = remainder(orbit->azimuth + azimuth, 6.283185307179586);
    orbit->elevation = fmin(fmax(orbit->elevation + elevation, -HIGHEST), HIGHEST);
}

void orbit_pan(orbit_camera *orbit, double right, double down, double height)
{
    mat3 axes = camera_axes(forward_of(orbit), orbit->up);
    double scale = 2 * tan(0.5 * orbit->field_of_view) * orbit->distance / height;
    vec3 shift = {-right * scale, -down * scale, 0};
    orbit->target = vec3_add(orbit->target, mat3_apply_transposed(&axes, shift));
}

void orbit_zoom(orbit_camera *orbit, double factor)
{
    orbit->distance = fmin(fmax(orbit->distance * factor, 1e-9), 1e12);
}

void orbit_fly(orbit_camera *orbit, double forward, double right, double up)
{
    mat3 axes = camera_axes(forward_of(orbit), orbit->up);
    vec3 shift = {right * orbit->distance, 0, forward * orbit->distance};
    orbit->target = vec3_add(orbit->target, mat3_apply_transposed(&axes, shift));
    orbit->target = vec3_add_scaled(orbit->target, orbit->up, up * orbit->distance);
}

scree_vec3 orbit_point(const orbit_camera *orbit, canvas_point at, double width, double height, double depth)
{
    mat3 axes = camera_axes(forward_of(orbit), orbit->up);
    double scale = 2 * tan(0.5 * orbit->field_of_view) / height;
    vec3 seen = {(at.x - 0.5 * width) * scale * depth, (at.y - 0.5 * height) * scale * depth, depth};
    return vec3_add(orbit_place(orbit).position, mat3_apply_transposed(&axes, seen));
}
