// Tiles, which of them meet, and lanes (the drawing is in problem.h).
//
// Contacts arrive in the order of cells, which is that of relaxation. A cell is a tile, or several where it holds many
// contacts. Inside a tile each contact goes to the first wide group that has a free lane and none of its two bodies,
// found with one 64-bit mask per body; a wide group is up to two groups of eight lanes. Where pairs of bodies touch at
// several points, stacks take the place of wide groups (stacks/stacks.h). Everything that tiles find on their own is
// found by all threads; what then stands between them is two passes over the bodies of tiles.
#include "solve/sweep/layout.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "solve/sweep/stacks/stacks.h"

enum {
    TILE = 448,             // contacts of a tile at most
    WIDE_GROUP = 16,        // lanes
    MASKED_GROUPS = 64,     // wide groups of a tile that masks can tell apart; later contacts have a group each
    LEAST_BAND = 8,         // tiles: with several passes at a time enough work for many threads
    CACHE_BYTES = 16 << 20, // what passes that follow each other may count on
    TILE_BLOCK = 4,         // tiles that a thread takes at once
};

_Static_assert(BODY_TABLE > 2 * TILE, "a tile's bodies fit into its table, with room for a search to end");
_Static_assert((MASKED_GROUPS + TILE) * WIDE_GROUP <= UINT16_MAX, "a lane of a tile fits into 16 bits");

typedef struct layout_draft {
    contact_problem *problem;
    const problem_spec *spec;
    problem_stack *stacks; // by tile, from its first contact on
    uint32_t (*ends)[2];   // by contact
    uint32_t *bodies;      // by tile, from twice its first contact on: the movable bodies that it touches, each once
    uint32_t *body_count;  // by tile
    uint32_t *start;       // by body, one more: into `tiles`
    uint32_t *tiles;       // of each movable body, rising
} layout_draft;

// ------------------------------------------------------------------------------------------------------------ cutting

static size_t parts_of_cell(const cell_list *cells, size_t cell)
{
    return block_count(cells->first_contact[cell + 1] - cells->first_contact[cell], TILE);
}

static size_t count_tiles(const problem_spec *spec)
{
    if (!spec->cells)
        return block_count(spec->contact_count, TILE);
    size_t count = 0;
    for (size_t cell = 0; cell < spec->cells->cell_count; cell++)
        count += parts_of_cell(spec->cells, cell);
    return count;
}

// A run of contacts as tiles of nearly equal size; returns the next tile.
static size_t cut_run(contact_problem *problem, size_t tile, size_t first, size_t count, uint16_t across)
{
    size_t parts = block_count(count, TILE);
    for (size_t i = 0; i < parts; i++) {
        size_t begin = first + count * i / parts, end = first + count * (i + 1) / parts;
        problem->tiles[tile++] = (problem_tile){
            .first_contact = (uint32_t)begin, .contact_count = (uint32_t)(end - begin), .across = across};
    }
    return tile;
}

// Bands of at least LEAST_BAND tiles each.
static void cut_bands(contact_problem *problem, size_t tile)
{
    tile_bands *bands = &problem->bands;
    if (tile - bands->first[bands->count] >= LEAST_BAND)
        bands->first[++bands->count] = (uint32_t)tile;
}

static void cut_cells(contact_problem *problem, const cell_list *cells)
{
    size_t tile = 0;
    for (size_t band = 0; band < cells->band_count; band++) {
        for (size_t cell = cells->first_cell[band]; cell < cells->first_cell[band + 1]; cell++)
            tile = cut_run(problem, tile, cells->first_contact[cell],
                           cells->first_contact[cell + 1] - cells->first_contact[cell], cells->across[cell]);
        cut_bands(problem, tile);
    }
}

static void cut_tiles(contact_problem *problem, const problem_spec *spec)
{
    tile_bands *bands = &problem->bands;
    bands->first[0] = bands->count = 0;
    if (spec->cells)
        cut_cells(problem, spec->cells);
    else // in any order, so that all threads follow one queue
        cut_run(problem, 0, 0, spec->contact_count, 0);
    for (size_t tile = 1; !spec->cells && tile <= problem->tile_count; tile++)
        cut_bands(problem, tile);
    if (bands->first[bands->count] < problem->tile_count || bands->count == 0)
        bands->first[++bands->count] = (uint32_t)problem->tile_count;
}

// ------------------------------------------------------------------------------------------------------ tiles alone

static void read_ends(const layout_draft *draft, problem_tile *tile)
{
    const problem_spec *spec = draft->spec;
    tile->kind = PROBLEM_CENTERED_SPHERES;
    for (size_t i = tile->first_contact; i < tile->first_contact + tile->contact_count; i++) {
        contact_ends ends = spec->ends(spec->context, i);
        draft->ends[i][0] = ends.a;
        draft->ends[i][1] = ends.b;
        tile->kind = ends.kind > tile->kind ? ends.kind : tile->kind;
    }
    if (tile->kind == PROBLEM_CENTERED_SPHERES && spec->precision == SCREE_PRECISION_DOUBLE)
        tile->kind = PROBLEM_ISOTROPIC;
}

// The wide groups of the tile at hand.
typedef struct wide_groups {
    uint32_t open, single; // how many masks tell apart, and how many have one contact each
    uint8_t filled[MASKED_GROUPS];
    uint16_t contacts[MASKED_GROUPS][WIDE_GROUP]; // counted from the first of the tile
} wide_groups;

// Lanes of wide groups become lanes of groups of eight, which only the last of each wide group may have free.
static void close_groups(const layout_draft *draft, problem_tile *tile, const wide_groups *groups)
{
    uint16_t *lane = draft->problem->contact_lane + tile->first_contact;
    uint32_t count = 0;
    for (uint32_t g = 0; g < groups->open; g++) {
        for (uint32_t i = 0; i < groups->filled[g]; i++)
            lane[groups->contacts[g][i]] = (uint16_t)(count * PROBLEM_LANES + i);
        count += (groups->filled[g] + PROBLEM_LANES - 1u) / PROBLEM_LANES;
    }
    for (uint32_t i = 0; groups->single > 0 && i < tile->contact_count; i++)
        if (lane[i] >= MASKED_GROUPS * WIDE_GROUP)
            lane[i] = (uint16_t)((count + lane[i] / WIDE_GROUP - MASKED_GROUPS) * PROBLEM_LANES);
    tile->group_count = count + groups->single;
}

static uint64_t from_group(uint32_t group)
{
    return ~0ull << group;
}

// The groups behind `group` that come before any with one of the contact's bodies.
static uint64_t free_groups_behind(uint32_t group, uint64_t of_bodies)
{
    if (group + 1 == MASKED_GROUPS)
        return 0;
    uint64_t behind = from_group(group + 1), taken = of_bodies & behind;
    return taken ? behind & ((taken & -taken) - 1) : behind;
}

// A wide group with a few contacts more than fill its groups of eight gives them to later ones that have lanes free
// anyway, as far as they pass no contact of their bodies: what is relaxed before what stays as it is.
static void fill_lanes(const layout_draft *draft, const problem_tile *tile, body_table *table, wide_groups *groups)
{
    const uint8_t *immovable = draft->spec->immovable;
    uint64_t partly = 0, none = 0;
    for (uint32_t g = 0; g < groups->open; g++)
        partly |= (uint64_t)(groups->filled[g] % PROBLEM_LANES > 0) << g;
    for (uint32_t g = 0; g < groups->open; g++)
        for (uint32_t i = groups->filled[g]; groups->filled[g] % PROBLEM_LANES > 0 && i-- > 0;) {
            uint16_t contact = groups->contacts[g][i];
            const uint32_t *ends = draft->ends[tile->first_contact + contact];
            uint64_t *of_a = immovable[ends[0]] ? &none : known_groups(table, ends[0]);
            uint64_t *of_b = immovable[ends[1]] ? &none : known_groups(table, ends[1]);
            uint64_t to = partly & free_groups_behind(g, *of_a | *of_b);
            if (!to)
                continue;
            uint32_t later = (uint32_t)__builtin_ctzll(to);
            uint64_t moved = 1ull << g | 1ull << later;
            groups->contacts[g][i] = groups->contacts[g][--groups->filled[g]];
            groups->contacts[later][groups->filled[later]++] = contact;
            partly &= ~((uint64_t)(groups->filled[later] % PROBLEM_LANES == 0) << later);
            *of_a ^= moved;
            *of_b ^= moved;
            none = 0;
        }
}

// Lanes of a tile's contacts, how many groups they take, and its bodies.
static void place_tile(const layout_draft *draft, size_t index, body_table *table)
{
    problem_tile *tile = &draft->problem->tiles[index];
    uint16_t *lane = draft->problem->contact_lane;
    uint32_t *bodies = draft->bodies + 2 * (size_t)tile->first_contact;
    const uint8_t *immovable = draft->spec->immovable;
    memset(table->body, 0xff, sizeof table->body);
    uint64_t of_immovable = 0, full = 0;
    wide_groups groups = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < tile->contact_count; i++) {
        uint32_t a = draft->ends[tile->first_contact + i][0], b = draft->ends[tile->first_contact + i][1];
        uint64_t *of_a = !immovable[a] ? groups_of_body(table, a, bodies, &count) : &of_immovable;
        uint64_t *of_b = !immovable[b] ? groups_of_body(table, b, bodies, &count) : &of_immovable;
        of_immovable = 0;
        uint64_t available = ~(full | *of_a | *of_b);
        if (!available) {
            lane[tile->first_contact + i] = (uint16_t)((MASKED_GROUPS + groups.single++) * WIDE_GROUP);
            continue;
        }
        uint32_t group = (uint32_t)__builtin_ctzll(available);
        *of_a |= 1ull << group;
        *of_b |= 1ull << group;
        groups.contacts[group][groups.filled[group]] = (uint16_t)i;
        if (++groups.filled[group] == WIDE_GROUP)
            full |= 1ull << group;
        groups.open = group + 1 > groups.open ? group + 1 : groups.open;
    }
    draft->body_count[index] = count;
    fill_lanes(draft, tile, table, &groups);
    close_groups(draft, tile, &groups);
}

static void place_block(void *context, size_t block)
{
    const layout_draft *draft = context;
    body_table table;
    for (size_t t = block * TILE_BLOCK; t < block_end(block, TILE_BLOCK, draft->problem->tile_count); t++) {
        problem_tile *tile = &draft->problem->tiles[t];
        size_t first = tile->first_contact;
        read_ends(draft, tile);
        stack_source from = {(const uint32_t(*)[2])(draft->ends + first), draft->spec->immovable};
        if (tile->kind == PROBLEM_CENTERED_SPHERES || !stacks_pay(&from, tile))
            place_tile(draft, t, &table);
        else
            draft->body_count[t] = stacks_place(&from, tile, &table, draft->problem->contact_lane + first,
                                                draft->stacks + first, draft->bodies + 2 * first);
    }
}

// ------------------------------------------------------------------------------------------------- tiles that meet

static void sum_counts(uint32_t *start, size_t count)
{
    start[0] = 0;
    for (size_t i = 0; i < count; i++)
        start[i + 1] += start[i];
}

static void list_tiles_of_bodies(const layout_draft *draft)
{
    const contact_problem *problem = draft->problem;
    uint32_t *start = draft->start;
    memset(start, 0, (problem->body_count + 2) * sizeof *start);
    for (size_t t = 0; t < problem->tile_count; t++)
        for (size_t i = 0; i < draft->body_count[t]; i++)
            start[draft->bodies[2 * (size_t)problem->tiles[t].first_contact + i] + 2]++;
    for (size_t i = 2; i < problem->body_count + 2; i++)
        start[i] += start[i - 1];
    for (uint32_t t = 0; t < problem->tile_count; t++)
        for (size_t i = 0; i < draft->body_count[t]; i++)
            draft->tiles[start[draft->bodies[2 * (size_t)problem->tiles[t].first_contact + i] + 1]++] = t;
}

// The bodies of a tile that no tile before it has touched move to the front of its list.
static void find_first_bodies(void *context, size_t block)
{
    const layout_draft *draft = context;
    const contact_problem *problem = draft->problem;
    for (size_t t = block * TILE_BLOCK; t < block_end(block, TILE_BLOCK, problem->tile_count); t++) {
        uint32_t *bodies = draft->bodies + 2 * (size_t)problem->tiles[t].first_contact, count = 0;
        for (size_t i = 0; i < draft->body_count[t]; i++) {
            uint32_t body = bodies[i];
            if (draft->tiles[draft->start[body]] != t)
                continue;
            bodies[i] = bodies[count];
            bodies[count++] = body;
        }
        problem->first_body[t + 1] = count;
    }
}

static void copy_first_bodies(void *context, size_t block)
{
    const layout_draft *draft = context;
    const contact_problem *problem = draft->problem;
    for (size_t t = block * TILE_BLOCK; t < block_end(block, TILE_BLOCK, problem->tile_count); t++) {
        uint32_t first = problem->first_body[t], count = problem->first_body[t + 1] - first;
        memcpy(problem->bodies + first, draft->bodies + 2 * (size_t)problem->tiles[t].first_contact,
               count * sizeof *problem->bodies);
    }
}

// Tiles extrapolate the bodies that no tile before them has touched (kernels.h).
static void list_first_bodies(layout_draft *draft, int threads)
{
    contact_problem *problem = draft->problem;
    size_t blocks = block_count(problem->tile_count, TILE_BLOCK);
    for_blocks(threads, blocks, find_first_bodies, draft);
    sum_counts(problem->first_body, problem->tile_count);
    for_blocks(threads, blocks, copy_first_bodies, draft);
    uint32_t count = problem->first_body[problem->tile_count];
    for (uint32_t body = 0; body < problem->body_count; body++)
        if (!draft->spec->immovable[body] && draft->start[body] == draft->start[body + 1])
            problem->bodies[count++] = body;
    problem->movable_count = count;
}

// Each other tile that shares a body with a tile, once. `met` by tile has no entry t + 1 yet.
static uint32_t find_neighbours(const layout_draft *draft, uint32_t t, uint32_t *met, uint32_t *to)
{
    const uint32_t *bodies = draft->bodies + 2 * (size_t)draft->problem->tiles[t].first_contact;
    uint32_t count = 0;
    met[t] = t + 1;
    for (size_t i = 0; i < draft->body_count[t]; i++)
        for (uint32_t k = draft->start[bodies[i]]; k < draft->start[bodies[i] + 1]; k++) {
            uint32_t other = draft->tiles[k];
            if (met[other] == t + 1)
                continue;
            met[other] = t + 1;
            if (to)
                to[count] = other;
            count++;
        }
    return count;
}

typedef struct neighbour_search {
    const layout_draft *draft;
    uint32_t *met; // by thread and tile
    bool alone;    // one thread searches, which may be any of those that solve islands
    bool list;     // there is room for the neighbours; otherwise they are counted
} neighbour_search;

static void visit_tile(void *context, size_t tile)
{
    const neighbour_search *search = context;
    contact_problem *problem = search->draft->problem;
    uint32_t *start = problem->neighbour_start, t = (uint32_t)tile;
    uint32_t *met = search->met + (search->alone ? 0 : problem->tile_count * (size_t)thread_index());
    uint32_t count = find_neighbours(search->draft, t, met, search->list ? problem->neighbours + start[t] : NULL);
    if (!search->list)
        start[t + 1] = count;
}

static bool visit_neighbours(const layout_draft *draft, bool list, int threads, arena *scratch)
{
    size_t tiles = draft->problem->tile_count, size = tiles * (size_t)threads;
    uint32_t *met = arena_array(scratch, uint32_t, size);
    if (!met)
        return false;
    memset(met, 0, size * sizeof *met);
    for_blocks(threads, tiles, visit_tile, &(neighbour_search){draft, met, threads == 1, list});
    return true;
}

// --------------------------------------------------------------------------------------------------------------- bands

static uint32_t band_of_tile(const tile_bands *bands, uint32_t tile)
{
    uint32_t low = 0, high = bands->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (bands->first[middle] <= tile)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// How many bands apart neighbours stand.
static uint32_t find_lag(const contact_problem *problem)
{
    const tile_bands *bands = &problem->bands;
    uint32_t lag = 1;
    for (uint32_t band = 0; band < bands->count; band++)
        for (uint32_t t = bands->first[band]; t < bands->first[band + 1]; t++) {
            uint32_t last = t;
            for (uint32_t i = problem->neighbour_start[t]; i < problem->neighbour_start[t + 1]; i++)
                last = problem->neighbours[i] > last ? problem->neighbours[i] : last;
            uint32_t apart = last < bands->first[band + 1] ? 0 : band_of_tile(bands, last) - band;
            lag = apart > lag ? apart : lag;
        }
    return lag;
}

// Passes that follow each other closely keep what lies between the first and the last of them in the caches: as many of
// them as leave room, or only one at a time.
static void choose_wave(contact_problem *problem)
{
    tile_bands *bands = &problem->bands;
    bands->lag = bands->wave = 1;
    size_t bytes = problem->contact_count * problem_contact_bytes(problem);
    if (bytes <= CACHE_BYTES || bands->count < 2)
        return;
    bands->lag = find_lag(problem);
    size_t between = bands->lag * (bytes / bands->count);
    size_t fitting = between > 0 ? CACHE_BYTES / between : MOST_WAVE_PASSES;
    bands->wave = fitting < 2 ? 1 : (uint32_t)(fitting < MOST_WAVE_PASSES ? fitting : MOST_WAVE_PASSES);
}

// ----------------------------------------------------------------------------------------------------------- the whole

static void number_groups(contact_problem *problem)
{
    uint32_t group = 0;
    size_t row_bytes = 0, extra_bytes = 0, reals = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        problem_tile *tile = &problem->tiles[t];
        tile->first_group = group;
        tile->rows = row_bytes;
        tile->extras = extra_bytes;
        tile->impulses = reals;
        group += tile->group_count;
        row_bytes += tile->group_count * problem_group_size(problem, tile->kind);
        extra_bytes += tile->kind == PROBLEM_EXTENDED_CONTACT ? tile->group_count * problem_extra_size(problem) : 0;
        reals += tile->group_count * problem_impulse_reals(tile->kind);
        problem->kinds |= 1u << tile->kind;
    }
    problem->group_count = group;
    problem->row_bytes = row_bytes;
    problem->extra_bytes = extra_bytes;
    problem->impulse_reals = reals;
}

static bool take_draft(layout_draft *draft, arena *scratch)
{
    const contact_problem *problem = draft->problem;
    size_t contacts = problem->contact_count;
    draft->stacks = arena_array(scratch, problem_stack, contacts);
    draft->ends = arena_take_array(scratch, contacts, sizeof *draft->ends);
    draft->bodies = arena_array(scratch, uint32_t, 2 * contacts);
    draft->body_count = arena_array(scratch, uint32_t, problem->tile_count);
    draft->start = arena_array(scratch, uint32_t, problem->body_count + 2);
    draft->tiles = arena_array(scratch, uint32_t, 2 * contacts);
    return draft->stacks && draft->ends && draft->bodies && draft->body_count && draft->start && draft->tiles;
}

static bool take_arrays(contact_problem *problem, size_t bands, arena *scratch)
{
    size_t tiles = problem->tile_count;
    problem->tiles = arena_array(scratch, problem_tile, tiles);
    problem->results = arena_array(scratch, tile_result, tiles);
    problem->neighbour_start = arena_array(scratch, uint32_t, tiles + 1);
    problem->bands.first = arena_array(scratch, uint32_t, bands + 2);
    problem->contact_lane = arena_array(scratch, uint16_t, problem->contact_count);
    problem->first_body = arena_array(scratch, uint32_t, tiles + 1);
    problem->bodies = arena_array(scratch, uint32_t, problem->body_count);
    return problem->tiles && problem->results && problem->neighbour_start && problem->bands.first &&
           problem->contact_lane && problem->first_body && problem->bodies;
}

// Stacks of all tiles one behind the other; returns how many.
static size_t gather_stacks(const layout_draft *draft)
{
    uint32_t count = 0;
    for (size_t t = 0; t < draft->problem->tile_count; t++) {
        problem_tile *tile = &draft->problem->tiles[t];
        tile->first_stack = count;
        memmove(draft->stacks + count, draft->stacks + tile->first_contact, tile->stack_count * sizeof *draft->stacks);
        count += tile->stack_count;
    }
    return count;
}

// Stacks and neighbours stay when the scratch memory of laying out is given back, so they move to where that begins.
static bool keep_lists(const layout_draft *draft, int threads, arena *scratch, arena_mark kept)
{
    contact_problem *problem = draft->problem;
    if (!visit_neighbours(draft, false, threads, scratch))
        return false;
    sum_counts(problem->neighbour_start, problem->tile_count);
    size_t count = problem->neighbour_start[problem->tile_count];
    uint32_t *listed = problem->neighbours = arena_array(scratch, uint32_t, count);
    if (!listed || !visit_neighbours(draft, true, threads, scratch))
        return false;
    size_t stacks = gather_stacks(draft);
    arena_release(scratch, kept);
    problem->stacks = arena_array(scratch, problem_stack, stacks);
    problem->neighbours = arena_array(scratch, uint32_t, count);
    if (!problem->stacks || !problem->neighbours)
        return false;
    memmove(problem->stacks, draft->stacks, stacks * sizeof *problem->stacks);
    memmove(problem->neighbours, listed, count * sizeof *listed);
    return true;
}

scree_status layout_contacts(contact_problem *problem, const problem_spec *spec, int threads, arena *scratch,
                             scree_error *error)
{
    problem->tile_count = count_tiles(spec);
    size_t bands = spec->cells ? spec->cells->band_count : problem->tile_count / LEAST_BAND + 1;
    if (!take_arrays(problem, bands, scratch))
        return fail_no_memory(error);
    arena_mark kept = arena_get_mark(scratch);
    layout_draft draft = {.problem = problem, .spec = spec};
    if (!take_draft(&draft, scratch))
        return fail_no_memory(error);
    cut_tiles(problem, spec);
    for_blocks(threads, block_count(problem->tile_count, TILE_BLOCK), place_block, &draft);
    list_tiles_of_bodies(&draft);
    list_first_bodies(&draft, threads);
    number_groups(problem);
    if (!keep_lists(&draft, threads, scratch, kept))
        return fail_no_memory(error);
    choose_wave(problem);
    return SCREE_OK;
}
