// Impulses of the last step that are no good as a start for this one.
//
// A body that is caught between two others that nothing can move, as a grain between a blade and a wall, has no
// solution: each sweep presses harder from both sides, and so does each step that starts from the last one. That is of
// no consequence while both sides press alike. When the catch opens, one of the two impulses is left, and would throw
// the body through everything there is.
//
// So impulses have limits that honest loads of the island do not reach. In units of its heaviest body times the speed
// scale, which is that of the fastest body in it or in touch with it, and a hundred times what gravity gives in a step:
// where the impulses on a body add up to more than 50, all of them are set to zero, and then those of bodies that this
// leaves out of balance; and no impulse is above 1,000.
#ifndef RIGID_STALE_H
#define RIGID_STALE_H

#include "rigid/island_run.h"

// Acts on the impulses of the island's contacts. False when out of memory.
bool forget_stale_impulses(island_run *run);

#endif
