#include "contact/sleepers.h"

#include <string.h>

#include "contact/moved.h"
#include "world/joints/joints.h"
#include "world/wake.h"

// ----------------------------------------------------------------------------------------------------- moved bodies

bool mark_near_moved(scree_world *world, uint8_t *marked)
{
    moved_bodies moved;
    if (!moved_bodies_find(world, &moved))
        return false;
    bool any = moved.count + moved.boundless > 0;
    for (uint32_t i = 0; any && i < world->bodies.count; i++)
        marked[i] = marked[i] || (!world->bodies.immovable.data[i] && is_near_moved(world, &moved, i));
    joints_mark_driven(world, marked);
    return true;
}

// -------------------------------------------------------------------------------------------------- around detection

bool sleepers_find(scree_world *world, sleepers *found)
{
    const body_store *store = &world->bodies;
    *found = (sleepers){.still = store->immovable.data};
    if (world->sleeping == 0)
        return true;
    uint8_t *still = arena_array(&world->scratch, uint8_t, store->count);
    uint32_t *parent = arena_array(&world->scratch, uint32_t, store->count);
    if (!still || !parent)
        return false;
    if (world->motions.count > 0) {
        memset(still, 0, store->count);
        if (!mark_near_moved(world, still))
            return false;
        wake_marked(world, still, parent);
    }
    for (size_t i = 0; i < store->count; i++)
        still[i] = store->immovable.data[i] || body_sleeps(store, i);
    found->still = still;
    for (size_t i = 0; i < world->contacts.count; i++)
        found->contact_count += still[world->contacts.data[i].a] && still[world->contacts.data[i].b];
    found->contacts = arena_array(&world->scratch, contact, found->contact_count);
    if (!found->contacts)
        return false;
    size_t count = 0;
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        if (still[c->a] && still[c->b])
            found->contacts[count++] = *c;
    }
    return true;
}

// From the back, so that it can be done in place.
bool sleepers_return(scree_world *world, const sleepers *found)
{
    size_t old = found->contact_count, fresh = world->contacts.count;
    if (old == 0)
        return true;
    if (!array_reserve(&world->contacts, old + fresh))
        return false;
    contact *all = world->contacts.data;
    world->contacts.count = old + fresh;
    for (size_t to = old + fresh; old > 0;) {
        bool take_old = fresh == 0 || found->contacts[old - 1].a >= all[fresh - 1].a;
        all[--to] = take_old ? found->contacts[--old] : all[--fresh];
    }
    return true;
}
