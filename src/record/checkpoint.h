// Checkpoints: all that a run needs to go on with the same bits, in one HDF5 file that is whole or is refused.
//
//     0    512                                      length
//     | head |  HDF5: /world (the snapshot), /run (the runner's state)  |
//
// The head (an HDF5 user block, so h5dump and h5py open the file as it is) holds a magic word, the format's version,
// the file's length and a hash of all that follows. The reader checks these before HDF5 sees the file, since HDF5 is
// not safe against damage.
#ifndef RECORD_CHECKPOINT_H
#define RECORD_CHECKPOINT_H

#include "base/array.h"
#include "step/snapshot.h"

// Every /run group has these; the rest is the runner's.
typedef struct checkpoint_header {
    const char *scene; // name of the scene; valid until the checkpoint is closed
    const char *scree; // version that wrote it
    uint64_t step;
    double time;
    uint64_t bodies;
} checkpoint_header;

typedef struct checkpoint {
    checkpoint_header header;
    snapshot run; // the runner's state
    char *path;
    int descriptor;
} checkpoint;

// Writes checkpoint-<step>.h5 in the folder, then deletes all but the newest two and those of later steps (which are
// damaged, or the run would have gone on from them). `run` must hold what checkpoint_put_header puts.
scree_status checkpoint_write(const char *folder, const snapshot *world, const snapshot *run, uint64_t step,
                              scree_error *error);

scree_status checkpoint_put_header(snapshot *run, const checkpoint_header *header, scree_error *error);

// True when the file begins like a checkpoint, whole or not.
bool checkpoint_recognize(const char *path);

// Verifies the file and reads the runner's state. SCREE_ERROR_IO: missing, unreadable, damaged or not a checkpoint;
// SCREE_ERROR_INVALID: whole, but of a format that this version does not know.
scree_status checkpoint_open(const char *path, checkpoint *opened, scree_error *error);

// A new world in the stored state. `threads` as in scree_world_def.
scree_status checkpoint_world(const checkpoint *opened, int threads, scree_world **world, scree_error *error);

void checkpoint_close(checkpoint *opened); // accepts one that failed to open, or is all zero

typedef ARRAY(uint64_t) step_array;

// Steps of the checkpoints in a folder, rising; damaged ones too. The caller frees the array.
scree_status checkpoint_list(const char *folder, step_array *steps, scree_error *error);

// "folder/checkpoint-<step>.h5" as a new string; NULL when out of memory.
char *checkpoint_path(const char *folder, uint64_t step);

// Opens the newest checkpoint that is whole. SCREE_ERROR_INVALID when the folder has none at all, SCREE_ERROR_IO when
// all are damaged. `passed`, unless it is NULL, says what is wrong with the newest one where another was opened, and is
// SCREE_OK where the newest is whole.
scree_status checkpoint_open_newest(const char *folder, checkpoint *opened, scree_error *passed, scree_error *error);

// The step in a file name "checkpoint-<step>.h5"; false for any other name.
bool checkpoint_name_step(const char *name, uint64_t *step);

#endif
