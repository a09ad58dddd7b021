// Sorting of indices by 64-bit keys: stable, linear, without memory of its own.
#ifndef BASE_RADIX_H
#define BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

// Sorts `order`, which lists indices into `keys`, such that the keys rise; equal keys keep their order. `other` has
// room for as many. Keys are cheap when they are small numbers: a pass is taken for every 11 bits of the largest.
void radix_sort(const uint64_t *keys, uint32_t *order, uint32_t *other, size_t count);

#endif
