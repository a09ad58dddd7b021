// The lines of a picture, drawn over its finished pixels.
#ifndef VIEW_WORLD_OVERLAY_H
#define VIEW_WORLD_OVERLAY_H

#include "view/raster/picture.h"
#include "view/raster/raster.h"

// Least width of a line, in pixels.
#define OVERLAY_FINEST 1.2

// `seen` has `per_pixel` samples per pixel and axis, and tells where a line is hidden.
void overlay_draw(const picture *scene, const raster *seen, size_t per_pixel, canvas *sheet);

#endif
