// A picture in memory: 8-bit RGBA pixels, anti-aliased drawing on them, PNG files.
//
// Coordinates are in pixels from the upper left corner, y down; pixel (i, j) covers [i, i+1) x [j, j+1), so that its
// centre is (i + 0.5, j + 0.5). Drawing outside is cut off; coordinates that are not finite draw nothing.
#ifndef VIEW_CANVAS_CANVAS_H
#define VIEW_CANVAS_CANVAS_H

#include <stddef.h>
#include <stdint.h>

#include "scree/status.h"
#include "view/canvas/color.h"

enum { CANVAS_MAX_SIDE = 8192 };

typedef struct canvas_point {
    double x, y;
} canvas_point;

typedef struct canvas {
    size_t width, height;
    color *pixels; // row by row from the top

    // Private: coverage of the strokes being drawn, so that a line that crosses itself is blended once.
    uint8_t *coverage;
    float *row;             // signed area of a polygon along one row
    long clip[4], dirty[4]; // left, top, right, bottom
} canvas;

// All pixels `background`. Sides from 1 to CANVAS_MAX_SIDE. On failure the canvas is empty.
scree_status canvas_make(canvas *sheet, size_t width, size_t height, color background, scree_error *error);
void canvas_free(canvas *sheet);

color canvas_get(const canvas *sheet, size_t x, size_t y);

// Puts `paint` over one pixel with its alpha times `coverage` in [0, 1].
void canvas_blend(canvas *sheet, long x, long y, color paint, double coverage);

// Restricts drawing to whole pixels [left, right) x [top, bottom) until canvas_unclip.
void canvas_clip(canvas *sheet, double left, double top, double right, double bottom);
void canvas_unclip(canvas *sheet);

// Edges between pixels are anti-aliased.
void canvas_rectangle(canvas *sheet, double left, double top, double right, double bottom, color paint);

// A simple polygon (not crossing itself), either way round, closed by itself.
void canvas_polygon(canvas *sheet, const canvas_point *points, size_t count, color paint);

// A line with round ends; `width` in pixels, > 0.
void canvas_line(canvas *sheet, canvas_point from, canvas_point to, double width, color paint);

// Joined lines, blended once also where they overlap. A point that is not finite leaves a gap.
void canvas_polyline(canvas *sheet, const canvas_point *points, size_t count, double width, color paint);

// The parts of canvas_polyline: any number of strokes, then one paint for all of them.
void canvas_stroke(canvas *sheet, canvas_point from, canvas_point to, double width);
void canvas_paint_strokes(canvas *sheet, color paint);

// Writes to a temporary name beside `path`, flushes it to the disk and renames. SCREE_ERROR_IO when that fails: an
// older file at `path` then stays as it was.
scree_status canvas_save(const canvas *sheet, const char *path, scree_error *error);

// Reads any PNG file as 8-bit RGBA.
scree_status canvas_load(canvas *sheet, const char *path, scree_error *error);

#endif
