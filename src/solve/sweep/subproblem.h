// A subproblem, for solving it again where little has changed: some tiles, and those that share bodies with
// them. What lies beyond keeps its impulses.
#ifndef SOLVE_SWEEP_SUBPROBLEM_H
#define SOLVE_SWEEP_SUBPROBLEM_H

#include <stdbool.h>

#include "solve/sweep/problem.h"

// Tiles that are `marked`, and their neighbours, as a problem of their own over the same bodies, rows and impulses. For
// solving, not for setting or reading contacts. False when out of memory.
bool problem_take_subproblem(const contact_problem *problem, const uint8_t *marked, arena *scratch,
                             contact_problem *subproblem);

#endif
