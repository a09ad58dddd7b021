// Every thread has a queue of its own: the (pass, tile) pairs of the tiles in its part of the problem, pass after pass.
// So the contacts and bodies of a tile stay in the cache of one processor, and only the bodies where two parts meet go
// back and forth. A pair is taken when the neighbours of its tile have come far enough, and not before: the first pair
// of all that are left can always be taken, so nobody waits for ever. A thread whose queue has nothing to take for a
// while takes from another one's, so that one that loses its processor, or has more to do, delays nobody for long.
//
// What order the pairs stand in is free as long as what a tile waits for stands before it. A problem larger than the
// caches has its tiles in bands of neighbours, and several passes go through the bands as one wave, each `lag` bands
// behind the one before it, so that a tile is still in the cache when its next pass comes. Time goes down; a letter is
// a band:
//
//     pass 0   a b c d e f g h . . . .
//     pass 1   . . a b c d e f g h . .     lag 2
//     pass 2   . . . . a b c d e f g h
//
// Blocks are relaxed behind all tiles of a pass, by all threads together, and bands whose tiles share a body with them
// wait for that in the next pass. All others go on meanwhile, so that the wave only stretches where the blocks are;
// with blocks B in the bands c and d:
//
//     pass 0   a b c d B e f g h . . . . .
//     pass 1   . . a b . c d B e f g h . .
#include "solve/sweep/tiles.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/threads.h"

enum { MOST_QUEUES = 64, LOOKS_BEFORE_HELP = 64 };

// ----------------------------------------------------------------------------------------------------- order of pairs

// A place in the order of all (pass, tile) pairs: at a tile, at the blocks of a pass, or at the end.
typedef struct wave_place {
    uint32_t all_passes;
    bool has_blocks, at_blocks;
    uint32_t first_pass, passes;     // of the wave at hand
    uint32_t next[MOST_WAVE_PASSES]; // by pass of the wave: the first band that it has not entered
    uint32_t blocks;                 // of how many passes of the wave the blocks are relaxed
    uint32_t pass;                   // within the wave
    uint32_t tile, band_end;         // the tile at hand, and the first one behind its band
} wave_place;

static bool wave_ended(const wave_place *place)
{
    return place->first_pass >= place->all_passes;
}

// No more tiles to run before the blocks, or at all.
static bool wave_stops(const wave_place *place)
{
    return place->at_blocks || wave_ended(place);
}

static void begin_wave(const tile_bands *bands, uint32_t first_pass, wave_place *place)
{
    uint32_t left = place->all_passes - first_pass;
    place->first_pass = first_pass;
    place->passes = left < bands->wave ? left : bands->wave;
    place->blocks = 0;
    for (uint32_t i = 0; i < MOST_WAVE_PASSES; i++)
        place->next[i] = 0;
}

static bool may_enter(const tile_bands *bands, const wave_place *place, uint32_t pass)
{
    uint32_t band = place->next[pass];
    if (band >= bands->count)
        return false;
    if (pass > 0 && place->next[pass - 1] < bands->count && band + bands->lag >= place->next[pass - 1])
        return false;
    return !place->has_blocks || pass <= place->blocks || band < bands->first_block || band >= bands->end_block;
}

static bool blocks_are_due(const tile_bands *bands, const wave_place *place)
{
    return place->has_blocks && place->blocks < place->passes && place->next[place->blocks] >= bands->end_block;
}

static bool wave_is_over(const tile_bands *bands, const wave_place *place)
{
    return place->next[place->passes - 1] == bands->count && (!place->has_blocks || place->blocks == place->passes);
}

// Stage after stage each pass enters one band, where it may. The foremost pass that has bands left always may.
static void next_band(const tile_bands *bands, wave_place *place)
{
    for (uint32_t pass = place->pass + 1;; pass = 0) {
        for (; pass < place->passes; pass++)
            if (may_enter(bands, place, pass)) {
                place->pass = pass;
                place->tile = bands->first[place->next[pass]];
                place->band_end = bands->first[++place->next[pass]];
                return;
            }
        place->at_blocks = blocks_are_due(bands, place);
        if (place->at_blocks)
            return;
        if (wave_is_over(bands, place)) {
            if (place->first_pass + place->passes >= place->all_passes) {
                place->first_pass = place->all_passes;
                return;
            }
            begin_wave(bands, place->first_pass + place->passes, place);
        }
    }
}

static void skip_empty_bands(const tile_bands *bands, wave_place *place)
{
    while (!wave_stops(place) && place->tile == place->band_end)
        next_band(bands, place);
}

static wave_place wave_begin(const tile_bands *bands, uint32_t passes, bool has_blocks)
{
    wave_place place = {.all_passes = passes, .has_blocks = has_blocks};
    begin_wave(bands, 0, &place);
    place.pass = place.passes; // the first stage is yet to begin
    skip_empty_bands(bands, &place);
    return place;
}

static void next_tile(const tile_bands *bands, wave_place *place)
{
    place->tile++;
    skip_empty_bands(bands, place);
}

static void leave_blocks(const tile_bands *bands, wave_place *place)
{
    place->at_blocks = false;
    place->blocks++;
    place->pass = place->passes; // a stage ended before them
    place->tile = place->band_end = 0;
    skip_empty_bands(bands, place);
}

// One thread has nobody to wait for. Runs the tiles up to the next blocks.
static void run_alone(contact_problem *problem, wave_place *at, tile_work work)
{
    for (; !wave_stops(at); next_tile(&problem->bands, at))
        work.run(problem, at->tile, at->first_pass + at->pass, work.context);
}

// -------------------------------------------------------------------------------------------------------------- queues

typedef struct tile_queue {
    _Alignas(64) _Atomic bool busy; // somebody looks at it
    _Atomic bool ended;
    wave_place first; // of those that are left
} tile_queue;

typedef struct tile_queues {
    contact_problem *problem;
    tile_work work;
    uint32_t count;
    tile_queue queues[MOST_QUEUES];
} tile_queues;

static bool is_of_queue(const tile_queues *all, uint32_t queue, uint32_t tile)
{
    return all->problem->tiles[tile].across * all->count / CELLS_WHOLE == queue;
}

static void skip_others(tile_queues *all, uint32_t queue)
{
    wave_place *at = &all->queues[queue].first;
    while (!wave_stops(at) && !is_of_queue(all, queue, at->tile))
        next_tile(&all->problem->bands, at);
    atomic_store_explicit(&all->queues[queue].ended, wave_stops(at), memory_order_relaxed);
}

static bool has_come(const contact_problem *problem, uint32_t tile, uint32_t passes)
{
    return atomic_load_explicit(&problem->results[tile].passes, memory_order_acquire) >= passes;
}

// Has the tile had its last pass, and have its neighbours come far enough?
static bool is_ready(const contact_problem *problem, uint32_t tile, uint32_t pass)
{
    if (!has_come(problem, tile, pass))
        return false;
    for (uint32_t i = problem->neighbour_start[tile]; i < problem->neighbour_start[tile + 1]; i++) {
        uint32_t other = problem->neighbours[i];
        if (!has_come(problem, other, other < tile ? pass + 1 : pass))
            return false;
    }
    return true;
}

// Takes the first pair of a queue and runs it, if it is ready and nobody else is about to take it.
static bool run_first(tile_queues *all, uint32_t index)
{
    tile_queue *queue = &all->queues[index];
    if (atomic_load_explicit(&queue->ended, memory_order_relaxed) ||
        atomic_exchange_explicit(&queue->busy, true, memory_order_acquire))
        return false;
    uint32_t tile = queue->first.tile, pass = queue->first.first_pass + queue->first.pass;
    bool taken = !wave_stops(&queue->first) && is_ready(all->problem, tile, pass);
    if (taken) {
        next_tile(&all->problem->bands, &queue->first);
        skip_others(all, index);
    }
    atomic_store_explicit(&queue->busy, false, memory_order_release);
    if (!taken)
        return false;
    all->work.run(all->problem, tile, pass, all->work.context);
    atomic_store_explicit(&all->problem->results[tile].passes, pass + 1, memory_order_release);
    return true;
}

static bool all_ended(const tile_queues *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (!atomic_load_explicit(&all->queues[i].ended, memory_order_relaxed))
            return false;
    return true;
}

static bool run_any(tile_queues *all, uint32_t own)
{
    for (uint32_t i = 1; i < all->count; i++)
        if (run_first(all, (own + i) % all->count))
            return true;
    return false;
}

static void run_queues(tile_queues *all, uint32_t own)
{
    for (int looks = 0; !all_ended(all); looks++) {
        bool help = looks >= LOOKS_BEFORE_HELP || atomic_load_explicit(&all->queues[own].ended, memory_order_relaxed);
        if (run_first(all, own) || (help && run_any(all, own)))
            looks = 0;
        else if (help)
            sched_yield();
    }
}

// All threads run the tiles up to the next blocks.
static void run_together(contact_problem *problem, wave_place *at, tile_work work, int threads)
{
    tile_queues all = {
        .problem = problem, .work = work, .count = threads < MOST_QUEUES ? (uint32_t)threads : MOST_QUEUES};
    for (uint32_t i = 0; i < all.count; i++) {
        all.queues[i].first = *at;
        skip_others(&all, i);
    }
#pragma omp parallel num_threads(threads)
    run_queues(&all, (uint32_t)thread_index() % all.count);
    *at = all.queues[0].first;
}

void tiles_run(contact_problem *problem, int passes, tile_work work, int threads)
{
    const bool alone = threads == 1 || problem->tile_count < 2;
    wave_place at = wave_begin(&problem->bands, (uint32_t)passes, work.relax_blocks != NULL);
    for (size_t t = 0; t < problem->tile_count && !alone; t++)
        atomic_store_explicit(&problem->results[t].passes, 0, memory_order_relaxed);
    while (!wave_ended(&at)) {
        if (alone)
            run_alone(problem, &at, work);
        else
            run_together(problem, &at, work, threads);
        if (at.at_blocks) {
            work.relax_blocks(problem, at.first_pass + at.blocks, work.context, threads);
            leave_blocks(&problem->bands, &at);
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
