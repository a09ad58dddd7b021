// The passes of a picture, in order: check, span, camera, cast, light, shade row by row, blend walls, average the
// samples of each pixel, write legends.
#include "view/raster/picture.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/threads.h"
#include "view/chart/legend.h"
#include "view/raster/camera.h"
#include "view/raster/glass.h"
#include "view/raster/shade.h"
#include "view/raster/solid.h"
#include "view/raster/surface.h"
#include "view/world/extent.h"
#include "view/world/overlay.h"

// Two samples per pixel and axis, up to this many pixels; one beyond, to bound the memory.
static const size_t MOST_SUPERSAMPLED = (size_t)4096 * 4096;

// More than any machine has: such a wish is read as all of them.
enum { MOST_THREADS = 1024 };

picture picture_default(void)
{
    return (picture){.width = 1280,
                     .height = 720,
                     .camera = {.position = {3, -4, 2.5}, .up = {0, 0, 1}, .field_of_view = 0.6108652381980153}};
}

// ---------------------------------------------------------------------------------------------------------- checking

static bool numbers_suffice(const picture *scene)
{
    size_t counts[] = {scene->sphere_count, scene->box_count, scene->solid_count, scene->triangle_count,
                       scene->plane_count};
    size_t room = UINT32_MAX - 1;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] >= room)
            return false;
        room -= counts[i];
    }
    return true;
}

static bool solid_is_valid(const picture_solid *solid)
{
    vec3 half = solid_half_extents(solid);
    return vec3_finite(solid->center) && fabs(quat_length(solid->orientation) - 1) < 1e-3 && vec3_finite(half) &&
           half.x > 0 && half.y > 0 && half.z > 0 && (solid->type != PICTURE_HULL || solid->face_count >= 4);
}

static scree_status check_solids(const picture *scene, scree_error *error)
{
    for (size_t i = 0; i < scene->solid_count; i++)
        if (!solid_is_valid(&scene->solids[i]))
            return fail(
                error, SCREE_ERROR_INVALID,
                "solid %zu: a finite place, a unit orientation, sizes > 0 and at least four faces of a hull are "
                "accepted",
                i);
    for (size_t i = 0; i < scene->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (!vec3_finite(scene->triangles[i].corners[k]))
                return fail(error, SCREE_ERROR_INVALID, "triangle %zu: finite corners are accepted", i);
    return SCREE_OK;
}

static scree_status check_lines(const picture *scene, scree_error *error)
{
    for (size_t i = 0; i < scene->line_count; i++) {
        const picture_line *l = &scene->lines[i];
        if (!vec3_finite(l->ends[0]) || !vec3_finite(l->ends[1]) || !(l->width >= 0) || !isfinite(l->width) ||
            !(l->through >= 0 && l->through <= 1))
            return fail(error, SCREE_ERROR_INVALID,
                        "line %zu: finite ends, a width of at least 0 and a share from 0 to 1 that shows through are "
                        "accepted",
                        i);
    }
    return SCREE_OK;
}

static scree_status check_objects(const picture *scene, scree_error *error)
{
    for (size_t i = 0; i < scene->sphere_count; i++) {
        const picture_sphere *s = &scene->spheres[i];
        if (!vec3_finite(s->center) || !(s->radius > 0) || !isfinite(s->radius))
            return fail(error, SCREE_ERROR_INVALID, "sphere %zu: a finite place and a radius > 0 are accepted", i);
    }
    for (size_t i = 0; i < scene->box_count; i++) {
        const picture_box *b = &scene->boxes[i];
        bool sized = b->half.x > 0 && b->half.y > 0 && b->half.z > 0 && vec3_finite(b->half);
        if (!vec3_finite(b->center) || !sized || !(fabs(quat_length(b->orientation) - 1) < 1e-3))
            return fail(error, SCREE_ERROR_INVALID,
                        "box %zu: a finite place, a unit orientation and half lengths > 0 are accepted", i);
    }
    for (size_t i = 0; i < scene->plane_count; i++) {
        const picture_plane *p = &scene->planes[i];
        if (!(fabs(vec3_length(p->normal) - 1) < 1e-3) || !isfinite(p->offset))
            return fail(error, SCREE_ERROR_INVALID, "plane %zu: a unit normal and a finite offset are accepted", i);
    }
    scree_status status = check_solids(scene, error);
    return status == SCREE_OK ? check_lines(scene, error) : status;
}

scree_status picture_check(const picture *scene, scree_error *error)
{
    const picture_camera *c = &scene->camera;
    vec3 forward = vec3_sub(c->look_at, c->position);
    if (scene->width < 64 || scene->height < 64 || scene->width > CANVAS_MAX_SIDE || scene->height > CANVAS_MAX_SIDE)
        return fail(error, SCREE_ERROR_INVALID, "a picture of %zu x %zu pixels: sides from 64 to %d are accepted",
                    scene->width, scene->height, CANVAS_MAX_SIDE);
    if (!vec3_finite(c->position) || !vec3_finite(c->look_at) || !vec3_finite(c->up) || !(vec3_length(forward) > 0) ||
        !(vec3_length(c->up) > 0))
        return fail(error, SCREE_ERROR_INVALID,
                    "the camera must know its up direction and stand apart from the point that it looks at");
    if (!(c->field_of_view > 0 && c->field_of_view < 3.14))
        return fail(error, SCREE_ERROR_INVALID, "a field of view of %g: between 0 and 3.14 radians is accepted",
                    c->field_of_view);
    if (scene->scale_title && !(isfinite(scene->scale_low) && isfinite(scene->scale_high)))
        return fail(error, SCREE_ERROR_INVALID, "the ends of the colour scale must be finite");
    if (scene->threads < 0)
        return fail(error, SCREE_ERROR_INVALID, "%d threads: 0 (all) or more are accepted", scene->threads);
    if (!numbers_suffice(scene))
        return fail(error, SCREE_ERROR_INVALID, "at most %lu objects are accepted", (unsigned long)UINT32_MAX);
    return check_objects(scene, error);
}

// ----------------------------------------------------------------------------------------------------------- drawing

// The mean of each pixel's samples, in linear light.
static void average_row(const vec3f *samples, size_t per_pixel, size_t width, color *pixels)
{
    float share = 1 / (float)(per_pixel * per_pixel);
    for (size_t x = 0; x < width; x++) {
        vec3f sum = {0, 0, 0};
        for (size_t v = 0; v < per_pixel; v++)
            for (size_t u = 0; u < per_pixel; u++)
                sum = vec3f_add_scaled(sum, samples[v * width * per_pixel + x * per_pixel + u], share);
        pixels[x] = (color){color_from_linear(sum.x), color_from_linear(sum.y), color_from_linear(sum.z), 255};
    }
}

static scree_status draw_rows(const shade *shading, const glass *panes, size_t per_pixel, int threads, canvas *sheet,
                              scree_error *error)
{
    const surfaces *all = shading->all;
    size_t row_size = all->view.width * per_pixel;
    vec3f *samples = malloc((size_t)threads * row_size * sizeof *samples);
    if (!samples)
        return fail_no_memory(error);
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (size_t y = 0; y < sheet->height; y++) {
        vec3f *own = samples + (size_t)thread_index() * row_size;
        for (size_t v = 0; v < per_pixel; v++) {
            shade_row(shading, y * per_pixel + v, own + v * all->view.width);
            glass_blend_row(panes, all, y * per_pixel + v, own + v * all->view.width);
        }
        average_row(own, per_pixel, sheet->width, sheet->pixels + y * sheet->width);
    }
    free(samples);
    return SCREE_OK;
}

static scree_status draw_scene(const picture *scene, canvas *sheet, scree_error *error)
{
    int threads = scene->threads > 0 && scene->threads < MOST_THREADS ? scene->threads : threads_available();
    size_t per_pixel = scene->width * scene->height <= MOST_SUPERSAMPLED ? 2 : 1;
    raster_view view = camera_view(scene, per_pixel);
    extent span;
    surfaces all = {0};
    shade shading = {0};
    glass panes = {0};
    if (!extent_find(&span, scene))
        return fail_no_memory(error);
    scree_status status = surfaces_make(&all, scene, &view, &span, threads, error);
    if (status == SCREE_OK)
        status = shade_make(&shading, &all, (float)per_pixel, threads, error);
    if (status == SCREE_OK && !glass_make(&panes, &all, 1.1f * (float)per_pixel))
        status = fail_no_memory(error);
    if (status == SCREE_OK)
        status = draw_rows(&shading, &panes, per_pixel, threads, sheet, error);
    if (status == SCREE_OK)
        overlay_draw(scene, &all.seen, per_pixel, sheet);
    glass_free(&panes);
    shade_free(&shading);
    surfaces_free(&all);
    return status;
}

scree_status picture_draw(const picture *scene, canvas *sheet, scree_error *error)
{
    *sheet = (canvas){0};
    scree_status status = picture_check(scene, error);
    if (status == SCREE_OK)
        status = canvas_make(sheet, scene->width, scene->height, color_make(0xffffff), error);
    if (status == SCREE_OK)
        status = draw_scene(scene, sheet, error);
    if (status == SCREE_OK)
        legend_draw(scene, sheet);
    else
        canvas_free(sheet);
    return status;
}

scree_status picture_save(const picture *scene, const char *path, scree_error *error)
{
    canvas sheet;
    scree_status status = picture_draw(scene, &sheet, error);
    if (status == SCREE_OK)
        status = canvas_save(&sheet, path, error);
    canvas_free(&sheet);
    return status;
}
