// Questions about where things are: rays, what is near a shape, what is nearest to a point.
//
// They see the bodies as they stand now. The first question after a change sorts all shapes into a tree, which takes
// about as long as detecting contacts once; further ones are cheap, and many at once use all threads of the world.
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_ray {
    scree_vec3 origin;
    scree_vec3 direction; // of any length but zero
    double length;        // how far to look, > 0; may be infinite [length]
    uint32_t mask;        // only bodies whose group has one of these bits
} scree_ray;

// From the origin along x, without end, all groups.
SCREE_API scree_ray scree_default_ray(void);

typedef struct scree_hit {
    scree_id body;     // 0: nothing was hit, and the rest is 0 too
    size_t shape;      // of the body, as scree_world_get_shape counts them
    double distance;   // from the ray's origin, 0 when that lies inside; or signed, from a point to the surface
    scree_vec3 point;  // on the surface
    scree_vec3 normal; // of the surface there, outward
} scree_hit;

// The first thing that each ray meets.
SCREE_API scree_status scree_world_cast_rays(scree_world *world, const scree_ray *rays, size_t count, scree_hit *hits,
                                             scree_error *error);

// The surface nearest to each point, no farther than `within` (may be infinite); inside a solid the distance is
// negative.
SCREE_API scree_status scree_world_find_nearest(scree_world *world, const scree_vec3 *points, size_t count,
                                                double within, uint32_t mask, scree_hit *hits, scree_error *error);

// Bodies with a shape no farther than `within` (>= 0) from a shape that stands at a pose of its body's frame; rising
// ids, each once. Copies up to `capacity` of them and says in `count` how many there are. Planes, meshes and height
// fields are found, but cannot be asked for.
SCREE_API scree_status scree_world_find_near(scree_world *world, const scree_shape_def *shape, const scree_pose *pose,
                                             double within, uint32_t mask, scree_id *ids, size_t capacity,
                                             size_t *count, scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
