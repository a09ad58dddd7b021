// The run directory: taken by one run at a time, and cleared of an earlier run's files and of nothing else.
#ifndef RECORD_DIRECTORY_H
#define RECORD_DIRECTORY_H

#include <stdbool.h>

#include "scree/status.h"

typedef struct run_directory {
    char *path;
    int lock; // descriptor; -1 when closed
} run_directory;

// Makes the directory where it is missing and takes it: SCREE_ERROR_INVALID when another run has it now. A process that
// dies gives it back.
scree_status directory_open(run_directory *directory, const char *path, scree_error *error);
void directory_close(run_directory *directory);

// True when there is a scene, a summary or a checkpoint.
bool directory_holds_run(const char *path);

// SCREE_ERROR_IO when a folder of a run's own is a symbolic link: an earlier run is not cleared for one that could not
// be written in its place.
scree_status directory_refuse_links(const char *path, scree_error *error);

// Deletes what a run of Scree writes, the pictures that are made of it (`scene`.png and flow.png), and the folders
// probes/ and frames/ when nothing is left in them. Files that it does not know stay.
scree_status directory_clear(const char *path, const char *scene, scree_error *error);

// Deletes drafts that a killed run left.
scree_status directory_sweep(const char *path, scree_error *error);

#endif
