#include "penalty/groups.h"

#include "base/radix.h"

static bool is_particle(const proxy *p)
{
    return p->type == SCREE_SHAPE_SPHERE;
}

static void set_box(sphere_group *group, const body_store *store)
{
    vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double most = 0;
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const proxy *p = &store->proxies.data[i];
        vec3 at = store->locals.data[p->local].position;
        low = vec3_lower(low, at);
        high = vec3_upper(high, at);
        group->radius = fmaxf(group->radius, p->size[0]);
    }
    vec3 center = vec3_scale(vec3_add(low, high), 0.5), half = vec3_scale(vec3_sub(high, low), 0.5);
    double slack = 1e-6 * ((double)group->radius + vec3_max(half));
    if (vec3_length(center) < slack) // then it need not be turned
        center = vec3_make(0, 0, 0);
    group->center = vec3f_from(center);
    group->half = vec3f_from(vec3_add(half, vec3_make(2 * slack, 2 * slack, 2 * slack)));
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const proxy *p = &store->proxies.data[i];
        vec3 away = vec3_sub(store->locals.data[p->local].position, vec3_from_f(group->center));
        most = fmax(most, vec3_length(away) + (double)p->size[0]);
    }
    group->reach = (float)(most * (1 + 1e-6));
}

// One sphere around a group.
static bool add_bounds(group_set *set, const sphere_group *group, const body_store *store)
{
    proxy bounds = store->proxies.data[group->first];
    if (group->count > 1) {
        local_pose place = {vec3_from_f(group->center), {1, 0, 0, 0}};
        bounds.size[0] = group->reach;
        bounds.local = (uint32_t)set->locals.count;
        if (!array_push(&set->locals, place))
            return false;
    }
    return array_push(&set->proxies, bounds);
}

// From `first` on, within one body.
static uint32_t group_length(const body_store *store, uint32_t first, uint32_t end)
{
    uint32_t count = 1;
    if (!is_particle(&store->proxies.data[first]))
        return 1;
    while (first + count < end && count < GROUP_MOST && is_particle(&store->proxies.data[first + count]))
        count++;
    return count;
}

static bool add_groups(group_set *set, const body_store *store, uint32_t slot)
{
    uint32_t end = store->first_proxy.data[slot + 1];
    for (uint32_t first = store->first_proxy.data[slot]; first < end;) {
        sphere_group group = {.first = first, .body = slot, .count = group_length(store, first, end)};
        group.particles = is_particle(&store->proxies.data[first]);
        if (group.particles)
            set_box(&group, store);
        for (uint32_t i = 0; i < group.count; i++)
            set->group_of.data[first + i] = (uint32_t)set->groups.count;
        set->single_proxies = set->single_proxies && group.count == 1;
        if (!array_push(&set->groups, group))
            return false;
        first += group.count;
    }
    return true;
}

static bool set_places(group_set *set, const body_store *store)
{
    size_t count = store->proxies.count, room = count + 8;
    if (!array_resize(&set->x, room) || !array_resize(&set->y, room) || !array_resize(&set->z, room) ||
        !array_resize(&set->radius, room))
        return false;
    for (size_t i = 0; i < room; i++) {
        const proxy *p = &store->proxies.data[i < count ? i : 0];
        vec3f at = vec3f_from(store->locals.data[p->local].position);
        set->x.data[i] = at.x;
        set->y.data[i] = at.y;
        set->z.data[i] = at.z;
        set->radius.data[i] = p->size[0];
    }
    return true;
}

// Ids stay when slots move.
static bool set_order(group_set *set, const body_store *store, arena *scratch)
{
    uint32_t *slots = arena_array(scratch, uint32_t, store->count);
    uint32_t *other = arena_array(scratch, uint32_t, store->count);
    if (!slots || !other || !array_resize(&set->rank, set->groups.count) ||
        !array_reserve(&set->by_id, set->groups.count))
        return false;
    for (size_t i = 0; i < store->count; i++)
        slots[i] = (uint32_t)i;
    radix_sort(store->id.data, slots, other, store->count);
    set->by_id.count = 0;
    for (size_t i = 0; i < store->count; i++) {
        uint32_t slot = slots[i];
        for (uint32_t group = set->group_of.data[store->first_proxy.data[slot]];
             group < set->groups.count && set->groups.data[group].body == slot; group++) {
            set->rank.data[group] = (uint32_t)set->by_id.count;
            set->by_id.data[set->by_id.count++] = group;
        }
    }
    return true;
}

bool groups_make(group_set *set, const body_store *store, arena *scratch)
{
    set->groups.count = set->proxies.count = set->locals.count = 0;
    set->single_proxies = true;
    if (!array_resize(&set->group_of, store->proxies.count))
        return false;
    for (uint32_t slot = 0; slot < store->count; slot++)
        if (!add_groups(set, store, slot))
            return false;
    if (!set_order(set, store, scratch))
        return false;
    if (set->single_proxies)
        return true;
    if (!set_places(set, store) || !array_resize(&set->locals, store->locals.count))
        return false;
    memcpy(set->locals.data, store->locals.data, store->locals.count * sizeof *store->locals.data);
    for (size_t i = 0; i < set->groups.count; i++)
        if (!add_bounds(set, &set->groups.data[i], store))
            return false;
    return true;
}

void groups_free(group_set *set)
{
    array_free(&set->groups);
    array_free(&set->group_of);
    array_free(&set->rank);
    array_free(&set->by_id);
    array_free(&set->x);
    array_free(&set->y);
    array_free(&set->z);
    array_free(&set->radius);
    array_free(&set->proxies);
    array_free(&set->locals);
}

size_t groups_bytes(const group_set *set)
{
    return array_bytes(&set->groups) + array_bytes(&set->group_of) + array_bytes(&set->rank) +
           array_bytes(&set->by_id) + array_bytes(&set->proxies) + array_bytes(&set->locals) + 4 * array_bytes(&set->x);
}
