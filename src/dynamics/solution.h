// The solution of a step: from contacts and joint rows to velocities and impulses, island by island.
#ifndef DYNAMICS_SOLUTION_H
#define DYNAMICS_SOLUTION_H

#include "dynamics/islands.h"

typedef struct step_solution {
    island_set islands;
    problem_body *direct;    // by place in islands.bodies: solved velocities of direct islands
    contact_problem problem; // of all other contacts, and of all bodies
    uint32_t *swept;         // by contact of the problem: index among the world's contacts; NULL: the same
    uint32_t *swept_rows;    // by row of the problem's joints: index among the rows of the step
    const body_load *loads;  // by slot; NULL when no forces are applied
    body_velocity *settled;  // by slot: where they differ from all of the above, the velocities to end with; or NULL
    body_velocity *moving;   // by slot: velocities with push-out; NULL when nothing is pushed
} step_solution;

// Solves the step: impulses go into the world's contacts and into the joints' rows, velocities wait in the solution.
scree_status solve_step(scree_world *world, joint_rows *joints, step_solution *solution, scree_error *error);

// Of a movable body at the end of the step.
body_velocity solution_velocity(const scree_world *world, const step_solution *solution, size_t slot);

#endif
