// An island by sweeps over its contacts in the order of cells, with its joints as one block among them.
#ifndef RIGID_SWEPT_H
#define RIGID_SWEPT_H

#include "rigid/island_run.h"

// Bytes of velocities that a run of the island keeps (problem.h).
size_t swept_velocities_size(const island_run *run);

// Lays the island out, with its velocities where the run says, and solves it from the impulses that contacts and rows
// have; leaves there those found.
scree_status swept_solve(island_run *run, scree_error *error);

// Solves again, with other rows, from the impulses found: everything, or only tiles with contacts that are pushed out
// and those around them.
scree_status swept_solve_again(island_run *run, row_bias *bias, int iterations, scree_error *error);
scree_status swept_solve_pushed(island_run *run, row_bias *bias, int iterations, scree_error *error);

#endif
