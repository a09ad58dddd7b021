// The filter of pairs: it tells which bodies of a world may meet.
#ifndef CONTACT_FILTER_H
#define CONTACT_FILTER_H

#include "world/world.h"

// The filter of the world for detection, in scratch memory; NULL when all bodies may pair. False when out of memory.
bool find_filter(scree_world *world, const pair_filter **filter);

#endif
