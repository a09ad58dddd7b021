// Detection over plain arrays, stage by stage: from bodies and their shapes to contacts with the impulses that they
// had.
//
//     margins -> what is remembered -> pairs (broad phase) -> contacts (narrow phase)
//
// detect_step.h gathers the arrays from a world.
#ifndef CONTACT_DETECT_H
#define CONTACT_DETECT_H

#include "contact/memory.h"
#include "contact/sleepers.h"
#include "contact/step_problem.h"

// A body that would move by more of its radii in a step has exploded.
#define MOST_RADII_PER_STEP 1e5

typedef struct detection {
    // Arrays that detection reads.
    const step_problem *problem; // bodies, materials, the step and its threads; not its contacts
    proxy_view view;             // shapes; still bodies count as immovable; with margins when those are found
    size_t most_per_pair;        // contacts between a compound body and another
    const body_velocity
        *reached;              // by slot: velocities that a solve gave; contacts that they lead to count too. Or NULL
    const uint8_t *searched;   // by slot: bodies whose contacts are looked for; NULL: all
    const uint8_t *near;       // with `searched`, by slot: bodies that they may meet, and themselves
    const contact_array *last; // contacts whose impulses are remembered
    const vec3f_array *last_angular; // and their angular impulses

    // Arrays that detection writes, which may be the last two: contacts, sorted by slot of a; and their angular
    // impulses, NULL where no pair has rolling or spinning friction.
    contact_array *contacts;
    vec3f_array *angular;

    // Results that its stages hand on, in scratch memory.
    arena *scratch;
    double fall;                 // speed that gravity gives in a step
    contact_memory memory;       // impulses of the last step
    const vec3f *angular_before; // by remembered contact
    size_t remembered;
    const proxy_pair *pairs;
    size_t pair_count;
} detection;

// How near contacts of a body must be to be kept: how far it may come in the step, and its part of the tolerance.
// `lost` is the first slot that would move farther than can be borne, or SIZE_MAX. False when out of memory.
bool detection_find_margins(detection *of, size_t *lost);

// Leaves out all shapes but those of bodies that are `near`, and all pairs without a `searched` body. False when out of
// memory.
bool detection_narrow_down(detection *of);

// Remembers the impulses of the last contacts. False when out of memory.
bool detection_remember(detection *of);

// The broad phase. Where it fails for a crowd, `lost` is the slot of a body in it (broad.h).
scree_status detection_find_pairs(detection *of, size_t *lost, scree_error *error);

// The narrow phase: contacts of the pairs, those that matter within the step, with the impulses that they had; and
// those that were set aside. False when out of memory.
bool detection_find_contacts(detection *of, const sleepers *asleep);

#endif
