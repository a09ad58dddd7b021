// What is accepted as a joint, with messages that say what is wrong.
#ifndef WORLD_JOINTS_JOINT_CHECK_H
#define WORLD_JOINTS_JOINT_CHECK_H

#include "world/world.h"

scree_status joint_check(const scree_world *world, const scree_joint_def *def, scree_error *error);
scree_status joint_check_motor(scree_joint_type type, const scree_motor_def *def, scree_error *error);

#endif
