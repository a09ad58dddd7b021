// Minimum degree on the elimination graph itself: each node keeps the list of its remaining neighbours, which becomes
// its column of the factor when it is eliminated. Lists grow where elimination joins neighbours.
#include "solve/newton/sparse_order.h"

#include <string.h>

#include "base/error.h"
#include "base/sort.h"

#define NO_NODE UINT32_MAX

typedef struct neighbour_list {
    uint32_t *nodes;
    uint32_t count, capacity;
} neighbour_list;

typedef struct elimination {
    size_t count;
    neighbour_list *lists;
    uint32_t *mark, stamp;            // mark[node] == stamp: seen in the walk at hand
    uint32_t *head, *next, *previous; // nodes by degree, in linked lists
    uint32_t *order;                  // nodes as they were eliminated
    arena *scratch;
} elimination;

static bool start_elimination(elimination *e, const sparse_pair *pairs, size_t pair_count);
static uint32_t take_smallest(elimination *e, uint32_t *degree);
static bool eliminate(elimination *e, uint32_t node);
static bool collect_columns(const elimination *e, sparse_structure *structure);

scree_status sparse_order(sparse_structure *structure, size_t count, const sparse_pair *pairs, size_t pair_count,
                          arena *scratch, scree_error *error)
{
    *structure = (sparse_structure){.count = count};
    elimination e = {.count = count, .scratch = scratch};
    if (!start_elimination(&e, pairs, pair_count))
        return fail_no_memory(error);
    uint32_t degree = 0;
    for (size_t i = 0; i < count; i++) {
        e.order[i] = take_smallest(&e, &degree);
        if (!eliminate(&e, e.order[i]))
            return fail_no_memory(error);
        degree = degree > 0 ? degree - 1 : 0; // elimination lowers a degree by one at most
    }
    return collect_columns(&e, structure) ? SCREE_OK : fail_no_memory(error);
}

bool sparse_count_products(size_t count, const sparse_pair *pairs, size_t pair_count, double most, arena *scratch,
                           double *products)
{
    arena_mark before = arena_get_mark(scratch);
    elimination e = {.count = count, .scratch = scratch};
    bool ok = start_elimination(&e, pairs, pair_count);
    *products = 0;
    uint32_t degree = 0;
    for (size_t i = 0; ok && i < count && *products <= most; i++) {
        uint32_t node = take_smallest(&e, &degree);
        double below = e.lists[node].count;
        *products += 1 + below + 0.5 * below * (below + 1);
        ok = eliminate(&e, node);
        degree = degree > 0 ? degree - 1 : 0;
    }
    arena_release(scratch, before);
    return ok;
}

static void link_node(elimination *e, uint32_t node)
{
    uint32_t degree = e->lists[node].count;
    e->next[node] = e->head[degree];
    e->previous[node] = NO_NODE;
    if (e->head[degree] != NO_NODE)
        e->previous[e->head[degree]] = node;
    e->head[degree] = node;
}

// The degree must still be that of linking.
static void unlink_node(elimination *e, uint32_t node)
{
    if (e->previous[node] != NO_NODE)
        e->next[e->previous[node]] = e->next[node];
    else
        e->head[e->lists[node].count] = e->next[node];
    if (e->next[node] != NO_NODE)
        e->previous[e->next[node]] = e->previous[node];
}

// Lists with repetitions first, one behind the other, then each without.
static void fill_lists(elimination *e, const sparse_pair *pairs, size_t pair_count, uint32_t *room)
{
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].a != pairs[i].b) {
            e->lists[pairs[i].a].capacity++;
            e->lists[pairs[i].b].capacity++;
        }
    for (size_t node = 0; node < e->count; node++) {
        e->lists[node].nodes = room;
        room += e->lists[node].capacity;
    }
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].a != pairs[i].b) {
            neighbour_list *a = &e->lists[pairs[i].a], *b = &e->lists[pairs[i].b];
            a->nodes[a->count++] = pairs[i].b;
            b->nodes[b->count++] = pairs[i].a;
        }
    for (uint32_t node = 0; node < e->count; node++) {
        neighbour_list *list = &e->lists[node];
        uint32_t kept = 0;
        e->stamp++;
        for (uint32_t i = 0; i < list->count; i++)
            if (e->mark[list->nodes[i]] != e->stamp) {
                e->mark[list->nodes[i]] = e->stamp;
                list->nodes[kept++] = list->nodes[i];
            }
        list->count = kept;
    }
}

static bool start_elimination(elimination *e, const sparse_pair *pairs, size_t pair_count)
{
    size_t n = e->count;
    e->lists = arena_array(e->scratch, neighbour_list, n);
    e->mark = arena_array(e->scratch, uint32_t, n);
    e->head = arena_array(e->scratch, uint32_t, n + 1);
    e->next = arena_array(e->scratch, uint32_t, n);
    e->previous = arena_array(e->scratch, uint32_t, n);
    e->order = arena_array(e->scratch, uint32_t, n);
    uint32_t *room = arena_array(e->scratch, uint32_t, 2 * pair_count);
    if (!e->lists || !e->mark || !e->head || !e->next || !e->previous || !e->order || !room)
        return false;
    memset(e->lists, 0, n * sizeof *e->lists);
    memset(e->mark, 0, n * sizeof *e->mark);
    memset(e->head, 0xff, (n + 1) * sizeof *e->head);
    fill_lists(e, pairs, pair_count, room);
    for (size_t node = n; node-- > 0;) // the lowest node of a degree comes first
        link_node(e, (uint32_t)node);
    return true;
}

static uint32_t take_smallest(elimination *e, uint32_t *degree)
{
    while (e->head[*degree] == NO_NODE)
        ++*degree;
    uint32_t node = e->head[*degree];
    unlink_node(e, node);
    return node;
}

static bool grow_list(elimination *e, neighbour_list *list, uint32_t need)
{
    if (need <= list->capacity)
        return true;
    uint32_t capacity = need + need / 2;
    uint32_t *nodes = arena_array(e->scratch, uint32_t, capacity);
    if (!nodes)
        return false;
    if (list->count > 0)
        memcpy(nodes, list->nodes, list->count * sizeof *nodes);
    list->nodes = nodes;
    list->capacity = capacity;
    return true;
}

// Takes `gone` out of a neighbour's list, and the other neighbours of `gone` into it.
static bool join_neighbours(elimination *e, uint32_t gone, uint32_t node)
{
    const neighbour_list *clique = &e->lists[gone];
    neighbour_list *list = &e->lists[node];
    uint32_t kept = 0, missing = 0;
    e->stamp++;
    e->mark[node] = e->stamp;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->nodes[i] != gone) {
            e->mark[list->nodes[i]] = e->stamp;
            list->nodes[kept++] = list->nodes[i];
        }
    list->count = kept;
    for (uint32_t i = 0; i < clique->count; i++)
        missing += e->mark[clique->nodes[i]] != e->stamp;
    if (!grow_list(e, list, kept + missing))
        return false;
    for (uint32_t i = 0; i < clique->count; i++)
        if (e->mark[clique->nodes[i]] != e->stamp)
            list->nodes[list->count++] = clique->nodes[i];
    return true;
}

static bool eliminate(elimination *e, uint32_t node)
{
    const neighbour_list *list = &e->lists[node];
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t neighbour = list->nodes[i];
        unlink_node(e, neighbour);
        if (!join_neighbours(e, node, neighbour))
            return false;
        link_node(e, neighbour);
    }
    return true;
}

static int compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool collect_columns(const elimination *e, sparse_structure *structure)
{
    size_t n = e->count, total = 0;
    for (size_t node = 0; node < n; node++)
        total += e->lists[node].count;
    structure->place = arena_array(e->scratch, uint32_t, n);
    structure->column_start = arena_array(e->scratch, size_t, n + 1);
    structure->rows = arena_array(e->scratch, uint32_t, total);
    if (!structure->place || !structure->column_start || !structure->rows)
        return false;
    for (uint32_t i = 0; i < n; i++)
        structure->place[e->order[i]] = i;
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        const neighbour_list *list = &e->lists[e->order[i]];
        structure->column_start[i] = end;
        for (uint32_t k = 0; k < list->count; k++)
            structure->rows[end + k] = structure->place[list->nodes[k]];
        sort_items(structure->rows + end, list->count, sizeof *structure->rows, compare_places);
        end += list->count;
    }
    structure->column_start[n] = end;
    return true;
}
