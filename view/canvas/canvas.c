// Drawing by coverage: how much of each pixel a shape covers becomes the weight with which its paint is blended.
// Strokes are gathered as the largest coverage per pixel before any paint, so that joints and crossings stay even.
#include "view/canvas/canvas.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/file.h"

enum { LEFT, TOP, RIGHT, BOTTOM };

// Pixels beyond this are as good as infinity, and their squares still fit a double exactly enough.
static const double FARTHEST = 1e9;

static bool point_is_sane(canvas_point p)
{
    return fabs(p.x) <= FARTHEST && fabs(p.y) <= FARTHEST;
}

static long clamp_to_long(double value, long low, long high)
{
    return value <= (double)low ? low : value >= (double)high ? high : (long)value;
}

static void dirty_clear(canvas *sheet)
{
    sheet->dirty[LEFT] = sheet->dirty[TOP] = CANVAS_MAX_SIDE;
    sheet->dirty[RIGHT] = sheet->dirty[BOTTOM] = 0;
}

scree_status canvas_make(canvas *sheet, size_t width, size_t height, color background, scree_error *error)
{
    *sheet = (canvas){0};
    if (width < 1 || height < 1 || width > CANVAS_MAX_SIDE || height > CANVAS_MAX_SIDE)
        return fail(error, SCREE_ERROR_INVALID, "a picture of %zu x %zu pixels: sides from 1 to %d are accepted", width,
                    height, CANVAS_MAX_SIDE);
    sheet->pixels = malloc(width * height * sizeof *sheet->pixels);
    sheet->coverage = calloc(width * height, sizeof *sheet->coverage);
    sheet->row = malloc((width + 2) * sizeof *sheet->row);
    if (!sheet->pixels || !sheet->coverage || !sheet->row) {
        canvas_free(sheet);
        return fail_no_memory(error);
    }
    sheet->width = width;
    sheet->height = height;
    for (size_t i = 0; i < width * height; i++)
        sheet->pixels[i] = background;
    canvas_unclip(sheet);
    dirty_clear(sheet);
    return SCREE_OK;
}

void canvas_free(canvas *sheet)
{
    free(sheet->pixels);
    free(sheet->coverage);
    free(sheet->row);
    *sheet = (canvas){0};
}

color canvas_get(const canvas *sheet, size_t x, size_t y)
{
    return sheet->pixels[y * sheet->width + x];
}

void canvas_blend(canvas *sheet, long x, long y, color paint, double coverage)
{
    const long *clip = sheet->clip;
    if (x < clip[LEFT] || x >= clip[RIGHT] || y < clip[TOP] || y >= clip[BOTTOM])
        return;
    color *pixel = &sheet->pixels[(size_t)y * sheet->width + (size_t)x];
    double over = paint.a / 255.0 * coverage, under = pixel->a / 255.0 * (1 - over), sum = over + under;
    if (!(over > 0))
        return;
    pixel->r = (uint8_t)((over * paint.r + under * pixel->r) / sum + 0.5);
    pixel->g = (uint8_t)((over * paint.g + under * pixel->g) / sum + 0.5);
    pixel->b = (uint8_t)((over * paint.b + under * pixel->b) / sum + 0.5);
    pixel->a = (uint8_t)(255 * sum + 0.5);
}

void canvas_clip(canvas *sheet, double left, double top, double right, double bottom)
{
    sheet->clip[LEFT] = clamp_to_long(left, 0, (long)sheet->width);
    sheet->clip[TOP] = clamp_to_long(top, 0, (long)sheet->height);
    sheet->clip[RIGHT] = clamp_to_long(right, 0, (long)sheet->width);
    sheet->clip[BOTTOM] = clamp_to_long(bottom, 0, (long)sheet->height);
}

void canvas_unclip(canvas *sheet)
{
    canvas_clip(sheet, 0, 0, (double)sheet->width, (double)sheet->height);
}

// Length of [low, high] inside pixel i.
static double overlap(double low, double high, long i)
{
    return fmax(0, fmin(high, (double)i + 1) - fmax(low, (double)i));
}

void canvas_rectangle(canvas *sheet, double left, double top, double right, double bottom, color paint)
{
    if (!(left < right) || !(top < bottom))
        return;
    const long *clip = sheet->clip;
    long x0 = clamp_to_long(floor(left), clip[LEFT], clip[RIGHT]);
    long x1 = clamp_to_long(ceil(right), clip[LEFT], clip[RIGHT]);
    long y0 = clamp_to_long(floor(top), clip[TOP], clip[BOTTOM]);
    long y1 = clamp_to_long(ceil(bottom), clip[TOP], clip[BOTTOM]);
    for (long y = y0; y < y1; y++)
        for (long x = x0; x < x1; x++)
            canvas_blend(sheet, x, y, paint, overlap(left, right, x) * overlap(top, bottom, y));
}

// Adds to the row the signed area to the right of an edge along one line of height `weight` at level y. The row holds
// differences; its running sum is the area.
static void cut_row(canvas *sheet, canvas_point from, canvas_point to, double y, float weight)
{
    if ((from.y <= y) == (to.y <= y))
        return;
    double x = from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y);
    float area = from.y <= y ? weight : -weight;
    if (x >= (double)sheet->clip[RIGHT])
        return;
    x = fmax(x, (double)sheet->clip[LEFT]);
    size_t i = (size_t)x;
    float fraction = (float)(x - (double)i);
    sheet->row[i] += area * (1 - fraction);
    sheet->row[i + 1] += area * fraction;
}

void canvas_polygon(canvas *sheet, const canvas_point *points, size_t count, color paint)
{
    enum { LINES = 8 }; // per row of pixels
    double top = HUGE_VAL, bottom = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        if (!point_is_sane(points[i]))
            return;
        top = fmin(top, points[i].y);
        bottom = fmax(bottom, points[i].y);
    }
    long y0 = clamp_to_long(floor(top), sheet->clip[TOP], sheet->clip[BOTTOM]);
    long y1 = clamp_to_long(ceil(bottom), sheet->clip[TOP], sheet->clip[BOTTOM]);
    for (long y = y0; y < y1; y++) {
        memset(sheet->row, 0, (sheet->width + 2) * sizeof *sheet->row);
        for (int line = 0; line < LINES; line++)
            for (size_t i = 0; i < count; i++)
                cut_row(sheet, points[i], points[(i + 1) % count], (double)y + (line + 0.5) / LINES, 1.0f / LINES);
        float area = 0;
        for (long x = sheet->clip[LEFT]; x < sheet->clip[RIGHT]; x++) {
            area += sheet->row[x];
            canvas_blend(sheet, x, y, paint, fmin((double)fabsf(area), 1));
        }
    }
}

void canvas_line(canvas *sheet, canvas_point from, canvas_point to, double width, color paint)
{
    canvas_stroke(sheet, from, to, width);
    canvas_paint_strokes(sheet, paint);
}

void canvas_polyline(canvas *sheet, const canvas_point *points, size_t count, double width, color paint)
{
    for (size_t i = 0; i + 1 < count; i++)
        canvas_stroke(sheet, points[i], points[i + 1], width);
    canvas_paint_strokes(sheet, paint);
}

// The part of a segment with low <= value <= high along one axis, as a range of its parameter.
static bool cut_segment(double start, double step, double low, double high, double *first, double *last)
{
    if (fabs(step) < 1e-12)
        return start >= low && start <= high;
    double a = (low - start) / step, b = (high - start) / step;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
    return *first <= *last;
}

static double distance_to_segment(canvas_point p, canvas_point from, double dx, double dy, double length2)
{
    double px = p.x - from.x, py = p.y - from.y;
    double t = length2 > 0 ? fmin(fmax((px * dx + py * dy) / length2, 0), 1) : 0;
    return hypot(px - t * dx, py - t * dy);
}

static void stroke_row(canvas *sheet, canvas_point from, canvas_point to, double width, long y)
{
    double reach = 0.5 * fmax(width, 1) + 0.5, strength = 255 * fmin(width, 1);
    double dx = to.x - from.x, dy = to.y - from.y, middle = (double)y + 0.5;
    double first = 0, last = 1;
    if (!cut_segment(from.y, dy, middle - reach, middle + reach, &first, &last))
        return;
    double xa = from.x + first * dx, xb = from.x + last * dx;
    long x0 = clamp_to_long(floor(fmin(xa, xb) - reach), sheet->clip[LEFT], sheet->clip[RIGHT]);
    long x1 = clamp_to_long(ceil(fmax(xa, xb) + reach), sheet->clip[LEFT], sheet->clip[RIGHT]);
    uint8_t *row = sheet->coverage + (size_t)y * sheet->width;
    for (long x = x0; x < x1; x++) {
        canvas_point p = {(double)x + 0.5, middle};
        double cover = reach - distance_to_segment(p, from, dx, dy, dx * dx + dy * dy);
        uint8_t value = (uint8_t)(strength * fmin(fmax(cover, 0), 1) + 0.5);
        if (value > row[x])
            row[x] = value;
    }
    if (x0 < x1) {
        sheet->dirty[LEFT] = x0 < sheet->dirty[LEFT] ? x0 : sheet->dirty[LEFT];
        sheet->dirty[RIGHT] = x1 > sheet->dirty[RIGHT] ? x1 : sheet->dirty[RIGHT];
        sheet->dirty[TOP] = y < sheet->dirty[TOP] ? y : sheet->dirty[TOP];
        sheet->dirty[BOTTOM] = y + 1 > sheet->dirty[BOTTOM] ? y + 1 : sheet->dirty[BOTTOM];
    }
}

void canvas_stroke(canvas *sheet, canvas_point from, canvas_point to, double width)
{
    if (!point_is_sane(from) || !point_is_sane(to) || !(width > 0) || !(width <= FARTHEST))
        return;
    double reach = 0.5 * fmax(width, 1) + 0.5;
    long y0 = clamp_to_long(floor(fmin(from.y, to.y) - reach), sheet->clip[TOP], sheet->clip[BOTTOM]);
    long y1 = clamp_to_long(ceil(fmax(from.y, to.y) + reach), sheet->clip[TOP], sheet->clip[BOTTOM]);
    for (long y = y0; y < y1; y++)
        stroke_row(sheet, from, to, width, y);
}

void canvas_paint_strokes(canvas *sheet, color paint)
{
    for (long y = sheet->dirty[TOP]; y < sheet->dirty[BOTTOM]; y++) {
        uint8_t *row = sheet->coverage + (size_t)y * sheet->width;
        for (long x = sheet->dirty[LEFT]; x < sheet->dirty[RIGHT]; x++)
            if (row[x]) {
                canvas_blend(sheet, x, y, paint, row[x] / 255.0);
                row[x] = 0;
            }
    }
    dirty_clear(sheet);
}

scree_status canvas_save(const canvas *sheet, const char *path, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status != SCREE_OK)
        return status;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)sheet->width,
                       .height = (png_uint_32)sheet->height,
                       .format = PNG_FORMAT_RGBA};
    if (png_image_write_to_stdio(&image, draft.stream, 0, sheet->pixels, 0, NULL))
        return draft_commit(&draft, error);
    draft_discard(&draft);
    return fail(error, SCREE_ERROR_IO, "cannot write %s: %s", path, image.message);
}

scree_status canvas_load(canvas *sheet, const char *path, scree_error *error)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *sheet = (canvas){0};
    if (!png_image_begin_read_from_file(&image, path))
        return fail(error, SCREE_ERROR_IO, "cannot read %s: %s", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    scree_status status = canvas_make(sheet, image.width, image.height, (color){0}, error);
    if (status == SCREE_OK && !png_image_finish_read(&image, NULL, sheet->pixels, 0, NULL)) {
        status = fail(error, SCREE_ERROR_IO, "cannot read %s: %s", path, image.message);
        canvas_free(sheet);
    }
    png_image_free(&image);
    return status;
}
