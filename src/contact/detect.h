// Detection, fitted to a world: its bodies in, its contacts out.
#ifndef CONTACT_DETECT_H
#define CONTACT_DETECT_H

#include "world/kinematics.h"

// Finds the contacts of all pairs that may touch within the step by the velocities that bodies have at its beginning.
// `reached`, by slot, has the velocities that a solve gave them; contacts that those lead to are found too. It may be
// NULL.
scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error);

// Fails with a message that names the body that is farthest out, when that is too far for the broad phase.
scree_status report_far_body(scree_world *world, scree_error *error);

#endif
