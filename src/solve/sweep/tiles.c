// Threads take (pass, tile) pairs in order from one counter and wait only for the neighbours of the tile that they
// took. Whatever a tile waits for was taken before it, so there is always one that can go on. A thread that loses its
// processor delays the few tiles around its own instead of everybody, which a barrier per colour would.
//
// What order the pairs are taken in is free as long as that holds. A problem larger than the caches has its tiles in
// bands of neighbours, and several passes go through the bands as one wave, each `lag` bands behind the one before
// it, so that a tile is still in the cache when its next pass comes. Time goes down; a letter is a band:
//
//     pass 0   a b c d e f g h . . . .
//     pass 1   . . a b c d e f g h . .     lag 2
//     pass 2   . . . . a b c d e f g h
#include "solve/sweep/tiles.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

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

// Where in the order of all (pass, tile) pairs a thread is.
typedef struct wave_place {
    uint32_t first_pass, passes; // of the wave at hand
    uint32_t stage, pass;        // pass counts within the wave
    size_t item;                 // item of the first tile of the band at hand
} wave_place;

static uint32_t wave_passes(const tile_bands *bands, uint32_t first, uint32_t all)
{
    return all - first < bands->wave ? all - first : bands->wave;
}

static bool is_band(const tile_bands *bands, const wave_place *place)
{
    uint32_t behind = bands->lag * place->pass;
    return place->stage >= behind && place->stage - behind < bands->count;
}

static void next_band(const tile_bands *bands, uint32_t all, wave_place *place)
{
    do {
        if (++place->pass < place->passes)
            continue;
        place->pass = 0;
        if (++place->stage < bands->count + bands->lag * (place->passes - 1))
            continue;
        place->stage = 0;
        place->first_pass += place->passes;
        place->passes = wave_passes(bands, place->first_pass, all);
    } while (!is_band(bands, place));
}

// The tile and the pass of an item of work. The items of one thread rise.
static uint32_t find_tile(const tile_bands *bands, uint32_t all, size_t item, wave_place *place, uint32_t *pass)
{
    for (;;) {
        uint32_t band = place->stage - bands->lag * place->pass;
        size_t size = bands->first[band + 1] - bands->first[band];
        if (item - place->item < size) {
            *pass = place->first_pass + place->pass;
            return bands->first[band] + (uint32_t)(item - place->item);
        }
        place->item += size;
        next_band(bands, all, place);
    }
}

// One thread has nobody to wait for.
static void run_alone(contact_problem *problem, int passes, tile_work work)
{
    const tile_bands *bands = &problem->bands;
    wave_place place = {.passes = wave_passes(bands, 0, (uint32_t)passes)};
    for (size_t item = 0; item < problem->tile_count * (size_t)passes; item++) {
        uint32_t pass, tile = find_tile(bands, (uint32_t)passes, item, &place, &pass);
        work.run(problem, tile, pass, work.context);
    }
}

void tiles_run(contact_problem *problem, int passes, tile_work work, int threads)
{
    if (threads == 1 || problem->tile_count < 2) {
        run_alone(problem, passes, work);
        return;
    }
    size_t tiles = problem->tile_count, all = tiles * (size_t)passes;
    const tile_bands *bands = &problem->bands;
    _Atomic size_t next = 0;
    for (size_t t = 0; t < tiles; t++)
        atomic_store_explicit(&problem->results[t].passes, 0, memory_order_relaxed);
#pragma omp parallel num_threads(threads)
    {
        wave_place place = {.passes = wave_passes(bands, 0, (uint32_t)passes)};
        for (;;) {
            size_t item = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
            if (item >= all)
                break;
            uint32_t pass, tile = find_tile(bands, (uint32_t)passes, item, &place, &pass);
            run_tile(problem, tile, pass, work);
        }
    }
}

double tiles_change(const contact_problem *problem)
{
    double change = 0;
    for (size_t t = 0; t < problem->tile_count; t++)
        change = fmax(change, problem->results[t].change);
    return sqrt(change);
}
