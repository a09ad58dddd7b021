// How bodies move between impulses, which is the same for every method: forces, free turning, and the end of a step.
//
// Rotation is exact in what matters. Between impulses a body turns freely, so its angular momentum in the world, L,
// stays as it is: the midpoint rule  W = I(q_mid)^-1 L,  q_mid = exp(h W / 2) q,  q' = exp(h W) q  is solved by a few
// fixed-point steps, and the new spin is I(q')^-1 L. L is conserved to rounding; the rule is symmetric in time, so
// energy does not drift.
#ifndef WORLD_KINEMATICS_H
#define WORLD_KINEMATICS_H

#include "world/world.h"

typedef struct body_velocity {
    vec3 velocity, spin;
} body_velocity;

typedef struct body_load {
    vec3 force, torque;
} body_load;

// A body turns for one step on its own, by the spin `moving`, whose angular momentum stays; so does that of `spin`,
// which follows the new orientation. They differ by push-out.
void turn_freely(vec3 inertia, double step, vec3 moving, quat *orientation, vec3 *spin);

// Inverse inertia of a movable body in world axes, from its principal moments. Of equal ones the orientation is not
// looked at: most worlds have very many spheres, and those of all of them would have to come from memory.
mat3 turned_inverse_inertia(vec3f moments, quat orientation);

static inline mat3 inverse_inertia_at(vec3f moments, const quat *orientation)
{
    if (!(moments.x == moments.y && moments.y == moments.z))
        return turned_inverse_inertia(moments, *orientation);
    double inverse = 1 / (double)moments.x;
    return (mat3){{{inverse, 0, 0}, {0, inverse, 0}, {0, 0, inverse}}};
}

mat3 inverse_inertia(const scree_world *world, size_t slot);

// Sums the applied forces by slot into scratch memory. The first gives zeros when there are none, and NULL when out of
// memory; the second gives NULL in *loads when there are none, and false when out of memory.
body_load *summed_forces(scree_world *world);
bool gather_forces(scree_world *world, const body_load **loads);

// Is a body somewhere, and of a finite velocity? And a body of a world?
bool is_finite_state(vec3 position, quat orientation, vec3 velocity, vec3 spin);
bool state_is_finite(const scree_world *world, size_t slot);

// The end of every method's step, when velocities and poses are new: forgets the forces, counts the step, moves what
// motions move, and reports `lost`, the first slot whose state is not finite, unless that is SIZE_MAX.
scree_status end_step(scree_world *world, size_t lost, scree_error *error);

#endif
