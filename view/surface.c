// Nothing but depth and object number is kept per sample; point, normal and colour are found again where needed,
// which costs less than the memory to hold them.
#include "view/surface.h"

#include "base/error.h"

static const unsigned GROUND_COLOR = 0xd8d6d1;

scree_status surfaces_make(surfaces *all, const picture *scene, const raster_view *view, const extent *span,
                           int threads, scree_error *error)
{
    vec3 up = vec3_normalize(scene->camera.up);
    *all = (surfaces){.scene = scene,
                      .view = *view,
                      .up = up,
                      .up_seen = vec3f_from(raster_view_direction(view, up)),
                      .middle = vec3_scale(vec3_add(span->low, span->high), 0.5),
                      .radius = 0.5 * vec3_length(vec3_sub(span->high, span->low))};
    all->grain = span->grain > 0 ? span->grain : 0.1 * all->radius;
    if (!array_resize(&all->spheres, scene->sphere_count) || !array_resize(&all->boxes, scene->box_count) ||
        !ground_make(&all->planes, scene, view, up, all->middle, all->radius))
        return fail_no_memory(error);
    for (size_t i = 0; i < scene->sphere_count; i++)
        all->spheres.data[i] = raster_view_sphere(view, scene->spheres[i].center, scene->spheres[i].radius);
    for (size_t i = 0; i < scene->box_count; i++) {
        const picture_box *box = &scene->boxes[i];
        all->boxes.data[i] = raster_view_box(view, box->center, box->orientation, box->half);
        all->boxes.data[i].hidden = box->wall && extent_is_behind(span, box, view->origin);
    }
    raster_objects objects = {all->spheres.data, all->spheres.count, all->boxes.data, all->boxes.count};
    scree_status status = raster_cast(view, &objects, threads, &all->seen, error);
    if (status == SCREE_OK)
        ground_cast(&all->planes, view, (uint32_t)(1 + scene->sphere_count + scene->box_count), threads, &all->seen);
    return status;
}

void surfaces_free(surfaces *all)
{
    array_free(&all->spheres);
    array_free(&all->boxes);
    ground_free(&all->planes);
    raster_free(&all->seen);
}

// The outward normal of the face by which a ray enters.
static vec3f box_normal(const raster_box *box, const raster_ray *ray)
{
    float depth;
    int face = 0;
    raster_hit_box(box, ray, &depth, &face);
    return vec3f_scale(box->axes[face], vec3f_dot(box->axes[face], ray->direction) > 0 ? -1 : 1);
}

surface_sample surface_at(const surfaces *all, size_t x, size_t y)
{
    size_t at = y * all->view.width + x, object = all->seen.object[at];
    surface_sample s = {.ray = raster_view_ray(&all->view, (float)x + 0.5f, (float)y + 0.5f)};
    if (object == 0)
        return s;
    s.point = raster_ray_at(&s.ray, all->seen.depth[at]);
    s.index = object - 1;
    if (s.index < all->spheres.count) {
        const raster_sphere *sphere = &all->spheres.data[s.index];
        s.kind = SURFACE_GRAIN;
        s.color = all->scene->spheres[s.index].color;
        s.normal = vec3f_scale(vec3f_sub(s.point, sphere->center), 1 / sphere->radius);
        return s;
    }
    s.index -= all->spheres.count;
    if (s.index < all->boxes.count) {
        s.kind = all->scene->boxes[s.index].wall ? SURFACE_WALL : SURFACE_GRAIN;
        s.box = &all->boxes.data[s.index];
        s.color = all->scene->boxes[s.index].color;
        s.normal = box_normal(s.box, &s.ray);
        return s;
    }
    s.index -= all->boxes.count;
    s.kind = SURFACE_PLANE;
    s.color = color_make(GROUND_COLOR);
    s.normal = all->planes.planes.data[s.index].normal;
    return s;
}
