// The order in which the nodes of a symmetric sparse matrix are eliminated, and where its factor is not zero.
//
// Approximate minimum degree (minimum_degree.h), then the nodes sorted so that each subtree of the elimination tree is
// contiguous: the order is a function of the graph alone.
#ifndef SOLVE_NEWTON_SPARSE_ORDER_H
#define SOLVE_NEWTON_SPARSE_ORDER_H

#include "scree/status.h"
#include "solve/newton/minimum_degree.h"

#define NO_PARENT UINT32_MAX

typedef struct sparse_structure {
    size_t count;         // nodes
    uint32_t *place;      // [count]: the place of a node in the order
    uint32_t *parent;     // [count], by place: the first entry below the diagonal; NO_PARENT: none
    size_t *column_start; // [count + 1] into rows
    uint32_t *rows;       // places below the diagonal, rising within a column
} sparse_structure;

// Pairs may repeat; a pair of a node with itself means nothing. All arrays are from `scratch`.
scree_status sparse_order(sparse_structure *structure, size_t count, const sparse_pair *pairs, size_t pair_count,
                          arena *scratch, scree_error *error);

// What a factor in that order costs (see minimum_degree). It costs a small part of as many products. False when there
// is no memory; `scratch` is as it was.
bool sparse_count_products(size_t count, const sparse_pair *pairs, size_t pair_count, double most, arena *scratch,
                           double *products);

#endif
