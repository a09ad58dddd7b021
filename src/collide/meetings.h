// Pairs of bodies that are far apart when a step begins and come together within it, or pass each other: their contacts
// are those of the moment when they are nearest (contact/meet.h). Such pairs are few, and what only they need is kept
// apart from the contacts, for the time of a step.
#ifndef COLLIDE_MEETINGS_H
#define COLLIDE_MEETINGS_H

#include "base/array.h"
#include "base/vec.h"

typedef enum meeting_kind {
    MEETING_HIT,   // the first for both bodies
    MEETING_LATER, // only if nothing stops or turns them before
    MEETING_PASS,  // none: the contact only keeps apart what something else turns aside
} meeting_kind;

typedef struct pair_meeting {
    uint32_t a, b; // slots, in the order of their contacts
    vec3f shift;   // by which b's centre comes nearer to a's until the moment, seen from b
    float moment;  // part of the step
    uint8_t kind;  // meeting_kind
    bool flies;    // bodies are moved to the moment and on from there (row.h)
} pair_meeting;

typedef ARRAY(pair_meeting) pair_meeting_array;

// Rising by a and b, each pair once, when they are looked for.
typedef struct pair_meetings {
    pair_meeting_array list;
    ARRAY(uint8_t) meets; // by slot: bodies that are in one of them; empty when there are none
} pair_meetings;

// Forgets all of them, and gives memory back that an impact needed and the last step did not.
void meetings_clear(pair_meetings *meetings);
void meetings_free(pair_meetings *meetings);
void meetings_sort(pair_meetings *meetings);

// NULL when the pair has none.
const pair_meeting *meeting_find(const pair_meeting *meetings, size_t count, uint32_t a, uint32_t b);

#endif
