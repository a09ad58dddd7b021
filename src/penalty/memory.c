// What contacts remember, as the list of pairs is made anew, as slots move, and in snapshots.
#include "penalty/penalty.h"

#include <stdlib.h>

#include "base/sort.h"

bool near_list_resize(near_list *list, size_t count, bool resists_rolling)
{
    enum { LANES_MORE = 8 };
    size_t room = count + LANES_MORE;
    if (!array_reserve(&list->a, room) || !array_reserve(&list->b, room) || !array_reserve(&list->touches, room) ||
        !array_reserve(&list->spring, room) || (resists_rolling && !array_reserve(&list->rolled, room)))
        return false;
    list->a.count = list->b.count = list->touches.count = list->spring.count = count;
    list->rolled.count = resists_rolling ? count : 0;
    for (size_t i = count; i < room; i++) {
        list->a.data[i] = list->b.data[i] = 0;
        list->touches.data[i] = 0;
    }
    return true;
}

static touch_record record_of_pair(const body_store *store, const near_list *list, size_t pair)
{
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

static bool records_of_pairs(const body_store *store, const near_list *list, touch_record_array *records)
{
    for (size_t i = 0; i < list->a.count; i++)
        if (list->touches.data[i] && !array_push(records, record_of_pair(store, list, i)))
            return false;
    return true;
}

void penalty_save_histories_by_id(scree_world *world)
{
    penalty *of = penalty_of(world);
    if (!of)
        return;
    penalty_materialise_contacts(world);
    of->stale = of->moved_slots = true;
    if (!records_of_pairs(&world->bodies, &of->pairs, &of->loose) ||
        !records_of_pairs(&world->bodies, &of->walls, &of->loose))
        of->loose.count = 0;
    near_list_resize(&of->pairs, 0, false);
    near_list_resize(&of->walls, 0, false);
}

bool penalty_remember(const scree_world *world, touch_record_array *records)
{
    const penalty *of = penalty_of(world);
    if (!of)
        return true;
    for (size_t i = 0; i < of->loose.count; i++)
        if (!array_push(records, of->loose.data[i]))
            return false;
    for (size_t i = 0; i < of->point_memory.count; i++)
        if (!array_push(records, of->point_memory.data[i]))
            return false;
    return records_of_pairs(&world->bodies, &of->pairs, records) &&
           records_of_pairs(&world->bodies, &of->walls, records);
}

// ---------------------------------------------------------------------------------------------------- to the new list

typedef struct placed_record { // with what it is sorted by before the rest
    uint32_t group_a, rank_b, a, b;
    contact_history history;
} placed_record;

static int compare_placed(const void *x, const void *y)
{
    const uint32_t *a = &((const placed_record *)x)->group_a, *b = &((const placed_record *)y)->group_a;
    for (int i = 0; i < 4; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// False when a body or a shape of it is gone.
static bool place_record(const scree_world *world, const touch_record *record, placed_record *placed)
{
    const body_store *store = &world->bodies;
    uint32_t slot_a = body_slot(store, record->a), slot_b = body_slot(store, record->b);
    if (slot_a == NO_SLOT || slot_b == NO_SLOT)
        return false;
    uint64_t a = store->first_proxy.data[slot_a] + (record->name >> 32);
    uint64_t b = store->first_proxy.data[slot_b] + (record->name & UINT32_MAX);
    if (a >= store->first_proxy.data[slot_a + 1] || b >= store->first_proxy.data[slot_b + 1])
        return false;
    *placed = (placed_record){.a = (uint32_t)a, .b = (uint32_t)b, .history = record->history};
    if (store->proxies.data[a].type == SCREE_SHAPE_PLANE) { // a wall comes second, otherwise the higher id
        placed->a = (uint32_t)b;
        placed->b = (uint32_t)a;
        for (int i = 0; i < 3; i++) {
            placed->history.spring[i] *= -1;
            placed->history.rolled[i] *= -1;
        }
    }
    const group_set *groups = &penalty_of(world)->groups;
    placed->group_a = groups->group_of.data[placed->a];
    placed->rank_b = groups->rank.data[groups->group_of.data[placed->b]];
    return true;
}

static bool is_wall_record(const scree_world *world, const placed_record *placed)
{
    return world->bodies.proxies.data[placed->b].type == SCREE_SHAPE_PLANE;
}

// Puts the histories of one kind into the list that is about to be replaced.
static bool place_kind(const scree_world *world, const placed_record *placed, size_t count, bool walls, near_list *list)
{
    if (!near_list_resize(list, count, true))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_wall_record(world, &placed[i]) != walls)
            continue;
        list->a.data[kept] = placed[i].a;
        list->b.data[kept] = placed[i].b;
        list->touches.data[kept] = -1;
        memcpy(list->spring.data[kept], placed[i].history.spring, sizeof(float_quad));
        memcpy(list->rolled.data[kept], placed[i].history.rolled, sizeof(float_quad));
        kept++;
    }
    return near_list_resize(list, kept, true);
}

// Loose memories become lists of their own, in the place of the old ones.
bool place_loose(scree_world *world)
{
    penalty *of = penalty_of(world);
    size_t count = 0;
    if (of->loose.count == 0)
        return true;
    placed_record *placed = arena_array(&world->scratch, placed_record, of->loose.count);
    if (!placed)
        return false;
    for (size_t i = 0; i < of->loose.count; i++)
        count += place_record(world, &of->loose.data[i], &placed[count]);
    sort_items(placed, count, sizeof *placed, compare_placed);
    if (!place_kind(world, placed, count, false, &of->pairs) || !place_kind(world, placed, count, true, &of->walls))
        return false;
    of->loose.count = 0;
    return true;
}

void keep_entries(near_list *to, size_t first, const near_list *from, near_range old)
{
    memcpy(to->a.data + first, from->a.data + old.first, old.count * sizeof *to->a.data);
    memcpy(to->b.data + first, from->b.data + old.first, old.count * sizeof *to->b.data);
    memcpy(to->touches.data + first, from->touches.data + old.first, old.count * sizeof *to->touches.data);
    memcpy(to->spring.data + first, from->spring.data + old.first, old.count * sizeof(float_quad));
    if (to->rolled.count)
        memcpy(to->rolled.data + first, from->rolled.data + old.first, old.count * sizeof(float_quad));
}

// What entry `at` of another list remembers, or nothing when that is not known.
static void take_history(near_list *to, size_t i, const near_list *from, size_t at, bool known)
{
    to->touches.data[i] = known ? -1 : 0;
    if (known)
        memcpy(to->spring.data[i], from->spring.data[at], sizeof(float_quad));
    else
        memset(to->spring.data[i], 0, sizeof(float_quad));
    if (to->rolled.count && known && from->rolled.count)
        memcpy(to->rolled.data[i], from->rolled.data[at], sizeof(float_quad));
    else if (to->rolled.count)
        memset(to->rolled.data[i], 0, sizeof(float_quad));
}

// Both ranges rise, so one pass hands over what the old one remembers.
void hand_over(near_list *to, near_range now, const near_list *from, near_range old)
{
    size_t at = old.first, end = old.first + old.count;
    for (size_t i = now.first; i < now.first + now.count; i++) {
        uint32_t a = to->a.data[i], b = to->b.data[i];
        while (at < end &&
               (!from->touches.data[at] || from->a.data[at] < a || (from->a.data[at] == a && from->b.data[at] < b)))
            at++;
        take_history(to, i, from, at, at < end && from->a.data[at] == a && from->b.data[at] == b);
    }
}

void hand_over_singles(near_list *to, const near_list *from, const uint32_t *rank)
{
    size_t at = 0, end = from->a.count;
    for (size_t i = 0; i < to->a.count; i++) {
        uint32_t a = to->a.data[i], b = to->b.data[i];
        while (at < end && (!from->touches.data[at] || from->a.data[at] < a ||
                            (from->a.data[at] == a && rank[from->b.data[at]] < rank[b])))
            at++;
        take_history(to, i, from, at, at < end && from->a.data[at] == a && from->b.data[at] == b);
    }
}

bool penalty_recall(scree_world *world, const touch_record *records, size_t count, double stable_step)
{
    penalty *of = world->method_state = calloc(1, sizeof *of);
    if (!of)
        return false;
    of->stale = of->moved_slots = true;
    of->stable_step = stable_step > 0 ? stable_step : HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        touch_record_array *to = records[i].name & POINT_NAME ? &of->point_memory : &of->loose;
        if (!array_push(to, records[i]))
            return false;
    }
    return true;
}
