// A camera looks along the third axis of its view; the first two run to the right and down, as pixels do.
#include "view/raster/camera.h"

mat3 camera_axes(vec3 forward, vec3 up)
{
    vec3 f = vec3_normalize(forward), right = vec3_cross(f, vec3_normalize(up));
    if (vec3_length(right) < 1e-6) // straight up or down: any side is as good
        right = vec3_square_to(f);
    right = vec3_normalize(right);
    vec3 down = vec3_cross(f, right);
    return (mat3){{{right.x, right.y, right.z}, {down.x, down.y, down.z}, {f.x, f.y, f.z}}};
}

raster_view camera_view(const picture *scene, size_t samples_per_pixel)
{
    const picture_camera *c = &scene->camera;
    vec3 forward = vec3_sub(c->look_at, c->position);
    double slope = tan(0.5 * c->field_of_view), step = 2 * slope / (double)(scene->height * samples_per_pixel);
    return (raster_view){.origin = c->position,
                         .axes = camera_axes(forward, c->up),
                         .perspective = true,
                         .width = scene->width * samples_per_pixel,
                         .height = scene->height * samples_per_pixel,
                         .left = (float)(-0.5 * step * (double)(scene->width * samples_per_pixel)),
                         .top = (float)-slope,
                         .step = (float)step,
                         .nearest = (float)(1e-3 * vec3_length(forward))};
}

bool picture_project(const picture *scene, scree_vec3 point, canvas_point *at)
{
    raster_view view = camera_view(scene, 1);
    vec3 p = raster_view_point(&view, point);
    if (p.z <= (double)view.nearest)
        return false;
    *at = (canvas_point){(p.x / p.z - (double)view.left) / (double)view.step,
                         (p.y / p.z - (double)view.top) / (double)view.step};
    return true;
}

picture_camera picture_frame(scree_vec3 low, scree_vec3 high, scree_vec3 direction, scree_vec3 up, double field_of_view,
                             double aspect)
{
    const double room = 0.90;
    double slope = room * tan(0.5 * field_of_view);
    mat3 axes = camera_axes(direction, up);
    vec3 target = vec3_scale(vec3_add(low, high), 0.5), forward = vec3_normalize(direction);
    double distance = 0;
    // The box is nearer at its front, so its outline is not centred on its middle: aim again at what is seen.
    for (int pass = 0; pass < 8; pass++) {
        double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL;
        vec3 corners[8];
        distance = 0;
        for (int i = 0; i < 8; i++) {
            vec3 corner = {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
            corners[i] = mat3_apply(&axes, vec3_sub(corner, target));
            distance = fmax(distance, fabs(corners[i].x) / (slope * aspect) - corners[i].z);
            distance = fmax(distance, fabs(corners[i].y) / slope - corners[i].z);
        }
        for (int i = 0; i < 8; i++) {
            double depth = distance + corners[i].z;
            left = fmin(left, corners[i].x / depth);
            right = fmax(right, corners[i].x / depth);
            top = fmin(top, corners[i].y / depth);
            bottom = fmax(bottom, corners[i].y / depth);
        }
        vec3 shift = {0.5 * (left + right) * distance, 0.5 * (top + bottom) * distance, 0};
        if (pass < 7)
            target = vec3_add(target, mat3_apply_transposed(&axes, shift));
    }
    return (picture_camera){vec3_add_scaled(target, forward, -distance), target, up, field_of_view};
}
