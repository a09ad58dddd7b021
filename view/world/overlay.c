// A line is a strip of pixels about its projection, with round ends; one over depth runs evenly along it.
#include "view/world/overlay.h"

#include "view/raster/camera.h"

typedef struct seen_line {
    double x, y, run_x, run_y; // from, and to where from there, in pixels
    double nearness[2];        // at the ends: one over depth
    double widths[2];          // at the ends, in pixels
} seen_line;

// False when it is not before the camera.
static bool project(const raster_view *view, const picture_line *line, seen_line *out)
{
    vec3 ends[2] = {raster_view_point(view, line->ends[0]), raster_view_point(view, line->ends[1])};
    double nearest = (double)view->nearest, x[2], y[2];
    if (ends[0].z < nearest && ends[1].z < nearest)
        return false;
    for (int i = 0; i < 2; i++)
        if (ends[i].z < nearest) {
            vec3 other = ends[1 - i];
            double t = (nearest - other.z) / (ends[i].z - other.z);
            ends[i] = vec3_add_scaled(other, vec3_sub(ends[i], other), t);
        }
    for (int i = 0; i < 2; i++) {
        out->nearness[i] = 1 / ends[i].z;
        out->widths[i] = fmax(line->width * out->nearness[i] / (double)view->step, OVERLAY_FINEST);
        x[i] = (ends[i].x * out->nearness[i] - (double)view->left) / (double)view->step;
        y[i] = (ends[i].y * out->nearness[i] - (double)view->top) / (double)view->step;
    }
    out->x = x[0];
    out->y = y[0];
    out->run_x = x[1] - x[0];
    out->run_y = y[1] - y[0];
    return true;
}

// The share of a pixel's samples that lie behind the given depth.
static double share_seen(const raster *seen, size_t per_pixel, size_t width, size_t x, size_t y, double depth)
{
    size_t count = 0;
    for (size_t v = 0; v < per_pixel; v++)
        for (size_t u = 0; u < per_pixel; u++)
            count += (double)seen->depth[(y * per_pixel + v) * width * per_pixel + x * per_pixel + u] > 0.998 * depth;
    return (double)count / (double)(per_pixel * per_pixel);
}

static double clamp_to(double value, size_t count)
{
    return fmin(fmax(value, 0), (double)count);
}

static void draw_row(const seen_line *l, const picture_line *line, const raster *seen, size_t per_pixel, size_t y,
                     double reach, canvas *sheet)
{
    double from_y = (double)y + 0.5 - l->y, length2 = fmax(l->run_x * l->run_x + l->run_y * l->run_y, 1e-12);
    double first = 0, last = 1;
    if (fabs(l->run_y) > 1e-9) {
        double a = (from_y - reach) / l->run_y, b = (from_y + reach) / l->run_y;
        first = fmax(0, fmin(a, b));
        last = fmin(1, fmax(a, b));
    }
    double xa = l->x + first * l->run_x, xb = l->x + last * l->run_x;
    size_t left = (size_t)clamp_to(floor(fmin(xa, xb) - reach), sheet->width);
    size_t right = (size_t)clamp_to(ceil(fmax(xa, xb) + reach), sheet->width);
    for (size_t x = left; x < right; x++) {
        double from_x = (double)x + 0.5 - l->x;
        double t = fmin(fmax((from_x * l->run_x + from_y * l->run_y) / length2, 0), 1);
        double width = l->widths[0] + t * (l->widths[1] - l->widths[0]);
        double cover = 0.5 * width + 0.5 - hypot(from_x - t * l->run_x, from_y - t * l->run_y);
        if (!(cover > 0))
            continue;
        double depth = 1 / (l->nearness[0] + t * (l->nearness[1] - l->nearness[0]));
        double open = share_seen(seen, per_pixel, sheet->width, x, y, depth), through = (double)line->through;
        canvas_blend(sheet, (long)x, (long)y, line->color, fmin(cover, 1) * (through + (1 - through) * open));
    }
}

void overlay_draw(const picture *scene, const raster *seen, size_t per_pixel, canvas *sheet)
{
    raster_view view = camera_view(scene, 1);
    for (size_t i = 0; i < scene->line_count; i++) {
        seen_line l;
        if (!project(&view, &scene->lines[i], &l))
            continue;
        double reach = 0.5 * fmax(l.widths[0], l.widths[1]) + 1;
        size_t top = (size_t)clamp_to(floor(fmin(l.y, l.y + l.run_y) - reach), sheet->height);
        size_t bottom = (size_t)clamp_to(ceil(fmax(l.y, l.y + l.run_y) + reach), sheet->height);
        for (size_t y = top; y < bottom; y++)
            draw_row(&l, &scene->lines[i], seen, per_pixel, y, reach, sheet);
    }
}
