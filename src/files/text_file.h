// Reading plain text: lines, words, numbers, and errors that say FILE:LINE.
//
// Readers work on whole files in memory and never trust a count that a file gives: memory grows with what was read.
#ifndef FILES_TEXT_FILE_H
#define FILES_TEXT_FILE_H

#include "base/array.h"
#include "scree/status.h"

typedef ARRAY(char) file_bytes;

// The largest file of a geometry: 4 GB, or 80 million triangles of a binary STL.
#define LARGEST_GEOMETRY_FILE ((size_t)4 << 30)

// A whole regular file of at most `most` bytes. SCREE_ERROR_IO when it cannot be read, SCREE_ERROR_INVALID when it is
// larger, or a device, a pipe or a folder.
scree_status file_bytes_read(const char *path, size_t most, file_bytes *bytes, scree_error *error);

// The index of the ending of `path` among `endings`, "obj\0stl\0...", whatever its case; -1 when it is none of them.
int file_ending(const char *path, const char *const *endings, int count);

// SCREE_ERROR_INVALID: that the ending is unknown, and which ones are accepted.
scree_status fail_ending(scree_error *error, const char *path, const char *what, const char *const *endings, int count);

typedef struct text_scan {
    const char *name; // of the file, for messages
    const char *at;   // the rest of the current line is [at, line_end)
    const char *line_start, *line_end, *end;
    size_t line;       // from 1; 0 before the first
    const char *stops; // words end at white space, and at these
} text_scan;

text_scan text_scan_of(const char *name, const char *bytes, size_t size);

// Goes to the next line; false at the end of the text.
bool text_next_line(text_scan *scan);

typedef struct text_word {
    const char *start;
    size_t length;
} text_word;

// The next word of the current line; false when there is none left.
bool text_next_word(text_scan *scan, text_word *word);

// Whether a word is this one; `word_is_like` in any case.
bool word_is(text_word word, const char *text);
bool word_is_like(text_word word, const char *text);

// A decimal number; false for anything else, infinities and NaN included.
bool word_real(text_word word, double *value);
bool word_whole(text_word word, int64_t *value);

// The next `count` words of the line as finite numbers.
bool text_reals(text_scan *scan, double *values, size_t count);

// SCREE_ERROR_INVALID with "NAME:LINE: " before the message.
__attribute__((format(printf, 3, 4))) scree_status text_fail(const text_scan *scan, scree_error *error,
                                                             const char *format, ...);

#endif
