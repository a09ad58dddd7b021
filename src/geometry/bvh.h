// A bounding volume hierarchy: a binary tree of boxes over any items that have boxes, for finding those near something.
//
// Nodes are 32 bytes of single precision; boxes round outward, so that nothing is missed. The tree never changes once
// built, and equal boxes in equal order give an equal tree. Walks keep their own small stack: no recursion and no
// memory. They stop at leaves, so an item may be given whose own box is a little off.
#ifndef GEOMETRY_BVH_H
#define GEOMETRY_BVH_H

#include "base/arena.h"
#include "base/array.h"
#include "base/vec.h"

typedef struct bvh_box {
    float low[3], high[3];
} bvh_box;

typedef struct bvh_node {
    float low[3];
    uint32_t first; // leaf: in `items`; otherwise the first of two nodes side by side
    float high[3];
    uint32_t count; // of a leaf's items; 0 for an inner node
} bvh_node;

enum { BVH_LEAF_MOST = 4, BVH_DEPTH_MOST = 80 };

typedef struct bvh {
    ARRAY(bvh_node) nodes; // the root first; none when there are no items
    ARRAY(uint32_t) items; // indices of boxes, leaf by leaf
} bvh;

// The smallest box of floats that holds a box of doubles.
bvh_box bvh_box_around(vec3 low, vec3 high);

// From fewer than 2^31 boxes, all finite. False when out of memory; then the tree is empty.
bool bvh_build(bvh *tree, const bvh_box *boxes, size_t count);
void bvh_free(bvh *tree);

// The same tree in scratch memory, for one step; it is not freed.
bool bvh_build_in(bvh *tree, const bvh_box *boxes, size_t count, arena *scratch);

// Items whose boxes may overlap a box:
//
//     bvh_walk walk = bvh_walk_box(&tree, &box);
//     while (bvh_next_in_box(&walk, &item)) ...
typedef struct bvh_walk {
    const bvh *tree;
    bvh_box box;
    uint32_t next, end; // items of the leaf at hand
    int waiting;
    uint32_t stack[BVH_DEPTH_MOST];
} bvh_walk;

bvh_walk bvh_walk_box(const bvh *tree, const bvh_box *box);
bool bvh_next_in_box(bvh_walk *walk, uint32_t *item);

// Items near a point, or along a ray, nearest leaves first. `limit` is the distance, or the ray's parameter, beyond
// which nothing is wanted; it is given anew with every call, so that what was found narrows what is looked for.
typedef struct bvh_search {
    const bvh *tree;
    vec3 origin, direction, inverse; // direction: of a ray only, of any length; not zero
    uint32_t next, end;
    int waiting;
    struct {
        double distance;
        uint32_t node;
    } stack[BVH_DEPTH_MOST];
} bvh_search;

bvh_search bvh_search_near(const bvh *tree, vec3 point);
bool bvh_next_near(bvh_search *search, double limit, uint32_t *item);

// The ray is origin + t direction for 0 <= t <= limit.
bvh_search bvh_search_along(const bvh *tree, vec3 origin, vec3 direction);
bool bvh_next_along(bvh_search *search, double limit, uint32_t *item);

#endif
