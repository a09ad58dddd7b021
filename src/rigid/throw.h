// What a step throws: bodies that come out of it much faster than they went in, and so may meet what detection, which
// knew the old velocities only, did not look for.
#ifndef RIGID_THROW_H
#define RIGID_THROW_H

#include "rigid/solution.h"

typedef struct thrown_bodies {
    size_t count;
    uint8_t *is_thrown;     // by slot
    body_velocity *reached; // by slot: velocities by which bodies would move
} thrown_bodies;

// Memory comes from the world's scratch; false when there is none.
bool thrown_find(scree_world *world, const step_solution *solution, thrown_bodies *thrown);

// Might thrown bodies run into something? False in *may_collide is certain. As thrown_find.
bool thrown_look(scree_world *world, const thrown_bodies *thrown, bool *may_collide);

// Detects again, with thrown bodies at the velocities that they have reached.
scree_status thrown_detect(scree_world *world, const thrown_bodies *thrown, scree_error *error);

// Does a thrown body run into something at a contact that was detected for the velocities reached?
bool thrown_collides(const scree_world *world, const thrown_bodies *thrown, const contact *c);

// Contacts with their impulses, sorted by slot of a.
typedef struct kept_contacts {
    contact *contacts;
    vec3f *angular; // impulses; NULL where the world has none
    size_t count;
} kept_contacts;

// Keeps the contacts of which `marked`, by slot, holds a body, or with NULL all of them. As thrown_find.
bool contacts_keep(scree_world *world, const uint8_t *marked, kept_contacts *kept);

// After a second detection: contacts of bodies that are not marked are again those that were solved, bit by bit. What
// runs into something elsewhere must not change the points that others have picked, nor wake them.
bool contacts_put_back(scree_world *world, const kept_contacts *solved, const uint8_t *marked);

#endif
