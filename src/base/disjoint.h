// Disjoint sets of items 0 .. n - 1: union by lowest item, with path halving. The root of a set is its lowest item,
// whatever the order of unions was.
#ifndef BASE_DISJOINT_H
#define BASE_DISJOINT_H

#include <stddef.h>
#include <stdint.h>

static inline void disjoint_begin(uint32_t *parent, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parent[i] = (uint32_t)i;
}

static inline uint32_t disjoint_root(uint32_t *parent, uint32_t item)
{
    while (parent[item] != item) {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

static inline void disjoint_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    uint32_t root_a = disjoint_root(parent, a), root_b = disjoint_root(parent, b);
    if (root_a < root_b)
        parent[root_b] = root_a;
    else
        parent[root_a] = root_b;
}

#endif
