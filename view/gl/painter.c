// Pictures are drawn into textures, read back, and get their legends as all pictures do.
#include "view/gl/painter.h"

#include "view/chart/legend.h"

// The number of samples is that of the rasteriser; half as many per axis where the card has no texture so wide.
enum { WIDEST = 4096 };

scree_status gl_painter_open(gl_painter *painter, scree_error *error)
{
    *painter = (gl_painter){0};
    scree_status status = gl_context_open(&painter->context, error);
    if (status == SCREE_OK)
        status = gl_renderer_make(&painter->renderer, error);
    if (status != SCREE_OK)
        gl_painter_close(painter);
    return status;
}

void gl_painter_close(gl_painter *painter)
{
    gl_renderer_free(painter->renderer);
    gl_context_close(&painter->context);
    *painter = (gl_painter){0};
}

static scree_status draw(void *self, const picture *scene, canvas *sheet, scree_error *error)
{
    gl_painter *painter = self;
    gl_quality quality = {.samples = scene->width <= WIDEST && scene->height <= WIDEST ? 2 : 1, .light = true};
    *sheet = (canvas){0};
    scree_status status = gl_renderer_draw(painter->renderer, scene, quality, error);
    if (status == SCREE_OK)
        status = canvas_make(sheet, scene->width, scene->height, color_make(0xffffff), error);
    if (status != SCREE_OK)
        return status;
    gl_renderer_read(painter->renderer, sheet);
    legend_draw(scene, sheet);
    return SCREE_OK;
}

picture_painter gl_painter_use(gl_painter *painter)
{
    return (picture_painter){draw, painter};
}
