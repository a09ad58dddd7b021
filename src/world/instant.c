#include "world/instant.h"

#include <string.h>

#include "base/disjoint.h"
#include "base/search.h"
#include "base/sort.h"
#include "world/kinematics.h"
#include "world/wake.h"

// --------------------------------------------------------------------------------------------------------- half kicks

static int compare_kicks(const void *a, const void *b)
{
    uint32_t x = ((const half_kick *)a)->slot, y = ((const half_kick *)b)->slot;
    return (x > y) - (x < y);
}

void half_kicks_sort(half_kicks *kicks)
{
    sort_items(kicks->data, kicks->count, sizeof *kicks->data, compare_kicks);
}

void half_kicks_follow_bodies(half_kicks *kicks, const uint32_t *new_slot)
{
    size_t kept = 0;
    for (size_t i = 0; i < kicks->count; i++) {
        half_kick kick = kicks->data[i];
        kick.slot = new_slot[kick.slot];
        if (kick.slot != NO_SLOT)
            kicks->data[kept++] = kick;
    }
    kicks->count = kept;
    half_kicks_sort(kicks);
}

static const half_kick *find_kick(const half_kicks *kicks, uint32_t slot)
{
    size_t at = lower_bound_u32(kicks->data, kicks->count, sizeof *kicks->data, offsetof(half_kick, slot), slot);
    return at < kicks->count && kicks->data[at].slot == slot ? &kicks->data[at] : NULL;
}

// ------------------------------------------------------------------------------------------------------------ reading

void velocity_at_pose(const scree_world *world, uint32_t slot, vec3 *velocity, vec3 *spin)
{
    const body_store *store = &world->bodies;
    *velocity = store->velocity.data[slot];
    *spin = store->spin.data[slot];
    if (store->instant.data[slot] != VELOCITY_BEHIND)
        return;
    const half_kick *kick = find_kick(&world->half_kicks, slot);
    if (!kick) {
        *velocity = vec3_add_scaled(*velocity, world->def.gravity, 0.5 * world->def.step);
        return;
    }
    mat3 inverse = inverse_inertia(world, slot);
    *velocity = vec3_add(*velocity, kick->velocity);
    *spin = vec3_add(*spin, mat3_apply(&inverse, kick->momentum));
}

// ---------------------------------------------------------------------------------------------------------- beginning

static void begin_body(scree_world *world, uint32_t slot)
{
    body_store *store = &world->bodies;
    if (store->immovable.data[slot] || body_sleeps(store, slot))
        return;
    velocity_at_pose(world, slot, &store->velocity.data[slot], &store->spin.data[slot]);
    store->instant.data[slot] = VELOCITY_GIVEN;
}

// Is there any body whose velocity is to change? Joints pass a beginning on from such bodies alone: what they tie
// begins together.
static bool any_behind(const scree_world *world, const uint8_t *marked)
{
    const body_store *store = &world->bodies;
    for (size_t i = 0; i < store->count; i++)
        if (marked[i] && store->instant.data[i] == VELOCITY_BEHIND)
            return true;
    return false;
}

static bool spread_over_joints(scree_world *world, uint8_t *marked)
{
    size_t bodies = world->bodies.count;
    uint32_t *parent = arena_array(&world->scratch, uint32_t, bodies);
    if (!parent)
        return false;
    disjoint_begin(parent, bodies);
    unite_jointed(world, parent);
    for (uint32_t i = 0; i < bodies; i++)
        if (marked[i])
            marked[disjoint_root(parent, i)] = 1;
    for (uint32_t i = 0; i < bodies; i++)
        marked[i] = marked[disjoint_root(parent, i)];
    return true;
}

bool begin_marked(scree_world *world, uint8_t *marked)
{
    arena_mark mark = arena_get_mark(&world->scratch);
    bool joined = world->joints.list.count > 0 && any_behind(world, marked);
    if (joined && !spread_over_joints(world, marked))
        return false;
    for (uint32_t i = 0; i < world->bodies.count; i++)
        if (marked[i])
            begin_body(world, i);
    arena_release(&world->scratch, mark);
    return true;
}

bool begin_bodies(scree_world *world, const scree_id *ids, size_t count)
{
    size_t bodies = world->bodies.count;
    arena_mark mark = arena_get_mark(&world->scratch);
    uint8_t *marked = arena_array(&world->scratch, uint8_t, bodies);
    if (!marked)
        return false;
    memset(marked, 0, bodies);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = ids[i] ? body_slot(&world->bodies, ids[i]) : NO_SLOT;
        if (slot != NO_SLOT)
            marked[slot] = 1;
    }
    bool done = begin_marked(world, marked);
    arena_release(&world->scratch, mark);
    return done;
}
