// Tiles, colours and lanes (the drawing is in problem.h).
//
// Contacts arrive in the order of space, so a run of PROBLEM_TILE of them touches a small, compact set of bodies: a
// tile. Tiles are coloured greedily: every movable body remembers in 64 bits which colours its tiles have. Inside a
// tile each contact goes to the first group of eight that has a free lane and none of its two bodies, found with one
// 64-bit mask per body. Bodies with very many contacts (a slab on a heap) would force a colour for every tile, so their
// contacts form tiles that run serially.
#include "solve/layout.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"

enum {
    CROWDED = 256,      // a body with more contacts than this has them in serial tiles
    COLOURS = 64,       // as many as a mask has bits
    SERIAL = COLOURS,   // the colour of tiles that found none
    TABLE = 2048,       // slots of a tile's table of bodies, a power of two and > 2 * PROBLEM_TILE
    MASKED_GROUPS = 64, // groups of a tile that masks can tell apart; later ones hold one contact each
};

typedef struct tile_draft {
    uint32_t first, count; // of its contacts in `order`
    uint32_t colour;
    uint32_t group_count;
} tile_draft;

typedef struct layout_draft {
    const uint8_t *immovable;
    const problem_ends *ends;
    uint32_t *order;               // contacts, the crowded ones last; NULL when they stay in place
    size_t tile_count, free_tiles; // the first `free_tiles` may be coloured
    tile_draft *tiles;
    uint32_t *lane; // by contact: group * 8 + lane, at first within its tile
} layout_draft;

typedef struct body_pair {
    uint32_t a, b;
} body_pair;

static body_pair ends_of(const layout_draft *draft, size_t contact)
{
    size_t offset = contact * draft->ends->stride;
    return (body_pair){*(const uint32_t *)((const char *)draft->ends->a + offset),
                       *(const uint32_t *)((const char *)draft->ends->b + offset)};
}

static uint32_t contact_at(const layout_draft *draft, size_t i)
{
    return draft->order ? draft->order[i] : (uint32_t)i;
}

// Puts the contacts of crowded bodies behind all others. Returns how many are not crowded.
static size_t separate_crowded(layout_draft *draft, size_t body_count, size_t contact_count, arena *scratch,
                               bool *failed)
{
    uint32_t *degree = arena_array(scratch, uint32_t, body_count + 1);
    *failed = !degree;
    if (*failed)
        return 0;
    memset(degree, 0, (body_count + 1) * sizeof *degree);
    uint32_t most = 0;
    for (size_t i = 0; i < contact_count; i++) {
        body_pair e = ends_of(draft, i);
        uint32_t a = ++degree[e.a], b = ++degree[e.b];
        most = !draft->immovable[e.a] && a > most ? a : most;
        most = !draft->immovable[e.b] && b > most ? b : most;
    }
    draft->order = NULL;
    if (most <= CROWDED)
        return contact_count;
    draft->order = arena_array(scratch, uint32_t, contact_count);
    *failed = !draft->order;
    if (*failed)
        return 0;
    size_t ordinary = 0, crowded = contact_count;
    for (size_t i = 0; i < contact_count; i++) {
        body_pair e = ends_of(draft, i);
        bool is_crowded =
            (!draft->immovable[e.a] && degree[e.a] > CROWDED) || (!draft->immovable[e.b] && degree[e.b] > CROWDED);
        if (is_crowded)
            draft->order[--crowded] = (uint32_t)i;
        else
            draft->order[ordinary++] = (uint32_t)i;
    }
    return ordinary;
}

static void cut_tiles(layout_draft *draft, size_t ordinary, size_t contact_count)
{
    size_t tile = 0;
    for (size_t first = 0; first < contact_count;) {
        size_t limit = first < ordinary ? ordinary : contact_count;
        size_t count = limit - first < PROBLEM_TILE ? limit - first : PROBLEM_TILE;
        draft->tiles[tile++] = (tile_draft){.first = (uint32_t)first, .count = (uint32_t)count};
        first += count;
        if (first == ordinary)
            draft->free_tiles = tile;
    }
    draft->tile_count = tile;
}

static bool colour_tiles(layout_draft *draft, size_t body_count, arena *scratch)
{
    uint64_t *used = arena_array(scratch, uint64_t, body_count + 1);
    if (!used)
        return false;
    memset(used, 0, (body_count + 1) * sizeof *used);
    for (size_t t = 0; t < draft->tile_count; t++) {
        tile_draft *tile = &draft->tiles[t];
        uint64_t taken = 0;
        for (size_t i = tile->first; i < tile->first + tile->count; i++) {
            body_pair e = ends_of(draft, contact_at(draft, i));
            taken |= !draft->immovable[e.a] ? used[e.a] : 0;
            taken |= !draft->immovable[e.b] ? used[e.b] : 0;
        }
        if (t >= draft->free_tiles || taken == UINT64_MAX) {
            tile->colour = SERIAL;
            continue;
        }
        tile->colour = (uint32_t)__builtin_ctzll(~taken);
        uint64_t mine = 1ull << tile->colour;
        for (size_t i = tile->first; i < tile->first + tile->count; i++) {
            body_pair e = ends_of(draft, contact_at(draft, i));
            used[e.a] |= mine;
            used[e.b] |= mine;
        }
    }
    return true;
}

typedef struct body_table { // which groups of the tile at hand each body is in
    uint32_t body[TABLE];
    uint64_t groups[TABLE];
} body_table;

static uint64_t *groups_of_body(body_table *table, uint32_t body)
{
    uint32_t slot = (body * 2654435761u) >> 21;
    while (table->body[slot] != body && table->body[slot] != UINT32_MAX)
        slot = (slot + 1) & (TABLE - 1);
    if (table->body[slot] == UINT32_MAX) {
        table->body[slot] = body;
        table->groups[slot] = 0;
    }
    return &table->groups[slot];
}

static void place_tile(const layout_draft *draft, tile_draft *tile, body_table *table)
{
    memset(table->body, 0xff, sizeof table->body);
    uint64_t immovable = 0;
    uint8_t filled[MASKED_GROUPS] = {0};
    uint32_t open = (tile->count + PROBLEM_LANES - 1) / PROBLEM_LANES; // groups in use or foreseen
    uint32_t single = 0;                                               // groups of one contact behind the masked ones
    uint64_t full = 0;
    for (size_t i = tile->first; i < tile->first + tile->count; i++) {
        uint32_t c = contact_at(draft, i);
        body_pair e = ends_of(draft, c);
        uint64_t *a = !draft->immovable[e.a] ? groups_of_body(table, e.a) : &immovable;
        uint64_t *b = !draft->immovable[e.b] ? groups_of_body(table, e.b) : &immovable;
        immovable = 0;
        uint64_t available = ~(full | *a | *b);
        if (!available) {
            draft->lane[c] = (uint32_t)((MASKED_GROUPS + single++) * PROBLEM_LANES);
            continue;
        }
        uint32_t group = (uint32_t)__builtin_ctzll(available);
        *a |= 1ull << group;
        *b |= 1ull << group;
        draft->lane[c] = (uint32_t)(group * PROBLEM_LANES + filled[group]);
        if (++filled[group] == PROBLEM_LANES)
            full |= 1ull << group;
        open = group + 1 > open ? group + 1 : open;
    }
    tile->group_count = single ? MASKED_GROUPS + single : open;
}

static void place_tiles(const layout_draft *draft, int threads)
{
#pragma omp parallel num_threads(threads)
    {
        body_table table;
#pragma omp for schedule(dynamic, 4)
        for (size_t t = 0; t < draft->tile_count; t++)
            place_tile(draft, &draft->tiles[t], &table);
    }
}

// Tiles into the order of their colours, groups numbered in that order.
static void sort_tiles(contact_problem *problem, const layout_draft *draft, uint32_t *tile_of_draft)
{
    uint32_t start[COLOURS + 2] = {0};
    for (size_t t = 0; t < draft->tile_count; t++)
        start[draft->tiles[t].colour + 1]++;
    problem->colour_count = 0;
    for (uint32_t c = 0; c < COLOURS; c++)
        problem->colour_count = start[c + 1] ? c + 1 : problem->colour_count;
    for (uint32_t c = 0; c <= COLOURS; c++)
        start[c + 1] += start[c];
    for (size_t c = 0; c <= problem->colour_count; c++)
        problem->colour_start[c] = start[c];
    for (size_t t = 0; t < draft->tile_count; t++) {
        uint32_t to = start[draft->tiles[t].colour]++;
        problem->tiles[to].group_count = draft->tiles[t].group_count;
        tile_of_draft[t] = to;
    }
    uint32_t group = 0;
    for (size_t t = 0; t < draft->tile_count; t++) {
        problem->tiles[t].first_group = group;
        group += problem->tiles[t].group_count;
    }
    problem->tile_count = draft->tile_count;
    problem->group_count = group;
}

static void number_lanes(const contact_problem *problem, const layout_draft *draft, const uint32_t *tile_of_draft,
                         int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t t = 0; t < draft->tile_count; t++) {
        uint32_t base = problem->tiles[tile_of_draft[t]].first_group * PROBLEM_LANES;
        for (size_t i = draft->tiles[t].first; i < draft->tiles[t].first + draft->tiles[t].count; i++)
            draft->lane[contact_at(draft, i)] += base;
    }
}

scree_status layout_contacts(contact_problem *problem, const uint8_t *immovable, const problem_ends *ends, int threads,
                             arena *scratch, scree_error *error)
{
    size_t contacts = problem->contact_count;
    size_t most_tiles = block_count(contacts, PROBLEM_TILE) + 2;
    problem->tiles = arena_array(scratch, problem_tile, most_tiles);
    problem->tile_residuals = arena_array(scratch, tile_residual, most_tiles);
    problem->colour_start = arena_array(scratch, uint32_t, COLOURS + 1);
    problem->contact_lane = arena_array(scratch, uint32_t, contacts);
    arena_mark kept = arena_get_mark(scratch);
    layout_draft draft = {.immovable = immovable, .ends = ends, .lane = problem->contact_lane};
    draft.tiles = arena_array(scratch, tile_draft, most_tiles);
    uint32_t *tile_of_draft = arena_array(scratch, uint32_t, most_tiles);
    if (!problem->tiles || !problem->tile_residuals || !problem->colour_start || !problem->contact_lane ||
        !draft.tiles || !tile_of_draft)
        return fail_no_memory(error);
    bool failed = false;
    size_t ordinary = separate_crowded(&draft, problem->body_count, contacts, scratch, &failed);
    if (failed)
        return fail_no_memory(error);
    cut_tiles(&draft, ordinary, contacts);
    if (!colour_tiles(&draft, problem->body_count, scratch))
        return fail_no_memory(error);
    place_tiles(&draft, threads);
    sort_tiles(problem, &draft, tile_of_draft);
    number_lanes(problem, &draft, tile_of_draft, threads);
    arena_release(scratch, kept);
    return SCREE_OK;
}
