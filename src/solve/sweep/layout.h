// The order in which contacts may be relaxed: cells become tiles, which of them meet, lanes in groups.
#ifndef SOLVE_SWEEP_LAYOUT_H
#define SOLVE_SWEEP_LAYOUT_H

#include "solve/sweep/problem.h"

// Fills the tile, neighbour, body and lane arrays of the problem (and group_count) from its contacts' ends.
scree_status layout_contacts(contact_problem *problem, const problem_spec *spec, int threads, arena *scratch,
                             scree_error *error);

#endif
