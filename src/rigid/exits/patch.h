// A patch: the bodies around what a fast exit strikes, which are solved once more with the contacts of the strike.
//
// The velocities that a strike changes fade away from it in a few contacts. What lies farther keeps its solution, and
// presses on the patch with the impulses that it has:
//
//     done ~~~~ rim -- patch -- STRUCK == EXIT -- patch -- rim ~~~~ done       --  solved again
//                                                                             ~~  impulses as they are
//
// Momentum is kept, since both ends of each impulse are there. So a strike costs what lies around it, however large the
// heap is in which it happens. Where it does not fade, as along a row of balls, the rim runs into what is done: then
// the patch is widened to whole islands.
#ifndef RIGID_EXITS_PATCH_H
#define RIGID_EXITS_PATCH_H

#include "rigid/exits/fast_exits.h"

typedef struct patch {
    uint8_t *marked; // by slot: its bodies
    uint8_t *done;   // by slot: all others
    size_t contact_count;
    uint32_t *index; // of its contacts among all
} patch;

// Of the contacts of fast exits, sorted by slot of a, keeps those of pairs that are near each other and collide;
// `angular` is theirs, or NULL. What detection found besides depends on where it looked. Memory of these functions
// comes from `scratch`; false when there is none.
bool keep_colliding(const step_problem *problem, const proxy_view *view, const fast_exits *exits, contact_array *found,
                    vec3f_array *angular, arena *scratch);

// Takes room for the marks of a patch.
bool patch_take(size_t body_count, arena *scratch, patch *taken);

// Marks the bodies around the contacts at which fast exits collide; the problem has all others.
void patch_mark(const step_problem *problem, const joint_rows *joints, const contact_array *colliding,
                const patch *marked);

// Marks all bodies of islands of which some are marked, and in which bodies fly to where they meet, or impacts pass
// through marked ones: bodies there have velocities to move by and others to end with, and impulses of a rim would give
// the latter only; and a blow from beyond the rim would not pass on.
void patch_take_whole(const step_problem *problem, const island_set *islands, const patch *marked);

// Where the rim runs into others, with velocities by slot that a solve of the patch gave, marks all bodies of the
// islands that there were before. `again` are the islands of that solve. Returns whether there are any.
bool patch_widen(const step_problem *problem, const island_set *before, const island_set *again,
                 const body_velocity *velocities, patch *of);

// Contacts found join all contacts, in their order, in place of those that the same two bodies had; `angular` and
// `found_angular` are theirs, or NULL. False when out of memory.
bool patch_join(const step_problem *problem, const patch *of, const contact_array *found,
                const vec3f_array *found_angular, contact_array *contacts, vec3f_array *angular);

// Meetings of the contacts found, as far as those are left, take the place of those that the same two bodies had.
bool patch_join_meetings(const contact_array *found, const pair_meetings *met, pair_meetings *all);

// Makes a problem of all contacts that of the patch: its contacts alone, and what others press with as loads.
bool patch_cut_out(step_problem *problem, patch *of, arena *scratch);

// The impulses of the patch's problem go back to all contacts.
void patch_return(const step_problem *problem, const patch *of, contact *contacts, vec3f *angular);

#endif
