#include "collide/meetings.h"

#include "base/sort.h"

static int compare_meetings(const void *a, const void *b)
{
    const pair_meeting *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

enum { LARGE = 256 };

void meetings_clear(pair_meetings *meetings)
{
    if (meetings->list.capacity > LARGE && meetings->list.count < meetings->list.capacity / 8)
        meetings_free(meetings);
    meetings->list.count = meetings->meets.count = 0;
}

void meetings_free(pair_meetings *meetings)
{
    array_free(&meetings->list);
    array_free(&meetings->meets);
}

void meetings_sort(pair_meetings *meetings)
{
    sort_items(meetings->list.data, meetings->list.count, sizeof *meetings->list.data, compare_meetings);
}

const pair_meeting *meeting_find(const pair_meeting *meetings, size_t count, uint32_t a, uint32_t b)
{
    const pair_meeting wanted = {.a = a, .b = b};
    size_t first = 0;
    for (size_t end = count; first < end;) {
        size_t middle = first + (end - first) / 2;
        if (compare_meetings(&meetings[middle], &wanted) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first < count && meetings[first].a == a && meetings[first].b == b ? &meetings[first] : NULL;
}
