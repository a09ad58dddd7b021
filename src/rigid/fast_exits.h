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

// Memory comes from `scratch`; false when there is none.
bool fast_exits_find(const step_problem *problem, const step_solution *solution, arena *scratch, fast_exits *exits);

// Might fast exits run into something? False in *may_collide is certain. As fast_exits_find.
bool fast_exits_may_hit(const step_problem *problem, const proxy_view *view, const fast_exits *exits, arena *scratch,
                        bool *may_collide);

// The velocities by which to detect once more: those that fast exits have reached, and those with which all others
// began. NULL when out of memory.
body_velocity *fast_exits_search_velocities(const step_problem *problem, const fast_exits *exits, arena *scratch);

// Does a fast exit run into something at a contact that was detected for the velocities reached?
bool fast_exit_collides(const step_problem *problem, const fast_exits *exits, const contact *c);

// Contacts with their impulses, sorted by slot of a.
typedef struct kept_contacts {
    contact *contacts;
    vec3f *angular; // impulses; NULL where there are none
    size_t count;
} kept_contacts;

// Keeps the contacts of which `marked`, by slot, holds a body, or with NULL all of them; `angular` may be NULL. As
// fast_exits_find.
bool contacts_keep(const contact *all, const vec3f *angular, size_t count, const uint8_t *marked, arena *scratch,
                   kept_contacts *kept);

// After a second detection: contacts of bodies that are not marked are again those that were solved, bit by bit. What
// runs into something elsewhere must not change the points that others have picked, nor wake them.
bool contacts_put_back(const kept_contacts *solved, const uint8_t *marked, arena *scratch, contact_array *contacts,
                       vec3f_array *angular);

#endif
