// Which objects of a view are hidden for certain, so that nobody needs to cast them.
//
// In a heap of a hundred thousand grains only the outer two or three layers are seen. Every object is known here by two
// balls about one point: one that holds it, and one that it holds. The view is cut into square cells; a cell that the
// disc of an inner ball covers whole hides all that lies behind that disc.
#ifndef VIEW_RASTER_CULL_H
#define VIEW_RASTER_CULL_H

#include "view/raster/raster.h"

typedef struct cull_ball {
    vec3f center; // in the frame of the view
    float outer;  // radius of a ball that holds the object, > 0
    float inner;  // of a ball that the object holds; 0: it hides nothing
} cull_ball;

// Sets hidden[i] for objects that cannot be seen, or lie outside of the view; cells are `cell` samples wide, at
// least 1. False when out of memory. The answer depends on the balls alone.
bool cull_find_hidden(const raster_view *view, const cull_ball *balls, size_t count, size_t cell, uint8_t *hidden);

#endif
