// Fast exits: bodies that leave a step much faster than they entered it, or turned aside, and so may hit what
// detection, which knew the old velocities only, did not look for.
#ifndef RIGID_EXITS_FAST_EXITS_H
#define RIGID_EXITS_FAST_EXITS_H

#include "rigid/solution.h"

typedef struct fast_exits {
    size_t count;
    uint8_t *is_fast_exit;        // by slot
    const body_velocity *reached; // by slot: velocities by which bodies would move
} fast_exits;

// Memory comes from `scratch`; false when there is none.
bool fast_exits_find(const step_problem *problem, const step_solution *solution, arena *scratch, fast_exits *exits);

// Do bodies with these velocities, by slot, overlap at the end of the step by more than they did at its beginning?
bool contact_collides(const step_problem *problem, const body_velocity *velocities, const contact *c);

// Does a fast exit run into something at a contact that was detected for the velocities reached?
bool fast_exit_collides(const step_problem *problem, const fast_exits *exits, const contact *c);

// Part of the smaller radius: overlap at the end of the step that counts as a collision.
#define UNEXPECTED_OVERLAP 0.025

#endif
