// Islands: movable bodies that contacts and joints tie together. What is solved in one has no effect on another, so
// each is solved in the way that suits it.
#ifndef DYNAMICS_ISLANDS_H
#define DYNAMICS_ISLANDS_H

#include "dynamics/world.h"
#include "solve/rows.h"

enum { NO_ISLAND = UINT32_MAX };

typedef enum island_way {
    ISLAND_ASLEEP,  // not at all
    ISLAND_SWEPT,   // by the wide sweeps
    ISLAND_DOUBTED, // by sweeps, and by Newton's method after them where they have not converged
    ISLAND_DIRECT,  // by Newton's method
} island_way;

typedef struct island_entry {
    uint32_t body_count, contact_count, row_count;
    uint32_t pair_count;       // touching pairs of its bodies
    double heaviest, lightest; // masses of its bodies
    bool awake;                // one of its bodies is, so that all of them are from now on
    bool supported;            // something immovable touches or holds it
    island_way way;
    uint32_t first_body, first_contact, first_row; // in the lists below; of islands that are listed
} island_entry;

typedef struct island_set {
    size_t count;
    island_entry *islands;              // in the order of their lowest slots
    uint32_t *of_slot;                  // NO_ISLAND for immovable bodies and for those without contacts and joints
    uint32_t *place_of_slot;            // in `bodies`; only where the island is listed
    uint32_t *bodies, *contacts, *rows; // of doubted and direct islands: slots, indices of contacts and of joint rows
    size_t body_count, contact_count, row_count;
    size_t swept_contacts; // of swept and doubted islands
    size_t swept_rows;     // of swept islands
} island_set;

// Finds the islands of the step's contacts and joint rows and decides their ways. Memory comes from the world's
// scratch; false when there is none.
bool islands_find(scree_world *world, const joint_row *rows, size_t row_count, island_set *set);

static inline bool island_is_listed(const island_entry *island)
{
    return island->way == ISLAND_DOUBTED || island->way == ISLAND_DIRECT;
}

// The island of a joint row; NULL when it moves nothing.
island_entry *island_of_row(const scree_world *world, const island_set *set, const joint_row *row);

// The island of a contact, by either of its bodies that can move.
static inline island_entry *island_of_contact(const island_set *set, const contact *c)
{
    return &set->islands[set->of_slot[c->a] != NO_ISLAND ? set->of_slot[c->a] : set->of_slot[c->b]];
}

#endif
