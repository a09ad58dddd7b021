// A world as named arrays: all that a checkpoint must hold for the run to go on with the same bits.
//
// Taking a snapshot borrows the world's own arrays (valid until the world changes); restoring copies and validates
// every value, so that a snapshot from a damaged file is refused with a message instead of trusted.
#ifndef STEP_SNAPSHOT_H
#define STEP_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "scree/world.h"

typedef enum snapshot_type {
    SNAPSHOT_U8,
    SNAPSHOT_U16,
    SNAPSHOT_U32,
    SNAPSHOT_U64,
    SNAPSHOT_F32,
    SNAPSHOT_F64
} snapshot_type;

typedef struct snapshot_field {
    const char *name; // lower case, letters, digits and underscores
    snapshot_type type;
    size_t rows, columns; // row-major
    const void *data;
} snapshot_field;

enum { SNAPSHOT_MAX_FIELDS = 48 };

typedef struct snapshot {
    snapshot_field fields[SNAPSHOT_MAX_FIELDS];
    size_t count;
    void *owned; // scratch of the snapshot itself
} snapshot;

size_t snapshot_element_size(snapshot_type type);

scree_status snapshot_take(const scree_world *world, snapshot *fields, scree_error *error);
void snapshot_release(snapshot *fields);

// A new world in exactly that state. Fields may come in any order. `threads` as in scree_world_def.
scree_status snapshot_restore(const snapshot *fields, int threads, scree_world **world, scree_error *error);

#endif
