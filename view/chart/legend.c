// Drawn on the finished picture, on pale panels, so that it reads over anything.
#include "view/chart/legend.h"

#include <math.h>

#include "view/canvas/text.h"
#include "view/chart/axis.h"

static const unsigned INK = 0x26303a, PAPER = 0xffffff;

// Sizes follow the shorter side: 10 pixels of capitals at 720.
static double text_size(const picture *scene)
{
    double side = (double)(scene->width < scene->height ? scene->width : scene->height);
    return fmax(7, round(side / 72));
}

static void panel(canvas *sheet, double left, double top, double right, double bottom)
{
    canvas_rectangle(sheet, floor(left), floor(top), ceil(right), ceil(bottom),
                     color_with_alpha(color_make(PAPER), 0.62));
}

static void draw_scale(const picture *scene, canvas *sheet)
{
    double size = text_size(scene), margin = 2.2 * size, gap = 0.9 * size, bar = 1.6 * size;
    double height = round(0.42 * (double)scene->height), top = round(margin + 2.6 * size), bottom = top + height;
    value_axis scale = axis_make(scene->scale_low, scene->scale_high, 5);
    double labels = 0;
    for (size_t i = 0; i < scale.tick_count; i++)
        labels = fmax(labels, text_width(scale.labels[i], size));
    double inner = fmax(bar + gap + labels, text_width(scene->scale_title, size));
    double left = round((double)scene->width - margin - inner), right = left + bar;
    panel(sheet, left - size, margin - size, left + inner + size, bottom + 1.2 * size);
    text_draw(sheet, (canvas_point){left, margin + size}, scene->scale_title, size, TEXT_LEFT, color_make(INK));
    for (double y = top; y < bottom; y++)
        canvas_rectangle(sheet, left, y, right, y + 1, color_of_scale((bottom - y - 0.5) / height));
    for (size_t i = 0; i < scale.tick_count; i++) {
        double y = bottom - height * axis_place(&scale, scale.ticks[i]);
        y = fmin(fmax(floor(y), top), bottom - 1);
        canvas_rectangle(sheet, right, y, right + 0.4 * size, y + 1, color_make(INK));
        text_draw(sheet, (canvas_point){right + gap, y + 1 + round(0.5 * size)}, scale.labels[i], size, TEXT_LEFT,
                  color_make(INK));
    }
}

static void draw_keys(const picture *scene, canvas *sheet)
{
    double size = text_size(scene), margin = 2.2 * size, line = 2.1 * size, mark = 1.3 * size, width = 0;
    for (size_t i = 0; i < scene->key_count; i++)
        width = fmax(width, text_width(scene->keys[i].name, size));
    double left = round((double)scene->width - margin - width - 2 * mark);
    panel(sheet, left - size, margin - size, left + 2 * mark + width + size, margin + line * (double)scene->key_count);
    for (size_t i = 0; i < scene->key_count; i++) {
        double y = round(margin + line * (double)i);
        canvas_rectangle(sheet, left, y - 0.15 * size, left + mark, y + mark - 0.15 * size, scene->keys[i].color);
        text_draw(sheet, (canvas_point){left + 2 * mark, y + size}, scene->keys[i].name, size, TEXT_LEFT,
                  color_make(INK));
    }
}

static void draw_caption(const picture *scene, canvas *sheet)
{
    double size = text_size(scene), left = 2.2 * size, bottom = (double)scene->height - 2 * size;
    double width = text_width(scene->caption, size);
    panel(sheet, left - size, bottom - 2 * size, left + width + size, bottom + size);
    text_draw(sheet, (canvas_point){left, bottom}, scene->caption, size, TEXT_LEFT, color_make(INK));
}

void legend_draw(const picture *scene, canvas *sheet)
{
    if (scene->scale_title)
        draw_scale(scene, sheet);
    if (scene->key_count > 0)
        draw_keys(scene, sheet);
    if (scene->caption && *scene->caption)
        draw_caption(scene, sheet);
}
