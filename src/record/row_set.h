// Row sets: the files probes/NAME.csv of one kind (probes, counters), opened, flushed and remembered together.
#ifndef RECORD_ROW_SET_H
#define RECORD_ROW_SET_H

#include "record/rows.h"
#include "step/snapshot.h"

typedef struct row_set {
    const char *kind; // prefix of the fields in a state
    row_file *files;
    const char **names;   // the texts belong to the scene
    const char **headers; // of the files
    size_t count;
} row_set;

// An empty set with room for `count` names and headers, to be filled in before row_set_open.
scree_status row_set_make(row_set *set, const char *kind, size_t count, scree_error *error);

// New files with their headers or, where `state` has the name, the old one cut back to where it was then; `keep` leaves
// what lies beyond. `state` may be NULL. `folder` is the run's.
scree_status row_set_open(row_set *set, const char *folder, const snapshot *state, bool keep, scree_error *error);

scree_status row_set_flush(row_set *set, scree_error *error);
scree_status row_set_sync(row_set *set, scree_error *error);
scree_status row_set_save(const row_set *set, snapshot *state, scree_error *error);

// Accepts one that was never made or not opened.
void row_set_close(row_set *set);

#endif
