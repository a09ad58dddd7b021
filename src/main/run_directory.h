// The kind of a path given by the user, and the contents of a run directory.
#ifndef MAIN_RUN_DIRECTORY_H
#define MAIN_RUN_DIRECTORY_H

#include <limits.h>
#include <stdint.h>

#include "scree/status.h"

typedef enum path_kind { PATH_RUN, PATH_CHECKPOINT, PATH_SCENE } path_kind;

// A folder is a run; a file that begins like HDF5 is a checkpoint; any other file is a scene. SCREE_ERROR_INVALID when
// nothing is there or it cannot be read.
scree_status path_kind_of(const char *path, path_kind *kind, scree_error *error);

typedef struct run_files {
    uint64_t probes;                // files in probes/
    uint64_t frames;                // of bodies, in frames/
    char frame_entry[NAME_MAX + 1]; // what ParaView opens, in frames/; "" for none
    char checkpoint[NAME_MAX + 1];  // the newest; "" for none
} run_files;

// A file that cannot be read counts as not there.
run_files run_directory_list(const char *directory);

#endif
