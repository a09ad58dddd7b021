// The quotient graph has variables, which are left, and elements, which stand for what was eliminated. The list of a
// variable names its elements first and then the variables next to it that no element of it holds; that of an element
// names its variables. Eliminating p makes of it an element L_p: all variables next to it, by itself or through an
// element, which L_p then absorbs. Variables with equal lists cannot be told apart from then on and go on as one with
// the weight of both; one that has no neighbour outside L_p is eliminated along with p.
#include "solve/newton/minimum_degree.h"

#include <string.h>

#define NONE UINT32_MAX

enum { GONE, VARIABLE, ELEMENT };

typedef struct quotient {
    size_t count;
    uint32_t *lists, *spare; // all lists one behind the other; room to pack them into
    uint32_t used, room;
    uint32_t *start, *length, *elements; // of a node's list; how many elements begin it
    uint32_t *weight;                    // nodes that a variable stands for; 0: it is none any more
    uint32_t *degree;                    // bound of the weight around a variable; weight of an element
    uint8_t *kind;
    uint32_t *inside, pass;                     // inside[v] == pass: in the element that is being made
    uint64_t *mark, base;                       // of an element: base + its weight outside that element
    uint32_t *same, comparison;                 // same[x] == comparison: in the list that others are compared with
    uint32_t *head, *next, *previous, smallest; // variables by degree, in linked lists
    uint32_t *bucket, *behind, *hash;           // variables by the sum of their lists
    uint32_t *last, *follower;                  // nodes that are eliminated with a node, in a chain from it
    uint32_t left;                              // weight of all variables
} quotient;

// ----------------------------------------------------------------------------------------------------------------
// graph

bool sparse_graph_make(sparse_graph *graph, size_t count, const sparse_pair *pairs, size_t pair_count, arena *scratch)
{
    *graph = (sparse_graph){.count = count,
                            .start = arena_array(scratch, uint32_t, count + 1),
                            .neighbours = arena_array(scratch, uint32_t, 2 * pair_count)};
    uint32_t *end = arena_array(scratch, uint32_t, count), *seen_by = arena_array(scratch, uint32_t, count);
    if (!graph->start || !graph->neighbours || !end || !seen_by)
        return false;
    memset(end, 0, count * sizeof *end);
    memset(seen_by, 0xff, count * sizeof *seen_by);
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].a != pairs[i].b) {
            end[pairs[i].a]++;
            end[pairs[i].b]++;
        }
    uint32_t sum = 0;
    for (size_t node = 0; node < count; node++) { // `end` becomes the place to fill from
        uint32_t entries = end[node];
        graph->start[node] = end[node] = sum;
        sum += entries;
    }
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].a != pairs[i].b) {
            graph->neighbours[end[pairs[i].a]++] = pairs[i].b;
            graph->neighbours[end[pairs[i].b]++] = pairs[i].a;
        }
    uint32_t kept = 0;
    for (uint32_t node = 0; node < count; node++) {
        uint32_t first = graph->start[node];
        graph->start[node] = kept;
        for (uint32_t i = first; i < end[node]; i++) {
            uint32_t other = graph->neighbours[i];
            if (seen_by[other] == node)
                continue;
            seen_by[other] = node;
            graph->neighbours[kept++] = other;
        }
    }
    graph->start[count] = kept;
    return true;
}

// ------------------------------------------------------------------------------------------------------ lists by
// degree

static void link_variable(quotient *q, uint32_t v)
{
    uint32_t degree = q->degree[v];
    q->next[v] = q->head[degree];
    q->previous[v] = NONE;
    if (q->head[degree] != NONE)
        q->previous[q->head[degree]] = v;
    q->head[degree] = v;
    q->smallest = degree < q->smallest ? degree : q->smallest;
}

// The degree must still be that of linking.
static void unlink_variable(quotient *q, uint32_t v)
{
    if (q->previous[v] != NONE)
        q->next[q->previous[v]] = q->next[v];
    else
        q->head[q->degree[v]] = q->next[v];
    if (q->next[v] != NONE)
        q->previous[q->next[v]] = q->previous[v];
}

static uint32_t take_smallest(quotient *q)
{
    while (q->head[q->smallest] == NONE)
        q->smallest++;
    uint32_t v = q->head[q->smallest];
    unlink_variable(q, v);
    return v;
}

// --------------------------------------------------------------------------------------------------------------
// starting

static bool take_arrays(quotient *q, arena *scratch)
{
    size_t n = q->count;
    uint32_t **const arrays[] = {&q->start,  &q->length, &q->elements, &q->weight,   &q->degree,
                                 &q->inside, &q->same,   &q->next,     &q->previous, &q->bucket,
                                 &q->behind, &q->hash,   &q->last,     &q->follower};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = arena_array(scratch, uint32_t, n);
        if (!*arrays[i])
            return false;
    }
    q->head = arena_array(scratch, uint32_t, n + 1);
    q->mark = arena_array(scratch, uint64_t, n);
    q->kind = arena_array(scratch, uint8_t, n);
    q->lists = arena_array(scratch, uint32_t, q->room);
    q->spare = arena_array(scratch, uint32_t, q->room);
    return q->head && q->mark && q->kind && q->lists && q->spare;
}

static bool start_quotient(quotient *q, const sparse_graph *graph, arena *scratch)
{
    size_t n = graph->count, entries = graph->start[n];
    *q = (quotient){.count = n, .used = (uint32_t)entries, .room = (uint32_t)(entries + entries / 4 + n + 1)};
    if (!take_arrays(q, scratch))
        return false;
    if (entries > 0)
        memcpy(q->lists, graph->neighbours, entries * sizeof *q->lists);
    memset(q->inside, 0, n * sizeof *q->inside);
    memset(q->same, 0, n * sizeof *q->same);
    memset(q->mark, 0, n * sizeof *q->mark);
    memset(q->elements, 0, n * sizeof *q->elements);
    memset(q->head, 0xff, (n + 1) * sizeof *q->head);
    memset(q->bucket, 0xff, n * sizeof *q->bucket);
    q->smallest = q->left = (uint32_t)n;
    q->base = 1;
    for (uint32_t v = (uint32_t)n; v-- > 0;) { // the lowest node of a degree comes first
        q->start[v] = graph->start[v];
        q->length[v] = q->degree[v] = graph->start[v + 1] - graph->start[v];
        q->weight[v] = 1;
        q->kind[v] = VARIABLE;
        q->last[v] = v;
        q->follower[v] = NONE;
        link_variable(q, v);
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// eliminating

// Nodes of v are eliminated right behind those of u.
static void append_chain(quotient *q, uint32_t u, uint32_t v)
{
    q->follower[q->last[u]] = v;
    q->last[u] = q->last[v];
    q->weight[v] = 0;
    q->kind[v] = GONE;
}

static void pack_lists(quotient *q)
{
    uint32_t used = 0;
    for (size_t node = 0; node < q->count; node++) {
        if (q->kind[node] == GONE)
            continue;
        memcpy(q->spare + used, q->lists + q->start[node], q->length[node] * sizeof *q->spare);
        q->start[node] = used;
        used += q->length[node];
    }
    uint32_t *lists = q->lists;
    q->lists = q->spare;
    q->spare = lists;
    q->used = used;
}

static void take_into_element(quotient *q, uint32_t v, uint32_t *weight)
{
    if (q->weight[v] == 0 || q->inside[v] == q->pass)
        return;
    q->inside[v] = q->pass;
    q->lists[q->used++] = v;
    *weight += q->weight[v];
    unlink_variable(q, v);
}

// Makes of p the element L_p.
static void make_element(quotient *q, uint32_t p)
{
    if (q->room - q->used < q->degree[p])
        pack_lists(q);
    uint32_t begin = q->used, weight = 0;
    q->inside[p] = ++q->pass;
    for (uint32_t i = 0; i < q->length[p]; i++) {
        uint32_t x = q->lists[q->start[p] + i];
        if (i >= q->elements[p]) {
            take_into_element(q, x, &weight);
            continue;
        }
        for (uint32_t k = 0; k < q->length[x]; k++)
            take_into_element(q, q->lists[q->start[x] + k], &weight);
        q->kind[x] = GONE;
    }
    q->kind[p] = ELEMENT;
    q->start[p] = begin;
    q->length[p] = q->used - begin;
    q->elements[p] = 0;
    q->degree[p] = weight;
}

// The weight of each element next to L_p that is not in L_p.
static void weigh_elements(quotient *q, uint32_t p)
{
    q->base += q->count + 1;
    for (uint32_t i = 0; i < q->length[p]; i++) {
        uint32_t v = q->lists[q->start[p] + i];
        for (uint32_t k = 0; k < q->elements[v]; k++) {
            uint32_t e = q->lists[q->start[v] + k];
            if (q->mark[e] < q->base)
                q->mark[e] = q->base + q->degree[e];
            q->mark[e] -= q->weight[v];
        }
    }
}

// Takes from the list of v what is gone or in L_p, and puts p into it; elements that lie in L_p are absorbed. Gives
// back the bound of the weight around it outside L_p, and whether there is any.
static uint32_t renew_list(quotient *q, uint32_t p, uint32_t v, bool *has_others)
{
    uint32_t *list = q->lists + q->start[v], kept = 0, outside = 0, sum = p;
    for (uint32_t k = 0; k < q->elements[v]; k++) {
        uint32_t e = list[k];
        if (q->kind[e] != ELEMENT)
            continue;
        uint32_t weight = (uint32_t)(q->mark[e] - q->base);
        if (weight == 0) {
            q->kind[e] = GONE;
            continue;
        }
        outside += weight;
        sum += e;
        list[kept++] = e;
    }
    uint32_t elements = kept;
    for (uint32_t k = q->elements[v]; k < q->length[v]; k++) {
        uint32_t u = list[k];
        if (q->weight[u] == 0 || q->inside[u] == q->pass)
            continue;
        outside += q->weight[u];
        sum += u;
        list[kept++] = u;
    }
    *has_others = kept > 0;
    list[kept] = list[elements]; // there is room, since p or an element that it absorbed was in the list
    list[elements] = p;
    q->elements[v] = elements + 1;
    q->length[v] = kept + 1;
    q->hash[v] = (uint32_t)(sum % q->count);
    return outside;
}

static void update_variables(quotient *q, uint32_t p)
{
    for (uint32_t i = 0; i < q->length[p]; i++) {
        uint32_t v = q->lists[q->start[p] + i];
        bool has_others;
        uint32_t outside = renew_list(q, p, v, &has_others);
        if (!has_others) { // eliminated along with p
            q->degree[p] -= q->weight[v];
            append_chain(q, p, v);
            continue;
        }
        q->degree[v] = outside < q->degree[v] ? outside : q->degree[v];
        q->behind[v] = q->bucket[q->hash[v]];
        q->bucket[q->hash[v]] = v;
    }
}

static bool are_alike(const quotient *q, uint32_t v, uint32_t u)
{
    if (q->length[v] != q->length[u] || q->elements[v] != q->elements[u])
        return false;
    for (uint32_t k = 0; k < q->length[u]; k++)
        if (q->same[q->lists[q->start[u] + k]] != q->comparison)
            return false;
    return true;
}

static void merge_alike(quotient *q, uint32_t p)
{
    for (uint32_t i = 0; i < q->length[p]; i++) {
        uint32_t v = q->lists[q->start[p] + i];
        if (q->weight[v] == 0)
            continue;
        uint32_t first = q->bucket[q->hash[v]];
        q->bucket[q->hash[v]] = NONE;
        for (; first != NONE; first = q->behind[first]) {
            if (q->behind[first] == NONE)
                break;
            q->comparison++;
            for (uint32_t k = 0; k < q->length[first]; k++)
                q->same[q->lists[q->start[first] + k]] = q->comparison;
            for (uint32_t before = first, u = q->behind[first]; u != NONE; u = q->behind[before]) {
                if (!are_alike(q, first, u)) {
                    before = u;
                    continue;
                }
                q->weight[first] += q->weight[u];
                append_chain(q, first, u);
                q->behind[before] = q->behind[u];
            }
        }
    }
}

static void link_again(quotient *q, uint32_t p)
{
    uint32_t kept = 0, *list = q->lists + q->start[p];
    for (uint32_t i = 0; i < q->length[p]; i++) {
        uint32_t v = list[i];
        if (q->weight[v] == 0)
            continue;
        uint32_t most = q->left - q->weight[v], bound = q->degree[v] + q->degree[p] - q->weight[v];
        q->degree[v] = bound < most ? bound : most;
        list[kept++] = v;
        link_variable(q, v);
    }
    q->length[p] = kept;
    q->used = q->start[p] + kept;
    if (kept == 0)
        q->kind[p] = GONE;
}

// Weight of what is eliminated with p and of what is next to it.
static void eliminate(quotient *q, uint32_t p, uint32_t *columns, uint32_t *below)
{
    uint32_t before = q->weight[p];
    q->weight[p] = 0;
    make_element(q, p);
    uint32_t around = q->degree[p];
    weigh_elements(q, p);
    update_variables(q, p);
    *below = q->degree[p];
    *columns = before + around - *below;
    q->left -= *columns;
    merge_alike(q, p);
    link_again(q, p);
}

bool minimum_degree(const sparse_graph *graph, double most, arena *scratch, uint32_t *order, double *products)
{
    arena_mark mark = arena_get_mark(scratch);
    quotient q;
    bool ok = start_quotient(&q, graph, scratch);
    *products = 0;
    for (size_t ordered = 0; ok && ordered < graph->count && *products <= most;) {
        uint32_t pivot = take_smallest(&q), columns, below;
        eliminate(&q, pivot, &columns, &below);
        for (uint32_t v = pivot; v != NONE; v = q.follower[v])
            order[ordered++] = v;
        for (; columns > 0; columns--) {
            double entries = (double)below + (double)(columns - 1);
            *products += 1 + entries + 0.5 * entries * (entries + 1);
        }
    }
    arena_release(scratch, mark);
    return ok;
}
