// An order of elimination with little fill for a symmetric sparse matrix: approximate minimum degree.
//
// P. R. Amestoy, T. A. Davis, I. S. Duff: An approximate minimum degree ordering algorithm. SIAM J. Matrix Anal. Appl.
// 17 (1996) 886-905. The graph of what is left is kept as a quotient graph: what was eliminated stands as an element,
// the set of nodes that it joined, so that it never takes more room than the graph itself. Ties break by the history of
// the lists alone: the order depends on the graph and on nothing else.
#ifndef SOLVE_NEWTON_MINIMUM_DEGREE_H
#define SOLVE_NEWTON_MINIMUM_DEGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct sparse_pair {
    uint32_t a, b;
} sparse_pair;

// The neighbours of each node, each once and without itself.
typedef struct sparse_graph {
    size_t count;
    uint32_t *start; // [count + 1] into neighbours
    uint32_t *neighbours;
} sparse_graph;

// Pairs may repeat; a pair of a node with itself means nothing. False when there is no memory.
bool sparse_graph_make(sparse_graph *graph, size_t count, const sparse_pair *pairs, size_t pair_count, arena *scratch);

// Puts the nodes into `order`, and into `products` what a factor in that order costs in products of two blocks: one to
// factor the diagonal of a column, one for each entry below it, and one for each pair of entries, which meet in a
// column to the right. Ends as soon as there are more than `most`, with an order that is not whole. False when there is
// no memory; `scratch` is as it was.
bool minimum_degree(const sparse_graph *graph, double most, arena *scratch, uint32_t *order, double *products);

#endif
