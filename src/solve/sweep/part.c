#include "solve/sweep/part.h"

#include <string.h>

enum { LEFT_OUT = UINT32_MAX };

static bool is_in_part(const contact_problem *problem, const uint8_t *marked, size_t tile)
{
    bool in = marked[tile];
    for (uint32_t i = problem->neighbour_start[tile]; i < problem->neighbour_start[tile + 1]; i++)
        in |= marked[problem->neighbours[i]];
    return in;
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
        part->contact_count += problem->tiles[t].contact_count;
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

static bool is_movable(const contact_problem *problem, uint32_t body)
{
    size_t mass = (size_t)body * PROBLEM_BODY_REALS + 3;
    return problem->precision == SCREE_DOUBLE ? ((const double *)problem->velocities)[mass] > 0
                                              : ((const float *)problem->velocities)[mass] > 0;
}

// Tiles of the part that were not the first to touch a body may be now.
static void list_first_bodies(contact_problem *part, uint8_t *seen)
{
    memset(seen, 0, part->body_count);
    seen[part->body_count] = 1; // the resting body of empty lanes
    uint32_t count = 0;
    for (size_t t = 0; t < part->tile_count; t++) {
        part->first_body[t] = count;
        for (size_t g = 0; g < part->tiles[t].group_count; g++) {
            const uint32_t *ends = problem_group_ends(part, &part->tiles[t], g);
            for (int i = 0; i < 2 * PROBLEM_LANES; i++) {
                if (!seen[ends[i]] && is_movable(part, ends[i]))
                    part->bodies[count++] = ends[i];
                seen[ends[i]] = 1;
            }
        }
    }
    part->first_body[part->tile_count] = part->movable_count = count;
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
    part->first_body = arena_array(scratch, uint32_t, part->tile_count + 1);
    part->bodies = arena_array(scratch, uint32_t, part->body_count);
    uint8_t *seen = arena_array(scratch, uint8_t, part->body_count + 1);
    part->bands = (tile_bands){.first = arena_array(scratch, uint32_t, 2), .count = 1, .reach = 1, .wave = 1};
    if (!part->results || !part->neighbour_start || !part->neighbours || !part->bands.first || !part->first_body ||
        !part->bodies || !seen)
        return false;
    list_first_bodies(part, seen);
    memcpy(part->bands.first, (const uint32_t[]){0, (uint32_t)part->tile_count}, 2 * sizeof(uint32_t));
    take_neighbours(problem, place_of, part);
    return true;
}
