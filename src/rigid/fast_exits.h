// Fast exits: bodies that leave a step much faster than they entered it, or turned aside, and so may hit what
// detection, which knew the old velocities only, did not look for.
#ifndef RIGID_FAST_EXITS_H
#define RIGID_FAST_EXITS_H

#include "rigid/solution.h"

typedef struct fast_exits {
    size_t count;
    uint8_t *is_fast_exit;  // by slot
    body_velocity *reached; // by slot: velocities by which bodies would move
} fast_exits;

// Memory comes from the world's scratch; false when there is none.
bool fast_exits_find(scree_world *world, const step_solution *solution, fast_exits *exits);

// Might fast exits run into something? False in *may_collide is certain. As fast_exits_find.
bool fast_exits_may_hit(scree_world *world, const fast_exits *exits, bool *may_collide);

// Contacts with their impulses, sorted by slot of a.
typedef struct kept_contacts {
    contact *contacts;
    vec3f *angular; // impulses; NULL where the world has none
    size_t count;
} kept_contacts;

// Detects again, with fast exits at the velocities that they have reached, and what they run into as they throw it;
// `solved` keeps all contacts that there were.
scree_status fast_exits_detect(scree_world *world, const fast_exits *exits, const kept_contacts *solved,
                               scree_error *error);

// Does a fast exit run into something at a contact that was detected for the velocities reached?
bool fast_exit_collides(const scree_world *world, const fast_exits *exits, const contact *c);

// Keeps the contacts of which `marked`, by slot, holds a body, or with NULL all of them. As fast_exits_find.
bool contacts_keep(scree_world *world, const uint8_t *marked, kept_contacts *kept);

// After a second detection: contacts of bodies that are not marked are again those that were solved, bit by bit. What
// runs into something elsewhere must not change the points that others have picked, nor wake them.
bool contacts_put_back(scree_world *world, const kept_contacts *solved, const uint8_t *marked);

#endif
