// The world's filter as detection reads it: ids of pairs that are kept apart become slots.
#include <stdlib.h>

#include "dynamics/world.h"

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool find_filter(scree_world *world, const pair_filter **filter)
{
    *filter = NULL;
    const body_store *store = &world->bodies;
    size_t count = world->apart.count;
    if (store->filters.count == 1 && count == 0)
        return true;
    pair_filter *made = arena_array(&world->scratch, pair_filter, 1);
    uint64_t *apart = arena_array(&world->scratch, uint64_t, count + 1);
    if (!made || !apart)
        return false;
    for (size_t i = 0; i < count; i++)
        apart[i] = slot_pair(body_slot(store, world->apart.data[i].a), body_slot(store, world->apart.data[i].b));
    qsort(apart, count, sizeof *apart, compare_keys);
    *made = (pair_filter){store->filter.data, store->filters.data, apart, count};
    *filter = made;
    return true;
}
