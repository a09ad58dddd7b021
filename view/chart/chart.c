// A chart is laid out from the outside in: title, legend and labels take their room, the frame gets the rest.
#include "view/chart/chart.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "record/file.h"
#include "view/chart/drawing.h"

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

// The place of entry i of the legend when rows begin at `left`; for i past the last, where the next row would begin.
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

static void level_line(drawing *on, double left, double right, double y, double width, unsigned paint)
{
    double top = floor(y - 0.5 * width + 0.5);
    drawing_rectangle(on, left, top, right, top + width, color_make(paint));
}

static void upright_line(drawing *on, double x, double top, double bottom, double width, unsigned paint)
{
    double left = floor(x - 0.5 * width + 0.5);
    drawing_rectangle(on, left, top, left + width, bottom, color_make(paint));
}

static void draw_frame(const chart *c, const chart_layout *at, drawing *on)
{
    double size = tick_size(c), line = fmax(1, round(c->scale)), mark = 5 * c->scale;
    for (size_t i = 0; i < at->y.tick_count; i++) {
        double y = at->bottom - (at->bottom - at->top) * axis_place(&at->y, at->y.ticks[i]);
        level_line(on, at->left, at->right, y, line, FAINT);
        drawing_text(on, (canvas_point){at->left - 9 * c->scale, y + 1 + round(0.5 * size)}, at->y.labels[i], size,
                     TEXT_RIGHT, false, color_make(INK));
    }
    for (size_t i = 0; i < at->x.tick_count; i++) {
        double x = at->left + (at->right - at->left) * axis_place(&at->x, at->x.ticks[i]);
        upright_line(on, x, at->top, at->bottom, line, FAINT);
        upright_line(on, x, at->bottom, at->bottom + mark, line, FRAME);
        drawing_text(on, (canvas_point){x, at->bottom + mark + 6 * c->scale + size}, at->x.labels[i], size, TEXT_CENTER,
                     false, color_make(INK));
    }
    level_line(on, at->left, at->right, at->bottom, line, FRAME);
    upright_line(on, at->left, at->top, at->bottom, line, FRAME);
}

static color series_color(const chart *c, size_t i)
{
    return c->series[i].color.a > 0 ? c->series[i].color : color_of_kind(i);
}

static void draw_series(const chart *c, const chart_layout *at, size_t index, drawing *on)
{
    const chart_series *s = &c->series[index];
    double width = 1.8 * c->scale;
    bool joined = false; // to the point before
    drawing_begin_strokes(on, series_color(c, index));
    for (size_t i = 0; i < s->count; i++) {
        bool drawn = is_drawn(c, s->x[i], s->y[i]);
        bool next = i + 1 < s->count && is_drawn(c, s->x[i + 1], s->y[i + 1]);
        canvas_point here = chart_place(at, s->x[i], s->y[i]);
        if (drawn && next)
            drawing_stroke(on, here, chart_place(at, s->x[i + 1], s->y[i + 1]), width);
        else if (drawn && !joined)
            drawing_stroke(on, here, here, 2.5 * width); // alone: a dot
        joined = drawn && next;
    }
    drawing_end_strokes(on);
}

static void draw_legend(const chart *c, const chart_layout *at, double left, double top, drawing *on)
{
    for (size_t i = 0; has_legend(c) && i < c->series_count; i++) {
        if (!c->series[i].name)
            continue;
        legend_entry entry = place_entry(c, i, at->left - left, title_height(c));
        double x = left + entry.left, y = top + entry.baseline, level = y - 0.5 * tick_size(c);
        drawing_begin_strokes(on, series_color(c, i));
        drawing_stroke(on, (canvas_point){x + 2 * c->scale, level}, (canvas_point){x + 20 * c->scale, level},
                       2.2 * c->scale);
        drawing_end_strokes(on);
        drawing_text(on, (canvas_point){x + 28 * c->scale, y}, c->series[i].name, tick_size(c), TEXT_LEFT, false,
                     color_make(INK));
    }
}

static void draw_words(const chart *c, const chart_layout *at, double left, double top, drawing *on)
{
    double size = 10 * c->scale;
    if (c->title)
        drawing_text(on, (canvas_point){at->left, top + 24 * c->scale}, c->title, 11.5 * c->scale, TEXT_LEFT, false,
                     color_make(INK));
    if (c->x_label)
        drawing_text(on, (canvas_point){0.5 * (at->left + at->right), at->bottom + 44 * c->scale}, c->x_label, size,
                     TEXT_CENTER, false, color_make(INK));
    if (c->y_label)
        drawing_text(on, (canvas_point){left + 24 * c->scale, 0.5 * (at->top + at->bottom)}, c->y_label, size,
                     TEXT_CENTER, true, color_make(INK));
}

static void draw(const chart *c, chart_layout at, drawing *on, double left, double top)
{
    at.left += left;
    at.right += left;
    at.top += top;
    at.bottom += top;
    draw_frame(c, &at, on);
    draw_words(c, &at, left, top, on);
    draw_legend(c, &at, left, top, on);
    for (size_t i = 0; i < c->series_count; i++)
        draw_series(c, &at, i, on);
}

void chart_draw(const chart *c, canvas *sheet, double left, double top)
{
    drawing on = drawing_on_canvas(sheet);
    draw(c, lay_out(c, 0), &on, left, top);
}

// ------------------------------------------------------------------------------------------------------------- saving

static scree_status check(const chart *c, scree_error *error)
{
    if (c->width < 64 || c->height < 64 || c->width > CANVAS_MAX_SIDE || c->height > CANVAS_MAX_SIDE)
        return fail(error, SCREE_ERROR_INVALID, "a chart of %zu x %zu pixels: sides from 64 to %d are accepted",
                    c->width, c->height, CANVAS_MAX_SIDE);
    if (!(c->scale >= 0.25 && c->scale <= 16))
        return fail(error, SCREE_ERROR_INVALID, "a chart of scale %g: 0.25 to 16 is accepted", c->scale);
    for (size_t i = 0; i < c->series_count; i++)
        if (c->series[i].count > 0 && (!c->series[i].x || !c->series[i].y))
            return fail(error, SCREE_ERROR_INVALID, "series %zu of a chart has no values", i);
    return SCREE_OK;
}

typedef struct chart_stack { // charts below each other, with their frames in line
    const chart *charts;
    size_t count, width, height;
    double left; // of all frames
} chart_stack;

static scree_status stack_charts(chart_stack *stack, scree_error *error)
{
    if (stack->count == 0)
        return fail(error, SCREE_ERROR_INVALID, "there is no chart to draw");
    for (size_t i = 0; i < stack->count; i++) {
        const chart *c = &stack->charts[i];
        scree_status status = check(c, error);
        if (status != SCREE_OK)
            return status;
        stack->width = c->width > stack->width ? c->width : stack->width;
        stack->height += c->height;
        stack->left = fmax(stack->left, lay_out(c, 0).left);
    }
    return SCREE_OK;
}

static void draw_stack(const chart_stack *stack, drawing *on)
{
    double top = 0;
    for (size_t i = 0; i < stack->count; i++) {
        draw(&stack->charts[i], lay_out(&stack->charts[i], stack->left), on, 0, top);
        top += (double)stack->charts[i].height;
    }
    drawing_end(on);
}

static scree_status save_png(const chart_stack *stack, const char *path, scree_error *error)
{
    canvas sheet;
    scree_status status = canvas_make(&sheet, stack->width, stack->height, color_make(0xffffff), error);
    if (status != SCREE_OK)
        return status;
    drawing on = drawing_on_canvas(&sheet);
    draw_stack(stack, &on);
    status = canvas_save(&sheet, path, error);
    canvas_free(&sheet);
    return status;
}

static scree_status save_svg(const chart_stack *stack, const char *path, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status != SCREE_OK)
        return status;
    drawing on = drawing_in_svg(draft.stream, stack->width, stack->height);
    draw_stack(stack, &on);
    return draft_commit(&draft, error);
}

scree_status chart_save_stacked(const chart *charts, size_t count, const char *path, scree_error *error)
{
    chart_stack stack = {.charts = charts, .count = count};
    scree_status status = stack_charts(&stack, error);
    if (status != SCREE_OK)
        return status;
    size_t length = strlen(path);
    bool svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
    return svg ? save_svg(&stack, path, error) : save_png(&stack, path, error);
}

scree_status chart_save(const chart *c, const char *path, scree_error *error)
{
    return chart_save_stacked(c, 1, path, error);
}
