// Detection in a world: gathers the arrays that detect.h reads, and says by id what went wrong.
#ifndef CONTACT_DETECT_STEP_H
#define CONTACT_DETECT_STEP_H

#include "world/kinematics.h"

// Finds the contacts of all pairs that may touch within the step by the velocities that bodies have at its beginning.
// `reached`, by slot, has the velocities that a solve gave them; contacts that those lead to are found too. It may be
// NULL.
scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error);

// Bodies that a solve made so fast, or turned aside so far, that they may strike others.
typedef struct strike_search {
    const uint8_t *fast;          // by slot
    const uint8_t *near;          // by slot: those that may strike something, and what they may strike
    const body_velocity *reached; // by slot: of fast bodies, the velocities that they leave the step with
    pair_meetings *meetings;      // receives those of the contacts found; the world keeps its own
} strike_search;

// Finds the contacts of fast bodies with what they are near, at the places at which the world's contacts were found,
// with the impulses of those. The world keeps its contacts; `angular` is filled where pairs have such friction.
scree_status detect_strikes(scree_world *world, const strike_search *search, contact_array *found, vec3f_array *angular,
                            scree_error *error);

// Marks, by slot, the bodies that one with a motion comes near within the step, and those of driven joints.
// False when out of scratch memory.
bool mark_disturbed(scree_world *world, uint8_t *marked);

// Fails with a message that names the body that is farthest out, when that is too far for the broad phase.
scree_status report_far_body(scree_world *world, scree_error *error);

#endif
