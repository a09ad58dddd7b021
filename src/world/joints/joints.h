// Joints among the bodies of a world.
#ifndef WORLD_JOINTS_JOINTS_H
#define WORLD_JOINTS_JOINTS_H

#include "world/world.h"

uint32_t joint_slot(const joint_store *store, scree_id id); // NO_SLOT when it does not exist

// The pose of a body's internal frame; the world, id 0, has the identity.
scree_pose joint_body_pose(const scree_world *world, scree_id id);

// The joint's coordinate as the bodies stand, with full turns, and its speed unless that is NULL.
double joint_position(const scree_world *world, const joint *of, double *speed);

// What the springs of a joint, and its own compliance, hold; the preload counts from the rest length or angle.
double joint_energy(const scree_world *world, const joint *of);

// Lets go of joints that are marked as gone, and of those whose bodies or joints are gone.
void joints_forget(scree_world *world);

// Marks, by slot, the bodies of joints that a motion or a motor moves as time goes: however slowly, they do not rest.
void joints_mark_driven(const scree_world *world, uint8_t *marked);

#endif
