// Worlds that are looked at and not stepped: what plays a recording back does to them beside setting states.
#ifndef WORLD_PLAYBACK_H
#define WORLD_PLAYBACK_H

#include "scree/world.h"

// Sets the clock, brings the bodies that have a motion to where they are at that time, and forgets all contacts.
void world_set_clock(scree_world *world, uint64_t steps, double time);

#endif
