// Sleeping bodies in detection: they do not take part as movable, and their contacts wait until it is over.
#ifndef CONTACT_SLEEPERS_H
#define CONTACT_SLEEPERS_H

#include "contact/step_problem.h"

// Before detection: bodies that do not take part as movable, by slot, and the contacts that wait meanwhile.
typedef struct sleepers {
    const uint8_t *still; // immovable or asleep
    contact *contacts;    // between sleeping bodies, and of those with immovable ones
    size_t contact_count;
} sleepers;

// Sets contacts of what sleeps aside. False when out of memory.
bool sleepers_find(const step_problem *problem, arena *scratch, sleepers *found);

// After detection: puts the contacts back among the new ones, in the order of their first body's slot. False when out
// of memory.
bool sleepers_return(const sleepers *found, contact_array *contacts);

#endif
