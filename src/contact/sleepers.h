// Sleeping bodies in detection: they do not take part as movable, and their contacts wait until it is over.
#ifndef CONTACT_SLEEPERS_H
#define CONTACT_SLEEPERS_H

#include "world/world.h"

// Before detection: bodies that do not take part as movable, by slot, and the contacts that wait meanwhile.
typedef struct sleepers {
    const uint8_t *still; // immovable or asleep; the store's own column when nothing sleeps
    contact *contacts;    // between sleeping bodies, and of those with immovable ones
    size_t contact_count;
} sleepers;

// Wakes islands that a moved body comes near, then sets the rest aside. False when out of memory.
bool sleepers_find(scree_world *world, sleepers *found);

// After detection: puts the contacts back among the new ones, in the order of their first body's slot.
bool sleepers_return(scree_world *world, const sleepers *found);

// Marks, by slot, the bodies that one with a motion comes near within the step, and those of driven joints.
// False when out of scratch memory.
bool mark_near_moved(scree_world *world, uint8_t *marked);

#endif
