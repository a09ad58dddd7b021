#include "world/wake.h"

#include <string.h>

#include "base/disjoint.h"

void wake_body(scree_world *world, size_t slot)
{
    if (body_sleeps(&world->bodies, slot)) {
        world->bodies.rest.data[slot] = 0;
        world->sleeping--;
    }
}

void wake_all(scree_world *world)
{
    for (size_t i = 0; world->sleeping > 0 && i < world->bodies.count; i++)
        wake_body(world, i);
}

void unite_jointed(const scree_world *world, uint32_t *parent)
{
    const body_store *store = &world->bodies;
    for (size_t i = 0; i < world->joints.list.count; i++) {
        const joint *j = &world->joints.list.data[i];
        uint32_t a = body_slot(store, j->def.bodies[0]), b = body_slot(store, j->def.bodies[1]);
        if (!j->broken && a != NO_SLOT && b != NO_SLOT && !store->immovable.data[a] && !store->immovable.data[b])
            disjoint_unite(parent, a, b);
    }
}

void wake_marked(scree_world *world, uint8_t *marked, uint32_t *parent)
{
    size_t bodies = world->bodies.count;
    const uint8_t *immovable = world->bodies.immovable.data;
    disjoint_begin(parent, bodies);
    for (size_t i = 0; i < world->contacts.count; i++) {
        uint32_t a = world->contacts.data[i].a, b = world->contacts.data[i].b;
        if (!immovable[a] && !immovable[b])
            disjoint_unite(parent, a, b);
    }
    unite_jointed(world, parent);
    for (size_t i = 0; i < world->contacts.count; i++) {
        uint32_t a = world->contacts.data[i].a, b = world->contacts.data[i].b;
        if (immovable[a] && marked[a])
            marked[disjoint_root(parent, b)] = 1;
        if (immovable[b] && marked[b])
            marked[disjoint_root(parent, a)] = 1;
    }
    for (uint32_t i = 0; i < bodies; i++)
        if (!immovable[i] && marked[i])
            marked[disjoint_root(parent, i)] = 1;
    for (uint32_t i = 0; i < bodies; i++)
        if (!immovable[i] && marked[disjoint_root(parent, i)])
            wake_body(world, i);
}

void wake_bodies(scree_world *world, const scree_id *ids, size_t count)
{
    if (world->sleeping == 0)
        return;
    size_t bodies = world->bodies.count;
    arena_mark mark = arena_get_mark(&world->scratch);
    uint8_t *marked = arena_array(&world->scratch, uint8_t, bodies);
    uint32_t *parent = arena_array(&world->scratch, uint32_t, bodies);
    if (!marked || !parent) {
        wake_all(world);
        return;
    }
    memset(marked, 0, bodies);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = body_slot(&world->bodies, ids[i]);
        if (slot != NO_SLOT)
            marked[slot] = 1;
    }
    wake_marked(world, marked, parent);
    arena_release(&world->scratch, mark);
}
