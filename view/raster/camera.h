// From the camera of a picture to the view in which rays are cast.
#ifndef VIEW_RASTER_CAMERA_H
#define VIEW_RASTER_CAMERA_H

#include "view/raster/picture.h"
#include "view/raster/raster.h"

// Rows: to the right, down and forward, unit; `up` need not be square to `forward`.
mat3 camera_axes(scree_vec3 forward, scree_vec3 up);

// The view of a picture that is valid, with so many samples per pixel and axis.
raster_view camera_view(const picture *scene, size_t samples_per_pixel);

#endif
