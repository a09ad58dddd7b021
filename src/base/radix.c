#include "base/radix.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 64 };

static void insertion_sort(const uint64_t *keys, uint32_t *order, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = order[i];
        size_t to = i;
        for (; to > 0 && keys[order[to - 1]] > keys[moved]; to--)
            order[to] = order[to - 1];
        order[to] = moved;
    }
}

// The largest key, or 0 when the keys rise already.
static uint64_t largest_unsorted(const uint64_t *keys, const uint32_t *order, size_t count)
{
    uint64_t largest = 0;
    int unsorted = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = keys[order[i]];
        unsorted |= key < largest;
        largest = key > largest ? key : largest;
    }
    return unsorted ? largest : 0;
}

static void sort_by_digit(const uint64_t *keys, const uint32_t *from, uint32_t *to, size_t count, int shift)
{
    uint32_t start[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        start[(keys[from[i]] >> shift & (DIGITS - 1)) + 1]++;
    for (size_t d = 0; d < DIGITS; d++)
        start[d + 1] += start[d];
    for (size_t i = 0; i < count; i++)
        to[start[keys[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

void radix_sort(const uint64_t *keys, uint32_t *order, uint32_t *other, size_t count)
{
    if (count <= FEW) {
        insertion_sort(keys, order, count);
        return;
    }
    uint64_t largest = largest_unsorted(keys, order, count);
    uint32_t *from = order, *to = other;
    for (int shift = 0; shift < 64 && largest >> shift > 0; shift += DIGIT_BITS) {
        sort_by_digit(keys, from, to, count, shift);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}
