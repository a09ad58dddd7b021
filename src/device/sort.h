// Sums and sorting on a device.
#ifndef DEVICE_SORT_H
#define DEVICE_SORT_H

#include "device/kernel.h"

enum { SORT_KERNELS = 4, SORT_LEVELS = 4 };

typedef struct device_sorter {
    cl_program program;
    device_kernel kernels[SORT_KERNELS];
    size_t group_size; // work-items, a power of two up to 256: the result is the same for any
    device_buffer sums[SORT_LEVELS], counts, keys, values;
} device_sorter;

scree_status device_sorter_make(device_sorter *sorter, device *on, scree_error *error);
void device_sorter_free(device_sorter *sorter, device *on);

// Replaces each of `count` numbers by the sum of those before it. Sums are taken modulo 2^32.
scree_status device_scan(device_sorter *sorter, device *on, const device_buffer *numbers, uint32_t count,
                         scree_error *error);

// Sorts keys, of which the lowest `bits` count, and their values; equal keys keep their order.
scree_status device_sort(device_sorter *sorter, device *on, device_buffer *keys, device_buffer *values, uint32_t count,
                         int bits, scree_error *error);

#endif
