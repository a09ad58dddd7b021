// The joints of a mechanism as one block of the sweeps over contacts: all rows that hold both ways are relaxed at once,
// exactly, with a factor that is made once per step; bounded rows (motors, limits, friction) one by one before them.
//
// A sweep over the rows of a chain passes a load on by one link at a time, and needs as many sweeps as the square of
// its links; this passes it on in one. It reads and writes the velocities of its bodies and nothing else of a problem,
// so it may take its turn among tiles as any of them, if those that share a movable body with it are its neighbours.
#ifndef SOLVE_SWEEP_ARTICULATION_H
#define SOLVE_SWEEP_ARTICULATION_H

#include "solve/newton/newton_system.h"
#include "solve/sweep/kernels.h"

typedef struct articulation {
    island island;        // own bodies and rows, in the order given; rows' impulses are those to start from, then found
    uint32_t *bodies;     // [part.body_count]: their indices in the problem, rising
    newton_system system; // its impulses are x_k of sweeps with momentum
    double *before;       // by row: x_{k-1}
    spatial *step, *change; // of unknowns, of velocities
} articulation;

// It stays where it was made, since its parts point to each other. Rows speak of `bodies`, as the problem does.
// Redundant rows are welcome: they share the load evenly.
scree_status articulation_make(articulation *joined, const problem_body *bodies, const joint_row *rows,
                               size_t row_count, arena *scratch, scree_error *error);

// Sets the marks of all bodies, by their indices in the problem.
void articulation_mark_bodies(const articulation *joined, uint8_t *marks);

// Adds the effect of the rows' impulses to the velocities, those of x_k or of x_{k-1}.
void articulation_apply(articulation *joined, contact_problem *problem);
void articulation_apply_before(articulation *joined, contact_problem *problem);

// One block step of Gauss-Seidel: leaves no speed in the rows that hold both ways, to rounding. Gives back the largest
// squared change of an impulse.
double articulation_relax(articulation *joined, contact_problem *problem);

// The same from y = x_k + beta (x_k - x_{k-1}), of which the velocities are. Adds to the sums, in the metric of the
// block: that is the exact one for rows that hold both ways.
double articulation_relax_onwards(articulation *joined, contact_problem *problem, double beta, step_sums *sums);

// One step of every row from the velocities as they are, as equation (13) of Negrut et al. 2010, each by its own
// diagonal times omega, then lambda of it; bounded rows are projected. The velocities are changed by `finish`.
void articulation_begin_jacobi(articulation *joined, const contact_problem *problem, double omega, double lambda);
void articulation_finish_jacobi(articulation *joined, contact_problem *problem);

// Adds the errors of the rows as newton.h counts them. Gives back how many rows there are.
size_t articulation_residual(articulation *joined, const contact_problem *problem, tile_residual *sums);

#endif
