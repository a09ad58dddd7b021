// Meshes and height fields as triangles with smooth normals.
#ifndef VIEW_RASTER_FACET_H
#define VIEW_RASTER_FACET_H

#include "base/array.h"
#include "scree/shape.h"
#include "view/raster/picture.h"

typedef ARRAY(picture_triangle) facet_array;

// Adds the triangles of a mesh or height field that stands at `place`, turned by `orientation`. False when out of
// memory.
bool facets_add(facet_array *to, const scree_shape_def *shape, scree_vec3 place, scree_quat orientation, color paint);

#endif
