// Bodies that a motion moves.
#ifndef WORLD_MOTION_H
#define WORLD_MOTION_H

#include "world/world.h"

// Velocities of moved bodies over the coming step, then their poses at its end.
void motions_set_velocities(scree_world *world);
void motions_set_poses(scree_world *world);

// Velocity and spin of one of them over the coming step.
void motion_velocities(const scree_world *world, const body_motion *motion, vec3 *velocity, vec3 *spin);

// The pose of a moved body's internal frame at that time.
scree_pose motion_pose(const scree_world *world, const body_motion *motion, double time);

#endif
