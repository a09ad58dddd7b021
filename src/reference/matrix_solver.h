// Solving contact problems in matrix form by any of several algorithms, in double precision and one thread: the
// reference that other solvers are measured against, and what `scree solve` runs.
#ifndef REFERENCE_MATRIX_SOLVER_H
#define REFERENCE_MATRIX_SOLVER_H

#include "reference/matrix_problem.h"

typedef enum matrix_algorithm {
    MATRIX_AUTO,         // accelerated sweeps and Newton's method in turns, and the interior once
    MATRIX_JACOBI,       // Negrut et al. 2010, (12)
    MATRIX_GAUSS_SEIDEL, // projected, block by block
    MATRIX_APGD,         // accelerated projected gradients: Mazhar, Heyn, Negrut and Tasora 2015
    MATRIX_APGS,         // Gauss-Seidel sweeps with the same momentum
    MATRIX_NEWTON,       // proximal point with a semismooth Newton method inside
    MATRIX_INTERIOR,     // Newton's method along the central path
    MATRIX_ALGORITHMS
} matrix_algorithm;

// Names of the algorithms as a user writes them: "auto", "jacobi", "gauss-seidel", ...
extern const char *const matrix_algorithm_names[MATRIX_ALGORITHMS];

// Both are zero if and only if r solves the problem.
typedef struct matrix_residual {
    double mean, max; // natural map of each block in the metric of its own diagonal, over the mean loaded impulse
    double fclib;     // |r - P(r - (u + slip))| over |q|, unscaled: what FCLIB and Siconos call the error
} matrix_residual;

// The larger of the two, which tolerances are held against.
double matrix_worst(const matrix_residual *residual);

typedef struct matrix_progress {
    matrix_algorithm algorithm; // at work
    int iteration;
    double seconds;
    matrix_residual residual;
} matrix_progress;

typedef struct matrix_options {
    matrix_algorithm algorithm;
    bool exact; // Coulomb's law; otherwise its convex relaxation
    int iterations;
    double tolerance;
    double seconds;                                                 // stop after so long; 0: no limit
    void (*report)(void *context, const matrix_progress *progress); // where the residual was looked at; may be NULL
    void *context;
} matrix_options;

typedef struct matrix_result {
    matrix_algorithm algorithm; // that ended it
    int iterations;
    double seconds;
    matrix_residual residual;
    bool solved; // to the tolerance
} matrix_result;

// Solves from the impulses in r, and leaves there the best that were found.
scree_status matrix_solve(const matrix_problem *problem, const matrix_options *options, double *r,
                          matrix_result *result, scree_error *error);

// The residual of given impulses.
scree_status matrix_measure(const matrix_problem *problem, bool exact, const double *r, matrix_residual *residual,
                            scree_error *error);

#endif
