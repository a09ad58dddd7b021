// Falling asleep: an island at rest costs nothing but its place until something wakes it.
//
// What is at rest: slower than a small part of the speed that a body gains by falling its own radius, for some times
// as long as that fall takes. Without gravity there is no such measure, and nothing sleeps.
#ifndef RIGID_REST_H
#define RIGID_REST_H

#include "rigid/islands.h"

// Bodies of islands with one that is awake are awake: called when the islands of the step are known, with the times at
// rest by slot. Returns how many bodies woke.
size_t wake_islands(const island_set *set, size_t body_count, float *rest);

// Can anything fall asleep in this step?
bool may_rest(const step_problem *problem, const island_set *set);

// After integration: islands in which all bodies have been at rest for long enough fall asleep. Bodies that are
// `disturbed`, by slot, do not rest. Gives how many fell asleep; false when out of memory.
bool update_rest(const step_problem *problem, const island_set *set, const uint8_t *disturbed, arena *scratch,
                 const step_bodies *bodies, size_t *fell_asleep);

#endif
