// A bucket for each value of the next bits of the keys, filled by counting; then every bucket on its own, by any
// thread.
#include "collide/broad/stream_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "collide/broad/stream_curve.h"

enum { BUCKET_BITS = 12, BUCKETS = 1 << BUCKET_BITS, FEW = 4096 };

static int compare_entries(const void *left, const void *right)
{
    const order_entry *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static size_t bucket_of(const order_entry *entry, int shift)
{
    return (size_t)(entry->key >> shift & (BUCKETS - 1));
}

order_entry *order_sort(order_entry *entries, size_t count, int known, int threads, arena *scratch)
{
    if (count < FEW) {
        if (count > 1)
            qsort(entries, count, sizeof *entries, compare_entries);
        return entries;
    }
    int left = CURVE_BITS - known, shift = left > BUCKET_BITS ? left - BUCKET_BITS : 0;
    order_entry *sorted = arena_array(scratch, order_entry, count);
    size_t *start = arena_array(scratch, size_t, BUCKETS + 1);
    if (!sorted || !start)
        return NULL;
    memset(start, 0, (BUCKETS + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[bucket_of(&entries[i], shift) + 1]++;
    for (size_t b = 0; b < BUCKETS; b++)
        start[b + 1] += start[b];
    for (size_t i = 0; i < count; i++)
        sorted[start[bucket_of(&entries[i], shift)]++] = entries[i];
        // Each bucket now ends where it began to be filled last; the one before ends where it begins.
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (size_t b = 0; b < BUCKETS; b++) {
        size_t first = b > 0 ? start[b - 1] : 0;
        if (start[b] - first > 1)
            qsort(sorted + first, start[b] - first, sizeof *sorted, compare_entries);
    }
    return sorted;
}
