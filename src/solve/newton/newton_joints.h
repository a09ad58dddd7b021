// Islands whose constraints all hold both ways: mechanisms without contacts, limits and motors of limited force.
// Nothing is to be found out of them, so their impulses are those of a linear system, which is solved over the joints.
#ifndef SOLVE_NEWTON_NEWTON_JOINTS_H
#define SOLVE_NEWTON_NEWTON_JOINTS_H

#include "solve/newton/newton.h"

// Does everything hold both ways, and is no body held by so many rows that a factor over bodies is cheaper?
bool newton_joints_apply(const island *problem, arena *scratch);

// As newton_solve; rounds count as steps.
scree_status newton_joints_solve(island *problem, int iterations, double tolerance, arena *scratch,
                                 island_result *result, scree_error *error);

#endif
