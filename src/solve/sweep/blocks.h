// What a sweep relaxes after the tiles of each pass, as blocks that need more than a contact's own step: the joints of
// mechanisms (articulation.h) and bodies with very many contacts (wide_body.h).
//
// A block has its impulses at two points, x_k and x_{k-1}, as tiles have, and is extrapolated with the same beta. It
// reads and writes velocities of the problem.
#ifndef SOLVE_SWEEP_BLOCKS_H
#define SOLVE_SWEEP_BLOCKS_H

#include "solve/sweep/kernels.h"

bool blocks_any(const contact_problem *problem);

// Finds the bands whose tiles share a movable body with a block, so that only those wait for blocks (tiles.c).
bool blocks_find_bands(contact_problem *problem, arena *scratch); // false when out of memory

// Adds the effect of the blocks' impulses to the velocities, those of x_k or of x_{k-1}.
void blocks_apply(contact_problem *problem);
void blocks_apply_before(contact_problem *problem);

// One step of every block from x_k + beta (x_k - x_{k-1}), of which the velocities are already. Adds to the sums; gives
// back the largest squared change of an impulse.
double blocks_relax(contact_problem *problem, double beta, step_sums *sums, int threads);

// The same without joints.
double wide_blocks_relax(contact_problem *problem, double beta, step_sums *sums, int threads);

// Adds the blocks' errors. Gives back how many constraints they are of.
size_t blocks_residual(const contact_problem *problem, tile_residual *sums);

#endif
