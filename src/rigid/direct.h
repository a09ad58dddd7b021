// An island by Newton's method, with its joints held where the step ends.
#ifndef RIGID_DIRECT_H
#define RIGID_DIRECT_H

#include "rigid/island_run.h"

// Solves from the impulses that contacts and rows have, and leaves there those found.
scree_status direct_solve(island_run *run, row_bias *bias, scree_error *error);

// The same, and again where joints ask for it: they hold where bodies get to, which depends on the velocities found.
scree_status direct_solve_joints(island_run *run, scree_error *error);

// Before sweeps, of an island that may be at rest: are the impulses of the last step good enough, or are they after one
// step of Newton's method?
scree_status direct_finish(island_run *run, bool *finished, scree_error *error);

// After sweeps: are their impulses good enough? Where they are not, Newton's method goes on from them.
scree_status direct_check(island_run *run, scree_error *error);

#endif
