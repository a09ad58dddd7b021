// Ambient occlusion from the depth buffer: how much of the sky a point sees past its neighbours.
//
// Scalable ambient obscurance (McGuire, Mara, Luebke 2012): neighbours along a spiral on the picture that rise above
// the tangent plane take away light. Two radii: of a grain, for the gaps between grains, and of the scene, for the
// foot of a heap. The spiral turns from sample to sample in a 4 x 4 pattern, which a 4 x 4 mean takes out again.
#ifndef VIEW_RASTER_OCCLUSION_H
#define VIEW_RASTER_OCCLUSION_H

#include "view/raster/surface.h"

// One value in [0, 1] per sample, 1 for open sky; NULL when out of memory. The caller frees it.
float *occlusion_make(const surfaces *all, int threads);

// The mean over the pattern at one sample, without crossing the outlines of what is nearer or farther.
float occlusion_at(const surfaces *all, const float *openness, size_t x, size_t y);

#endif
