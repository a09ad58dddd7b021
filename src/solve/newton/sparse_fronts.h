// Sparse Cholesky factor of a symmetric positive definite matrix whose nodes have one to six rows each, by the
// multifrontal method.
//
// I. S. Duff, J. K. Reid: The multifrontal solution of indefinite sparse symmetric linear equations. ACM Trans. Math.
// Softw. 9 (1983) 302-325. Columns with the same rows below them are one front, a dense panel. A front gathers what the
// fronts below it in the tree of elimination leave for its rows, factors its panel, and leaves the product of what is
// below its diagonal to the front above. All arithmetic is dense, in lanes (kernels/fronts.c).
#ifndef SOLVE_NEWTON_SPARSE_FRONTS_H
#define SOLVE_NEWTON_SPARSE_FRONTS_H

#include "solve/newton/sparse_order.h"

enum { FRONT_LANES = 4, MOST_NODE_ROWS = 6 };
#define NO_FRONT UINT32_MAX

typedef struct sparse_front {
    uint32_t first, end;           // its columns, by place of nodes
    uint32_t width, height;        // scalars: columns; columns and rows below them
    uint32_t lead, rest;           // from one column to the next: of the panel, of what it leaves
    uint32_t children;             // fronts whose rest it gathers
    uint32_t last_child, previous; // of these, and the one before this; NO_FRONT: none
    size_t panel, left;            // where they begin
    size_t zeros;                  // entries that are there for the sake of its shape
    size_t row_at;                 // into `row_at` of the fronts
} sparse_front;

typedef struct sparse_fronts {
    sparse_structure structure;
    size_t scalar_count;
    uint32_t *scalar; // [nodes + 1], by place: the first scalar of a node
    sparse_front *fronts;
    size_t front_count;
    uint32_t *front_of; // by place
    uint32_t *row_at;   // for each node below a front: its first row in it
    size_t panel_size, stack_size, most_height;
    double *panels, *stack;
    double *least;    // [scalar_count], by place: pivots below this are rounding errors and are raised to it
    double *work;     // [most_height + 2 lanes]
    uint32_t *target; // [most_height]: rows of a child in its parent
} sparse_fronts;

// Orders a graph of nodes with `sizes` rows each. All arrays are from `scratch`; there are no values yet.
scree_status sparse_fronts_order(sparse_fronts *fronts, size_t count, const uint8_t *sizes, const sparse_pair *pairs,
                                 size_t pair_count, arena *scratch, scree_error *error);

void sparse_fronts_clear(sparse_fronts *fronts);

// Adds to the block of two places that a pair joins, or of one place, `later` >= `earlier`: by columns, with as many
// rows as the node of `later` has.
void sparse_fronts_add(sparse_fronts *fronts, uint32_t later, uint32_t earlier, const double *block);

// Factors the matrix in place.
void sparse_fronts_factor(sparse_fronts *fronts);

// x <- A^-1 x, by places.
void sparse_fronts_solve(sparse_fronts *fronts, double *x);

// The numeric part, once per instruction set.
typedef struct front_kernels {
    void (*factor)(sparse_fronts *fronts);
    void (*solve)(sparse_fronts *fronts, double *x);
} front_kernels;

#endif
