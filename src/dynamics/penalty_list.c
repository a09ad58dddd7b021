// The list of near pairs: bodies get margins, the broad phase finds what lies within them, and the list holds until a
// body has used up its margin. What contacts remember moves from the old list to the new one.
#include "base/error.h"
#include "collide/broad.h"
#include "dynamics/penalty.h"

#include <stdlib.h>

// Margins, in radii of a sphere of the body: a slow body gets the least; a fast one, room for some steps.
static const double least_margin = 0.1, most_margin = 1, steps_ahead = 8;

// Spheres that are larger than the mean by this factor would spoil the resolution of places, and are treated as other
// shapes are.
static const double large = 64;

// ------------------------------------------------------------------------------------------------------ is it in time

static double moved_by(const scree_world *world, size_t slot)
{
    const penalty *of = world->penalty;
    double path = vec3_length(vec3_sub(of->position.data[slot], of->listed_position.data[slot]));
    quat now = of->orientation.data[slot], then = of->listed_orientation.data[slot];
    if (of->plain.data[slot])
        return path;
    double w = now.w - then.w, x = now.x - then.x, y = now.y - then.y, z = now.z - then.z;
    double turn = 2.2 * sqrt(w * w + x * x + y * y + z * z); // at least the angle, up to a radian
    return turn > 0 ? path + turn * (double)world->bodies.radius.data[slot] : path;
}

static bool list_holds(const scree_world *world)
{
    const penalty *of = world->penalty;
    if (of->stale)
        return false;
    size_t count = world->bodies.count;
    bool holds = true;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(&& : holds)
    for (size_t i = 0; i < count; i++)
        holds = holds && moved_by(world, i) <= (double)of->margin.data[i];
    return holds;
}

static double size_of(const scree_world *world, size_t slot)
{
    const body_store *store = &world->bodies;
    const proxy *first = &store->proxies.data[store->first_proxy.data[slot]];
    double radius = first->type == SCREE_SPHERE ? (double)first->size[0] : (double)store->radius.data[slot];
    return isfinite(radius) || world->movable_count == 0 ? radius : world->radius_sum / (double)world->movable_count;
}

static bool set_margins(scree_world *world)
{
    const body_store *store = &world->bodies;
    penalty *of = world->penalty;
    size_t count = store->count;
    if (!array_resize(&of->margin, count) || !array_resize(&of->listed_position, count) ||
        !array_resize(&of->listed_orientation, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        double size = size_of(world, i), spin = vec3_length(store->spin.data[i]);
        double speed = vec3_length(store->velocity.data[i]);
        if (spin > 0 && !of->plain.data[i] && isfinite((double)store->radius.data[i]))
            speed += spin * (double)store->radius.data[i];
        bool still = store->immovable.data[i] && speed == 0;
        double wanted = steps_ahead * world->def.step * speed;
        of->margin.data[i] = still ? 0 : (float)fmin(fmax(wanted, least_margin * size), most_margin * size);
    }
    memcpy(of->listed_position.data, of->position.data, count * sizeof *of->position.data);
    memcpy(of->listed_orientation.data, of->orientation.data, count * sizeof *of->orientation.data);
    return true;
}

// ------------------------------------------------------------------------------------------------- sorting the pairs

// The largest sphere that is a particle: by a power of two, so that rounding of the mean is of no consequence.
static double largest_particle(const scree_world *world, double *largest)
{
    const body_store *store = &world->bodies;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < store->proxies.count; i++)
        if (store->proxies.data[i].type == SCREE_SPHERE) {
            sum += (double)store->proxies.data[i].size[0];
            count++;
        }
    double limit = count ? large * exp2(ceil(log2(sum / (double)count))) : 0;
    *largest = 0;
    for (size_t i = 0; i < store->proxies.count; i++) {
        const proxy *p = &store->proxies.data[i];
        if (p->type == SCREE_SPHERE && (double)p->size[0] <= limit)
            *largest = fmax(*largest, (double)p->size[0]);
    }
    return limit;
}

static bool is_particle(const proxy *p, double limit)
{
    return p->type == SCREE_SPHERE && (double)p->size[0] <= limit;
}

// By a, then b: counting, and insertion within the few of one proxy.
static bool sort_pairs(proxy_pair *pairs, size_t count, size_t proxies, arena *scratch)
{
    uint32_t *start = arena_array(scratch, uint32_t, proxies + 2);
    proxy_pair *sorted = arena_array(scratch, proxy_pair, count);
    if (!start || !sorted)
        return false;
    memset(start, 0, (proxies + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[pairs[i].a + 2]++;
    for (size_t i = 2; i < proxies + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < count; i++)
        sorted[start[pairs[i].a + 1]++] = pairs[i];
    for (size_t i = 1; i < count; i++) {
        proxy_pair p = sorted[i];
        size_t k = i;
        for (; k > 0 && sorted[k - 1].a == p.a && sorted[k - 1].b > p.b; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = p;
    }
    memcpy(pairs, sorted, count * sizeof *pairs);
    return true;
}

// Particles first; returns how many pairs are of two particles.
static size_t part_pairs(const scree_world *world, double limit, proxy_pair *pairs, size_t count, proxy_pair *others)
{
    const proxy *proxies = world->bodies.proxies.data;
    const scree_id *id = world->bodies.id.data;
    size_t near = 0, other = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = pairs[i].a, b = pairs[i].b;
        if (is_particle(&proxies[a], limit) && is_particle(&proxies[b], limit))
            pairs[near++] = a < b ? (proxy_pair){a, b} : (proxy_pair){b, a};
        else
            others[other++] =
                id[proxies[a].body] < id[proxies[b].body] ? (proxy_pair){a, b} : (proxy_pair){b, a};
    }
    return near;
}

// ----------------------------------------------------------------------------------------- memories of the old list

static bool near_list_resize(near_list *list, size_t count, bool rich)
{
    enum { LANES_MORE = 8 };
    size_t room = count + LANES_MORE;
    if (!array_reserve(&list->a, room) || !array_reserve(&list->b, room) || !array_reserve(&list->touches, room) ||
        !array_reserve(&list->spring, room) || (rich && !array_reserve(&list->rolled, room)))
        return false;
    list->a.count = list->b.count = list->touches.count = list->spring.count = count;
    list->rolled.count = rich ? count : 0;
    for (size_t i = count; i < room; i++) {
        list->a.data[i] = list->b.data[i] = 0;
        list->touches.data[i] = 0;
    }
    return true;
}

static touch_record record_of_pair(const scree_world *world, size_t pair)
{
    const body_store *store = &world->bodies;
    const near_list *list = &world->penalty->pairs;
    uint32_t p[2] = {list->a.data[pair], list->b.data[pair]}, slot[2];
    for (int i = 0; i < 2; i++)
        slot[i] = store->proxies.data[p[i]].body;
    touch_record record = {.a = store->id.data[slot[0]], .b = store->id.data[slot[1]]};
    memcpy(record.history.spring, list->spring.data[pair], sizeof(float_quad));
    if (list->rolled.count)
        memcpy(record.history.rolled, list->rolled.data[pair], sizeof(float_quad));
    uint64_t part[2] = {p[0] - store->first_proxy.data[slot[0]], p[1] - store->first_proxy.data[slot[1]]};
    if (record.a < record.b) {
        record.name = part[0] << 32 | part[1];
        return record;
    }
    record = (touch_record){record.b, record.a, part[1] << 32 | part[0], record.history};
    for (int i = 0; i < 3; i++) {
        record.history.spring[i] *= -1;
        record.history.rolled[i] *= -1;
    }
    return record;
}

static bool records_of_pairs(const scree_world *world, touch_record_array *records)
{
    const near_list *list = &world->penalty->pairs;
    for (size_t i = 0; i < list->a.count; i++)
        if (list->touches.data[i] && !array_push(records, record_of_pair(world, i)))
            return false;
    return true;
}

void penalty_let_go(scree_world *world)
{
    penalty *of = world->penalty;
    if (!of)
        return;
    of->stale = true;
    if (!records_of_pairs(world, &of->loose))
        of->loose.count = 0;
    near_list_resize(&of->pairs, 0, false);
}

bool penalty_remember(const scree_world *world, touch_record_array *records)
{
    const penalty *of = world->penalty;
    if (!of)
        return true;
    for (size_t i = 0; i < of->loose.count; i++)
        if (!array_push(records, of->loose.data[i]))
            return false;
    for (size_t i = 0; i < of->point_memory.count; i++)
        if (!array_push(records, of->point_memory.data[i]))
            return false;
    return records_of_pairs(world, records);
}

typedef struct placed_record {
    proxy_pair pair;
    contact_history history;
} placed_record;

static int compare_placed(const void *x, const void *y)
{
    const proxy_pair *a = &((const placed_record *)x)->pair, *b = &((const placed_record *)y)->pair;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

// False when a body or a shape of it is gone.
static bool place_record(const body_store *store, const touch_record *record, placed_record *placed)
{
    uint32_t slot_a = body_slot(store, record->a), slot_b = body_slot(store, record->b);
    if (slot_a == NO_SLOT || slot_b == NO_SLOT)
        return false;
    uint64_t a = store->first_proxy.data[slot_a] + (record->name >> 32);
    uint64_t b = store->first_proxy.data[slot_b] + (record->name & UINT32_MAX);
    if (a >= store->first_proxy.data[slot_a + 1] || b >= store->first_proxy.data[slot_b + 1])
        return false;
    *placed = (placed_record){{(uint32_t)a, (uint32_t)b}, record->history};
    if (a < b)
        return true;
    placed->pair = (proxy_pair){(uint32_t)b, (uint32_t)a};
    for (int i = 0; i < 3; i++) {
        placed->history.spring[i] *= -1;
        placed->history.rolled[i] *= -1;
    }
    return true;
}

// Loose memories become a list of their own, in the place of the old one.
static bool place_loose(scree_world *world)
{
    penalty *of = world->penalty;
    size_t count = 0;
    if (of->loose.count == 0)
        return true;
    placed_record *placed = arena_array(&world->scratch, placed_record, of->loose.count);
    if (!placed || !near_list_resize(&of->pairs, of->loose.count, true))
        return false;
    for (size_t i = 0; i < of->loose.count; i++)
        count += place_record(&world->bodies, &of->loose.data[i], &placed[count]);
    qsort(placed, count, sizeof *placed, compare_placed);
    near_list_resize(&of->pairs, count, true);
    for (size_t i = 0; i < count; i++) {
        of->pairs.a.data[i] = placed[i].pair.a;
        of->pairs.b.data[i] = placed[i].pair.b;
        of->pairs.touches.data[i] = -1;
        memcpy(of->pairs.spring.data[i], placed[i].history.spring, sizeof(float_quad));
        memcpy(of->pairs.rolled.data[i], placed[i].history.rolled, sizeof(float_quad));
    }
    return true;
}

// Both lists rise, so one pass hands over what the old one remembers.
static void fill_list(near_list *to, const near_list *from, const proxy_pair *pairs)
{
    size_t old = 0;
    for (size_t i = 0; i < to->a.count; i++) {
        uint32_t a = to->a.data[i] = pairs[i].a, b = to->b.data[i] = pairs[i].b;
        while (old < from->a.count && (from->a.data[old] < a || (from->a.data[old] == a && from->b.data[old] < b)))
            old++;
        bool known = old < from->a.count && from->a.data[old] == a && from->b.data[old] == b &&
                     from->touches.data[old] != 0;
        to->touches.data[i] = known ? -1 : 0;
        if (known)
            memcpy(to->spring.data[i], from->spring.data[old], sizeof(float_quad));
        else
            memset(to->spring.data[i], 0, sizeof(float_quad));
        if (to->rolled.count && known && from->rolled.count)
            memcpy(to->rolled.data[i], from->rolled.data[old], sizeof(float_quad));
        else if (to->rolled.count)
            memset(to->rolled.data[i], 0, sizeof(float_quad));
    }
}

// ------------------------------------------------------------------------------------------------ blocks, particles

static bool set_blocks(scree_world *world)
{
    penalty *of = world->penalty;
    const near_list *list = &of->pairs;
    size_t blocks = (world->bodies.proxies.count + PARTICLE_BLOCK - 1) / PARTICLE_BLOCK, pair = 0, out = 0;
    if (!array_resize(&of->block_first, blocks + 1) || !array_resize(&of->outbox_first, blocks + 1) ||
        !array_resize(&of->outbox_count, blocks + 1))
        return false;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t end = (uint32_t)((b + 1) * PARTICLE_BLOCK);
        of->block_first.data[b] = pair;
        of->outbox_first.data[b] = out;
        for (; pair < list->a.count && list->a.data[pair] < end; pair++)
            out += list->b.data[pair] >= end;
    }
    of->block_first.data[blocks] = pair;
    of->outbox_first.data[blocks] = out;
    return array_resize(&of->outbox_particle, out) && array_resize(&of->outbox, out) &&
           array_resize(&of->force, list->a.count);
}

static double inverse_mass(const body_store *store, uint32_t slot)
{
    return store->immovable.data[slot] ? 0 : 1 / store->mass.data[slot];
}

static bool set_particles(scree_world *world)
{
    const body_store *store = &world->bodies;
    penalty *of = world->penalty;
    size_t proxies = store->proxies.count;
    if (!array_resize(&of->particles, proxies) || !array_resize(&of->loads, proxies) ||
        !array_reserve(&of->active, proxies) || !array_resize(&of->first_active, store->count + 1))
        return false;
    uint8_t *used = arena_array(&world->scratch, uint8_t, proxies);
    if (!used)
        return false;
    memset(used, 0, proxies);
    for (size_t i = 0; i < of->pairs.a.count; i++)
        used[of->pairs.a.data[i]] = used[of->pairs.b.data[i]] = 1;
    of->active.count = 0;
    for (uint32_t slot = 0; slot < store->count; slot++) {
        of->first_active.data[slot] = (uint32_t)of->active.count;
        for (uint32_t i = store->first_proxy.data[slot]; i < store->first_proxy.data[slot + 1]; i++) {
            if (!used[i])
                continue;
            const proxy *p = &store->proxies.data[i];
            of->particles.data[i] = (particle){.radius = p->size[0],
                                               .inverse_mass = (float)inverse_mass(store, slot),
                                               .material = p->material};
            of->active.data[of->active.count++] = i;
        }
    }
    of->first_active.data[store->count] = (uint32_t)of->active.count;
    return true;
}

// --------------------------------------------------------------------------------------------------------- making it

static bool keep_pairs(scree_world *world, proxy_pair *pairs, size_t count)
{
    penalty *of = world->penalty;
    double largest, limit = largest_particle(world, &largest);
    proxy_pair *others = arena_array(&world->scratch, proxy_pair, count);
    if (!others)
        return false;
    size_t near = part_pairs(world, limit, pairs, count, others), rest = count - near;
    size_t proxies = world->bodies.proxies.count;
    if (!sort_pairs(pairs, near, proxies, &world->scratch) || !sort_pairs(others, rest, proxies, &world->scratch) ||
        !array_resize(&of->others, rest) || !place_loose(world) || !near_list_resize(&of->spare, near, of->rich))
        return false;
    if (rest)
        memcpy(of->others.data, others, rest * sizeof *others);
    fill_list(&of->spare, &of->pairs, pairs);
    near_list old = of->pairs;
    of->pairs = of->spare;
    of->spare = old;
    of->loose.count = 0;
    // Differences of places of a listed pair stay below eight radii of the largest.
    of->unit = largest > 0 ? exp2(ceil(log2(16 * largest)) - 32) : 1;
    return set_blocks(world) && set_particles(world);
}

scree_status renew_list(scree_world *world, scree_error *error)
{
    penalty *of = world->penalty;
    if (list_holds(world))
        return SCREE_OK;
    const pair_filter *filter;
    if (!set_margins(world) || !find_filter(world, &filter))
        return fail_no_memory(error);
    of->stale = true;
    proxy_view view = penalty_view(world, of->margin.data, filter);
    proxy_pair *pairs;
    size_t count;
    scree_status status = broad_phase(&view, world->threads, &world->scratch, &pairs, &count, error);
    if (status)
        return status == SCREE_DIVERGED ? report_far_body(world, error) : status;
    if (!keep_pairs(world, pairs, count))
        return fail_no_memory(error);
    of->stale = false;
    return SCREE_OK;
}
