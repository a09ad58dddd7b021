// Text as strokes: each glyph's path is walked once and all strokes of a line of text are painted together.
#include "view/canvas/text.h"

#include <math.h>
#include <stdbool.h>

#include "view/canvas/font.h"

// The map from font units to the canvas: at = origin + x * along + y * up.
typedef struct text_frame {
    canvas_point origin, along, up;
    double stroke; // width of the pen in pixels
} text_frame;

// The next character of UTF-8 text; a whole sequence beyond ASCII counts as one, so that it is drawn as one box.
static unsigned next_character(const char **text)
{
    unsigned first = (unsigned char)*(*text)++;
    if (first >= 0x80)
        while (((unsigned char)**text & 0xc0) == 0x80)
            ++*text;
    return first;
}

double text_width(const char *text, double size)
{
    double width = 0;
    while (*text)
        width += font_find(next_character(&text)).width + FONT_SPACING;
    return fmax(0, width - FONT_SPACING) * size / FONT_CAPITAL;
}

static double read_number(const char **path)
{
    while (**path == ' ')
        ++*path;
    double sign = 1, value = 0;
    if (**path == '-') {
        sign = -1;
        ++*path;
    }
    for (; **path >= '0' && **path <= '9'; ++*path)
        value = 10 * value + (**path - '0');
    return sign * value;
}

static canvas_point read_point(const text_frame *frame, double pen, const char **path)
{
    double x = pen + read_number(path), y = read_number(path);
    return (canvas_point){frame->origin.x + x * frame->along.x + y * frame->up.x,
                          frame->origin.y + x * frame->along.y + y * frame->up.y};
}

static canvas_point curve_point(const canvas_point p[4], double t)
{
    double s = 1 - t;
    double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return (canvas_point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static void stroke_glyph(canvas *sheet, const text_frame *frame, double pen, const char *path)
{
    enum { PIECES = 10 }; // lines per curve
    canvas_point last = frame->origin;
    while (*path) {
        char command = *path++;
        canvas_point p[4] = {last};
        int given = command == 'C' ? 3 : 1;
        for (int i = 1; i <= given; i++)
            p[i] = read_point(frame, pen, &path);
        if (command == 'L')
            canvas_stroke(sheet, last, p[1], frame->stroke);
        for (int i = 0; command == 'C' && i < PIECES; i++)
            canvas_stroke(sheet, curve_point(p, (double)i / PIECES), curve_point(p, (i + 1.0) / PIECES), frame->stroke);
        last = p[given];
    }
}

static void stroke_text(canvas *sheet, const text_frame *frame, const char *text, color paint)
{
    double pen = 0;
    while (*text) {
        font_glyph glyph = font_find(next_character(&text));
        stroke_glyph(sheet, frame, pen, glyph.path);
        pen += glyph.width + FONT_SPACING;
    }
    canvas_paint_strokes(sheet, paint);
}

static double start_of(const char *text, double size, text_align align)
{
    double width = text_width(text, size);
    return align == TEXT_LEFT ? 0 : align == TEXT_CENTER ? -0.5 * width : -width;
}

void text_draw(canvas *sheet, canvas_point at, const char *text, double size, text_align align, color paint)
{
    double unit = size / FONT_CAPITAL;
    // A baseline through the middle of a row of pixels keeps horizontal strokes sharp.
    text_frame frame = {.origin = {at.x + start_of(text, size, align), floor(at.y) - 0.5},
                        .along = {unit, 0},
                        .up = {0, -unit},
                        .stroke = fmax(1, 0.125 * size)};
    stroke_text(sheet, &frame, text, paint);
}

void text_draw_upward(canvas *sheet, canvas_point at, const char *text, double size, text_align align, color paint)
{
    double unit = size / FONT_CAPITAL;
    text_frame frame = {.origin = {floor(at.x) - 0.5, at.y - start_of(text, size, align)},
                        .along = {0, -unit},
                        .up = {-unit, 0},
                        .stroke = fmax(1, 0.125 * size)};
    stroke_text(sheet, &frame, text, paint);
}
