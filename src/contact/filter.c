// The world's filter as detection reads it: ids of pairs that are kept apart, and of joined bodies, become slots.
#include "contact/filter.h"

#include "base/compare.h"
#include "base/sort.h"

static bool joint_keeps_apart(const joint *of)
{
    return !of->def.collide && !of->broken && of->def.bodies[0] && of->def.bodies[1] &&
           of->def.bodies[0] != of->def.bodies[1];
}

bool find_filter(scree_world *world, const pair_filter **filter)
{
    *filter = NULL;
    const body_store *store = &world->bodies;
    size_t count = 0, joints = world->joints.list.count;
    if (store->filters.count == 1 && world->apart.count + joints == 0)
        return true;
    pair_filter *made = arena_array(&world->scratch, pair_filter, 1);
    uint64_t *apart = arena_array(&world->scratch, uint64_t, world->apart.count + joints + 1);
    if (!made || !apart)
        return false;
    for (size_t i = 0; i < world->apart.count; i++)
        apart[count++] = slot_pair(body_slot(store, world->apart.data[i].a), body_slot(store, world->apart.data[i].b));
    for (size_t i = 0; i < joints; i++) {
        const joint *of = &world->joints.list.data[i];
        if (joint_keeps_apart(of))
            apart[count++] = slot_pair(body_slot(store, of->def.bodies[0]), body_slot(store, of->def.bodies[1]));
    }
    sort_items(apart, count, sizeof *apart, compare_words);
    *made = (pair_filter){store->filter.data, store->filters.data, apart, count};
    *filter = made;
    return true;
}
