// Detection in a world: gathers the arrays that detect.h reads, and says by id what went wrong.
#ifndef CONTACT_DETECT_STEP_H
#define CONTACT_DETECT_STEP_H

#include "world/kinematics.h"

// Finds the contacts of all pairs that may touch within the step by the velocities that bodies have at its beginning.
// `reached`, by slot, has the velocities that a solve gave them; contacts that those lead to are found too. It may be
// NULL.
scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error);

// The same once more at the same places, after contacts were found and solved: for the sake of the bodies that are
// `changed`, by slot, whose velocities reached are not those that they had. Pairs of others keep their contacts;
// `before` is a copy of all that were found.
scree_status detect_contacts_again(scree_world *world, const body_velocity *reached, const uint8_t *changed,
                                   const contact *before, scree_error *error);

// Marks, by slot, the bodies that one with a motion comes near within the step, and those of driven joints.
// False when out of scratch memory.
bool mark_disturbed(scree_world *world, uint8_t *marked);

// Fails with a message that names the body that is farthest out, when that is too far for the broad phase.
scree_status report_far_body(scree_world *world, scree_error *error);

#endif
