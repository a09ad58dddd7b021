// The surfaces of a picture in the frame of its camera: what a buffer's object numbers stand for.
#ifndef VIEW_RASTER_SURFACE_H
#define VIEW_RASTER_SURFACE_H

#include "view/raster/ground.h"
#include "view/raster/raster.h"
#include "view/world/extent.h"

typedef struct surfaces {
    const picture *scene;
    raster_view view;
    vec3 up;                          // unit, in the world
    vec3f up_seen;                    // the same in the camera's frame
    vec3 middle;                      // of the scene
    double radius, grain;             // of the scene, of its parts
    ARRAY(raster_sphere) spheres;     // objects 1 ...
    ARRAY(raster_box) boxes;          // then these; walls that are seen through are hidden
    ARRAY(raster_solid) solids;       // then these
    ARRAY(raster_triangle) triangles; // then these
    ground planes;                    // then these
    raster seen;
} surfaces;

typedef enum surface_kind { SURFACE_NONE, SURFACE_GRAIN, SURFACE_WALL, SURFACE_PLANE } surface_kind;

// One sample of the buffer.
typedef struct surface_sample {
    surface_kind kind;
    size_t index; // among those of its kind
    color color;
    raster_ray ray;
    vec3f point, normal;
    vec3f flat; // normal of what the depth buffer holds: of the triangle, where shading is smooth
    float edge; // distance on the surface to the nearest sharp edge; RASTER_NOTHING when there is none
    float size; // of what it belongs to, where that has edges
} surface_sample;

// Casts the scene. Free also after a failure.
scree_status surfaces_make(surfaces *all, const picture *scene, const raster_view *view, const extent *span,
                           int threads, scree_error *error);
void surfaces_free(surfaces *all);

surface_sample surface_at(const surfaces *all, size_t x, size_t y);

#endif
