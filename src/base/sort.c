#include "base/sort.h"

#include <stdint.h>
#include <string.h>

enum { FEW = 12 }; // items that are sorted by insertion

typedef struct sorting {
    size_t size;
    compare_items *compare;
} sorting;

static void swap_items(char *a, char *b, size_t size)
{
    uint64_t x, y;
    for (; size >= sizeof x; size -= sizeof x, a += sizeof x, b += sizeof x) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        memcpy(a, &y, sizeof y);
        memcpy(b, &x, sizeof x);
    }
    if (size >= sizeof(uint32_t)) {
        uint32_t half;
        memcpy(&half, a, sizeof half);
        memcpy(a, b, sizeof half);
        memcpy(b, &half, sizeof half);
        size -= sizeof half, a += sizeof half, b += sizeof half;
    }
    for (; size > 0; size--, a++, b++) {
        char kept = *a;
        *a = *b;
        *b = kept;
    }
}

static void sort_few(const sorting *s, char *first, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (char *at = first + i * s->size; at > first && s->compare(at - s->size, at) > 0; at -= s->size)
            swap_items(at - s->size, at, s->size);
}

// Lets an item sink in a heap whose largest item is the first.
static void sink(const sorting *s, char *first, size_t i, size_t count)
{
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        char *larger = first + child * s->size;
        if (child + 1 < count && s->compare(larger, larger + s->size) < 0) {
            larger += s->size;
            child++;
        }
        if (s->compare(first + i * s->size, larger) >= 0)
            return;
        swap_items(first + i * s->size, larger, s->size);
    }
}

static void sort_by_heap(const sorting *s, char *first, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sink(s, first, i, count);
    for (size_t end = count; end-- > 1;) {
        swap_items(first, first + end * s->size, s->size);
        sink(s, first, 0, end);
    }
}

// Divides items into those not above the middle one of three and those not below it; returns where that one stands.
static size_t divide(const sorting *s, char *first, size_t count)
{
    size_t size = s->size;
    char *middle = first + count / 2 * size, *last = first + (count - 1) * size;
    if (s->compare(middle, first) < 0)
        swap_items(middle, first, size);
    if (s->compare(last, middle) < 0) {
        swap_items(last, middle, size);
        if (s->compare(middle, first) < 0)
            swap_items(middle, first, size);
    }
    char *pivot = first + size; // the first and the last are where they belong
    swap_items(middle, pivot, size);
    char *low = pivot, *high = last;
    for (;;) {
        do
            low += size;
        while (s->compare(low, pivot) < 0);
        do
            high -= size;
        while (s->compare(high, pivot) > 0);
        if (low >= high)
            break;
        swap_items(low, high, size);
    }
    swap_items(pivot, high, size);
    return (size_t)(high - first) / size;
}

static void sort_part(const sorting *s, char *first, size_t count, int divisions)
{
    while (count > FEW) {
        if (divisions-- == 0) {
            sort_by_heap(s, first, count);
            return;
        }
        size_t pivot = divide(s, first, count), above = count - pivot - 1;
        char *after = first + (pivot + 1) * s->size;
        if (pivot < above) { // the smaller part first, so that the stack stays low
            sort_part(s, first, pivot, divisions);
            first = after;
            count = above;
        } else {
            sort_part(s, after, above, divisions);
            count = pivot;
        }
    }
    sort_few(s, first, count);
}

void sort_items(void *items, size_t count, size_t size, compare_items *compare)
{
    int divisions = 0; // twice as many as halving needs
    for (size_t n = count; n > 1; n /= 2)
        divisions += 2;
    sort_part(&(sorting){size, compare}, items, count, divisions);
}
