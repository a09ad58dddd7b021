// Text on a canvas, in a stroke font of our own: all printable ASCII; any other character is drawn as a small box.
#ifndef VIEW_CANVAS_TEXT_H
#define VIEW_CANVAS_TEXT_H

#include "view/canvas/canvas.h"

typedef enum text_align { TEXT_LEFT, TEXT_CENTER, TEXT_RIGHT } text_align;

// `size` is the height of a capital letter in pixels; from 7 on it is legible. Lines stand about 1.8 sizes apart.
double text_width(const char *text, double size);

// `at` is on the baseline, at the left end, middle or right end of the text by `align`.
void text_draw(canvas *sheet, canvas_point at, const char *text, double size, text_align align, color paint);

// Turned by a quarter to read upwards: for the label of a vertical axis.
void text_draw_upward(canvas *sheet, canvas_point at, const char *text, double size, text_align align, color paint);

#endif
