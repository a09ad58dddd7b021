// Pairs of bodies that begin and end to touch.
#ifndef STEP_TOUCHES_H
#define STEP_TOUCHES_H

#include "world/world.h"

// Pairs of ids, rising.
typedef struct touch_lists {
    body_pair_array *touching;      // after the last step, then after this one
    body_pair_array *begun, *ended; // in this step
} touch_lists;

// Compares the contacts of a step with the pairs that touched before; `id` by slot. False when out of memory; the lists
// are then as they were.
bool touches_update(const contact *contacts, size_t contact_count, const scree_id *id, arena *scratch,
                    const touch_lists *lists);

#endif
