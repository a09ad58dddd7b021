// Contact problems in matrix form: the reference for solvers, and the form in which problems are exchanged as files.
//
// Find r in the product of the blocks' sets with u = W r + q such that each block solves its law (matrix_block.h). W is
// kept as a sparse matrix in double precision. A global problem, M v = D r + f and u = D^T v + w, is brought to that
// form by W = D^T M^-1 D and q = D^T M^-1 f + w; rows of joints are blocks like contacts, with W's diagonal raised by
// their compliance.
#ifndef REFERENCE_MATRIX_PROBLEM_H
#define REFERENCE_MATRIX_PROBLEM_H

#include "reference/matrix_block.h"
#include "reference/matrix_sparse.h"
#include "solve/rows.h"

typedef struct matrix_problem {
    size_t size, block_count;
    sparse_matrix w; // size x size
    double *q;       // [size]
    double *start;   // [size]: impulses to begin with
    matrix_block *blocks;
} matrix_problem;

typedef struct matrix_global {
    size_t size, block_count;
    sparse_matrix mass;       // M; its symmetric part counts
    sparse_matrix directions; // D, one column for each of `size` impulses
    double *force;            // f
    double *bias;             // w [size]
    double *compliance;       // [size]: added to the diagonal of W
    double *start;            // [size]
    matrix_block *blocks;
} matrix_global;

void matrix_problem_free(matrix_problem *problem);
void matrix_global_free(matrix_global *problem);

// All vectors and blocks of `problem`, for a size and a number of blocks; zero, but for the blocks' unknowns.
scree_status matrix_problem_allocate(matrix_problem *problem, size_t size, size_t block_count, scree_error *error);
scree_status matrix_global_allocate(matrix_global *problem, size_t size, size_t block_count, size_t freedoms,
                                    scree_error *error);

// Where M falls into parts that do not touch, as for rigid bodies, each part is factored by itself. SCREE_ERROR_INVALID
// when M is not positive definite, or a part of it is too large for a dense factor.
scree_status matrix_reduce(const matrix_global *global, matrix_problem *problem, scree_error *error);

// The rows of a step: contacts first, then joints. Bodies that nothing moves have no freedoms. With `plain` only what
// FCLIB knows is put in: contacts with friction, joints that hold both ways; nothing of rolling and spinning.
scree_status matrix_from_rows(const problem_body *bodies, size_t body_count, const problem_row *rows, size_t row_count,
                              const joint_row *joints, size_t joint_count, bool fclib_only, matrix_global *global,
                              scree_error *error);

#endif
