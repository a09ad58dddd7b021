// Joints as rows of numbers.
#ifndef STEP_JOINT_SNAPSHOT_H
#define STEP_JOINT_SNAPSHOT_H

#include "world/world.h"

enum { JOINT_WORDS = 10, JOINT_REALS = 92 };
void joint_pack(const joint *of, uint64_t *words, double *reals);

// Appends a joint to the world after checking every number; its bodies, and the joints that it couples, are there.
scree_status joint_unpack(scree_world *world, const uint64_t *words, const double *reals, scree_error *error);

#endif
