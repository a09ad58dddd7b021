// Cells: the cubes of the grid in which contacts are relaxed (base/cells.h). Their edge is def.solver.cell.
#ifndef WORLD_CELL_H
#define WORLD_CELL_H

#include "world/world.h"

// Decides the edge at the first step with bodies that can move, unless it is given or known: at least 4.6 times the
// median diameter of those bodies, in quarters of a power of two. False when out of memory.
bool cell_decide(scree_world *world);

#endif
