// Pairs of groups that may meet within some steps, from the broad phase or, where few bodies have strayed from their
// paths, from comparing those with all others. In a world of single shapes they are the pairs themselves.
#include "base/error.h"
#include "collide/broad/broad.h"
#include "contact/detect_step.h"
#include "contact/filter.h"
#include "penalty/penalty.h"

enum { MOST_STRAYS = 256, FEW_PAIRS = 32 };

// ----------------------------------------------------------------------------------------------------- pairs of groups

// The key by which pairs of groups are ordered; see pair_kind.
typedef struct pair_key {
    uint32_t first, second;
} pair_key;

static inline pair_key key_of(const penalty *of, pair_kind kind, proxy_pair pair)
{
    const uint32_t *rank = of->groups.rank.data;
    return (pair_key){kind == OTHERS ? rank[pair.a] : pair.a, rank[pair.b]};
}

static bool is_before(const penalty *of, pair_kind kind, proxy_pair x, proxy_pair y)
{
    pair_key of_x = key_of(of, kind, x), of_y = key_of(of, kind, y);
    return of_x.first != of_y.first ? of_x.first < of_y.first : of_x.second < of_y.second;
}

// A stable counting sort by one of the two keys; `start` has room for one more than there are keys.
static void sort_by_key(const penalty *of, pair_kind kind, bool second, const proxy_pair *from, proxy_pair *to,
                        size_t count, uint32_t *start)
{
    size_t keys = of->groups.groups.count;
    memset(start, 0, (keys + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++) {
        pair_key key = key_of(of, kind, from[i]);
        start[(second ? key.second : key.first) + 1]++;
    }
    for (size_t i = 0; i < keys; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < count; i++) {
        pair_key key = key_of(of, kind, from[i]);
        to[start[second ? key.second : key.first]++] = from[i];
    }
}

static void insert_all(const penalty *of, pair_kind kind, proxy_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        proxy_pair pair = pairs[i];
        size_t k = i;
        for (; k > 0 && is_before(of, kind, pair, pairs[k - 1]); k--)
            pairs[k] = pairs[k - 1];
        pairs[k] = pair;
    }
}

static bool sort_pairs(const penalty *of, pair_kind kind, proxy_pair *pairs, size_t count, arena *scratch)
{
    if (count <= FEW_PAIRS) {
        insert_all(of, kind, pairs, count);
        return true;
    }
    uint32_t *start = arena_array(scratch, uint32_t, of->groups.groups.count + 1);
    proxy_pair *sorted = arena_array(scratch, proxy_pair, count);
    if (!start || !sorted)
        return false;
    sort_by_key(of, kind, true, pairs, sorted, count, start);
    sort_by_key(of, kind, false, sorted, pairs, count, start);
    return true;
}

// What kind it is, with the groups in the order that the kind wants: walls second, otherwise the body with the lower id
// first, since normals and features depend on the order.
static pair_kind classify(const scree_world *world, proxy_pair *pair)
{
    const sphere_group *groups = penalty_of(world)->groups.groups.data;
    const proxy *proxies = world->bodies.proxies.data;
    const sphere_group *a = &groups[pair->a], *b = &groups[pair->b];
    bool swap = world->bodies.id.data[a->body] > world->bodies.id.data[b->body];
    pair_kind kind = OTHERS;
    if (a->particles && b->particles) {
        kind = SPHERES;
    } else if (a->particles && proxies[b->first].type == SCREE_SHAPE_PLANE) {
        kind = WALLS;
        swap = false;
    } else if (b->particles && proxies[a->first].type == SCREE_SHAPE_PLANE) {
        kind = WALLS;
        swap = true;
    }
    if (swap)
        *pair = (proxy_pair){pair->b, pair->a};
    return kind;
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
        for (; at < end && (i == count || is_before(of, kind, old[at], found[i])); at++)
            if (stray && !stray[groups[old[at].a].body] && !stray[groups[old[at].b].body]) {
                pairs[kept] = old[at];
                states[kept++] = of->states[kind].data[at];
            }
        if (i == count)
            break;
        bool known = at < end && !is_before(of, kind, found[i], old[at]);
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

// Takes the pairs found. Where groups are single shapes, nothing is kept of the old ones.
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
    penalty *of = penalty_of(world);
    bool single = of->groups.single_proxies;
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
        if (!sort_pairs(of, (pair_kind)k, of_kind[k], found[k], &world->scratch))
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
    const penalty *of = penalty_of(world);
    *view = penalty_view(world, of->far.margin.data, filter);
    if (of->groups.single_proxies)
        return true;
    vec3 *centers = arena_array(&world->scratch, vec3, world->bodies.count);
    float *margins = arena_array(&world->scratch, float, world->bodies.count);
    if (!centers || !margins)
        return false;
    middle_of_paths(world, centers, margins);
    view->proxies = of->groups.proxies.data;
    view->proxy_count = of->groups.proxies.count;
    view->locals = of->groups.locals.data;
    view->centers = centers;
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
        return status == SCREE_ERROR_DIVERGED ? report_far_body(world, error) : status;
    return keep_pairs(world, pairs, count, NULL) ? SCREE_OK : fail_no_memory(error);
}

scree_status list_groups(scree_world *world, bool fresh, bool *changed, scree_error *error)
{
    penalty *of = penalty_of(world);
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
    if (fresh || of->groups.single_proxies || count > MOST_STRAYS || planes_stray(world, stray))
        return list_all(world, filter, error);
    set_paths(world, stray);
    if (!meet_strays(world, filter, stray) || !keep_pairs(world, of->stray_pairs.data, of->stray_pairs.count, stray))
        return fail_no_memory(error);
    return SCREE_OK;
}
