#include "world/playback.h"

#include "world/motion.h"

void world_set_clock(scree_world *world, uint64_t steps, double time)
{
    world->steps = steps;
    world->time = time;
    world->contacts.count = 0;
    world->tree.valid = false;
    motions_set_velocities(world);
    motions_set_poses(world);
}
