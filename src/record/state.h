// The runner's own state as named arrays, in the form that a checkpoint stores beside the world's.
//
// It is a `snapshot` whose names and data belong to it: putting copies, releasing frees. So a state can be taken, rows
// be written, and the state be stored after that.
#ifndef RECORD_STATE_H
#define RECORD_STATE_H

#include "step/snapshot.h"

// Copies the data. `columns` is at least 1.
scree_status state_put(snapshot *state, const char *name, snapshot_type type, size_t rows, size_t columns,
                       const void *data, scree_error *error);
scree_status state_put_number(snapshot *state, const char *name, double value, scree_error *error);
scree_status state_put_count(snapshot *state, const char *name, uint64_t value, scree_error *error);
scree_status state_put_text(snapshot *state, const char *name, const char *text, scree_error *error);

// A list of names as one text after another.
scree_status state_put_names(snapshot *state, const char *name, const char *const *names, size_t count,
                             scree_error *error);

// Place of `wanted` in a stored list of names; SIZE_MAX when it is not there, or there is no such list.
size_t state_name_index(const snapshot *state, const char *name, const char *wanted);

// NULL when there is none.
const snapshot_field *state_find(const snapshot *state, const char *name);

// SCREE_ERROR_INVALID when the field is missing or has another type or shape.
scree_status state_get(const snapshot *state, const char *name, snapshot_type type, size_t rows, size_t columns,
                       const void **data, scree_error *error);
scree_status state_get_number(const snapshot *state, const char *name, double *value, scree_error *error);
scree_status state_get_count(const snapshot *state, const char *name, uint64_t *value, scree_error *error);

// Valid as long as the state; the text is one that state_put_text stored.
scree_status state_get_text(const snapshot *state, const char *name, const char **text, scree_error *error);

// Also for states that container_read made.
void state_release(snapshot *state);

#endif
