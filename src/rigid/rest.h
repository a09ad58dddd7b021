// Falling asleep: an island at rest costs nothing but its place until something wakes it.
//
// What is at rest: slower than a small part of the speed that a body gains by falling its own radius, for some times
// as long as that fall takes. Without gravity there is no such measure, and nothing sleeps.
#ifndef RIGID_REST_H
#define RIGID_REST_H

#include "rigid/islands.h"

// Bodies of islands with one that is awake are awake: called when the islands of the step are known.
void wake_islands(scree_world *world, const island_set *set);

// After integration: islands in which all bodies have been at rest for long enough fall asleep.
bool update_rest(scree_world *world, const island_set *set);

#endif
