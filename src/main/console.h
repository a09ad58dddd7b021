// The words of the command line: error lines on stderr, tables on stdout, and figures as a human reads them.
#ifndef MAIN_CONSOLE_H
#define MAIN_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

#include "scree/status.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG = 2 };

// Prints one line "scree: ..." on stderr and returns `status`.
__attribute__((format(printf, 2, 3))) int complain(int status, const char *format, ...);

// Prints one line "scree: warning: ..." on stderr.
__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

// Prints the error and returns the exit status that belongs to it.
int complain_error(const scree_error *error);

// The same for a scene that was to be read: a scene file that is not there is wrong input as well.
int complain_scene_error(const scree_error *error);

// 2 for wrong input, 1 for everything that failed; when a scene was to be read, a file that cannot be read is wrong
// input.
int exit_status_of(scree_status status);
int scene_exit_status_of(scree_status status);

// A row of a table on stdout: the label in its column, then the text.
__attribute__((format(printf, 2, 3))) void print_row(const char *label, const char *format, ...);

// Writes out what is pending on stdout. A failed write turns success into EXIT_FAILED, with a message.
int flush_output(int status);

// A short text by value: format_count(n).text is good until the end of the full expression.
typedef struct short_text {
    char text[48];
} short_text;

__attribute__((format(printf, 1, 2))) short_text format_text(const char *format, ...);
short_text format_count(uint64_t count);                                     // 1,234,567
short_text format_plural(uint64_t count, const char *one, const char *many); // 1 body, 2 bodies
short_text format_duration(double seconds);                                  // 1.25 s, 2:05, 3:04:05
short_text format_bytes(double bytes);                                       // 12 kB, 3.4 MB

// `share` of `width` columns filled with '#', the rest with `rest`; `text` has room for width + 1.
void format_bar(char *text, size_t width, double share, char rest);

#endif
