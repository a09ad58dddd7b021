// Figures of a run as a whole: means and extremes over its steps, and summary.json made from them.
//
// All values are doubles, counts too (exact to 2^53), so that a checkpoint stores them as they are and a resumed run
// goes on counting.
#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H

#include "step/snapshot.h"

typedef struct run_statistics {
    double wall_s; // in earlier sessions of the run
    double step_s; // in scree_run_step, output included; `row_` since the last row, without output
    double row_step_s, row_steps;
    double broad_s, narrow_s, prepare_s, solve_s, integrate_s, output_s;
    double contacts_sum, contacts_max, iterations_sum, residual_sum, residual_max; // over all steps
    double stopped[3]; // by scree_stop: how many steps ended so
    double deepest;    // penetration in any step, of the smaller radius
} run_statistics;

// Adds a step of the world that took `seconds` without output, with its deepest penetration.
void statistics_add(run_statistics *statistics, const scree_step_figures *figures, double deepest, double seconds);

scree_status statistics_save(const run_statistics *statistics, snapshot *state, scree_error *error);
scree_status statistics_load(run_statistics *statistics, const snapshot *state, scree_error *error);

typedef struct run_summary {
    const char *scene; // its name
    const scree_world *world;
    const run_statistics *statistics;
    double wall_s; // of all sessions
} run_summary;

scree_status summary_write(const run_summary *summary, const char *path, scree_error *error);

#endif
