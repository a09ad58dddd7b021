// The order of bodies in memory: along a Z curve through space, so that neighbours in space are neighbours in memory.
//
// Order decays as bodies move. It is renewed when bodies have travelled a few radii on average, which a heap at rest
// never does. Cells of the curve span the middle of the bodies' positions, so that a few that fly far away do not
// coarsen it for all others.
#include "base/compare.h"
#include "dynamics/penalty.h"

#include <stdlib.h>

enum {
    AXIS_BITS = 10, // of a curve key per axis
    DIGIT_BITS = 10,
    DIGITS = 3,
    SAMPLES = 1024,   // positions looked at to find the middle
    LEAST_STEPS = 32, // between two sorts
};
static const double most_travel = 4; // mean path in mean radii

void bodies_added(scree_world *world, size_t first)
{
    const body_store *store = &world->bodies;
    if (first == 0) {
        world->radius_sum = 0;
        world->movable_count = 0;
    }
    for (size_t i = first; i < store->count; i++)
        if (!store->immovable.data[i]) {
            world->radius_sum += (double)store->radius.data[i];
            world->movable_count++;
        }
    world->travel = 2 * most_travel; // new bodies stand at the end, wherever they are in space
}

typedef struct curve {
    vec3 low;
    double per_cell;
} curve;

static curve find_middle(const body_store *store)
{
    double sample[SAMPLES];
    double low[3], high[3];
    size_t count = store->count < SAMPLES ? store->count : SAMPLES;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++)
            sample[i] = vec3_get(store->position.data[i * store->count / count], axis);
        qsort(sample, count, sizeof *sample, compare_doubles);
        double a = sample[count / 50], b = sample[count - 1 - count / 50];
        low[axis] = a - 0.25 * (b - a);
        high[axis] = b + 0.25 * (b - a);
    }
    double width = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    return (curve){{low[0], low[1], low[2]}, width > 0 ? (1 << AXIS_BITS) / width : 0};
}

static uint32_t spread_bits(uint32_t x) // abc -> a00b00c
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static uint32_t axis_cell(double x, double low, double per_cell)
{
    double cell = (x - low) * per_cell;
    double last = (1 << AXIS_BITS) - 1;
    return (uint32_t)(cell < 0 ? 0 : cell > last ? last : cell);
}

static uint32_t curve_key(const curve *c, vec3 p)
{
    return spread_bits(axis_cell(p.x, c->low.x, c->per_cell)) |
           spread_bits(axis_cell(p.y, c->low.y, c->per_cell)) << 1 |
           spread_bits(axis_cell(p.z, c->low.z, c->per_cell)) << 2;
}

// Stable, by digits from the lowest: `slots` ends up sorted by `keys`.
static void sort_by_key(uint32_t *slots, uint32_t *other, const uint32_t *keys, size_t count)
{
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t start[(1 << DIGIT_BITS) + 1] = {0};
        int shift = digit * DIGIT_BITS;
        uint32_t mask = (1 << DIGIT_BITS) - 1;
        for (size_t i = 0; i < count; i++)
            start[(keys[slots[i]] >> shift & mask) + 1]++;
        for (size_t d = 0; d <= mask; d++)
            start[d + 1] += start[d];
        for (size_t i = 0; i < count; i++)
            other[start[keys[slots[i]] >> shift & mask]++] = slots[i];
        uint32_t *swap = slots;
        slots = other;
        other = swap;
    }
}

void order_bodies(scree_world *world)
{
    body_store *store = &world->bodies;
    world->steps_in_order++;
    bool may_sort = world->steps == 0 || world->steps_in_order >= LEAST_STEPS;
    if (!may_sort || world->travel < most_travel || store->count < 2)
        return;
    arena_reset(&world->scratch);
    uint32_t *keys = arena_array(&world->scratch, uint32_t, store->count);
    uint32_t *slots = arena_array(&world->scratch, uint32_t, store->count);
    uint32_t *other = arena_array(&world->scratch, uint32_t, store->count);
    if (!keys || !slots || !other)
        return;
    curve middle = find_middle(store);
    for (size_t i = 0; i < store->count; i++) {
        keys[i] = curve_key(&middle, store->position.data[i]);
        slots[i] = (uint32_t)i;
    }
    sort_by_key(slots, other, keys, store->count);
    uint32_t *old_slots = other; // an odd number of passes ends there
    penalty_let_go(world);
    if (!body_store_rearrange(store, old_slots, store->count))
        return;
    uint32_t *new_slot = keys;
    for (size_t i = 0; i < store->count; i++)
        new_slot[old_slots[i]] = (uint32_t)i;
    contacts_follow_bodies(world, new_slot, store->count);
    world->travel = 0;
    world->steps_in_order = 0;
}

void contacts_follow_bodies(scree_world *world, const uint32_t *new_slot, size_t new_count)
{
    size_t count = world->contacts.count;
    contact *old = world->contacts.data;
    contact *moved = arena_array(&world->scratch, contact, count);
    uint32_t *start = arena_array(&world->scratch, uint32_t, new_count + 2);
    world->contacts.count = 0;
    if (count == 0 || !moved || !start)
        return;
    // A counting sort by the new slot of a; contacts of removed bodies are left out.
    memset(start, 0, (new_count + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++) {
        old[i].a = new_slot[old[i].a];
        old[i].b = new_slot[old[i].b];
        if (old[i].a != NO_SLOT && old[i].b != NO_SLOT)
            start[old[i].a + 2]++;
    }
    for (size_t i = 2; i < new_count + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < count; i++)
        if (old[i].a != NO_SLOT && old[i].b != NO_SLOT)
            moved[start[old[i].a + 1]++] = old[i];
    world->contacts.count = start[new_count];
    memcpy(old, moved, world->contacts.count * sizeof *moved);
}
