// Sorting in place. The C library's qsort takes memory from the heap when there is much to sort; this never does, so a
// step may call it. Quicksort, which turns to heapsort where pivots are poor: O(n log n) at worst.
//
// The order of items that compare as equal follows from their order before, but need not be the same.
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

// Says whether a comes before b (negative), after it (positive) or neither (0), as the function given to qsort does.
typedef int compare_items(const void *a, const void *b);

// Sorts items of `size` bytes in place.
void sort_items(void *items, size_t count, size_t size, compare_items *compare);

#endif
