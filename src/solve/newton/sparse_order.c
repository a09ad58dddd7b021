// From an order of elimination the tree of elimination, its postorder, and the rows of each column of the factor.
//
// Row i of the factor has an entry in each column on the paths from the columns of its entries in the matrix up the
// tree towards i (J. W. H. Liu: The role of elimination trees in sparse factorization. SIAM J. Matrix Anal. Appl. 11
// (1990) 134-172). Walking rows in their order writes the rows of each column in theirs.
#include "solve/newton/sparse_order.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

// The parent of a column is the first row below its diagonal; `jump` shortens the paths that are walked again.
static void find_parents(const sparse_graph *graph, const uint32_t *order, const uint32_t *place, uint32_t *parent,
                         uint32_t *jump)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        parent[i] = jump[i] = NO_PARENT;
        for (uint32_t k = graph->start[order[i]]; k < graph->start[order[i] + 1]; k++) {
            uint32_t column = place[graph->neighbours[k]];
            while (column < i) {
                uint32_t next = jump[column];
                jump[column] = i;
                if (next == NO_PARENT)
                    parent[column] = i;
                column = next < i ? next : i;
            }
        }
    }
}

// Gives each place its number when every subtree is numbered before its root, by way of lists of children.
static void number_by_subtrees(size_t count, const uint32_t *parent, uint32_t *child, uint32_t *sibling,
                               uint32_t *number)
{
    memset(child, 0xff, count * sizeof *child);
    for (uint32_t i = (uint32_t)count; i-- > 0;)
        if (parent[i] != NO_PARENT) {
            sibling[i] = child[parent[i]];
            child[parent[i]] = i;
        }
    uint32_t numbered = 0;
    for (uint32_t root = 0; root < count; root++) {
        if (parent[root] != NO_PARENT)
            continue;
        for (uint32_t at = root;;) {
            if (child[at] != NO_PARENT) { // down, and not again
                uint32_t next = child[at];
                child[at] = sibling[next];
                at = next;
                continue;
            }
            number[at] = numbered++;
            if (at == root)
                break;
            at = parent[at];
        }
    }
}

// Calls for each entry (row, column) of the factor below the diagonal, rows rising: counts them, or writes them.
static void walk_rows(const sparse_graph *graph, const uint32_t *order, sparse_structure *s, uint32_t *seen,
                      size_t *fill)
{
    memset(seen, 0xff, s->count * sizeof *seen);
    for (uint32_t i = 0; i < s->count; i++) {
        seen[i] = i;
        for (uint32_t k = graph->start[order[i]]; k < graph->start[order[i] + 1]; k++)
            for (uint32_t c = s->place[graph->neighbours[k]]; c < i && seen[c] != i; c = s->parent[c]) {
                seen[c] = i;
                if (s->rows)
                    s->rows[fill[c]] = i;
                fill[c]++;
            }
    }
}

static bool find_columns(const sparse_graph *graph, const uint32_t *order, sparse_structure *s, arena *scratch)
{
    size_t n = s->count;
    uint32_t *seen = arena_array(scratch, uint32_t, n);
    size_t *fill = arena_array(scratch, size_t, n);
    s->column_start = arena_array(scratch, size_t, n + 1);
    if (!seen || !fill || !s->column_start)
        return false;
    memset(fill, 0, n * sizeof *fill);
    walk_rows(graph, order, s, seen, fill);
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        size_t entries = fill[i];
        s->column_start[i] = fill[i] = end;
        end += entries;
    }
    s->column_start[n] = end;
    s->rows = arena_array(scratch, uint32_t, end);
    if (!s->rows)
        return false;
    walk_rows(graph, order, s, seen, fill);
    return true;
}

static bool order_graph(sparse_structure *s, const sparse_graph *graph, arena *scratch)
{
    size_t n = s->count;
    double products;
    uint32_t *order = arena_array(scratch, uint32_t, n), *parent = arena_array(scratch, uint32_t, n);
    uint32_t *number = arena_array(scratch, uint32_t, n), *child = arena_array(scratch, uint32_t, n);
    uint32_t *sibling = arena_array(scratch, uint32_t, n);
    s->place = arena_array(scratch, uint32_t, n);
    s->parent = arena_array(scratch, uint32_t, n);
    if (!order || !parent || !number || !child || !sibling || !s->place || !s->parent ||
        !minimum_degree(graph, HUGE_VAL, scratch, order, &products))
        return false;
    for (uint32_t i = 0; i < n; i++)
        s->place[order[i]] = i;
    find_parents(graph, order, s->place, parent, sibling);
    number_by_subtrees(n, parent, child, sibling, number);
    for (uint32_t i = 0; i < n; i++)
        s->parent[number[i]] = parent[i] == NO_PARENT ? NO_PARENT : number[parent[i]];
    for (uint32_t node = 0; node < n; node++) {
        s->place[node] = number[s->place[node]];
        child[s->place[node]] = node; // the order by subtrees
    }
    return find_columns(graph, child, s, scratch);
}

scree_status sparse_order(sparse_structure *structure, size_t count, const sparse_pair *pairs, size_t pair_count,
                          arena *scratch, scree_error *error)
{
    sparse_graph graph;
    *structure = (sparse_structure){.count = count};
    bool ok = sparse_graph_make(&graph, count, pairs, pair_count, scratch) && order_graph(structure, &graph, scratch);
    return ok ? SCREE_OK : fail_no_memory(error);
}

bool sparse_count_products(size_t count, const sparse_pair *pairs, size_t pair_count, double most, arena *scratch,
                           double *products)
{
    arena_mark before = arena_get_mark(scratch);
    sparse_graph graph;
    uint32_t *order = arena_array(scratch, uint32_t, count);
    bool ok = order && sparse_graph_make(&graph, count, pairs, pair_count, scratch) &&
              minimum_degree(&graph, most, scratch, order, products);
    arena_release(scratch, before);
    return ok;
}
