// From the solved velocities to new positions and orientations.
#ifndef RIGID_INTEGRATE_H
#define RIGID_INTEGRATE_H

#include "rigid/solution.h"
#include "world/pushes.h"

// Remembers how far bodies are moved beyond their velocities. False when out of memory.
bool note_pushes(const step_problem *problem, const step_solution *solution, body_pushes *pushes);

// Moves the bodies that are awake. Returns the first slot whose state is not finite afterwards, or SIZE_MAX.
size_t integrate_bodies(const step_problem *problem, const step_solution *solution, const step_bodies *bodies);

#endif
