// From the buffer to colours in linear light: sun, sky, occlusion, ground, backdrop.
#ifndef VIEW_RASTER_SHADE_H
#define VIEW_RASTER_SHADE_H

#include "view/raster/light.h"
#include "view/raster/surface.h"

typedef struct shade {
    const surfaces *all;
    light sun;
    float *openness;   // of the sky, per sample
    float linear[256]; // light of an sRGB byte
    float pixel;       // samples per pixel and axis
} shade;

// Free also after a failure.
scree_status shade_make(shade *s, const surfaces *all, float samples_per_pixel, int threads, scree_error *error);
void shade_free(shade *s);

// One row of samples.
void shade_row(const shade *s, size_t y, vec3f *row);

#endif
