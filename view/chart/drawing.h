// Flat drawings for two kinds of paper: pixels on a canvas, or elements of an SVG file. Coordinates are in pixels from
// the upper left corner, y down, as on a canvas.
#ifndef VIEW_CHART_DRAWING_H
#define VIEW_CHART_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#include "view/canvas/canvas.h"
#include "view/canvas/text.h"

typedef struct drawing {
    canvas *sheet; // draws here, or else
    FILE *svg;     // writes here; errors are left for its owner to find
    color paint;   // of the strokes being drawn
    bool open;     // an SVG path is
    canvas_point last;
    double width;
} drawing;

drawing drawing_on_canvas(canvas *sheet);

// Begins an SVG document with a white ground; drawing_end ends it.
drawing drawing_in_svg(FILE *to, size_t width, size_t height);
void drawing_end(drawing *on);

void drawing_rectangle(drawing *on, double left, double top, double right, double bottom, color paint);

// Strokes with round ends between the two calls are painted once also where they overlap. A stroke that begins where
// the last one ended goes on from it; one from a point to itself is a dot.
void drawing_begin_strokes(drawing *on, color paint);
void drawing_stroke(drawing *on, canvas_point from, canvas_point to, double width);
void drawing_end_strokes(drawing *on);

// The same as text_draw and text_draw_upward.
void drawing_text(drawing *on, canvas_point at, const char *text, double size, text_align align, bool upward,
                  color paint);

#endif
