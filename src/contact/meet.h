// Pairs that move far against each other within a step, seen at the moment when they meet or pass each other.
//
// Detection gives them contacts of the beginning of the step. Where those would act although the bodies are apart, and
// the bodies move by more than a small part of their size, the contacts of the moment of impact take their place
// (collide/impact.h). All others stay as they are.
#ifndef CONTACT_MEET_H
#define CONTACT_MEET_H

#include "contact/step_problem.h"

typedef struct meeting_search {
    const step_problem *problem; // bodies, materials and the step; not its contacts
    const proxy_view *view;      // shapes, with the margins of detection
    const body_velocity
        *reached;         // by slot: velocities that a solve gave, for those that do not meet without it; or NULL
    size_t most_per_pair; // contacts between a compound body and another
    const pair_meetings *before; // of an earlier search in this step, among all contacts; NULL: there was none

    // Arrays that change: contacts sorted by slot of a, their angular impulses or NULL, and the meetings, none so far.
    contact_array *contacts;
    vec3f_array *angular;
    pair_meetings *meetings;
    arena *scratch;
} meeting_search;

// False when out of memory.
bool meet_pairs(const meeting_search *of);

// At the end of a step: forgets all meetings. Contacts of theirs then are, as all others, seen from where bodies stood
// when they were found: midway between where the two points that met stood then.
void meetings_end(pair_meetings *meetings, const contact_array *contacts);

#endif
