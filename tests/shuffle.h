// Steps of a world whose bodies change their places in memory before each of them. Bits must not depend on slots.
#ifndef TESTS_SHUFFLE_H
#define TESTS_SHUFFLE_H

#include "physics/lab.h"
#include "world/order.h"

static inline void step_shuffled(scree_world *world, int steps, uint64_t seed)
{
    for (int i = 0; i < steps; i++) {
        assert_true(order_shuffle(world, seed + (uint64_t)i));
        lab_step(world, 1);
    }
}

#endif
