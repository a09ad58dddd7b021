// Measuring: wall and processor time per step, memory of the process, and a process of its own per measurement.
#ifndef BENCH_MEASURE_MEASURE_H
#define BENCH_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "scree/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct step_times {
    double *wall_s; // of the steps that were kept
    size_t count, capacity;
    double cpu_s; // of those steps together, all threads of the process
    double wall_start, cpu_start;
} step_times;

// Room for `capacity` steps; false when out of memory.
bool step_times_make(step_times *times, size_t capacity);
void step_times_free(step_times *times);
void step_times_start(step_times *times);
void step_times_stop(step_times *times, bool keep);

typedef struct timing { // milliseconds per step
    double mean, minimum, median, maximum, cpu;
    size_t count; // of the steps that were kept
} timing;

// Sorts the times that were kept.
timing step_times_timing(step_times *times);

// Seconds of one thing that is measured again and again. No pointers: it may be the output of a measurement.
enum { SAMPLES_MOST = 512 };

typedef struct samples {
    double seconds[SAMPLES_MOST];
    size_t count;
} samples;

void samples_add(samples *taken, double seconds); // beyond SAMPLES_MOST they are left out
double samples_least(const samples *taken);       // HUGE_VAL of none
double samples_median(const samples *taken);

// Wall-clock seconds since *start, which is set to now.
double lap_seconds(double *start);

double cpu_seconds(void); // of all threads of the process since it began

double memory_peak_bytes(void);     // resident, since the process began
double memory_resident_bytes(void); // now; 0 where the system does not say

// A new folder for files of a measurement, below TMPDIR or else /tmp; its path is in `path`.
scree_status temporary_folder(char *path, size_t size, scree_error *error);

typedef scree_status measurement(const void *input, void *output, scree_error *error);

// Runs a measurement in a child process: what it finds is neither helped nor burdened by what ran before. `output`
// is a plain struct of `size` bytes without pointers into the child. No thread may have been started before.
scree_status measure_apart(measurement *measure, const void *input, void *output, size_t size, scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
