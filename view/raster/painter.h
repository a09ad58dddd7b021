// Who draws a picture: the rasteriser in software, or another that is given.
#ifndef VIEW_RASTER_PAINTER_H
#define VIEW_RASTER_PAINTER_H

#include "view/raster/picture.h"

typedef struct picture_painter {
    // The same as picture_draw, which stands for NULL.
    scree_status (*draw)(void *self, const picture *scene, canvas *sheet, scree_error *error);
    void *self;
} picture_painter;

static inline scree_status painter_draw(picture_painter painter, const picture *scene, canvas *sheet,
                                        scree_error *error)
{
    return painter.draw ? painter.draw(painter.self, scene, sheet, error) : picture_draw(scene, sheet, error);
}

#endif
