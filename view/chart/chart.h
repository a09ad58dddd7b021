// Line charts: plain arrays in, a PNG or SVG file out.
//
//     chart c = chart_default();
//     chart_series series = {.name = "discharged", .x = time, .y = mass, .count = rows};
//     c.title = "Silo", c.x_label = "time [s]", c.y_label = "mass [kg]", c.series = &series, c.series_count = 1;
//     chart_save(&c, "flow.png", &error);
#ifndef VIEW_CHART_CHART_H
#define VIEW_CHART_CHART_H

#include <stdbool.h>

#include "scree/status.h"
#include "view/canvas/canvas.h"
#include "view/chart/axis.h"

typedef struct chart_series {
    const char *name;    // for the legend, which is drawn for two series or more, or where y_label is missing
    const double *x, *y; // a pair that is not finite (or not positive on a logarithmic axis) leaves a gap
    size_t count;
    color color; // alpha 0: the next colour of color_of_kind
} chart_series;

// The caller keeps the arrays and strings; labels may be NULL.
typedef struct chart {
    size_t width, height; // in pixels, 64 to 8192
    double scale;         // of text and lines: 1 for a screen, 2 for print, in [0.25, 16]
    const char *title, *x_label, *y_label;
    const chart_series *series;
    size_t series_count;
    bool from_zero;     // the vertical axis starts at zero when no value is below
    bool logarithmic_y; // powers of ten on the vertical axis
} chart;

// 960 x 600 pixels, scale 1, linear axes, nothing in it.
chart chart_default(void);

// Draws the chart into a PNG file, or an SVG file where the path ends in .svg.
scree_status chart_save(const chart *c, const char *path, scree_error *error);

// Several charts below each other in one picture, as wide as the widest: for quantities of different units.
scree_status chart_save_stacked(const chart *charts, size_t count, const char *path, scree_error *error);

// The frame of the axes in pixels and what it spans: where a value is drawn.
typedef struct chart_layout {
    double left, top, right, bottom;
    value_axis x, y;
} chart_layout;

chart_layout chart_lay_out(const chart *c);
canvas_point chart_place(const chart_layout *layout, double x, double y);

// Draws with the upper left corner at (left, top) of a canvas.
void chart_draw(const chart *c, canvas *sheet, double left, double top);

#endif
