// Impacts that pass through bodies that touch each other: how fast the contacts of an island open after them.
//
// Newton's law of restitution asks each contact for -e times its own approach, all at once, so that a blow on a row of
// balls at rest would throw the first back and move all others together. Here contacts that close solve
//
//     0 <= u_n' + e u_n   _|_   p >= 0
//
// together, those that close first without the others; bodies get their new velocities, by which others close; and so
// on until none does. These are the generalized reflections of Smith, Kaufman, Vouga, Tamstorf & Grinspun, "Reflections
// on simultaneous impact" (2012): energy is never gained, and kept where e = 1; a blow goes through a row and leaves at
// its end; what is hit alike moves alike. The solution of the step then asks struck contacts for the speed at which
// they opened, and adds friction and loads.
#ifndef RIGID_IMPACTS_REFLECT_H
#define RIGID_IMPACTS_REFLECT_H

#include "rigid/island_run.h"

// Finds problem->opening for the contacts of an island where impacts pass on; elsewhere, in islands with joints or
// driven bodies, and in large ones, each contact rebounds by its own approach. False when out of memory.
bool reflect_impacts(island_run *run);

#endif
