// Pairs go to stacks with the highest first, so that a stack is as high as its first pair and lower ones fill lanes
// that are there anyway: to the first stack with none of its two bodies whose side is begun and not full, or else to
// the first that can begin a side.
#include "solve/sweep/stacks/stacks.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_LEVELS = 4, // further points of a pair are like another pair of the same bodies
    STACK_LANES = 2 * PROBLEM_LANES,
    MASKED_STACKS = 64, // that masks can tell apart; later pairs have a stack each
    MOST_PAIRS = 512,   // of a tile
};

typedef struct pair_run { // of contacts
    uint16_t first, levels;
} pair_run;

typedef struct stack_draft {
    uint32_t open;        // stacks
    uint64_t full, begun; // all lanes are taken; a side has some taken and some free
    uint8_t filled[MASKED_STACKS];
    pair_run pairs[MASKED_STACKS][STACK_LANES];
} stack_draft;

static bool is_same_pair(const stack_source *from, size_t contact)
{
    return from->ends[contact][0] == from->ends[contact - 1][0] && from->ends[contact][1] == from->ends[contact - 1][1];
}

// Single contacts fill groups better than stacks; at three points for two pairs bodies that stay at hand make up for
// it.
bool stacks_pay(const stack_source *from, const problem_tile *tile)
{
    size_t pairs = 1;
    for (size_t i = 1; i < tile->contact_count; i++)
        pairs += !is_same_pair(from, i);
    return 2 * tile->contact_count >= 3 * pairs;
}

static uint32_t list_pairs(const stack_source *from, const problem_tile *tile, pair_run *pairs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tile->contact_count; i++)
        if (i > 0 && is_same_pair(from, i) && pairs[count - 1].levels < MOST_LEVELS)
            pairs[count - 1].levels++;
        else
            pairs[count++] = (pair_run){(uint16_t)i, 1};
    return count;
}

static uint64_t *masks_of(const stack_source *from, uint32_t body, body_table *table, uint64_t *of_immovable,
                          uint32_t *bodies, uint32_t *count)
{
    return from->immovable[body] ? of_immovable : groups_of_body(table, body, bodies, count);
}

// Puts a pair into a stack; false when none that masks can tell apart has room.
static bool place_pair(stack_draft *draft, pair_run pair, uint64_t *of_a, uint64_t *of_b)
{
    uint64_t available = ~(draft->full | *of_a | *of_b);
    if (!available)
        return false;
    uint32_t stack = (uint32_t)__builtin_ctzll(available & draft->begun ? available & draft->begun : available);
    uint64_t bit = 1ull << stack;
    *of_a |= bit;
    *of_b |= bit;
    draft->pairs[stack][draft->filled[stack]++] = pair;
    draft->full |= draft->filled[stack] == STACK_LANES ? bit : 0;
    draft->begun = draft->filled[stack] % PROBLEM_LANES ? draft->begun | bit : draft->begun & ~bit;
    draft->open = stack + 1 > draft->open ? stack + 1 : draft->open;
    return true;
}

// Lanes of a stack whose pairs stand in falling order of levels.
static void close_stack(problem_tile *tile, const pair_run *pairs, uint32_t count, uint16_t *lane, problem_stack *stack)
{
    uint32_t second = count > PROBLEM_LANES ? pairs[PROBLEM_LANES].levels : 0;
    *stack = (problem_stack){{(uint8_t)pairs[0].levels, (uint8_t)second}};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t level = 0; level < pairs[i].levels; level++) {
            uint32_t below = level + (level < second ? level : second); // groups
            uint32_t group = tile->group_count + below + i / PROBLEM_LANES;
            lane[pairs[i].first + level] = (uint16_t)(group * PROBLEM_LANES + i % PROBLEM_LANES);
        }
    tile->group_count += pairs[0].levels + second;
}

uint32_t stacks_place(const stack_source *from, problem_tile *tile, body_table *table, uint16_t *lane,
                      problem_stack *stacks, uint32_t *bodies)
{
    assert(tile->contact_count <= MOST_PAIRS);
    pair_run pairs[MOST_PAIRS], alone[MOST_PAIRS];
    stack_draft draft = {0};
    uint32_t pair_count = list_pairs(from, tile, pairs), alone_count = 0, body_count = 0;
    memset(table->body, 0xff, sizeof table->body);
    for (uint32_t levels = MOST_LEVELS; levels > 0; levels--)
        for (uint32_t i = 0; i < pair_count; i++) {
            if (pairs[i].levels != levels)
                continue;
            uint64_t of_immovable[2] = {0};
            const uint32_t *ends = from->ends[pairs[i].first];
            uint64_t *of_a = masks_of(from, ends[0], table, &of_immovable[0], bodies, &body_count);
            uint64_t *of_b = masks_of(from, ends[1], table, &of_immovable[1], bodies, &body_count);
            if (!place_pair(&draft, pairs[i], of_a, of_b))
                alone[alone_count++] = pairs[i];
        }
    tile->group_count = tile->stack_count = 0;
    for (uint32_t i = 0; i < draft.open; i++)
        close_stack(tile, draft.pairs[i], draft.filled[i], lane, &stacks[tile->stack_count++]);
    for (uint32_t i = 0; i < alone_count; i++)
        close_stack(tile, &alone[i], 1, lane, &stacks[tile->stack_count++]);
    return body_count;
}
