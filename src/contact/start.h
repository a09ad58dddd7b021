// The state from which a world would take its first step, looked at body by body: what that step could only lose is
// refused before it, as wrong input.
#ifndef CONTACT_START_H
#define CONTACT_START_H

#include "collide/broad/broad_grid.h"
#include "world/world.h"

typedef struct world_start {
    scree_world *world;
    float *margins; // by slot; in the world's scratch
    proxy_view view;
    broad_grid grid;
    size_t next; // slot
    size_t next_motion;
    bool searched; // for crowds
} world_start;

// SCREE_ERROR_INVALID about the body in the slot that broad_phase found in a crowd.
scree_status report_crowd(const scree_world *world, size_t slot, scree_error *error);

// Uses the world's scratch until the last start_next.
scree_status start_begin(world_start *start, scree_world *world, scree_error *error);

// The next body that cannot be stepped: SCREE_ERROR_INVALID with its id and what is wrong. SCREE_OK when there is none.
scree_status start_next(world_start *start, scree_id *lost, scree_error *error);

#endif
