// What a step throws: bodies that come out of it much faster than they went in, and so may meet what detection, which
// knew the old velocities only, did not look for.
#ifndef DYNAMICS_THROW_H
#define DYNAMICS_THROW_H

#include "dynamics/solution.h"

typedef struct thrown_bodies {
    size_t count;
    uint8_t *is_thrown;     // by slot
    body_velocity *reached; // by slot: velocities by which bodies would move
} thrown_bodies;

// Memory comes from the world's scratch; false when there is none.
bool thrown_find(scree_world *world, const step_solution *solution, thrown_bodies *thrown);

// Might thrown bodies run into something? False in *may_collide is certain. As thrown_find.
bool thrown_look(scree_world *world, const thrown_bodies *thrown, bool *may_collide);

// Would thrown bodies run into something, by contacts that were detected for the velocities reached?
bool thrown_collide(const scree_world *world, const thrown_bodies *thrown);

#endif
