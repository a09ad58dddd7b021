// Sorting in place. The C library's qsort takes memory from the heap when there is much to sort; this never does, so a
// step may call it. Quicksort, which turns to heapsort where pivots are poor: O(n log n) at worst.
//
// The order of items that compare as equal follows from their order before, but need not be the same.
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

// As for qsort.
typedef int compare_items(const void *a, const void *b);

void sort_items(void *items, size_t count, size_t size, compare_items *compare);

#endif
