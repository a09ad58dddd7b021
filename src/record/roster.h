// The ids of a world's bodies, those that move by forces apart from those that are fixed (or moved by a motion). Read
// once and again whenever bodies were removed, so that no step has to ask which is which.
#ifndef RECORD_ROSTER_H
#define RECORD_ROSTER_H

#include "base/array.h"
#include "scree/world.h"

typedef ARRAY(scree_id) id_array;

typedef struct body_roster {
    id_array moving, fixed; // each rising
} body_roster;

// Fills an empty roster, or replaces what is in it.
scree_status roster_read(body_roster *roster, const scree_world *world, scree_error *error);
void roster_free(body_roster *roster);

#endif
