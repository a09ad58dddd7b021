// The place of a key in items that are sorted by it: the first item whose key is not below it, or the count. The key
// of an item stands `offset` bytes from its beginning; of no items the pointer may be NULL.
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#define DEFINE_LOWER_BOUND(name, type)                                                                                 \
    static inline size_t name(const void *items, size_t count, size_t stride, size_t offset, type key)                 \
    {                                                                                                                  \
        size_t low = 0, high = count;                                                                                  \
        while (low < high) {                                                                                           \
            size_t middle = low + (high - low) / 2;                                                                    \
            const void *at = (const char *)items + middle * stride + offset;                                           \
            if (*(const type *)at < key)                                                                               \
                low = middle + 1;                                                                                      \
            else                                                                                                       \
                high = middle;                                                                                         \
        }                                                                                                              \
        return low;                                                                                                    \
    }

DEFINE_LOWER_BOUND(lower_bound_u32, uint32_t)
DEFINE_LOWER_BOUND(lower_bound_u64, uint64_t)
DEFINE_LOWER_BOUND(lower_bound_f64, double)

#endif
