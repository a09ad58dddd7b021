// Islands: movable bodies that contacts and joints tie together. What is solved in one has no effect on another, so
// each is solved on its own, in the way that suits it, and has the same result whatever else there is.
#ifndef RIGID_ISLANDS_H
#define RIGID_ISLANDS_H

#include "contact/step_problem.h"
#include "rigid/joints/joint_rows.h"

enum { NO_ISLAND = UINT32_MAX };

typedef enum island_solver {
    ISLAND_ASLEEP,             // none
    ISLAND_DONE,               // none any more: its step is taken (complementarity.c)
    ISLAND_SWEPT,              // the wide sweeps
    ISLAND_SWEPT_THEN_CHECKED, // sweeps, and Newton's method after them where they have not converged
    ISLAND_DIRECT,             // Newton's method
} island_solver;

typedef struct island_entry {
    uint32_t first_body, body_count; // in the lists of the set
    uint32_t first_contact, contact_count;
    uint32_t first_row, row_count;
    uint32_t first_fixed, fixed_count; // contacts with something immovable
    uint32_t first_joint, joint_count;
    uint32_t pair_count;       // touching pairs of its bodies
    double heaviest, lightest; // masses of its bodies
    uint32_t swept_before;     // of its bodies, how many were when they were solved last (solved_way)
    uint32_t factored_before;  // likewise by factors
    bool awake;                // one of its bodies is, so that all of them are from now on
    bool supported;            // something immovable touches or holds it
    bool pushed;               // a contact of it is pushed out fast, or bodies fly to where they meet
    bool flies;                // the latter
    bool done;                 // its bodies have taken the step
    island_solver solver;
} island_entry;

typedef struct island_set {
    size_t count;
    island_entry *islands;   // in the order of their lowest slots
    uint32_t *of_slot;       // NO_ISLAND for immovable bodies and for those without contacts and joints
    uint32_t *place_of_slot; // of bodies in islands: place in `bodies`
    uint32_t *bodies;        // slots, island by island; in each, a solver may put its own into another order
    uint32_t *contacts;      // indices of contacts, in the same way
    uint32_t *fixed;         // indices of contacts with something immovable
    uint32_t *rows;          // indices of joint rows
    uint32_t *joints;        // indices of joints that have rows
} island_set;

// Finds the islands of the step's contacts and joint rows and decides their solvers. Memory comes from `scratch`; false
// when there is none.
bool islands_find(const step_problem *problem, const joint_rows *joints, arena *scratch, island_set *set);

// The island of a joint row; NULL when it moves nothing.
island_entry *island_of_row(const step_problem *problem, const island_set *set, const joint_row *row);

// The island of a contact, by either of its bodies that can move.
static inline uint32_t island_index(const island_set *set, const contact *c)
{
    return set->of_slot[c->a] != NO_ISLAND ? set->of_slot[c->a] : set->of_slot[c->b];
}

static inline island_entry *island_of_contact(const island_set *set, const contact *c)
{
    return &set->islands[island_index(set, c)];
}

#endif
