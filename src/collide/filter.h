// Which bodies may touch at all: groups and masks, and single pairs that are kept apart.
#ifndef COLLIDE_FILTER_H
#define COLLIDE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/proxy.h"

// Bits: the groups that a body belongs to, and those that it touches.
typedef struct collision_filter {
    uint32_t group, mask;
} collision_filter;

typedef struct pair_filter {
    const uint16_t *index; // by slot: into table
    const collision_filter *table;
    const uint64_t *apart; // rising: pairs of slots kept apart, the lower slot in the upper half
    size_t apart_count;
} pair_filter;

static inline uint64_t slot_pair(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static inline bool filter_keeps_apart(const pair_filter *filter, uint64_t pair)
{
    size_t low = 0, high = filter->apart_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (filter->apart[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low < filter->apart_count && filter->apart[low] == pair;
}

// Two proxies of one body, two immovable bodies and bodies that a filter parts never pair.
static inline bool bodies_may_pair(const proxy_view *view, uint32_t a, uint32_t b)
{
    if (a == b || (view->immovable[a] && view->immovable[b]))
        return false;
    const pair_filter *filter = view->filter;
    if (!filter)
        return true;
    collision_filter of_a = filter->table[filter->index[a]], of_b = filter->table[filter->index[b]];
    return (of_a.group & of_b.mask) && (of_b.group & of_a.mask) && !filter_keeps_apart(filter, slot_pair(a, b));
}

// Whether bodies_may_pair can refuse this body another one. Where it is false for all bodies, nobody asks.
static inline bool body_is_filtered(const proxy_view *view, uint32_t body)
{
    return view->filter || view->immovable[body];
}

#endif
