// Bodies with a motion that move in this step, in a tree of boxes, to find what they come near: the cost goes with how
// many bodies there are and how much is near the moved ones, not with the product of both.
#ifndef CONTACT_MOVED_H
#define CONTACT_MOVED_H

#include "contact/step_problem.h"
#include "geometry/bvh.h"

typedef struct moved_bodies {
    uint32_t *slots; // by item of the tree; those without a finite box follow
    size_t count, boundless;
    bvh tree;        // in scratch memory
    size_t compared; // pairs of spheres so far: the measure of cost
} moved_bodies;

// Finds which of the bodies with a motion, by their slots, move. False when out of memory.
bool moved_bodies_find(const step_problem *problem, const uint32_t *slots, size_t most, arena *scratch,
                       moved_bodies *moved);

// Is the sphere of a body within the bounds of a moved one, as widened by what that moves in a step?
bool is_near_moved(const step_problem *problem, moved_bodies *moved, uint32_t slot);

// Marks, by slot, the movable bodies that one with a motion comes near within the step. False when out of memory.
bool mark_near_moved(const step_problem *problem, const uint32_t *slots, size_t count, arena *scratch, uint8_t *marked);

#endif
