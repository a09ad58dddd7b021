// Containers: named arrays in the groups of one HDF5 file, written to and read from an open descriptor.
//
// Arrays are plain contiguous little-endian data sets of two dimensions, readable with h5dump or h5py. Nothing that the
// library says reaches the terminal, and a full disk is an error like any other. Behind HDF5's last byte stands a table
// of contents of our own, and reading goes by that alone, so that a forged file is refused and cannot reach into HDF5.
#ifndef RECORD_HDF5_CONTAINER_H
#define RECORD_HDF5_CONTAINER_H

#include "step/snapshot.h"

typedef struct container_group {
    const char *name;
    const snapshot *arrays;
} container_group;

// Writes the whole file behind `head` bytes (a power of two, at least 512) that stay the caller's. `path` is for
// messages.
scree_status container_write(int descriptor, size_t head, const container_group *groups, size_t count, const char *path,
                             scree_error *error);

// All arrays of one group into an empty `arrays`; state_release frees them. A file that is not a container, that lacks
// the group, or whose table speaks of bytes that it does not have, is SCREE_ERROR_INVALID.
scree_status container_read(int descriptor, const char *group, snapshot *arrays, const char *path, scree_error *error);

#endif
