// Which bodies began to touch, and which ended: the touching pairs of this step against those of the last.
//
// A touch begins with an overlap or a push, but ends only when no contact point is left, so that bodies that rest
// on each other with a gap of a rounding error do not begin and end by turns.
#include "step/touches.h"

#include "base/sort.h"
#include "world/method.h"

typedef struct met_pair {
    scree_body_pair ids;
    bool touches; // not merely near
} met_pair;

static int compare_ids(const scree_body_pair *x, const scree_body_pair *y)
{
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static int compare_met(const void *x, const void *y)
{
    return compare_ids(&((const met_pair *)x)->ids, &((const met_pair *)y)->ids);
}

static bool contact_touches(const contact *c)
{
    vec3 normal = vec3_from_f(c->normal), impulse = vec3_from_f(c->impulse);
    return c->gap <= 0 || vec3_dot(normal, impulse) > 0;
}

// All pairs with contacts, rising, each once; `met` has room for one by contact.
static size_t find_met(const contact *contacts, size_t contact_count, const scree_id *id, met_pair *met)
{
    size_t count = 0;
    for (size_t i = 0; i < contact_count; i++) {
        const contact *c = &contacts[i];
        scree_id a = id[c->a], b = id[c->b];
        met[count++] = (met_pair){{a < b ? a : b, a < b ? b : a}, contact_touches(c)};
    }
    sort_items(met, count, sizeof *met, compare_met);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_met(&met[kept - 1], &met[i]) == 0)
            met[kept - 1].touches |= met[i].touches;
        else
            met[kept++] = met[i];
    }
    return kept;
}

bool touches_update(const contact *contacts, size_t contact_count, const scree_id *id, arena *scratch,
                    const touch_lists *lists)
{
    body_pair_array *old = lists->touching, *begun = lists->begun, *ended = lists->ended;
    met_pair *met = arena_array(scratch, met_pair, contact_count + 1);
    size_t count = met ? find_met(contacts, contact_count, id, met) : 0;
    scree_body_pair *now = arena_array(scratch, scree_body_pair, count + 1);
    if (!met || !now || !array_reserve(begun, count) || !array_reserve(ended, old->count) || !array_reserve(old, count))
        return false;
    size_t touching = 0, last = 0;
    begun->count = ended->count = 0;
    for (size_t i = 0; i < count; i++) {
        while (last < old->count && compare_ids(&old->data[last], &met[i].ids) < 0)
            ended->data[ended->count++] = old->data[last++];
        bool before = last < old->count && compare_ids(&old->data[last], &met[i].ids) == 0;
        last += before;
        if (!before && met[i].touches)
            begun->data[begun->count++] = met[i].ids;
        if (before || met[i].touches)
            now[touching++] = met[i].ids;
    }
    while (last < old->count)
        ended->data[ended->count++] = old->data[last++];
    if (touching)
        memcpy(old->data, now, touching * sizeof *now);
    old->count = touching;
    return true;
}

void scree_world_watch_touches(scree_world *world, bool watch)
{
    if (!world)
        return;
    world->watch_touches = watch;
    if (!watch)
        world->touching.count = world->begun.count = world->ended.count = 0;
}

static size_t copy_pairs(const body_pair_array *from, scree_body_pair *to, size_t capacity)
{
    size_t count = from->count < capacity ? from->count : capacity;
    if (count)
        memcpy(to, from->data, count * sizeof *to);
    return from->count;
}

size_t scree_world_touch_begins(const scree_world *world, scree_body_pair *pairs, size_t capacity)
{
    if (!world || (!pairs && capacity > 0))
        return 0;
    return copy_pairs(&world->begun, pairs, capacity);
}

size_t scree_world_touch_ends(const scree_world *world, scree_body_pair *pairs, size_t capacity)
{
    if (!world || (!pairs && capacity > 0))
        return 0;
    return copy_pairs(&world->ended, pairs, capacity);
}
