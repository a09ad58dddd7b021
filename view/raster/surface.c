// Nothing but depth and object number is kept per sample; point, normal and colour are found again where needed,
// which costs less than the memory to hold them.
#include "view/raster/surface.h"

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
        !array_resize(&all->solids, scene->solid_count) || !array_resize(&all->triangles, scene->triangle_count) ||
        !ground_make(&all->planes, scene, view, up, all->middle, all->radius))
        return fail_no_memory(error);
    for (size_t i = 0; i < scene->sphere_count; i++)
        all->spheres.data[i] = raster_view_sphere(view, scene->spheres[i].center, scene->spheres[i].radius);
    for (size_t i = 0; i < scene->box_count; i++) {
        const picture_box *box = &scene->boxes[i];
        all->boxes.data[i] = raster_view_box(view, box->center, box->orientation, box->half);
        all->boxes.data[i].hidden = box->wall && extent_is_behind(span, box, view->origin);
    }
    for (size_t i = 0; i < scene->solid_count; i++)
        all->solids.data[i] = raster_view_solid(view, &scene->solids[i], scene->faces);
    for (size_t i = 0; i < scene->triangle_count; i++)
        all->triangles.data[i] = raster_view_triangle(view, scene->triangles[i].corners);
    raster_objects objects = {all->spheres.data, all->spheres.count, all->boxes.data,     all->boxes.count,
                              all->solids.data,  all->solids.count,  all->triangles.data, all->triangles.count};
    scree_status status = raster_cast(view, &objects, threads, &all->seen, error);
    size_t before = scene->sphere_count + scene->box_count + scene->solid_count + scene->triangle_count;
    if (status == SCREE_OK)
        ground_cast(&all->planes, view, (uint32_t)(1 + before), threads, &all->seen);
    return status;
}

void surfaces_free(surfaces *all)
{
    array_free(&all->spheres);
    array_free(&all->boxes);
    array_free(&all->solids);
    array_free(&all->triangles);
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

// On the face by which the ray enters: how far its nearest edge is.
static float box_edge(const raster_box *box, vec3f point)
{
    vec3f offset = vec3f_sub(point, box->center);
    float inside[3];
    for (int i = 0; i < 3; i++)
        inside[i] = fmaxf(0, box->half[i] - fabsf(vec3f_dot(box->axes[i], offset)));
    // One of the three is zero on the face; the next is the distance to the nearest edge.
    float low = fminf(inside[0], inside[1]), high = fmaxf(inside[0], inside[1]);
    return fmaxf(low, fminf(high, inside[2]));
}

static void sample_sphere(const surfaces *all, surface_sample *s)
{
    const raster_sphere *sphere = &all->spheres.data[s->index];
    s->kind = SURFACE_GRAIN;
    s->color = all->scene->spheres[s->index].color;
    s->normal = vec3f_scale(vec3f_sub(s->point, sphere->center), 1 / sphere->radius);
}

static void sample_box(const surfaces *all, surface_sample *s)
{
    const raster_box *box = &all->boxes.data[s->index];
    s->kind = all->scene->boxes[s->index].wall ? SURFACE_WALL : SURFACE_GRAIN;
    s->color = all->scene->boxes[s->index].color;
    s->normal = box_normal(box, &s->ray);
    s->edge = box_edge(box, s->point);
    s->size = fminf(box->half[0], fminf(box->half[1], box->half[2]));
}

static void sample_solid(const surfaces *all, surface_sample *s)
{
    const raster_solid *solid = &all->solids.data[s->index];
    solid_hit hit = {.normal = vec3f_scale(s->ray.direction, -1), .edge = RASTER_NOTHING};
    solid_meet(solid, &s->ray, &hit);
    s->kind = solid->shape->wall ? SURFACE_WALL : SURFACE_GRAIN;
    s->color = solid->shape->color;
    s->normal = hit.normal;
    s->edge = hit.edge;
    s->size = fminf(solid->half[0], fminf(solid->half[1], solid->half[2]));
}

static void sample_triangle(const surfaces *all, surface_sample *s)
{
    const picture_triangle *triangle = &all->scene->triangles[s->index];
    float depth, weights[3] = {1, 0, 0};
    raster_hit_triangle(&all->triangles.data[s->index], &s->ray, &depth, weights);
    vec3f mean = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        mean = vec3f_add_scaled(mean, triangle->normals[i], weights[i]);
    s->kind = SURFACE_WALL;
    s->color = triangle->color;
    s->normal = vec3f_normalize(vec3f_from(raster_view_direction(&all->view, vec3_from_f(mean))));
    const vec3f *c = all->triangles.data[s->index].corners;
    s->flat = vec3f_normalize(vec3f_cross(vec3f_sub(c[1], c[0]), vec3f_sub(c[2], c[0])));
}

static void sample_plane(const surfaces *all, surface_sample *s)
{
    s->kind = SURFACE_PLANE;
    s->color = color_make(GROUND_COLOR);
    s->normal = all->planes.planes.data[s->index].normal;
}

surface_sample surface_at(const surfaces *all, size_t x, size_t y)
{
    size_t at = y * all->view.width + x, object = all->seen.object[at];
    surface_sample s = {.ray = raster_view_ray(&all->view, (float)x + 0.5f, (float)y + 0.5f), .edge = RASTER_NOTHING};
    if (object == 0)
        return s;
    s.point = raster_ray_at(&s.ray, all->seen.depth[at]);
    s.index = object - 1;
    const struct {
        size_t count;
        void (*sample)(const surfaces *all, surface_sample *s);
    } kinds[] = {{all->spheres.count, sample_sphere},
                 {all->boxes.count, sample_box},
                 {all->solids.count, sample_solid},
                 {all->triangles.count, sample_triangle},
                 {all->planes.planes.count, sample_plane}};
    int kind = 0;
    for (; s.index >= kinds[kind].count; kind++)
        s.index -= kinds[kind].count;
    kinds[kind].sample(all, &s);
    if (kinds[kind].sample != sample_triangle)
        s.flat = s.normal;
    return s;
}
