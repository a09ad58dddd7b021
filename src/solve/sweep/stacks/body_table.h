// The movable bodies of a tile, each with a mask of the wide groups or stacks that it is in.
#ifndef SOLVE_SWEEP_STACKS_BODY_TABLE_H
#define SOLVE_SWEEP_STACKS_BODY_TABLE_H

#include <stdint.h>

enum { BODY_TABLE = 2048 }; // slots, a power of two

typedef struct body_table {
    uint32_t body[BODY_TABLE]; // UINT32_MAX: free
    uint64_t groups[BODY_TABLE];
} body_table;

// Adds the body to the list where the table does not have it yet.
static inline uint64_t *groups_of_body(body_table *table, uint32_t body, uint32_t *bodies, uint32_t *count)
{
    uint32_t slot = (body * 2654435761u) >> 21;
    while (table->body[slot] != body && table->body[slot] != UINT32_MAX)
        slot = (slot + 1) & (BODY_TABLE - 1);
    if (table->body[slot] == UINT32_MAX) {
        table->body[slot] = body;
        table->groups[slot] = 0;
        bodies[(*count)++] = body;
    }
    return &table->groups[slot];
}

// The same for a body that is there already.
static inline uint64_t *known_groups(body_table *table, uint32_t body)
{
    uint32_t slot = (body * 2654435761u) >> 21;
    while (table->body[slot] != body)
        slot = (slot + 1) & (BODY_TABLE - 1);
    return &table->groups[slot];
}

#endif
