// Which of many things is nearest to a point: a tree of boxes over them.
#ifndef GEOMETRY_NEAR_TREE_H
#define GEOMETRY_NEAR_TREE_H

#include "base/array.h"
#include "base/vec.h"

typedef struct near_box {
    vec3 low, high;
} near_box;

typedef struct near_node {
    near_box box;
    uint32_t first, count; // leaf: in `items`; an inner node has count 0, and its two nodes are at first and first + 1
} near_node;

typedef struct near_tree {
    ARRAY(near_node) nodes;
    ARRAY(uint32_t) items;
} near_tree;

// False when out of memory. `boxes` is not needed afterwards.
bool near_tree_build(near_tree *tree, const near_box *boxes, size_t count);
void near_tree_free(near_tree *tree);

// Distance from a point to an item: not negative, and no less than that to its box.
typedef double near_distance(const void *context, uint32_t item, vec3 point);

// The nearest item, the first of those at equal distance in the order of the tree; UINT32_MAX when there is none.
uint32_t near_tree_find(const near_tree *tree, vec3 point, near_distance *distance, const void *context, double *found);

#endif
