// The order in which the nodes of a symmetric sparse matrix are eliminated, and where its factor is not zero.
//
// Minimum degree: the node with the fewest neighbours goes next, and its neighbours then all know each other. Ties
// break by the history of the lists alone, so the order depends on the graph and on nothing else.
#ifndef SOLVE_NEWTON_SPARSE_ORDER_H
#define SOLVE_NEWTON_SPARSE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "scree/status.h"

typedef struct sparse_pair {
    uint32_t a, b;
} sparse_pair;

typedef struct sparse_structure {
    size_t count;         // nodes
    uint32_t *place;      // [count]: the place of a node in the order
    size_t *column_start; // [count + 1] into rows
    uint32_t *rows;       // places below the diagonal, rising within a column
} sparse_structure;

// Pairs may repeat; a pair of a node with itself means nothing. All arrays are from `scratch`.
scree_status sparse_order(sparse_structure *structure, size_t count, const sparse_pair *pairs, size_t pair_count,
                          arena *scratch, scree_error *error);

// What a factor in that order costs, in products of two blocks: one to factor the diagonal of a column, one for each
// entry below it, and one for each pair of entries, which meet in a column to the right. Counting ends as soon as there
// are more than `most`, and gives what was counted until then; it costs a small part of as many products. False when
// there is no memory; `scratch` is as it was.
bool sparse_count_products(size_t count, const sparse_pair *pairs, size_t pair_count, double most, arena *scratch,
                           double *products);

#endif
