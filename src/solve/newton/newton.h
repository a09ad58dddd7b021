// An exact solver for islands that sweeps cannot manage: few constraints, or ill-conditioned ones (large mass ratios,
// chains, redundant joints). Semismooth Newton on an augmented Lagrangian, with a sparse Cholesky factor over bodies.
//
// docs/newton.md has the equations. It costs some ten factorisations of a matrix with a 6 x 6 block per body and per
// touching pair, from a cold start, and one to three from the impulses of the last step.
#ifndef SOLVE_NEWTON_NEWTON_H
#define SOLVE_NEWTON_NEWTON_H

#include "base/arena.h"
#include "base/interrupt.h"
#include "solve/newton/newton_cone.h"
#include "solve/rows.h"
#include "solve/solver.h"

typedef struct island {
    size_t body_count;
    problem_body *bodies; // in: free velocities; out: solved
    size_t contact_count;
    problem_row *contacts; // of bodies above; impulses in: to start from, out: solution
    size_t row_count;
    joint_row *rows;
    bool convex; // false: exact Coulomb
    // Residual that is good enough to start with, and where more cannot be had, since joints and contacts contradict
    // each other; 0: none.
    double enough;
    spatial *before;            // velocities with which the step begins, by body; NULL: not known
    const interrupt *interrupt; // ends the search early; NULL: nothing does
    double turn;                // gradients of joints turn by this in the step at most, in parts of their size
    double enough_speed;        // errors of constraints' speeds that are small enough at any time; 0: to 1e-7, as below
} island;

// The residual is the natural map of solver.h, over contacts and joint rows. The projection of a contact has compliance
// in the metric (B_n + compliance) and its angular part counts times sqrt(B / (1/m_a + 1/m_b)), B being its own
// diagonal block, which makes an impulse of it; so does the error of a joint row, which may be angular too.
typedef struct island_result {
    int steps; // of Newton
    residual residual;
    double speed; // largest error of a constraint's speed
    bool reached; // residual.max <= tolerance
} island_result;

// Solves the island in place, in at most `iterations` steps. What is given back is never worse than the start: without
// convergence the best iterate. With no iterations only velocities and residual of the starting impulses are found.
// SCREE_ERROR_NO_MEMORY leaves everything as it was.
//
// Beside the residual, speeds of constraints are made right to `enough_speed` or 1e-7 of the largest that they correct,
// the larger of the two, or to rounding: where light bodies carry heavy ones, a small residual alone does not say much
// of speeds. Of impulses of redundant joints, which the problem does not determine, those found are the smallest.
// Velocities follow from a sweep alone where that was enough to repair the start of a large island of joints; impulses
// stay those of the start then (newton_joints.c).
scree_status newton_solve(island *problem, int iterations, double tolerance, arena *scratch, island_result *result,
                          scree_error *error);

// Finishes an island without joints whose impulses are right already, or nearly, as those of bodies at rest are: by one
// step at most. `reached` says whether that was enough; where it was not, the island is as it was.
scree_status newton_finish(island *problem, double tolerance, arena *scratch, island_result *result,
                           scree_error *error);

#endif
