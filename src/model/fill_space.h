// The room that is left: bodies standing in space, and whether one more overlaps any of them.
//
// Shapes are found through a hash grid with one level per power of two in size, so that boulders and dust can share a
// space; unbounded shapes are tested directly. The space keeps pointers: a body and its shapes must stay where they
// are.
#ifndef MODEL_FILL_SPACE_H
#define MODEL_FILL_SPACE_H

#include "base/array.h"
#include "scree/world.h"

typedef struct space_item { // one shape
    scree_vec3 center;
    double radius; // of the sphere about its centre that holds it
    const scree_body_def *body;
    uint32_t shape;
    uint32_t next; // in the same bucket of the grid
} space_item;

typedef struct space_level {
    int exponent; // cells are cubes of edge 2^exponent, at least the diameter of what they hold
    size_t count;
} space_level;

typedef struct fill_space {
    ARRAY(space_item) items;
    ARRAY(space_item) unbounded;
    ARRAY(uint32_t) buckets; // first item, or UINT32_MAX; a power of two in number
    ARRAY(space_level) levels;
} fill_space;

// Adds every shape of a valid body. Reserving room for all items before is up to the caller.
scree_status space_add(fill_space *space, const scree_body_def *body, scree_error *error);

// Whether no shape of the body overlaps one of the space's; touching is allowed.
scree_status space_is_clear(const fill_space *space, const scree_body_def *body, bool *clear, scree_error *error);

void space_free(fill_space *space);

#endif
