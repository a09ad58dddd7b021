// At which instant a body has the velocity that is stored.
//
// Where nothing touches, the complementarity method is a leapfrog (Verlet 1967; Hairer, Lubich & Wanner 2003):
//
//     v(n+1/2) = v(n-1/2) + h a(n),     x(n+1) = x(n) + h v(n+1/2)
//
// so the stored velocity stands half a step behind the pose. Whoever gives a body a velocity means that of the pose;
// the first kick after that is half of one. Whoever reads it gets that of the pose: with half of the last kick on top,
// v(n) = v(n-1/2) + h a / 2 up to terms of second order. What touches is solved for the end of a step as a whole, and
// is read as it was solved.
//
//     x    0       1       2
//     v    0  1/2     3/2     5/2
#ifndef WORLD_INSTANT_H
#define WORLD_INSTANT_H

#include "base/array.h"
#include "base/vec.h"
#include "scree/types.h"

struct scree_world;

// The column `instant` of a body.
typedef enum velocity_instant {
    VELOCITY_SOLVED, // of a step in which something touched; or of a method that knows no other
    VELOCITY_BEHIND, // half a step behind the pose
    VELOCITY_GIVEN,  // of the pose
    VELOCITY_INSTANTS,
} velocity_instant;

// Half of a body's last kick, where that was not gravity's alone: bodies with joints.
typedef struct half_kick {
    vec3 velocity, momentum; // and angular momentum, world axes
    uint32_t slot, unused;   // 0
} half_kick;

typedef ARRAY(half_kick) half_kicks; // rising by slot, each once, when they are read

// Needed when bodies were not noted by rising slots.
void half_kicks_sort(half_kicks *kicks);

// Bodies changed their slots: `new_slot` by old slot, NO_SLOT for those that are gone.
void half_kicks_follow_bodies(half_kicks *kicks, const uint32_t *new_slot);

// Velocity and spin of a body at the instant of its pose.
void velocity_at_pose(const struct scree_world *world, uint32_t slot, vec3 *velocity, vec3 *spin);

// Bodies marked by slot, and all that joints tie to them, are given the velocities that they have now: something
// changes at this instant, and accelerations may jump. False when out of memory, with nothing changed.
bool begin_marked(struct scree_world *world, uint8_t *marked);

// The same for bodies by id; those that do not exist are passed over.
bool begin_bodies(struct scree_world *world, const scree_id *ids, size_t count);

#endif
