// Bodies in the order of space.
#ifndef WORLD_ORDER_H
#define WORLD_ORDER_H

#include "world/world.h"

// Puts bodies in order when their order has decayed; out of memory they stay as they are.
void order_bodies(scree_world *world);

// Puts bodies in an order that the seed decides, between two steps: tests see by it that slots do not matter. False
// when out of memory.
bool order_shuffle(scree_world *world, uint64_t seed);

// Moves contacts along with bodies that changed slots: `new_slot` by old slot, NO_SLOT for removed ones.
// Uses the scratch arena; when that is out of memory the contacts are forgotten.
void contacts_follow_bodies(scree_world *world, const uint32_t *new_slot, size_t new_count);

// Accounts for bodies from slot `first` on that were appended; with 0, for all that there are.
void bodies_added(scree_world *world, size_t first);

#endif
