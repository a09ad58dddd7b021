// Detection, fitted to a world: its bodies in, its contacts out.
#ifndef CONTACT_DETECT_H
#define CONTACT_DETECT_H

#include "world/kinematics.h"

// What may touch within the step by the velocities that bodies have and, unless that is NULL, by those that they have
// `reached`, by slot.
scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error);

// Says which body is too far out, when the broad phase has no place for one.
scree_status report_far_body(scree_world *world, scree_error *error);

#endif
