// Walls between the camera and the grains: a faint tint and their edges as lines.
#ifndef VIEW_RASTER_GLASS_H
#define VIEW_RASTER_GLASS_H

#include "view/raster/surface.h"

typedef struct glass_edge {
    float x[2], y[2];  // ends on the picture, in samples
    float nearness[2]; // one over depth, which runs evenly along the line
} glass_edge;

typedef struct glass_wall {
    size_t box;
    raster_bounds bounds;
    glass_edge edges[12];
    int edge_count;
} glass_wall;

typedef struct glass {
    ARRAY(glass_wall) walls; // from far to near
    float line_width;        // in samples
} glass;

// The walls that `all` hides; lines are `line_width` samples wide. False when out of memory.
bool glass_make(glass *panes, const surfaces *all, float line_width);
void glass_free(glass *panes);

// Blends the walls over one row of samples in linear light.
void glass_blend_row(const glass *panes, const surfaces *all, size_t y, vec3f *row);

#endif
