// Surfaces: bodies as polygons, for what is drawn rather than glyphed: walls, compounds, and whatever is not a sphere.
#ifndef RECORD_FRAMES_SURFACE_H
#define RECORD_FRAMES_SURFACE_H

#include "base/array.h"
#include "base/vec.h"
#include "scree/world.h"

typedef struct surface {
    ARRAY(vec3)
    points;
    ARRAY(int32_t)
    corners; // point indices, polygon after polygon
    ARRAY(int32_t)
    ends; // by polygon: where its corners end
    ARRAY(scree_id)
    ids; // by polygon: the body it belongs to
    ARRAY(float)
    speeds; // by polygon: of the body's centre of mass
} surface;

// The ball that unbounded shapes are cut to.
typedef struct surface_extent {
    vec3 center;
    double radius;
} surface_extent;

// Adds all shapes of a body: flat ones face by face, round ones in 16 sectors (in 8, in bodies of many shapes), planes
// as one square round the extent. SCREE_ERROR_NO_MEMORY also when there are more than 2^31 - 1 corners.
scree_status surface_add_body(surface *surface, const scree_world *world, scree_id id, const surface_extent *extent,
                              scree_error *error);

// The bounds of everything bounded in the world, as a ball; never of zero radius.
scree_status surface_find_extent(const scree_world *world, const scree_id *ids, size_t count, surface_extent *extent,
                                 scree_error *error);

void surface_free(surface *surface);

#endif
