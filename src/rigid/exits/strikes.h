// What fast exits strike, and what that is thrown against: a body that is hit by a fast exit may leave the step as
// fast, and run into the next. What is thrown far is therefore looked for as fast exits are, up to four bodies on.
#ifndef RIGID_EXITS_STRIKES_H
#define RIGID_EXITS_STRIKES_H

#include "rigid/exits/patch.h"

typedef struct strike_problem {
    scree_world *world;
    const step_problem *problem; // of the step, solved
    const joint_rows *joints;
    const patch *marks; // room for those of bodies, which are left as they may be
} strike_problem;

// Fills world->strikes with the contacts of pairs that collide by what fast exits do; memory comes from the scratch of
// the world.
scree_status strikes_find(const strike_problem *of, const fast_exits *exits, scree_error *error);

#endif
