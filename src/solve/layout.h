// The order in which contacts may be relaxed: tiles of neighbouring contacts, which of them meet, lanes in groups.
#ifndef SOLVE_LAYOUT_H
#define SOLVE_LAYOUT_H

#include "solve/problem.h"

// Fills the tile, neighbour and lane arrays of the problem (and group_count) from its contacts' ends.
scree_status layout_contacts(contact_problem *problem, const uint8_t *immovable, const problem_ends *ends, int threads,
                             arena *scratch, scree_error *error);

#endif
