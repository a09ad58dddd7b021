// Growable arrays: the way in which anything that grows, and lives longer than a step, owns memory.
//
//     ARRAY(float) lengths = {0};
//     if (!array_push(&lengths, 1.5f)) ... out of memory, the array is as it was
//     lengths.data[i], i < lengths.count
//     array_free(&lengths);
//
// Data are aligned to 64 bytes, so that wide loads need no special case.
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY(T)                                                                                                       \
    struct {                                                                                                           \
        T *data;                                                                                                       \
        size_t count, capacity;                                                                                        \
    }

// Room for `n` elements in all; grows by half at least, so that pushing is cheap. False when out of memory.
#define array_reserve(a, n) array_reserve_bytes((void **)&(a)->data, &(a)->capacity, (n), sizeof *(a)->data, true)

// Room for exactly `n` elements where more room than that must be made.
#define array_reserve_exact(a, n)                                                                                      \
    array_reserve_bytes((void **)&(a)->data, &(a)->capacity, (n), sizeof *(a)->data, false)

// Sets the count; new elements are not initialised.
#define array_resize(a, n) (array_reserve((a), (n)) ? ((a)->count = (n), true) : false)

#define array_push(a, value) (array_reserve((a), (a)->count + 1) ? ((a)->data[(a)->count++] = (value), true) : false)

#define array_free(a) (array_free_bytes((a)->data), (a)->data = NULL, (a)->count = 0, (a)->capacity = 0)

#define array_bytes(a) ((a)->capacity * sizeof *(a)->data)

bool array_reserve_bytes(void **data, size_t *capacity, size_t need, size_t element_size, bool with_slack);
void array_free_bytes(void *data);

#endif
