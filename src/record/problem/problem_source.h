// The data sets of an open HDF5 file, read by path with everything checked: what the readers of problems share.
#ifndef RECORD_PROBLEM_PROBLEM_SOURCE_H
#define RECORD_PROBLEM_PROBLEM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/hdf5/driver.h"
#include "record/problem/problem_file.h"
#include "scree/status.h"

typedef struct source {
    hid_t file;
    size_t bytes; // of the file
} source;

typedef struct whole_set {
    int64_t *data; // free with free()
    size_t count;
} whole_set;

bool source_has(const source *from, const char *path);

// An array of whole or floating-point numbers of any shape (H5T_INTEGER, H5T_FLOAT), as int64_t or double with room for
// one more. The caller frees *data.
scree_status source_set(const source *from, const char *path, H5T_class_t kind, void **data, size_t *count,
                        scree_error *error);
scree_status source_whole_set(const source *from, const char *group, const char *name, whole_set *set,
                              scree_error *error);

// A single one.
scree_status source_whole(const source *from, const char *group, const char *name, int64_t *value, scree_error *error);

// Exactly `count` finite numbers.
scree_status source_numbers(const source *from, const char *group, const char *name, size_t count, double *to,
                            scree_error *error);

// problem_dump.c: the rows of a step, /scree.
scree_status read_dump(const source *from, problem_file *file, scree_error *error);

#endif
