// Rebounds that create no energy.
//
// Several collisions at once, each with Newton's restitution, may leave bodies with more energy than they had: between
// materials of different restitution, and where a rebound turns the sliding at a rough contact round. What the impulses
// p of an island add to the energy of its bodies, less the work of bodies that are moved, is
//     E = sum over its contacts of 1/2 (u' + u) . p        (u, u': relative velocities before and after impulses).
// Solved anew without any rebound the step loses energy, so that between the two solutions, velocities and impulses
// alike, there is one that keeps it: E is a quadratic of the way there, and the cones of friction are convex.
#ifndef RIGID_REBOUND_H
#define RIGID_REBOUND_H

#include "rigid/island_run.h"

// Measures the energy of the solution as it stands and, where it has grown, solves anew without rebounds and goes from
// there as far towards the solution with them as energy allows.
scree_status limit_rebounds(island_run *run, scree_error *error);

#endif
