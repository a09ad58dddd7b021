// A ray meets each plane in closed form; what is drawn of a plane is decided at the point where it is met.
#include "view/raster/ground.h"

#include "view/chart/axis.h"

static ground_plane make_plane(const picture_plane *given, const raster_view *view, vec3 up, vec3 center, double radius,
                               double grid)
{
    vec3 n = given->normal;
    vec3 middle = vec3_add_scaled(center, n, given->offset - vec3_dot(n, center));
    vec3 along = vec3_square_to(n), across = vec3_cross(n, along);
    double away = fabs(vec3_dot(n, center) - given->offset);
    ground_plane plane = {
        .normal = vec3f_from(raster_view_direction(view, n)),
        .offset = (float)(given->offset - vec3_dot(n, view->origin)),
        .seen = vec3_dot(n, view->origin) > given->offset,
        .level = vec3_dot(n, up) > 0.5,
        .middle = vec3f_from(raster_view_point(view, middle)),
        .along = vec3f_from(raster_view_direction(view, along)),
        .across = vec3f_from(raster_view_direction(view, across)),
        // Lines go through whole multiples of the spacing in the world, whatever the middle is.
        .phase_along = (float)fmod(vec3_dot(along, middle), grid),
        .phase_across = (float)fmod(vec3_dot(across, middle), grid),
    };
    double size = fmax(radius, 0.5 * away);
    plane.fade_start = (float)((plane.level ? 1.0 : 0.9) * size);
    plane.fade_end = (float)((plane.level ? 3.2 : 1.6) * size);
    return plane;
}

bool ground_make(ground *planes, const picture *scene, const raster_view *view, vec3 up, vec3 center, double radius)
{
    *planes = (ground){.slack = (float)(1e-4 * radius)};
    if (!array_resize(&planes->planes, scene->plane_count))
        return false;
    double grid = axis_round_up(radius / 3);
    planes->grid = (float)grid;
    for (size_t i = 0; i < scene->plane_count; i++) {
        planes->planes.data[i] = make_plane(&scene->planes[i], view, up, center, radius, grid);
        planes->planes.data[i].lined = planes->planes.data[i].level && !scene->without_grid;
    }
    return true;
}

void ground_free(ground *planes)
{
    array_free(&planes->planes);
}

// Depth at which a ray meets plane i where it is drawn; RASTER_NOTHING where it does not.
static float meet(const ground *planes, size_t i, const raster_ray *ray)
{
    const ground_plane *plane = &planes->planes.data[i];
    float speed = vec3f_dot(plane->normal, ray->direction);
    if (!plane->seen || speed > -1e-6f)
        return RASTER_NOTHING;
    float depth = (plane->offset - vec3f_dot(plane->normal, ray->origin)) / speed;
    vec3f point = raster_ray_at(ray, depth);
    for (size_t j = 0; j < planes->planes.count; j++) {
        const ground_plane *other = &planes->planes.data[j];
        if (j != i && vec3f_dot(other->normal, point) < other->offset - planes->slack)
            return RASTER_NOTHING;
    }
    return ground_presence(planes, i, point) > 0 ? depth : RASTER_NOTHING;
}

void ground_cast(const ground *planes, const raster_view *view, uint32_t first, int threads, raster *out)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (size_t y = 0; y < view->height; y++)
        for (size_t x = 0; x < view->width; x++) {
            raster_ray ray = raster_view_ray(view, (float)x + 0.5f, (float)y + 0.5f);
            size_t sample = y * view->width + x;
            for (size_t i = 0; i < planes->planes.count; i++) {
                float depth = meet(planes, i, &ray);
                if (depth > view->nearest && depth < out->depth[sample]) {
                    out->depth[sample] = depth;
                    out->object[sample] = first + (uint32_t)i;
                }
            }
        }
}

float ground_presence(const ground *planes, size_t i, vec3f point)
{
    const ground_plane *plane = &planes->planes.data[i];
    vec3f away = vec3f_sub(point, plane->middle);
    float t = (plane->fade_end - sqrtf(vec3f_dot(away, away))) / (plane->fade_end - plane->fade_start);
    t = clamp_unit(t);
    return t * t * (3 - 2 * t);
}

// Coverage of a line at whole multiples of the spacing.
static float line_cover(float place, float spacing, float footprint)
{
    float off = fabsf(place - spacing * roundf(place / spacing));
    return clamp_unit(1.2f - off / footprint);
}

float ground_line(const ground *planes, size_t i, vec3f point, float footprint)
{
    const ground_plane *plane = &planes->planes.data[i];
    if (!plane->lined)
        return 0;
    vec3f away = vec3f_sub(point, plane->middle);
    float a = line_cover(vec3f_dot(away, plane->along) + plane->phase_along, planes->grid, footprint);
    float b = line_cover(vec3f_dot(away, plane->across) + plane->phase_across, planes->grid, footprint);
    // Far away, where lines would run together, they vanish.
    float apart = clamp_unit(1.5f - 8 * footprint / planes->grid);
    return fmaxf(a, b) * apart;
}
