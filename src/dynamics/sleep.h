// Sleeping: an island at rest keeps its state and its contacts, and costs nothing but its place, until something
// changes: a body that moves comes to it, a body of it or under it is removed, pushed or put elsewhere, or a user asks.
//
// A body's column `rest` is the time that it has been at rest, or ASLEEP.
#ifndef DYNAMICS_SLEEP_H
#define DYNAMICS_SLEEP_H

#include "dynamics/islands.h"

#define ASLEEP (-1.0f)

static inline bool body_sleeps(const body_store *store, size_t slot)
{
    return store->rest.data[slot] < 0;
}

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

// Bodies of islands with one that is awake are awake: called when the islands of the step are known.
void wake_islands(scree_world *world, const island_set *set);

// After integration: islands in which all bodies have been at rest for long enough fall asleep.
bool update_rest(scree_world *world, const island_set *set);

// Wakes the islands of the bodies named, and of all that touch them; bodies that do not exist are passed over. Uses
// scratch memory; without any, everything is woken.
void wake_bodies(scree_world *world, const scree_id *ids, size_t count);
void wake_all(scree_world *world);

#endif
