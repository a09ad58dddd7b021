// Tiles, their order and neighbours, and lanes (the drawing is in problem.h).
//
// Contacts arrive in the order of space, so a run of them touches a small, compact set of bodies: a tile. Tiles are
// coloured greedily, so that tiles of a colour, which stand side by side in the order, have nothing to wait for among
// themselves. What does not fit into the caches is ordered in bands of tiles first, by colours within each, so that
// several passes can follow each other through it closely (tiles.c). Inside a tile each contact goes to the first group
// of eight that has a free lane and none of its two bodies, found with one 64-bit mask per body. Bodies with very many
// contacts (a slab on a heap) would force a colour for every tile, so their contacts form tiles of their own at the
// end.
#include "solve/layout.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"

enum {
    CROWDED = 256,      // a body with more contacts than this has them in tiles at the end
    COLOURS = 64,       // as many as a mask has bits
    LAST = COLOURS,     // the colour of tiles that found none
    TILE = 448,         // contacts of a tile
    TABLE = 2048,       // slots of a tile's table of bodies, a power of two and > 2 * TILE
    MASKED_GROUPS = 64, // groups of a tile that masks can tell apart; later ones hold one contact each
    LEAST_BAND = 8,     // tiles: with several passes at a time enough work for many threads
    BANDS_IN_SPAN = 4,
    CACHE_BYTES = 16 << 20, // what passes that follow each other may count on
    MOST_PASSES = 8,        // that follow each other; more gain nothing
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
        size_t count = limit - first < TILE ? limit - first : TILE;
        draft->tiles[tile++] = (tile_draft){.first = (uint32_t)first, .count = (uint32_t)count};
        first += count;
        if (first == ordinary)
            draft->free_tiles = tile;
    }
    draft->tile_count = tile;
}

// Which tiles each movable body is in: lists of nodes, newest first.
typedef struct body_tiles {
    uint32_t *newest; // by body: index of a node, 0 for none
    struct tile_node {
        uint32_t tile, older;
    } * nodes; // [0] is not used
    uint32_t node_count;
} body_tiles;

typedef struct tile_edge { // two neighbours
    uint32_t tile, other;
} tile_edge;

typedef struct edge_list {
    tile_edge *edges;
    size_t count, room; // counts on when it is full
} edge_list;

// Enters the tile into the body's list; every tile that it meets there for the first time is a neighbour.
static void visit_body(const layout_draft *draft, uint32_t tile, uint32_t body, body_tiles *lists, uint32_t *met,
                       edge_list *edges)
{
    if (draft->immovable[body])
        return;
    uint32_t node = lists->newest[body];
    if (node && lists->nodes[node].tile == tile)
        return;
    lists->nodes[lists->node_count] = (struct tile_node){tile, node};
    lists->newest[body] = lists->node_count++;
    for (; node; node = lists->nodes[node].older) {
        uint32_t other = lists->nodes[node].tile;
        if (met[other] == tile)
            continue;
        met[other] = tile;
        if (edges->count < edges->room)
            edges->edges[edges->count] = (tile_edge){tile, other};
        edges->count++;
    }
}

static void visit_tiles(const layout_draft *draft, size_t body_count, body_tiles *lists, uint32_t *met,
                        edge_list *edges)
{
    memset(lists->newest, 0, body_count * sizeof *lists->newest);
    memset(met, 0xff, draft->tile_count * sizeof *met);
    lists->node_count = 1;
    for (uint32_t t = 0; t < draft->tile_count; t++)
        for (size_t i = draft->tiles[t].first; i < draft->tiles[t].first + draft->tiles[t].count; i++) {
            body_pair e = ends_of(draft, contact_at(draft, i));
            visit_body(draft, t, e.a, lists, met, edges);
            visit_body(draft, t, e.b, lists, met, edges);
        }
}

static bool find_edges(const layout_draft *draft, size_t body_count, size_t contact_count, arena *scratch,
                       edge_list *edges)
{
    body_tiles lists = {.newest = arena_array(scratch, uint32_t, body_count + 1),
                        .nodes = arena_array(scratch, struct tile_node, 2 * contact_count + 1)};
    uint32_t *met = arena_array(scratch, uint32_t, draft->tile_count + 1);
    if (!lists.newest || !lists.nodes || !met)
        return false;
    for (size_t room = contact_count + 1024;; room = edges->count) { // nearly always enough at once
        *edges = (edge_list){arena_array(scratch, tile_edge, room), 0, room};
        if (!edges->edges)
            return false;
        visit_tiles(draft, body_count, &lists, met, edges);
        if (edges->count <= room)
            return true;
    }
}

// The lowest colour that no neighbour before it has. Edges come in the order of their later tile.
static void colour_tiles(layout_draft *draft, const edge_list *edges)
{
    size_t next = 0;
    for (size_t t = 0; t < draft->tile_count; t++) {
        uint64_t taken = 0;
        for (; next < edges->count && edges->edges[next].tile == t; next++) {
            uint32_t colour = draft->tiles[edges->edges[next].other].colour;
            taken |= colour == LAST ? 0 : 1ull << colour;
        }
        bool none = t >= draft->free_tiles || taken == UINT64_MAX;
        draft->tiles[t].colour = none ? LAST : (uint32_t)__builtin_ctzll(~taken);
    }
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

// Lanes of a tile's contacts, and how many groups they take.
static void place_tile(const layout_draft *draft, tile_draft *tile, body_table *table)
{
    memset(table->body, 0xff, sizeof table->body);
    uint64_t immovable = 0;
    uint8_t filled[MASKED_GROUPS] = {0};
    uint32_t open = 0;   // masked groups in use
    uint32_t single = 0; // groups of one contact behind all masked ones
    uint64_t full = 0;
    for (size_t i = tile->first; i < tile->first + tile->count; i++) {
        uint32_t c = contact_at(draft, i);
        body_pair e = ends_of(draft, c);
        uint64_t *a = !draft->immovable[e.a] ? groups_of_body(table, e.a) : &immovable;
        uint64_t *b = !draft->immovable[e.b] ? groups_of_body(table, e.b) : &immovable;
        immovable = 0;
        uint64_t available = ~(full | *a | *b);
        if (!available) {
            draft->lane[c] = (MASKED_GROUPS + single++) * PROBLEM_LANES;
            continue;
        }
        uint32_t group = (uint32_t)__builtin_ctzll(available);
        *a |= 1ull << group;
        *b |= 1ull << group;
        draft->lane[c] = group * PROBLEM_LANES + filled[group];
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

// How far apart neighbours stand in the order of space.
static size_t find_span(const edge_list *edges)
{
    size_t span = 0;
    for (size_t i = 0; i < edges->count; i++) {
        size_t apart = edges->edges[i].tile - edges->edges[i].other;
        span = apart > span ? apart : span;
    }
    return span;
}

// Bands of `size` tiles. Passes that follow each other closely keep what lies between the first and the last of them in
// the caches: as many of them as leave room, or only one at a time.
static size_t choose_bands(contact_problem *problem, const layout_draft *draft, const edge_list *edges)
{
    tile_bands *bands = &problem->bands;
    size_t tile_bytes = TILE * problem_contact_bytes(problem);
    size_t span = find_span(edges), size = span / BANDS_IN_SPAN > LEAST_BAND ? span / BANDS_IN_SPAN : LEAST_BAND;
    size_t reach = block_count(span, size) > 0 ? block_count(span, size) : 1;
    size_t fitting = CACHE_BYTES / (reach * size * tile_bytes);
    bool whole = draft->tile_count * tile_bytes <= CACHE_BYTES || draft->free_tiles < draft->tile_count;
    if (whole || fitting < 2)
        size = draft->tile_count > 0 ? draft->tile_count : 1;
    bands->count = (uint32_t)block_count(draft->tile_count, size);
    bands->reach = (uint32_t)reach;
    bands->wave = whole || fitting < 2 ? 1 : (uint32_t)(fitting < MOST_PASSES ? fitting : MOST_PASSES);
    return size;
}

// The tiles of a band into the order of their colours.
static void sort_band(contact_problem *problem, const layout_draft *draft, size_t first, size_t end,
                      uint32_t *tile_of_draft)
{
    uint32_t start[COLOURS + 2] = {(uint32_t)first};
    for (size_t t = first; t < end; t++)
        start[draft->tiles[t].colour + 1]++;
    for (uint32_t c = 0; c <= COLOURS; c++)
        start[c + 1] += start[c];
    for (size_t t = first; t < end; t++) {
        uint32_t to = start[draft->tiles[t].colour]++;
        problem->tiles[to].group_count = draft->tiles[t].group_count;
        tile_of_draft[t] = to;
    }
}

// Tiles into the order of their bands and colours, groups numbered in that order.
static void sort_tiles(contact_problem *problem, const layout_draft *draft, const edge_list *edges,
                       uint32_t *tile_of_draft)
{
    size_t size = choose_bands(problem, draft, edges);
    for (size_t band = 0; band < problem->bands.count; band++) {
        problem->bands.first[band] = (uint32_t)(band * size);
        sort_band(problem, draft, band * size, block_end(band, size, draft->tile_count), tile_of_draft);
    }
    problem->bands.first[problem->bands.count] = (uint32_t)draft->tile_count;
    uint32_t group = 0;
    for (size_t t = 0; t < draft->tile_count; t++) {
        problem->tiles[t].first_group = group;
        group += problem->tiles[t].group_count;
    }
    problem->tile_count = draft->tile_count;
    problem->group_count = group;
}

// Both ends of every edge know each other.
static void list_neighbours(contact_problem *problem, const edge_list *edges, const uint32_t *tile_of_draft)
{
    uint32_t *start = problem->neighbour_start;
    memset(start, 0, (problem->tile_count + 2) * sizeof *start);
    for (size_t i = 0; i < edges->count; i++) {
        start[tile_of_draft[edges->edges[i].tile] + 2]++;
        start[tile_of_draft[edges->edges[i].other] + 2]++;
    }
    for (size_t t = 0; t <= problem->tile_count; t++)
        start[t + 1] += start[t];
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t a = tile_of_draft[edges->edges[i].tile], b = tile_of_draft[edges->edges[i].other];
        problem->neighbours[start[a + 1]++] = b;
        problem->neighbours[start[b + 1]++] = a;
    }
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

// The neighbours stay when the scratch memory of laying out is given back, so they move to where that begins.
static scree_status keep_neighbours(contact_problem *problem, const edge_list *edges, const uint32_t *tile_of_draft,
                                    arena *scratch, arena_mark kept, scree_error *error)
{
    uint32_t *listed = arena_array(scratch, uint32_t, 2 * edges->count);
    problem->neighbours = listed;
    if (!listed)
        return fail_no_memory(error);
    list_neighbours(problem, edges, tile_of_draft);
    arena_release(scratch, kept);
    problem->neighbours = arena_array(scratch, uint32_t, 2 * edges->count);
    if (!problem->neighbours)
        return fail_no_memory(error);
    memmove(problem->neighbours, listed, 2 * edges->count * sizeof *listed);
    return SCREE_OK;
}

scree_status layout_contacts(contact_problem *problem, const uint8_t *immovable, const problem_ends *ends, int threads,
                             arena *scratch, scree_error *error)
{
    size_t contacts = problem->contact_count;
    size_t most_tiles = block_count(contacts, TILE) + 2;
    problem->tiles = arena_array(scratch, problem_tile, most_tiles);
    problem->results = arena_array(scratch, tile_result, most_tiles);
    problem->neighbour_start = arena_array(scratch, uint32_t, most_tiles + 2);
    problem->bands.first = arena_array(scratch, uint32_t, most_tiles + 1);
    problem->contact_lane = arena_array(scratch, uint32_t, contacts);
    layout_draft draft = {.immovable = immovable, .ends = ends, .lane = problem->contact_lane};
    draft.tiles = arena_array(scratch, tile_draft, most_tiles);
    uint32_t *tile_of_draft = arena_array(scratch, uint32_t, most_tiles);
    if (!problem->tiles || !problem->results || !problem->neighbour_start || !problem->contact_lane || !draft.tiles ||
        !tile_of_draft)
        return fail_no_memory(error);
    bool failed = false;
    arena_mark kept = arena_get_mark(scratch);
    size_t ordinary = separate_crowded(&draft, problem->body_count, contacts, scratch, &failed);
    if (failed)
        return fail_no_memory(error);
    cut_tiles(&draft, ordinary, contacts);
    edge_list edges = {0};
    if (!find_edges(&draft, problem->body_count, contacts, scratch, &edges))
        return fail_no_memory(error);
    colour_tiles(&draft, &edges);
    place_tiles(&draft, threads);
    sort_tiles(problem, &draft, &edges, tile_of_draft);
    number_lanes(problem, &draft, tile_of_draft, threads);
    return keep_neighbours(problem, &edges, tile_of_draft, scratch, kept, error);
}
