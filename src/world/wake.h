// Waking: a sleeping island keeps its state and its contacts until something changes. A body of it or under it is
// removed, pushed or put elsewhere, or a user asks: whatever changes a world calls this.
//
// A body's column `rest` is the time that it has been at rest, or ASLEEP.
#ifndef WORLD_WAKE_H
#define WORLD_WAKE_H

#include "world/world.h"

#define ASLEEP (-1.0f)

static inline bool body_sleeps(const body_store *store, size_t slot)
{
    return store->rest.data[slot] < 0;
}

// Wakes the islands of the bodies named, and of all that touch them; bodies that do not exist are passed over. Uses
// scratch memory; without any, everything is woken.
void wake_bodies(scree_world *world, const scree_id *ids, size_t count);
void wake_all(scree_world *world);

// Wakes what is marked by slot. Marks spread over contacts and joints between bodies that can move; immovable ones only
// mark what touches them. `parent` is room for as many entries as there are bodies.
void wake_marked(scree_world *world, uint8_t *marked, uint32_t *parent);

void wake_body(scree_world *world, size_t slot); // alone

// Unites bodies that can move and that a joint ties, in disjoint sets of slots.
void unite_jointed(const scree_world *world, uint32_t *parent);

#endif
