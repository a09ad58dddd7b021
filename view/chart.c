// A chart is laid out from the outside in: title, legend and labels take their room, the frame gets the rest.
#include "view/chart.h"

#include <math.h>

#include "base/error.h"
#include "view/text.h"

static const unsigned INK = 0x2b2f36, FAINT = 0xe3e6ea, FRAME = 0x8c939c;

chart chart_default(void)
{
    return (chart){.width = 960, .height = 600, .scale = 1};
}

// --------------------------------------------------------------------------------------------------------- laying out

static double tick_size(const chart *c)
{
    return 9 * c->scale;
}

static bool has_legend(const chart *c)
{
    size_t named = 0;
    for (size_t i = 0; i < c->series_count; i++)
        named += c->series[i].name != NULL;
    return named > 0 && (c->series_count > 1 || !c->y_label);
}

typedef struct legend_entry {
    double left, baseline; // of the entry's line sample
} legend_entry;

static double entry_width(const chart *c, size_t i)
{
    return 28 * c->scale + text_width(c->series[i].name, tick_size(c)) + 18 * c->scale;
}

// Where entry i of the legend stands when rows begin at `left`; for i past the last, where the next row would begin.
static legend_entry place_entry(const chart *c, size_t i, double left, double top)
{
    double row = 18 * c->scale, right = (double)c->width - 20 * c->scale;
    legend_entry at = {left, top + 14 * c->scale};
    for (size_t k = 0; k < c->series_count; k++) {
        if (!c->series[k].name)
            continue;
        double width = entry_width(c, k);
        if (at.left > left && at.left + width > right) {
            at.left = left;
            at.baseline += row;
        }
        if (k == i)
            return at;
        at.left += width;
    }
    at.baseline += row;
    return at;
}

static double title_height(const chart *c)
{
    return c->title ? 38 * c->scale : 16 * c->scale;
}

static bool is_drawn(const chart *c, double x, double y)
{
    return isfinite(x) && isfinite(y) && (!c->logarithmic_y || y > 0);
}

static void find_ranges(const chart *c, value_axis *x, value_axis *y)
{
    double low_x = HUGE_VAL, high_x = -HUGE_VAL, low_y = HUGE_VAL, high_y = -HUGE_VAL;
    for (size_t s = 0; s < c->series_count; s++)
        for (size_t i = 0; i < c->series[s].count; i++) {
            double px = c->series[s].x[i], py = c->series[s].y[i];
            if (!is_drawn(c, px, py))
                continue;
            low_x = fmin(low_x, px);
            high_x = fmax(high_x, px);
            low_y = fmin(low_y, py);
            high_y = fmax(high_y, py);
        }
    if (c->from_zero && low_y > 0)
        low_y = 0;
    double rows = (double)c->height / (85 * c->scale), columns = (double)c->width / (120 * c->scale);
    *x = axis_make(low_x, high_x, (size_t)fmax(2, columns));
    *y = c->logarithmic_y ? axis_make_logarithmic(low_y, high_y)
                          : axis_make_rounded(low_y, high_y, (size_t)fmax(2, rows));
}

static chart_layout lay_out(const chart *c, double least_left)
{
    chart_layout layout = {0};
    find_ranges(c, &layout.x, &layout.y);
    double labels = 0;
    for (size_t i = 0; i < layout.y.tick_count; i++)
        labels = fmax(labels, text_width(layout.y.labels[i], tick_size(c)));
    double outer = (c->y_label ? 40 : 18) * c->scale;
    layout.left = round(fmax(outer + labels + 10 * c->scale, least_left));
    layout.right = round((double)c->width - 26 * c->scale);
    layout.top = title_height(c);
    if (has_legend(c))
        layout.top = place_entry(c, c->series_count, layout.left, layout.top).baseline - 6 * c->scale;
    layout.top = round(layout.top);
    layout.bottom = round((double)c->height - (c->x_label ? 54 : 34) * c->scale);
    // A picture too small for its labels still shows its lines.
    layout.right = fmax(layout.right, layout.left + 10);
    layout.bottom = fmax(layout.bottom, layout.top + 10);
    return layout;
}

chart_layout chart_lay_out(const chart *c)
{
    return lay_out(c, 0);
}

canvas_point chart_place(const chart_layout *layout, double x, double y)
{
    return (canvas_point){layout->left + (layout->right - layout->left) * axis_place(&layout->x, x),
                          layout->bottom - (layout->bottom - layout->top) * axis_place(&layout->y, y)};
}

// ------------------------------------------------------------------------------------------------------------ drawing

static void level_line(canvas *sheet, double left, double right, double y, double width, unsigned paint)
{
    double top = floor(y - 0.5 * width + 0.5);
    canvas_rectangle(sheet, left, top, right, top + width, color_make(paint));
}

static void upright_line(canvas *sheet, double x, double top, double bottom, double width, unsigned paint)
{
    double left = floor(x - 0.5 * width + 0.5);
    canvas_rectangle(sheet, left, top, left + width, bottom, color_make(paint));
}

static void draw_frame(const chart *c, const chart_layout *at, canvas *sheet)
{
    double size = tick_size(c), line = fmax(1, round(c->scale)), mark = 5 * c->scale;
    for (size_t i = 0; i < at->y.tick_count; i++) {
        double y = at->bottom - (at->bottom - at->top) * axis_place(&at->y, at->y.ticks[i]);
        level_line(sheet, at->left, at->right, y, line, FAINT);
        text_draw(sheet, (canvas_point){at->left - 9 * c->scale, y + 1 + round(0.5 * size)}, at->y.labels[i], size,
                  TEXT_RIGHT, color_make(INK));
    }
    for (size_t i = 0; i < at->x.tick_count; i++) {
        double x = at->left + (at->right - at->left) * axis_place(&at->x, at->x.ticks[i]);
        upright_line(sheet, x, at->top, at->bottom, line, FAINT);
        upright_line(sheet, x, at->bottom, at->bottom + mark, line, FRAME);
        text_draw(sheet, (canvas_point){x, at->bottom + mark + 6 * c->scale + size}, at->x.labels[i], size, TEXT_CENTER,
                  color_make(INK));
    }
    level_line(sheet, at->left, at->right, at->bottom, line, FRAME);
    upright_line(sheet, at->left, at->top, at->bottom, line, FRAME);
}

static color series_color(const chart *c, size_t i)
{
    return c->series[i].color.a > 0 ? c->series[i].color : color_of_kind(i);
}

static void draw_series(const chart *c, const chart_layout *at, size_t index, canvas *sheet)
{
    const chart_series *s = &c->series[index];
    double width = 1.8 * c->scale;
    bool joined = false; // to the point before
    for (size_t i = 0; i < s->count; i++) {
        bool drawn = is_drawn(c, s->x[i], s->y[i]);
        bool next = i + 1 < s->count && is_drawn(c, s->x[i + 1], s->y[i + 1]);
        canvas_point here = chart_place(at, s->x[i], s->y[i]);
        if (drawn && next)
            canvas_stroke(sheet, here, chart_place(at, s->x[i + 1], s->y[i + 1]), width);
        else if (drawn && !joined)
            canvas_stroke(sheet, here, here, 2.5 * width); // alone: a dot
        joined = drawn && next;
    }
    canvas_paint_strokes(sheet, series_color(c, index));
}

static void draw_words(const chart *c, const chart_layout *at, double left, double top, canvas *sheet)
{
    double size = 10 * c->scale;
    if (c->title)
        text_draw(sheet, (canvas_point){at->left, top + 24 * c->scale}, c->title, 11.5 * c->scale, TEXT_LEFT,
                  color_make(INK));
    if (c->x_label)
        text_draw(sheet, (canvas_point){0.5 * (at->left + at->right), at->bottom + 44 * c->scale}, c->x_label, size,
                  TEXT_CENTER, color_make(INK));
    if (c->y_label)
        text_draw_upward(sheet, (canvas_point){left + 24 * c->scale, 0.5 * (at->top + at->bottom)}, c->y_label, size,
                         TEXT_CENTER, color_make(INK));
    for (size_t i = 0; has_legend(c) && i < c->series_count; i++) {
        if (!c->series[i].name)
            continue;
        legend_entry entry = place_entry(c, i, at->left - left, title_height(c));
        double x = left + entry.left, y = top + entry.baseline, level = y - 0.5 * tick_size(c);
        canvas_line(sheet, (canvas_point){x + 2 * c->scale, level}, (canvas_point){x + 20 * c->scale, level},
                    2.2 * c->scale, series_color(c, i));
        text_draw(sheet, (canvas_point){x + 28 * c->scale, y}, c->series[i].name, tick_size(c), TEXT_LEFT,
                  color_make(INK));
    }
}

static void draw(const chart *c, chart_layout at, canvas *sheet, double left, double top)
{
    at.left += left;
    at.right += left;
    at.top += top;
    at.bottom += top;
    draw_frame(c, &at, sheet);
    draw_words(c, &at, left, top, sheet);
    for (size_t i = 0; i < c->series_count; i++)
        draw_series(c, &at, i, sheet);
}

void chart_draw(const chart *c, canvas *sheet, double left, double top)
{
    draw(c, lay_out(c, 0), sheet, left, top);
}

// ------------------------------------------------------------------------------------------------------------- saving

static scree_status check(const chart *c, scree_error *error)
{
    if (c->width < 64 || c->height < 64 || c->width > CANVAS_MAX_SIDE || c->height > CANVAS_MAX_SIDE)
        return fail(error, SCREE_INVALID, "a chart of %zu x %zu pixels: sides from 64 to %d are accepted", c->width,
                    c->height, CANVAS_MAX_SIDE);
    if (!(c->scale >= 0.25 && c->scale <= 16))
        return fail(error, SCREE_INVALID, "a chart of scale %g: 0.25 to 16 is accepted", c->scale);
    for (size_t i = 0; i < c->series_count; i++)
        if (c->series[i].count > 0 && (!c->series[i].x || !c->series[i].y))
            return fail(error, SCREE_INVALID, "series %zu of a chart has no values", i);
    return SCREE_OK;
}

scree_status chart_save_stacked(const chart *charts, size_t count, const char *path, scree_error *error)
{
    size_t width = 0, height = 0;
    double left = 0;
    if (count == 0)
        return fail(error, SCREE_INVALID, "there is no chart to draw");
    for (size_t i = 0; i < count; i++) {
        scree_status status = check(&charts[i], error);
        if (status != SCREE_OK)
            return status;
        width = charts[i].width > width ? charts[i].width : width;
        height += charts[i].height;
        left = fmax(left, lay_out(&charts[i], 0).left);
    }
    canvas sheet;
    scree_status status = canvas_make(&sheet, width, height, color_make(0xffffff), error);
    double top = 0;
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        draw(&charts[i], lay_out(&charts[i], left), &sheet, 0, top);
        top += (double)charts[i].height;
    }
    if (status == SCREE_OK)
        status = canvas_save(&sheet, path, error);
    canvas_free(&sheet);
    return status;
}

scree_status chart_save(const chart *c, const char *path, scree_error *error)
{
    return chart_save_stacked(c, 1, path, error);
}
