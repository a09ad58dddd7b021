// One island while it is being solved: its own bodies, contacts and joints, in an order that follows from ids and
// places alone, and memory and threads to solve it with.
//
//     direct.h     by Newton's method
//     swept.h      by sweeps
//     push_out.h   again without push-out, so that it moves bodies and stays in no velocity
//     rebound.h    again without rebounds, where those create energy
#ifndef RIGID_ISLAND_RUN_H
#define RIGID_ISLAND_RUN_H

#include "contact/row.h"
#include "rigid/islands.h"
#include "solve/newton/newton.h"
#include "solve/sweep/problem.h"

typedef struct island_outcome {
    scree_algorithm algorithm;
    int iterations;
    scree_stop stop;
    double error_sum, error_max; // residuals of contacts and rows
    size_t constraints;
} island_outcome;

// A body so heavy that what light ones do to its velocity is less than the swept problem stores.
typedef struct heavy_body {
    uint32_t place;
    body_velocity end, position; // all digits; the second is of use when anything is pushed
} heavy_body;

typedef struct island_run {
    const step_problem *problem;
    island_set *set;
    const island_entry *island;
    joint_rows *joints;
    arena *scratch;
    int threads;
    bool alone;                              // no other island is being solved at the same time
    vec3 *trial_velocity[2], *trial_spin[2]; // by slot, where there are joints; of this island's bodies alone

    island direct;                    // movable bodies first
    contact_problem swept;            // movable bodies first, in the order of cells
    cell_list cells;                  // in whose order the contacts are
    size_t fixed_count;               // immovable bodies of the swept problem
    size_t ordinary_count;            // contacts in tiles; those of wide bodies come behind them
    uint8_t *is_wide;                 // by body of the swept problem; NULL when none is
    arena_mark kept;                  // what was taken before it outlives the run: velocities of the swept problem
    void *position_velocities;        // those of the swept problem with push-out; NULL when nothing is pushed
    body_velocity *position_velocity; // those of the direct one, by place; NULL when nothing is pushed
    heavy_body *heavy;                // of the swept problem, by place
    size_t heavy_count;
    bool is_direct; // which of the two holds the solution
    island_outcome outcome;
} island_run;

static inline const uint32_t *run_bodies(const island_run *run)
{
    return run->set->bodies + run->island->first_body;
}

static inline const uint32_t *run_contacts(const island_run *run)
{
    return run->set->contacts + run->island->first_contact;
}

// Place of a movable body in the island.
static inline uint32_t run_place(const island_run *run, uint32_t slot)
{
    return run->set->place_of_slot[slot] - run->island->first_body;
}

// Puts bodies into the order of cells of that edge, and contacts into that of their bodies, so that neither depends on
// where they stand in memory; then adds the pull of the contacts to the loads, and drops impulses that are no good to
// start from.
bool run_order(island_run *run, double edge);

// Is nothing in it faster than what gravity gives in three steps, in free motion? It may be at rest.
bool run_is_slow(const island_run *run);

// The velocity of a body by its place, as the last solve left it; and by which it moves.
body_velocity run_velocity(const island_run *run, size_t place);
body_velocity run_position_velocity(const island_run *run, size_t place);

// Gives a body another velocity than the one that was solved for.
void run_set_velocity(island_run *run, size_t place, body_velocity velocity);

// Solves again from the impulses found, with other biases.
scree_status run_solve_again(island_run *run, row_bias *bias, int iterations, scree_error *error);

#endif
