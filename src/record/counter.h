// Counters: how many bodies (or how much mass) went through a plane against its normal.
//
// A body is above the plane while normal . x >= offset. Each time its centre is found below after a step that it began
// above, it counts; on its way back it does not, and may count again after that. Fixed bodies do not count.
#ifndef RECORD_COUNTER_H
#define RECORD_COUNTER_H

#include "record/roster.h"
#include "record/row_set.h"
#include "scene/scene.h"

typedef struct counter {
    const scene_counter *def;   // of the scene
    double count;               // bodies or mass so far
    double row_count, row_time; // at the last row
} counter;

typedef struct counter_set {
    counter *counters;
    row_set files; // one each
    ARRAY(uint8_t)
    above; // by counter, then by moving body in the order of the roster
    ARRAY(double)
    crossed; // by block of bodies, then by counter: what crossed in this step
    int threads;
} counter_set;

// Counts from the world as it is or, for counters whose name `state` has, from where they were then;
// SCREE_ERROR_INVALID when one has another plane now. `state` and `keep` as for row_set_open.
scree_status counters_open(counter_set *set, const scene_output *output, const char *folder, const scree_world *world,
                           const body_roster *roster, const snapshot *state, bool keep, scree_error *error);

// After every step. O(bodies), without allocation, the same result for any number of threads.
scree_status counters_check(counter_set *set, const scree_world *world, const body_roster *roster, scree_error *error);

// After bodies were removed from the world, with the roster as it was before that.
void counters_forget(counter_set *set, const scree_world *world, const body_roster *before);

scree_status counters_row(counter_set *set, double time, scree_error *error);
scree_status counters_save(const counter_set *set, snapshot *state, scree_error *error);
void counters_close(counter_set *set);

#endif
