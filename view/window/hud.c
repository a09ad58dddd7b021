// Text over the picture: figures in the corner, the inspected body, help, and the legend of the colours.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "view/canvas/text.h"
#include "view/chart/legend.h"
#include "view/window/state.h"

static const unsigned INK = 0x26303a, PAPER = 0xffffff, ALARM = 0xb3261e;

enum { LINES = 24, LENGTH = 160 };

typedef struct text_block {
    char lines[LINES][LENGTH];
    size_t count;
} text_block;

__attribute__((format(printf, 2, 3))) static void add(text_block *block, const char *format, ...)
{
    va_list arguments;
    if (block->count == LINES)
        return;
    va_start(arguments, format);
    vsnprintf(block->lines[block->count++], LENGTH, format, arguments);
    va_end(arguments);
}

static double text_size(const viewer *v)
{
    return fmax(7, round((v->width < v->height ? v->width : v->height) / 80.0));
}

// A panel with its lines; `left` and `top` of its upper left corner. Returns its lower edge.
static double put_block(canvas *sheet, const text_block *block, double left, double top, double size, unsigned ink)
{
    double width = 0, line = 1.9 * size;
    if (block->count == 0)
        return top;
    for (size_t i = 0; i < block->count; i++)
        width = fmax(width, text_width(block->lines[i], size));
    double bottom = top + line * (double)block->count + size;
    canvas_rectangle(sheet, left, top, round(left + width + 2 * size), round(bottom),
                     color_with_alpha(color_make(PAPER), 0.72));
    for (size_t i = 0; i < block->count; i++)
        text_draw(sheet, (canvas_point){left + size, round(top + 1.9 * size + line * (double)i)}, block->lines[i], size,
                  TEXT_LEFT, color_make(ink));
    return bottom + size;
}

// ------------------------------------------------------------------------------------------------------------- blocks

static void add_figures(text_block *block, const viewer *v)
{
    const live_moment *m = v->moment;
    add(block, "%.3g frames/s   %.4g steps/s   %s", v->frames_per_second, m->steps_per_second,
        m->paused ? "paused" : "");
    add(block, "%zu bodies   %zu contacts", m->bodies.ids.count, m->contacts);
    if (m->frame_count > 0)
        add(block, "t = %.5g   frame %zu of %zu   speed x %.4g", m->bodies.time, m->frame + 1, m->frame_count,
            m->speed);
    else
        add(block, "t = %.5g   step %llu   speed x %.4g", m->bodies.time, (unsigned long long)m->steps, m->speed);
    const scree_stage_times *s = &m->stages;
    if (m->frame_count == 0)
        add(block, "broad %.3g   narrow %.3g   prepare %.3g   solve %.3g   integrate %.3g ms", 1e3 * s->broad,
            1e3 * s->narrow, 1e3 * s->prepare, 1e3 * s->solve, 1e3 * s->integrate);
    if (v->def->source.scene_count > 1 && !v->def->source.run)
        add(block, "%zu: %s", m->variant + 1, v->def->variant_names[m->variant]);
}

static void add_inspected(text_block *block, const viewer *v)
{
    const world_bodies *b = &v->moment->bodies;
    uint32_t body = v->inspected ? world_bodies_find(b, v->inspected) : WORLD_NO_BODY;
    if (body == WORLD_NO_BODY)
        return;
    const scree_state *s = &b->states.data[body];
    const scree_body_info *info = &b->infos.data[body];
    size_t contacts = 0;
    double force = 0;
    for (size_t i = 0; i < b->contacts.count; i++)
        if (b->contacts.data[i].a == body || b->contacts.data[i].b == body) {
            contacts++;
            force += fmax(b->contacts.data[i].force, 0);
        }
    add(block, "body %llu%s%s", (unsigned long long)v->inspected, info->fixed ? "   fixed" : "",
        info->asleep ? "   asleep" : "");
    add(block, "position  %.5g  %.5g  %.5g", s->position.x, s->position.y, s->position.z);
    add(block, "velocity  %.4g  %.4g  %.4g   (%.4g)", s->velocity.x, s->velocity.y, s->velocity.z,
        vec3_length(s->velocity));
    add(block, "spin  %.4g  %.4g  %.4g", s->spin.x, s->spin.y, s->spin.z);
    add(block, "mass %.4g   material %d   %zu shape%s", info->mass, info->material, info->shape_count,
        info->shape_count == 1 ? "" : "s");
    add(block, "%zu contact points   force %.4g", contacts, force);
}

static void add_help(text_block *block)
{
    static const char *const rows[] = {"left drag: orbit, or pull the body under the mouse     right drag: orbit",
                                       "middle or shift drag: pan     wheel: zoom     click: inspect a body",
                                       "W A S D, arrows: fly     Q, E: down, up     Home: all in view",
                                       "Space: pause     . : one step     R: reset     1-9: the scene and its variants",
                                       "+ - : speed     C: colours     F: force chains",
                                       "P: particles as bodies, boxes of detection     G: grid and bounds",
                                       "S: screenshot     H: this help     Esc: close"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add(block, "%s", rows[i]);
}

scree_status hud_draw(viewer *v, scree_error *error)
{
    canvas sheet;
    scree_status status = canvas_make(&sheet, (size_t)v->width, (size_t)v->height, (color){255, 255, 255, 0}, error);
    if (status != SCREE_OK)
        return status;
    double size = text_size(v), left = round(1.2 * size), top = left;
    text_block figures = {.count = 0}, inspected = {.count = 0}, help = {.count = 0}, alarm = {.count = 0};
    add_figures(&figures, v);
    add_inspected(&inspected, v);
    if (v->help)
        add_help(&help);
    if (v->moment->failed)
        add(&alarm, "%s", v->moment->error.message);
    top = put_block(&sheet, &figures, left, top, size, INK);
    top = put_block(&sheet, &inspected, left, top, size, INK);
    top = put_block(&sheet, &help, left, top, size, INK);
    put_block(&sheet, &alarm, left, top, size, ALARM);
    picture legend = v->scene.picture;
    legend.width = sheet.width;
    legend.height = sheet.height;
    legend.caption = v->help ? NULL : "H: help";
    legend_draw(&legend, &sheet);
    gl_panel_upload(&v->panel, &sheet);
    canvas_free(&sheet);
    return SCREE_OK;
}
