// The closing figures of a run as summary.json holds them, and the table that `run` and `info` print from them.
#ifndef MAIN_CLOSING_TABLE_H
#define MAIN_CLOSING_TABLE_H

#include "scree/status.h"
#include "scree/types.h"

enum { STAGES = 6, FIGURE_TEXT = 128 };

typedef struct closing_figures {
    char version[FIGURE_TEXT], scene[FIGURE_TEXT], method[FIGURE_TEXT], algorithm[FIGURE_TEXT], backend[FIGURE_TEXT],
        state_hash[FIGURE_TEXT];
    double steps, time, bodies;
    double wall_s, ms_per_step;
    double stages_ms[STAGES]; // per step: broad, narrow, prepare, solve, integrate, output
    double contacts_final, contacts_mean, contacts_max, touching;
    double penetration_mean, penetration_max;
    double kinetic, potential;
    scree_vec3 momentum;
    double iterations_mean, residual_mean, residual_max, stable_step;
    double threads, ranks, memory_mb;
    double tolerance_missed, penetration_worst; // -1 where an older version wrote the summary
} closing_figures;

// Reads summary.json of a run directory.
scree_status closing_figures_read(const char *directory, closing_figures *figures, scree_error *error);

// On stdout; `directory` is where the run's files are looked up.
void closing_table_print(const closing_figures *figures, const char *directory);

#endif
