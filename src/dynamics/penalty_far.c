// Pairs of groups that may meet within some steps, from the broad phase or, where few bodies have strayed from their
// paths, from comparing those with all others. In a world of single shapes they are the pairs themselves.
#include "base/error.h"
#include "collide/broad.h"
#include "dynamics/penalty.h"

enum { MOST_STRAYS = 256 };

// ----------------------------------------------------------------------------------------------------- pairs of groups

// By a, then b: counting, and insertion within the few of one.
static bool sort_pairs(proxy_pair *pairs, size_t count, size_t groups, arena *scratch)
{
    uint32_t *start = arena_array(scratch, uint32_t, groups + 2);
    proxy_pair *sorted = arena_array(scratch, proxy_pair, count);
    if (!start || !sorted)
        return false;
    memset(start, 0, (groups + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[pairs[i].a + 2]++;
    for (size_t i = 2; i < groups + 2; i++)
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

// What kind it is, with the groups in the order that the kind wants: the earlier first; walls second; for others the
// body with the lower id first, since features depend on the order.
static pair_kind classify(const scree_world *world, proxy_pair *pair)
{
    const sphere_group *groups = world->penalty->groups.groups.data;
    const proxy *proxies = world->bodies.proxies.data;
    const sphere_group *a = &groups[pair->a], *b = &groups[pair->b];
    bool turn;
    pair_kind kind = OTHERS;
    if (a->particles && b->particles) {
        kind = SPHERES;
        turn = pair->a > pair->b;
    } else if (a->particles && proxies[b->first].type == SCREE_PLANE) {
        kind = WALLS;
        turn = false;
    } else if (b->particles && proxies[a->first].type == SCREE_PLANE) {
        kind = WALLS;
        turn = true;
    } else {
        turn = world->bodies.id.data[a->body] > world->bodies.id.data[b->body];
    }
    if (turn)
        *pair = (proxy_pair){pair->b, pair->a};
    return kind;
}

static bool is_before(proxy_pair x, proxy_pair y)
{
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

// Merges what was found with the old pairs of bodies that have not strayed. Pairs that were listed before keep what
// came of them.
static bool merge_pairs(penalty *of, pair_kind kind, const proxy_pair *found, size_t count, const uint8_t *stray)
{
    const proxy_pair *old = of->group_pairs[kind].data;
    const sphere_group *groups = of->groups.groups.data;
    size_t end = of->states[kind].count, kept = 0, at = 0;
    if (!array_reserve(&of->next_pairs, end + count) || !array_reserve(&of->next_states, end + count))
        return false;
    proxy_pair *pairs = of->next_pairs.data;
    near_state *states = of->next_states.data;
    for (size_t i = 0; i <= count; i++) {
        for (; at < end && (i == count || is_before(old[at], found[i])); at++)
            if (stray && !stray[groups[old[at].a].body] && !stray[groups[old[at].b].body]) {
                pairs[kept] = old[at];
                states[kept++] = of->states[kind].data[at];
            }
        if (i == count)
            break;
        bool known = at < end && !is_before(found[i], old[at]);
        pairs[kept] = found[i];
        states[kept++] = known ? of->states[kind].data[at++] : (near_state){.margin = -1};
    }
    group_pair_array old_pairs = of->group_pairs[kind];
    near_state_array old_states = of->states[kind];
    of->group_pairs[kind] = of->next_pairs;
    of->states[kind] = of->next_states;
    of->group_pairs[kind].count = of->states[kind].count = kept;
    of->next_pairs = old_pairs;
    of->next_states = old_states;
    return true;
}

// Of single shapes nothing is kept.
static bool take_pairs(penalty *of, pair_kind kind, const proxy_pair *found, size_t count)
{
    of->states[kind].count = 0;
    if (!array_resize(&of->group_pairs[kind], count))
        return false;
    if (count)
        memcpy(of->group_pairs[kind].data, found, count * sizeof *found);
    return true;
}

static bool keep_pairs(scree_world *world, proxy_pair *pairs, size_t count, const uint8_t *stray)
{
    penalty *of = world->penalty;
    bool single = of->groups.plain;
    size_t found[PAIR_KINDS] = {0};
    proxy_pair *of_kind[PAIR_KINDS];
    for (int k = 0; k < PAIR_KINDS; k++)
        if (!(of_kind[k] = arena_array(&world->scratch, proxy_pair, count)))
            return false;
    for (size_t i = 0; i < count; i++) {
        pair_kind kind = classify(world, &pairs[i]);
        if (kind != SPHERES || single || stray || paths_meet(of, pairs[i]))
            of_kind[kind][found[kind]++] = pairs[i];
    }
    for (int k = 0; k < PAIR_KINDS; k++) {
        if (!sort_pairs(of_kind[k], found[k], of->groups.groups.count, &world->scratch))
            return false;
        if (single && k == SPHERES ? !take_pairs(of, (pair_kind)k, of_kind[k], found[k])
                                   : !merge_pairs(of, (pair_kind)k, of_kind[k], found[k], stray))
            return false;
        for (size_t i = 0; single && i < of->states[k].count; i++)
            of->states[k].data[i].margin = -1;
    }
    return true;
}

// Groups as the broad phase meets them.
static bool group_view(scree_world *world, const pair_filter *filter, proxy_view *view)
{
    const penalty *of = world->penalty;
    *view = penalty_view(world, of->far.margin.data, filter);
    if (of->groups.plain)
        return true;
    vec3 *centres = arena_array(&world->scratch, vec3, world->bodies.count);
    float *margins = arena_array(&world->scratch, float, world->bodies.count);
    if (!centres || !margins)
        return false;
    middle_of_paths(world, centres, margins);
    view->proxies = of->groups.proxies.data;
    view->proxy_count = of->groups.proxies.count;
    view->locals = of->groups.locals.data;
    view->centres = centres;
    view->margins = margins;
    return true;
}

static scree_status list_all(scree_world *world, const pair_filter *filter, scree_error *error)
{
    proxy_view view;
    proxy_pair *pairs;
    size_t count;
    set_paths(world, NULL);
    if (!group_view(world, filter, &view))
        return fail_no_memory(error);
    scree_status status = broad_phase(&view, world->threads, &world->scratch, &pairs, &count, error);
    if (status)
        return status == SCREE_DIVERGED ? report_far_body(world, error) : status;
    return keep_pairs(world, pairs, count, NULL) ? SCREE_OK : fail_no_memory(error);
}

scree_status list_groups(scree_world *world, bool fresh, bool *changed, scree_error *error)
{
    penalty *of = world->penalty;
    const pair_filter *filter;
    uint8_t *stray = arena_array(&world->scratch, uint8_t, world->bodies.count);
    if (!stray || (fresh && !reserve_paths(world)))
        return fail_no_memory(error);
    size_t count = fresh ? world->bodies.count : find_strays(world, stray);
    *changed = count > 0;
    if (count == 0)
        return SCREE_OK;
    if (!find_filter(world, &filter))
        return fail_no_memory(error);
    if (fresh || of->groups.plain || count > MOST_STRAYS || planes_stray(world, stray))
        return list_all(world, filter, error);
    set_paths(world, stray);
    if (!meet_strays(world, filter, stray) || !keep_pairs(world, of->stray_pairs.data, of->stray_pairs.count, stray))
        return fail_no_memory(error);
    return SCREE_OK;
}
