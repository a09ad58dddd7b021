// Planes of a picture: the ground with its grid, and walls without end.
//
// A plane is drawn where the camera stands on its open side, cut off at the other planes, and fades out with the
// distance from the middle of the scene, since it has no end of its own.
#ifndef VIEW_RASTER_GROUND_H
#define VIEW_RASTER_GROUND_H

#include "base/array.h"
#include "view/raster/picture.h"
#include "view/raster/raster.h"

typedef struct ground_plane {
    vec3f normal; // in the camera's frame, as all below
    float offset;
    bool seen;                       // the camera is on the open side
    bool level;                      // it carries things
    bool lined;                      // it has a grid
    vec3f middle;                    // of the part that is drawn
    vec3f along, across;             // of the grid
    float phase_along, phase_across; // the grid's place at the middle
    float fade_start, fade_end;
} ground_plane;

typedef struct ground {
    ARRAY(ground_plane) planes;
    float grid;  // spacing of the grid lines
    float slack; // how far into another plane a point may lie
} ground;

// For a scene about `center` of the given radius; false when out of memory.
bool ground_make(ground *planes, const picture *scene, const raster_view *view, vec3 up, vec3 center, double radius);
void ground_free(ground *planes);

// Casts the planes into the buffer behind what is there; plane i becomes object `first` + i.
void ground_cast(const ground *planes, const raster_view *view, uint32_t first, int threads, raster *out);

// How much of plane i is there at a point: 1 near the middle, 0 where it has faded out.
float ground_presence(const ground *planes, size_t i, vec3f point);

// How much of a grid line there is at a point, in [0, 1], for samples `footprint` wide on the plane.
float ground_line(const ground *planes, size_t i, vec3f point, float footprint);

#endif
