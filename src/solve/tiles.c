// Threads take (pass, tile) pairs in order from one counter and wait only for the neighbours of the tile that they
// took. Whatever a tile waits for was taken before it, so there is always one that can go on. A thread that loses its
// processor delays the few tiles around its own instead of everybody, which a barrier per colour would.
#include "solve/tiles.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>

enum { SPINS_BEFORE_YIELD = 64 };

static void wait_for(const _Atomic uint32_t *passes, uint32_t wanted)
{
    for (int spins = 0; atomic_load_explicit(passes, memory_order_acquire) < wanted; spins++)
        if (spins >= SPINS_BEFORE_YIELD)
            sched_yield();
}

static void run_tile(contact_problem *problem, size_t tile, uint32_t pass, tile_work work)
{
    wait_for(&problem->results[tile].passes, pass);
    for (uint32_t i = problem->neighbour_start[tile]; i < problem->neighbour_start[tile + 1]; i++) {
        uint32_t other = problem->neighbours[i];
        wait_for(&problem->results[other].passes, other < tile ? pass + 1 : pass);
    }
    work.run(problem, tile, pass, work.context);
    atomic_store_explicit(&problem->results[tile].passes, pass + 1, memory_order_release);
}

void tiles_run(contact_problem *problem, int passes, tile_work work, int threads)
{
    size_t tiles = problem->tile_count, all = tiles * (size_t)passes;
    _Atomic size_t next = 0;
    for (size_t t = 0; t < tiles; t++)
        atomic_store_explicit(&problem->results[t].passes, 0, memory_order_relaxed);
#pragma omp parallel num_threads(threads)
    for (;;) {
        size_t turn = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
        if (turn >= all)
            break;
        run_tile(problem, turn % tiles, (uint32_t)(turn / tiles), work);
    }
}

double tiles_change(const contact_problem *problem)
{
    double change = 0;
    for (size_t t = 0; t < problem->tile_count; t++)
        change = fmax(change, problem->results[t].change);
    return sqrt(change);
}
