// Solving a contact problem: one entry, one file per algorithm behind it.
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "solve/sweep/problem.h"

// How far impulses are from solving the problem, from its definition: the natural map
//     f_i = g_i - P_i(g_i - B_i^-1 (u_i + b_i)),
// with P_i the projection onto contact i's friction cone in the metric of its own diagonal block B_i, over the mean
// impulse of the contacts that carry any. Rows of joints count in the same way (newton.h). Zero if and only if the
// impulses solve the problem; free of units.
typedef struct residual {
    double mean; // over contacts and rows of joints
    double max;  // of the worst one
} residual;

residual problem_residual(const contact_problem *problem, int threads);

typedef struct solve_result {
    scree_algorithm algorithm;
    int iterations;
    residual residual;
    scree_stop stop;
} solve_result;

// Relaxes impulses and velocities in place. SCREE_ERROR_NO_MEMORY leaves them as they were.
scree_status solve_problem(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                           solve_result *result, scree_error *error);

// The algorithms, for solver.c's table and for tests. Velocities come without the effect of the starting impulses.
typedef scree_status solve_function(contact_problem *problem, const scree_solver_def *def, int threads, arena *scratch,
                                    solve_result *result, scree_error *error);
solve_function solve_jacobi, solve_gauss_seidel, solve_apgd, solve_apgs;

#endif
