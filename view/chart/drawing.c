#include "view/chart/drawing.h"

#include <math.h>

// Capitals of common fonts are this part of the size by which SVG names them.
static const double CAPITAL = 0.72;

drawing drawing_on_canvas(canvas *sheet)
{
    return (drawing){.sheet = sheet};
}

drawing drawing_in_svg(FILE *to, size_t width, size_t height)
{
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" "
            "height=\"%zu\" viewBox=\"0 0 %zu %zu\" font-family=\"Helvetica, Arial, sans-serif\" "
            "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<rect width=\"%zu\" height=\"%zu\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    return (drawing){.svg = to};
}

void drawing_end(drawing *on)
{
    if (on->svg)
        fputs("</svg>\n", on->svg);
}

static void put_paint(FILE *to, const char *attribute, color paint)
{
    fprintf(to, " %s=\"#%02x%02x%02x\"", attribute, paint.r, paint.g, paint.b);
    if (paint.a < 255)
        fprintf(to, " %s-opacity=\"%.3g\"", attribute, paint.a / 255.0);
}

void drawing_rectangle(drawing *on, double left, double top, double right, double bottom, color paint)
{
    if (on->sheet) {
        canvas_rectangle(on->sheet, left, top, right, bottom, paint);
        return;
    }
    fprintf(on->svg, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"", left, top, right - left, bottom - top);
    put_paint(on->svg, "fill", paint);
    fputs("/>\n", on->svg);
}

static void close_path(drawing *on)
{
    if (on->open)
        fprintf(on->svg, "\" stroke-width=\"%g\"/>\n", on->width);
    on->open = false;
}

void drawing_begin_strokes(drawing *on, color paint)
{
    on->paint = paint;
    if (!on->svg)
        return;
    fputs("<g fill=\"none\"", on->svg);
    put_paint(on->svg, "stroke", paint);
    fputs(">\n", on->svg);
}

// Steps of less than a hundredth of a pixel are not seen; leaving them out keeps files of long series small.
void drawing_stroke(drawing *on, canvas_point from, canvas_point to, double width)
{
    if (on->sheet) {
        canvas_stroke(on->sheet, from, to, width);
        return;
    }
    if (!isfinite(from.x + from.y + to.x + to.y))
        return;
    bool joined = on->open && on->width >= width && on->width <= width && fabs(from.x - on->last.x) < 0.01 &&
                  fabs(from.y - on->last.y) < 0.01;
    if (!joined) {
        close_path(on);
        fprintf(on->svg, "<path d=\"M%.2f %.2f", from.x, from.y);
        on->open = true;
        on->width = width;
        on->last = from;
    }
    bool moved = fabs(to.x - on->last.x) >= 0.01 || fabs(to.y - on->last.y) >= 0.01;
    if (!moved && joined)
        return;
    fprintf(on->svg, "L%.2f %.2f", to.x, to.y);
    on->last = to;
}

void drawing_end_strokes(drawing *on)
{
    if (on->sheet) {
        canvas_paint_strokes(on->sheet, on->paint);
        return;
    }
    close_path(on);
    fputs("</g>\n", on->svg);
}

static void put_escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", to);
        else if (*text == '>')
            fputs("&gt;", to);
        else if (*text == '&')
            fputs("&amp;", to);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, to);
    }
}

void drawing_text(drawing *on, canvas_point at, const char *text, double size, text_align align, bool upward,
                  color paint)
{
    static const char *const anchors[] = {[TEXT_LEFT] = "start", [TEXT_CENTER] = "middle", [TEXT_RIGHT] = "end"};
    if (on->sheet && upward) {
        text_draw_upward(on->sheet, at, text, size, align, paint);
    } else if (on->sheet) {
        text_draw(on->sheet, at, text, size, align, paint);
    } else {
        fprintf(on->svg, "<text x=\"%g\" y=\"%g\" font-size=\"%.3g\" text-anchor=\"%s\"", at.x, at.y, size / CAPITAL,
                anchors[align]);
        if (upward)
            fprintf(on->svg, " transform=\"rotate(-90 %g %g)\"", at.x, at.y);
        put_paint(on->svg, "fill", paint);
        fputc('>', on->svg);
        put_escaped(on->svg, text);
        fputs("</text>\n", on->svg);
    }
}
