#include "solve/part.h"

#include <string.h>

enum { LEFT_OUT = UINT32_MAX };

size_t problem_tile_of(const contact_problem *problem, size_t contact)
{
    uint32_t group = problem->contact_lane[contact] / PROBLEM_LANES;
    size_t low = 0, high = problem->tile_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (problem->tiles[middle].first_group <= group)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool is_in_part(const contact_problem *problem, const uint8_t *marked, size_t tile)
{
    bool in = marked[tile];
    for (uint32_t i = problem->neighbour_start[tile]; i < problem->neighbour_start[tile + 1]; i++)
        in |= marked[problem->neighbours[i]];
    return in;
}

static size_t count_contacts(const contact_problem *problem, problem_tile tile)
{
    size_t count = 0;
    for (size_t g = tile.first_group; g < tile.first_group + tile.group_count; g++) {
        const uint32_t *ends = problem_group_ends(problem, g);
        for (int i = 0; i < PROBLEM_LANES; i++)
            count += ends[i] != problem->body_count;
    }
    return count;
}

// Tiles in the order that they have, and how many neighbours they have among themselves at most.
static size_t take_tiles(const contact_problem *problem, const uint8_t *marked, contact_problem *part,
                         uint32_t *place_of)
{
    size_t neighbours = 0;
    part->tile_count = part->contact_count = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        place_of[t] = LEFT_OUT;
        if (!is_in_part(problem, marked, t))
            continue;
        place_of[t] = (uint32_t)part->tile_count;
        part->tiles[part->tile_count++] = problem->tiles[t];
        part->contact_count += count_contacts(problem, problem->tiles[t]);
        neighbours += problem->neighbour_start[t + 1] - problem->neighbour_start[t];
    }
    return neighbours;
}

static void take_neighbours(const contact_problem *problem, const uint32_t *place_of, contact_problem *part)
{
    uint32_t count = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        if (place_of[t] == LEFT_OUT)
            continue;
        part->neighbour_start[place_of[t]] = count;
        for (uint32_t i = problem->neighbour_start[t]; i < problem->neighbour_start[t + 1]; i++)
            if (place_of[problem->neighbours[i]] != LEFT_OUT)
                part->neighbours[count++] = place_of[problem->neighbours[i]];
    }
    part->neighbour_start[part->tile_count] = count;
}

bool problem_part(const contact_problem *problem, const uint8_t *marked, arena *scratch, contact_problem *part)
{
    *part = *problem;
    uint32_t *place_of = arena_array(scratch, uint32_t, problem->tile_count);
    part->tiles = arena_array(scratch, problem_tile, problem->tile_count);
    if (!place_of || !part->tiles)
        return false;
    size_t neighbours = take_tiles(problem, marked, part, place_of);
    part->results = arena_array(scratch, tile_result, part->tile_count);
    part->neighbour_start = arena_array(scratch, uint32_t, part->tile_count + 1);
    part->neighbours = arena_array(scratch, uint32_t, neighbours);
    part->bands = (tile_bands){.first = arena_array(scratch, uint32_t, 2), .count = 1, .reach = 1, .wave = 1};
    if (!part->results || !part->neighbour_start || !part->neighbours || !part->bands.first)
        return false;
    memcpy(part->bands.first, (const uint32_t[]){0, (uint32_t)part->tile_count}, 2 * sizeof(uint32_t));
    take_neighbours(problem, place_of, part);
    return true;
}
