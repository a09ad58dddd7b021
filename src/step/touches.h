// Which bodies began to touch, and which ended.
#ifndef STEP_TOUCHES_H
#define STEP_TOUCHES_H

#include "world/world.h"

// After a step, from its contacts.
scree_status update_touches(scree_world *world, scree_error *error);

#endif
