// Casting spheres, boxes, other solids and triangles into a depth buffer.
//
// The view is cut into square tiles; each object is listed in the tiles that its outline touches, in the order of its
// number; then each tile is cast on its own, ray by ray, so that the result does not depend on threads.
// Rays are written as origin + depth * direction with direction.z = 1 in the frame of the view, so that depth is the
// distance along the view's axis: perspective rays start at 0 and run along (x, y, 1), parallel ones start at (x, y, 0)
// and run along (0, 0, 1), where (x, y) is the sample's place on the view.
#ifndef VIEW_RASTER_RASTER_H
#define VIEW_RASTER_RASTER_H

#include <stddef.h>
#include <stdint.h>

#include "scree/status.h"
#include "view/raster/solid.h"

typedef struct raster_view {
    vec3 origin; // in the world
    mat3 axes;   // rows: to the right, down, forward
    bool perspective;
    size_t width, height;  // in samples
    float left, top, step; // place of the corner, and distance of samples
    float nearest;         // what lies nearer along the axis is cut away
} raster_view;

typedef struct raster {
    float *depth;     // RASTER_NOTHING where no object is
    uint32_t *object; // 0: none; 1 + i: object i, counted through spheres, boxes, solids and triangles
} raster;

// In the frame of a view.
typedef struct raster_sphere {
    vec3f center;
    float radius;
} raster_sphere;

typedef struct raster_box {
    vec3f center, axes[3];
    float half[3];
    bool hidden; // not cast
} raster_box;

// Seen where its corners run counter-clockwise.
typedef struct raster_triangle {
    vec3f corners[3];
} raster_triangle;

typedef struct raster_objects {
    const raster_sphere *spheres;
    size_t sphere_count;
    const raster_box *boxes;
    size_t box_count;
    const raster_solid *solids;
    size_t solid_count;
    const raster_triangle *triangles;
    size_t triangle_count;
} raster_objects;

// Samples [left, right) x [top, bottom).
typedef struct raster_bounds {
    int left, top, right, bottom;
} raster_bounds;

vec3 raster_view_point(const raster_view *view, vec3 point);
vec3 raster_view_direction(const raster_view *view, vec3 direction);
raster_sphere raster_view_sphere(const raster_view *view, vec3 center, double radius);
raster_solid raster_view_solid(const raster_view *view, const picture_solid *solid, const picture_face *faces);
raster_triangle raster_view_triangle(const raster_view *view, const scree_vec3 corners[3]);
raster_box raster_view_box(const raster_view *view, vec3 center, quat orientation, vec3 half);

// `x`, `y` in samples; a sample's middle is at + 0.5.
raster_ray raster_view_ray(const raster_view *view, float x, float y);

static inline vec3f raster_ray_at(const raster_ray *ray, float depth)
{
    return vec3f_add_scaled(ray->origin, ray->direction, depth);
}

// Depth at which a ray enters a box and the axis of the face it enters by; false when it misses.
bool raster_hit_box(const raster_box *box, const raster_ray *ray, float *depth, int *face);

// Depth at which a ray meets a triangle from its front and the weights of its corners there; false when it misses.
bool raster_hit_triangle(const raster_triangle *triangle, const raster_ray *ray, float *depth, float weights[3]);

raster_bounds raster_bounds_of_sphere(const raster_view *view, const raster_sphere *sphere);
raster_bounds raster_bounds_of_box(const raster_view *view, const raster_box *box);

// Makes buffers of the view's size and casts. Free with raster_free.
scree_status raster_cast(const raster_view *view, const raster_objects *objects, int threads, raster *out,
                         scree_error *error);
void raster_free(raster *out);

#endif
