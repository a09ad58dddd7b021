// Running over all tiles of a problem, several passes at a time, without barriers.
#ifndef SOLVE_SWEEP_TILES_H
#define SOLVE_SWEEP_TILES_H

#include "solve/sweep/problem.h"

typedef struct tile_work {
    void (*run)(contact_problem *problem, size_t tile, uint32_t pass, const void *context); // one pass over a tile
    void (*relax_blocks)(contact_problem *problem, uint32_t pass, const void *context, int threads); // NULL: none
    void *context;
} tile_work;

// Each tile runs after its neighbours before it in this pass, and itself and those behind it in the last pass: the
// result is that of running all tiles one after another, pass after pass, each pass followed by its blocks.
void tiles_run(contact_problem *problem, int passes, tile_work work, int threads);

// Largest change of an impulse in the last pass that wrote one into the results.
double tiles_change(const contact_problem *problem);

#endif
