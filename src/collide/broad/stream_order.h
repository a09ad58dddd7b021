// Sorting what was found in a box into the order in which it is handed over.
#ifndef COLLIDE_BROAD_STREAM_ORDER_H
#define COLLIDE_BROAD_STREAM_ORDER_H

#include <stdint.h>

#include "base/arena.h"

// An entry of the sort. Entries rise by key, then by pair, then by item.
typedef struct order_entry {
    uint64_t key;  // along the curve, CURVE_BITS wide
    uint64_t pair; // numbers of the two, the lower one in the upper half
    uint64_t item; // what is sorted
} order_entry;

// The entries sorted, in `scratch` or where they were; NULL when out of memory. `known` leading bits of all keys are
// the same.
order_entry *order_sort(order_entry *entries, size_t count, int known, int threads, arena *scratch);

#endif
