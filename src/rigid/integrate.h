// From the solved velocities to new positions and orientations.
#ifndef RIGID_INTEGRATE_H
#define RIGID_INTEGRATE_H

#include "rigid/solution.h"

// Remembers how far bodies are moved beyond their velocities. False when out of memory.
bool note_pushes(scree_world *world, const step_solution *solution, const uint8_t *left_out);

// Moves the bodies that are awake, but for those that are marked by slot (NULL: none). Returns the first slot whose
// state is not finite afterwards, or SIZE_MAX.
size_t integrate_bodies(scree_world *world, const step_solution *solution, const uint8_t *left_out);

#endif
