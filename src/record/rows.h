// Row files: CSV that grows with the run and can be cut back to where it was at a checkpoint.
//
// Rows reach the system at every flush and the disk at every sync. Numbers are written with as few digits as give the
// same double back, so that a file is exact and two runs with the same bits write the same bytes.
#ifndef RECORD_ROWS_H
#define RECORD_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scene/document/scalar.h"
#include "scree/status.h"

typedef struct row_file {
    FILE *stream; // NULL when closed
    char *path;
    uint64_t size; // bytes, with what is still to be flushed
} row_file;

// A new file that holds the header line alone, whatever was there before.
scree_status rows_create(row_file *file, const char *path, const char *header, scree_error *error);

// Goes on with a file of at least `size` bytes; what lies beyond them is cut off, unless `keep` says to leave it.
scree_status rows_reopen(row_file *file, const char *path, uint64_t size, bool keep, scree_error *error);

scree_status rows_append(row_file *file, const double *values, size_t count, scree_error *error);
scree_status rows_flush(row_file *file, scree_error *error);
scree_status rows_sync(row_file *file, scree_error *error);

// Rows that were not flushed may be lost. Accepts one that is closed.
void rows_close(row_file *file);

enum { NUMBER_SIZE = REAL_TEXT_SIZE };

// The shortest decimal form that reads back as the same double, with a point whatever the locale; returns `text`.
const char *number_text(double value, char text[NUMBER_SIZE]);

#endif
