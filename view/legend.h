// What stands on a picture besides the scene: a colour scale, names of colours, a caption.
#ifndef VIEW_LEGEND_H
#define VIEW_LEGEND_H

#include "view/picture.h"

void legend_draw(const picture *scene, canvas *sheet);

#endif
