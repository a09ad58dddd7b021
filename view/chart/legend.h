// Everything that stands on a picture besides the scene: a colour scale, names of colours, a caption.
#ifndef VIEW_CHART_LEGEND_H
#define VIEW_CHART_LEGEND_H

#include "view/raster/picture.h"

void legend_draw(const picture *scene, canvas *sheet);

#endif
