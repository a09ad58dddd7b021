// Rebounds that create no energy.
//
// Several collisions at once, each with Newton's restitution, may leave bodies with more energy than they had: between
// materials of different restitution, and where a rebound turns the sliding at a rough contact round. What the impulses
// p of an island add to the energy of its bodies, less the work of bodies that are moved, is
//     E = sum over its contacts of 1/2 (u' + u) . p        (u, u': relative velocities before and after impulses).
// Solved anew without any rebound the step loses energy, so that between the two solutions, velocities and impulses
// alike, there is one that keeps it: E is a quadratic of the way there, and the cones of friction are convex.
#ifndef DYNAMICS_REBOUND_H
#define DYNAMICS_REBOUND_H

#include "dynamics/solution.h"

typedef struct contact_work {     // E, of one contact or of an island
    double with, without, middle; // with rebounds, without them, and half way
    double scale;
} contact_work;

typedef struct rebound {
    uint8_t *gains;      // by island: energy was created
    contact_work *work;  // by island
    bool any, any_swept; // whether one does; one of the swept islands
    // With rebounds, where any island gains: impulses of all contacts, and velocities by slot of bodies that can move.
    vec3 *impulses;
    body_velocity *velocity;
} rebound;

// Compares energies before and after the solution as it stands. False when out of memory.
bool rebound_measure(scree_world *world, const step_solution *solution, rebound *measured);

// After solving anew without rebounds: goes from there as far towards the solution with them as energy allows, and all
// the way in islands that gained none. False when out of memory.
bool rebound_blend(scree_world *world, step_solution *solution, const rebound *measured);

#endif
