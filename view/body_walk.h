// A walk over the bodies of a world with all that an export needs of each: definition, state, shapes in the world.
#ifndef VIEW_BODY_WALK_H
#define VIEW_BODY_WALK_H

#include "base/array.h"
#include "base/vec.h"
#include "scree/world.h"

typedef struct body_walk {
    const scree_world *world;
    ARRAY(scree_id) ids;
    size_t next;

    // Of the body at hand:
    scree_id id;
    scree_body_info info;
    scree_state state;
} body_walk;

scree_status body_walk_begin(body_walk *walk, const scree_world *world, scree_error *error);

// Moves to the next body in the order of ids; false after the last, or on failure, which `status` tells.
bool body_walk_next(body_walk *walk, scree_status *status, scree_error *error);

// Shape k of the body at hand, and where its origin and axes stand in the world. False on failure.
bool body_walk_shape(const body_walk *walk, size_t k, scree_shape_def *shape, scree_pose *pose, scree_status *status,
                     scree_error *error);

void body_walk_end(body_walk *walk);

#endif
