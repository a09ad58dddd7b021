// Height fields from files: grey PNG of 8 or 16 bits, TIFF of numbers, and plain text grids.
//
// All are read as maps: the first row of the file is the one with the largest y, as it is on a screen. Text has one row
// of numbers per line, # begins a comment, and the header of ESRI grids (.asc) is understood. Grey images give samples
// from 0 to 1, all else gives its numbers.
#ifndef FILES_HEIGHT_FILE_H
#define FILES_HEIGHT_FILE_H

#include "base/array.h"
#include "scree/status.h"

typedef struct height_samples {
    size_t columns, rows;
    ARRAY(float) samples; // by row from the smallest y, x fastest
    double spacing;       // between samples where the file says so, else 0
} height_samples;

typedef enum height_format { HEIGHT_PNG, HEIGHT_TIFF, HEIGHT_TEXT, HEIGHT_FORMATS } height_format;

// Reads samples in the format that the ending of the name tells. Nothing is left in `samples` on failure.
scree_status height_file_load(const char *path, height_samples *samples, scree_error *error);

// The same from memory; `name` is for messages.
scree_status height_file_read(height_format format, const char *name, const char *bytes, size_t size,
                              height_samples *samples, scree_error *error);

void height_samples_free(height_samples *samples);

// For the readers of the formats: these fill `samples` from the first row of the file on, and set columns and rows.
scree_status height_png_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                             scree_error *error);
scree_status height_tiff_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                              scree_error *error);
scree_status height_text_read(const char *name, const char *bytes, size_t size, height_samples *samples,
                              scree_error *error);

// The most columns and rows that a height field may have each, and the most samples: more is refused before memory is
// taken.
enum { MOST_HEIGHT_SIDE = 1 << 20, MOST_HEIGHT_SAMPLES = 1 << 28 };

scree_status height_check_size(const char *name, size_t columns, size_t rows, scree_error *error);

#endif
