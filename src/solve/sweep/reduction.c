#include "solve/sweep/reduction.h"

#include <string.h>

static uint32_t take_slot(uint32_t *cursor, uint32_t body, size_t body_count)
{
    return body < body_count ? cursor[body]++ : UINT32_MAX;
}

bool reduction_make(const contact_problem *problem, arena *scratch, reduction *made)
{
    size_t bodies = problem->body_count, groups = problem->group_count;
    made->slot_start = arena_array(scratch, uint32_t, bodies + 1);
    made->slots = arena_array(scratch, reduction_slots, groups);
    made->loads = arena_take_array(scratch, 2 * problem->contact_count, 6 * problem_real_size(problem));
    uint32_t *cursor = arena_array(scratch, uint32_t, bodies + 1);
    if (!made->slot_start || !made->slots || !made->loads || !cursor)
        return false;
    memset(cursor, 0, (bodies + 1) * sizeof *cursor);
    for (size_t t = 0; t < problem->tile_count; t++)
        for (size_t g = 0; g < problem->tiles[t].group_count; g++) {
            uint32_t ends[2 * PROBLEM_LANES];
            problem_get_ends(problem, &problem->tiles[t], g, ends);
            for (int i = 0; i < 2 * PROBLEM_LANES; i++)
                cursor[ends[i]]++;
        }
    uint32_t sum = 0;
    for (size_t body = 0; body < bodies; body++) {
        uint32_t count = cursor[body];
        cursor[body] = made->slot_start[body] = sum;
        sum += count;
    }
    made->slot_start[bodies] = sum;
    for (size_t t = 0; t < problem->tile_count; t++)
        for (size_t g = 0; g < problem->tiles[t].group_count; g++) {
            uint32_t ends[2 * PROBLEM_LANES];
            problem_get_ends(problem, &problem->tiles[t], g, ends);
            reduction_slots *slots = &made->slots[problem->tiles[t].first_group + g];
            for (int i = 0; i < PROBLEM_LANES; i++) {
                slots->a[i] = take_slot(cursor, ends[i], bodies);
                slots->b[i] = take_slot(cursor, ends[PROBLEM_LANES + i], bodies);
            }
        }
    return true;
}
