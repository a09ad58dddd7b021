// The order of bodies in memory: along bars a few bodies wide, bars side by side in slabs, slabs one behind the other.
//
// So neighbours in space are neighbours in memory, or one bar apart, or one slab, and never more, as they would be
// along a space-filling curve: passes over contacts can follow each other one slab apart (solve/sweep/tiles.c). Slabs
// lie across the longest extent, bars run along the shortest.
//
// Where a grid of cells is known (cell.h), bars are one cell wide and stand on it, so that a cell's bodies lie in one
// run and the order in which contacts are relaxed is nearly that of memory.
//
// Order decays as bodies move. It is renewed when bodies have travelled a few radii on average, which a heap at rest
// never does. Bars span the middle of the bodies' positions, so that a few that fly far away do not coarsen them for
// all others.
#include "world/order.h"

#include "base/compare.h"
#include "base/random.h"
#include "base/sort.h"
#include "world/method.h"

enum {
    AXIS_BITS = 10, // of a key per axis
    DIGIT_BITS = 10,
    DIGITS = 3,
    SAMPLES = 1024,   // positions looked at to find the middle
    LEAST_STEPS = 32, // between two sorts
    BAR = 4,          // width of a bar in mean spacings of bodies
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

typedef struct extent { // of all but a few bodies along an axis
    int axis;
    double low, width;
} extent;

// The keys of bodies: extents from the longest to the shortest, across slabs, across the bars of one, along a bar.
typedef struct bars {
    extent along[3];
    double per_cell[3];
} bars;

static extent find_extent(const body_store *store, int axis)
{
    double sample[SAMPLES];
    size_t count = store->count < SAMPLES ? store->count : SAMPLES;
    for (size_t i = 0; i < count; i++)
        sample[i] = vec3_get(store->position.data[i * store->count / count], axis);
    sort_items(sample, count, sizeof *sample, compare_doubles);
    double low = sample[count / 50], high = sample[count - 1 - count / 50];
    return (extent){axis, low - 0.25 * (high - low), 1.5 * (high - low)};
}

static int compare_extents(const void *a, const void *b)
{
    const extent *x = a, *y = b;
    return x->width != y->width ? compare_doubles(&y->width, &x->width) : x->axis - y->axis;
}

static bars find_bars(const scree_world *world)
{
    bars found;
    double volume = 1, thinnest = world->movable_count ? 2 * world->radius_sum / (double)world->movable_count : 0;
    for (int k = 0; k < 3; k++) {
        found.along[k] = find_extent(&world->bodies, k);
        volume *= fmax(found.along[k].width / 1.5, thinnest);
    }
    sort_items(found.along, 3, sizeof found.along[0], compare_extents);
    double finest = found.along[0].width / (1 << AXIS_BITS);
    double edge = world->def.solver.cell;
    double bar = edge > finest ? edge : fmax(BAR * cube_root(volume / (double)world->bodies.count), finest);
    for (int k = 0; k < 3 && bar == edge; k++)
        found.along[k].low = floor(found.along[k].low / edge) * edge;
    for (int k = 0; k < 3; k++)
        found.per_cell[k] = finest > 0 ? 1 / (k < 2 ? bar : finest) : 0;
    return found;
}

static uint32_t axis_cell(double x, double low, double per_cell)
{
    double cell = (x - low) * per_cell;
    double last = (1 << AXIS_BITS) - 1;
    return (uint32_t)(cell < 0 ? 0 : cell > last ? last : cell);
}

static uint32_t bar_key(const bars *in, vec3 p)
{
    uint32_t key = 0;
    for (int k = 0; k < 3; k++)
        key = key << AXIS_BITS | axis_cell(vec3_get(p, in->along[k].axis), in->along[k].low, in->per_cell[k]);
    return key;
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

// Bodies move to new slots, and what knows them by slots follows. `new_slot` is room for one number per body. When out
// of memory bodies stay where they are.
static bool rearrange(scree_world *world, const uint32_t *old_slots, uint32_t *new_slot)
{
    body_store *store = &world->bodies;
    slots_will_move(world);
    if (!body_store_rearrange(store, old_slots, store->count))
        return false;
    for (size_t i = 0; i < store->count; i++)
        new_slot[old_slots[i]] = (uint32_t)i;
    contacts_follow_bodies(world, new_slot, store->count);
    return true;
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
    bars in = find_bars(world);
    for (size_t i = 0; i < store->count; i++) {
        keys[i] = bar_key(&in, store->position.data[i]);
        slots[i] = (uint32_t)i;
    }
    sort_by_key(slots, other, keys, store->count); // an odd number of passes ends in `other`
    if (!rearrange(world, other, keys))
        return;
    world->travel = 0;
    world->steps_in_order = 0;
}

bool order_shuffle(scree_world *world, uint64_t seed)
{
    size_t count = world->bodies.count;
    random_stream stream = {seed};
    arena_reset(&world->scratch);
    uint32_t *slots = arena_array(&world->scratch, uint32_t, count);
    uint32_t *new_slot = arena_array(&world->scratch, uint32_t, count);
    if (!slots || !new_slot)
        return false;
    for (size_t i = 0; i < count; i++) { // Durstenfeld 1964
        size_t k = (size_t)(random_bits(&stream) % (i + 1));
        slots[i] = slots[k];
        slots[k] = (uint32_t)i;
    }
    world->tree.valid = false;
    return rearrange(world, slots, new_slot);
}

// Angular impulses go along with their contacts, when there are as many.
static vec3f *take_angular(scree_world *world, size_t count)
{
    bool any = count > 0 && world->angular_impulses.count == count;
    vec3f *moved = any ? arena_array(&world->scratch, vec3f, count) : NULL;
    world->angular_impulses.count = 0;
    return moved;
}

void contacts_follow_bodies(scree_world *world, const uint32_t *new_slot, size_t new_count)
{
    pushes_follow_bodies(&world->pushes, new_slot);
    half_kicks_follow_bodies(&world->half_kicks, new_slot);
    size_t count = world->contacts.count;
    contact *old = world->contacts.data;
    contact *moved = arena_array(&world->scratch, contact, count);
    vec3f *moved_angular = take_angular(world, count);
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
    for (size_t i = 0; i < count; i++) {
        if (old[i].a == NO_SLOT || old[i].b == NO_SLOT)
            continue;
        uint32_t to = start[old[i].a + 1]++;
        moved[to] = old[i];
        if (moved_angular)
            moved_angular[to] = world->angular_impulses.data[i];
    }
    world->contacts.count = start[new_count];
    memcpy(old, moved, world->contacts.count * sizeof *moved);
    if (!moved_angular)
        return;
    world->angular_impulses.count = world->contacts.count;
    memcpy(world->angular_impulses.data, moved_angular, world->contacts.count * sizeof *moved_angular);
}
