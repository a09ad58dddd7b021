// The solution of a step: from contacts and joint rows to velocities and impulses, island by island.
#ifndef RIGID_SOLUTION_H
#define RIGID_SOLUTION_H

#include "rigid/islands.h"

typedef struct step_solution {
    island_set islands;
    body_velocity *end;      // by slot: velocities at the end of the step
    body_velocity *position; // by slot: velocities by which bodies move; NULL: the same
    step_outcome outcome;    // of all islands together
} step_solution;

// Solves the islands that are not asleep. Impulses go into contacts and joint rows, velocities into the solution: into
// arrays of its own, or into those that it has, which stay as they are where nothing is solved.
scree_status solve_islands(const step_problem *problem, joint_rows *joints, arena *scratch, arena *workers,
                           step_solution *solution, scree_error *error);

#endif
