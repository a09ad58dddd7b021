// series.csv: one row of figures per output interval, the first at the start of the run.
#ifndef RECORD_SERIES_H
#define RECORD_SERIES_H

#include "record/rows.h"
#include "record/summary.h"

typedef struct series {
    row_file file;
} series;

// A new file, or with a `state` that series_save made, the old one cut back to where it was then; `keep` leaves what
// lies beyond.
scree_status series_open(series *series, const char *folder, const snapshot *state, bool keep, scree_error *error);

// Writes a row of the world as it is; step_ms is the mean since the last row, whose time begins anew in the statistics.
scree_status series_row(series *series, const scree_world *world, run_statistics *statistics, scree_error *error);

scree_status series_save(const series *series, snapshot *state, scree_error *error);

#endif
