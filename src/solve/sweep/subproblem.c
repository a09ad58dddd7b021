#include "solve/sweep/subproblem.h"

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
static size_t take_tiles(const contact_problem *problem, const uint8_t *marked, contact_problem *subproblem,
                         uint32_t *place_of)
{
    size_t neighbours = 0;
    subproblem->tile_count = subproblem->contact_count = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        place_of[t] = LEFT_OUT;
        if (!is_in_part(problem, marked, t))
            continue;
        place_of[t] = (uint32_t)subproblem->tile_count;
        subproblem->tiles[subproblem->tile_count++] = problem->tiles[t];
        subproblem->contact_count += problem->tiles[t].contact_count;
        neighbours += problem->neighbour_start[t + 1] - problem->neighbour_start[t];
    }
    return neighbours;
}

static void take_neighbours(const contact_problem *problem, const uint32_t *place_of, contact_problem *subproblem)
{
    uint32_t count = 0;
    for (size_t t = 0; t < problem->tile_count; t++) {
        if (place_of[t] == LEFT_OUT)
            continue;
        subproblem->neighbour_start[place_of[t]] = count;
        for (uint32_t i = problem->neighbour_start[t]; i < problem->neighbour_start[t + 1]; i++)
            if (place_of[problem->neighbours[i]] != LEFT_OUT)
                subproblem->neighbours[count++] = place_of[problem->neighbours[i]];
    }
    subproblem->neighbour_start[subproblem->tile_count] = count;
}

static bool is_movable(const contact_problem *problem, uint32_t body)
{
    size_t mass = (size_t)body * PROBLEM_BODY_REALS + 3;
    return problem->precision == SCREE_PRECISION_DOUBLE ? ((const double *)problem->velocities)[mass] > 0
                                                        : ((const float *)problem->velocities)[mass] > 0;
}

// Tiles of the part that were not the first to touch a body may be now.
static void list_first_bodies(contact_problem *subproblem, uint8_t *seen)
{
    memset(seen, 0, subproblem->body_count);
    seen[subproblem->body_count] = 1; // the resting body of empty lanes
    uint32_t count = 0;
    for (size_t t = 0; t < subproblem->tile_count; t++) {
        subproblem->first_body[t] = count;
        for (size_t g = 0; g < subproblem->tiles[t].group_count; g++) {
            uint32_t ends[2 * PROBLEM_LANES];
            problem_get_ends(subproblem, &subproblem->tiles[t], g, ends);
            for (int i = 0; i < 2 * PROBLEM_LANES; i++) {
                if (!seen[ends[i]] && is_movable(subproblem, ends[i]))
                    subproblem->bodies[count++] = ends[i];
                seen[ends[i]] = 1;
            }
        }
    }
    subproblem->first_body[subproblem->tile_count] = subproblem->movable_count = count;
}

bool problem_take_subproblem(const contact_problem *problem, const uint8_t *marked, arena *scratch,
                             contact_problem *subproblem)
{
    *subproblem = *problem;
    uint32_t *place_of = arena_array(scratch, uint32_t, problem->tile_count);
    subproblem->tiles = arena_array(scratch, problem_tile, problem->tile_count);
    if (!place_of || !subproblem->tiles)
        return false;
    size_t neighbours = take_tiles(problem, marked, subproblem, place_of);
    subproblem->results = arena_array(scratch, tile_result, subproblem->tile_count);
    subproblem->neighbour_start = arena_array(scratch, uint32_t, subproblem->tile_count + 1);
    subproblem->neighbours = arena_array(scratch, uint32_t, neighbours);
    subproblem->first_body = arena_array(scratch, uint32_t, subproblem->tile_count + 1);
    subproblem->bodies = arena_array(scratch, uint32_t, subproblem->body_count);
    uint8_t *seen = arena_array(scratch, uint8_t, subproblem->body_count + 1);
    subproblem->bands = (tile_bands){.first = arena_array(scratch, uint32_t, 2), .count = 1, .lag = 1, .wave = 1};
    if (!subproblem->results || !subproblem->neighbour_start || !subproblem->neighbours || !subproblem->bands.first ||
        !subproblem->first_body || !subproblem->bodies || !seen)
        return false;
    list_first_bodies(subproblem, seen);
    memcpy(subproblem->bands.first, (const uint32_t[]){0, (uint32_t)subproblem->tile_count}, 2 * sizeof(uint32_t));
    take_neighbours(problem, place_of, subproblem);
    return true;
}
