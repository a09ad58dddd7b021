// What materials do to each other, beyond the public interface.
#ifndef WORLD_MATERIALS_H
#define WORLD_MATERIALS_H

#include "world/world.h"

// Notes in the world which properties any pair has, unless that is known.
void note_pairs(scree_world *world);

#endif
