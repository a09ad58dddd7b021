// Impulses of the last step that are no good as a start for this one.
//
// What is caught between two bodies that nothing can move, as a grain between a blade and a wall, has no solution: each
// sweep presses harder from both sides, and so does each step that starts from the last one. That is of no consequence
// while both sides press alike. When the catch opens, one of the two impulses is left, and would throw the body through
// everything there is.
//
// So impulses have limits that honest loads do not reach. In units of the heaviest body that can move times the speed
// scale, which is that of the fastest body and a hundred times what gravity gives in a step: a body on which impulses
// of more than 50 are left over forgets them, as do those that they pressed against, and no impulse is above 1,000.
#ifndef DYNAMICS_STALE_H
#define DYNAMICS_STALE_H

#include "dynamics/world.h"

// Acts on the impulses of the world's contacts. False when out of memory.
bool forget_stale_impulses(scree_world *world);

#endif
