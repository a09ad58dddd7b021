// One JSON object on one line of stdout, written key by key.
#ifndef BENCH_MEASURE_JSON_LINE_H
#define BENCH_MEASURE_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct json_line {
    bool needs_comma;
} json_line;

// Every line says first which benchmark and which engine it is about, and the commit of the build where it has one.
json_line json_line_begin(const char *bench, const char *engine);
void json_line_text(json_line *line, const char *key, const char *text);
void json_line_count(json_line *line, const char *key, size_t value);
void json_line_number(json_line *line, const char *key, double value); // null when not finite
// How a time was taken: what ran before it untimed, what was timed, and how far its median lies above its least.
void json_line_repeats(json_line *line, size_t warm_up, size_t repeats, double median_over_least);
void json_line_open(json_line *line, const char *key); // a nested object
void json_line_close(json_line *line);
void json_line_end(json_line *line); // ends the line and flushes it

#ifdef __cplusplus
}
#endif

#endif
