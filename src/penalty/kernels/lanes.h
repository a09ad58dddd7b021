// Shared by the wide loops of the penalty method: the names that they have for each instruction set.
#ifndef PENALTY_KERNELS_LANES_H
#define PENALTY_KERNELS_LANES_H

#include "base/wide.h"
#include "penalty/kernel.h"

#define JOIN_AGAIN(a, b)     a##b
#define JOIN(a, b)           JOIN_AGAIN(a, b)
#define PENALTY_KERNEL(name) JOIN(penalty_##name##_, SCREE_KERNEL_SUFFIX)

size_t PENALTY_KERNEL(groups)(const group_job *job, uint32_t *found_a, uint32_t *found_b);
size_t PENALTY_KERNEL(paths)(const path_job *job, size_t which, uint32_t *found);
void PENALTY_KERNEL(boxes)(box_lanes *lanes);
void PENALTY_KERNEL(place)(const place_job *job, size_t first, size_t end);
void PENALTY_KERNEL(sum)(const sum_job *job, size_t first, size_t end, particle_sum *sum);

#endif
