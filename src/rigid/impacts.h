// Impacts of an island, one after the other: how fast each contact that is struck in the step opens at its end.
//
// Newton's law of restitution says how two bodies part. Where a blow runs on through others, all of them at once would
// share it (a row of five balls: -0.6, 0.4, 0.4, 0.4, 0.4), and what hits one body first would be passed on to those
// behind it unseen. So impacts are taken in their order in time, pair by pair, and at once only where they happen at
// once: the contacts that close first, of all those at either of their bodies, solve
//
//     0 <= u' + e u  ⟂  p >= 0        (u < 0 before, u' after, p along the normals, without friction)
//
// together, their bodies go on with the new velocities, and so on until nothing closes within the step: the generalized
// reflections of Smith, Kaufman, Vouga, Tamstorf and Grinspun, "Reflections on simultaneous impact" (2012), in the
// order in which contacts close. Each round loses energy or keeps it (1/2 p (u' + u) = 1/2 p u (1 - e) <= 0), conserves
// momentum, and treats alike what is alike. What is left is a speed for each struck contact. The solution of the step
// takes it as the least at which the contact may open, and adds friction, loads, joints, and what rests.
#ifndef RIGID_IMPACTS_H
#define RIGID_IMPACTS_H

#include "rigid/island_run.h"

// Finds what becomes of the island's contacts, and whether any are struck in the midst of the step (run->flies). False
// when out of memory.
bool impacts_find(island_run *run, contact_rebound *rebounds);

// Gives struck contacts the impulses of their impacts for a solution to start from, of the velocities by which bodies
// move or of those that they keep.
void impacts_start(const island_run *run, bool moving);

#endif
