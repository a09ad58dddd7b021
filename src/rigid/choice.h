// Who solves an island: sweeps, which cost the same for each contact and are never quite exact, or Newton's method,
// which is exact and costs sparse factors. Each island is given to factors where they are worth their estimated cost,
// and bodies remember by what they were solved, so that an island near the border does not change with every contact
// that comes or goes.
//
// Both costs follow from the island's own graph, numbered by ids: from nothing outside of it, and not from slots.
#ifndef RIGID_CHOICE_H
#define RIGID_CHOICE_H

#include "rigid/islands.h"

// Decides the solvers of all islands, whose lists are filled. False when there is no memory.
bool choose_solvers(const step_problem *problem, const joint_rows *joints, island_set *set, arena *scratch);

// Bodies remember by what their islands are solved, a solved_way by slot; those that are left out took no step.
void note_solvers(const island_set *set, size_t body_count, const uint8_t *left_out, uint8_t *solved_by);

#endif
