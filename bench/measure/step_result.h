// What is measured over the steps of a scene, for Scree and for its peers alike, and the JSON line that says it.
#ifndef BENCH_MEASURE_STEP_RESULT_H
#define BENCH_MEASURE_STEP_RESULT_H

#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/measure/overlap.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STEP_MAX_STAGES = 8 };

typedef struct step_result {
    const char *setting; // other than the engine's own; NULL: none
    size_t bodies;
    int threads;
    double step_s;  // simulated
    size_t warm_up; // steps before those that are timed
    timing time;
    const char *stage_names[STEP_MAX_STAGES]; // literals; NULL after the last
    double stage_ms[STEP_MAX_STAGES];         // mean wall time per timed step
    overlap_figures overlap;
    size_t contacts;          // that the engine worked on in the last step
    double iterations;        // mean per timed step
    double residual_max;      // worst of the timed steps; NaN where the engine does not say
    double bytes_per_body;    // by the engine's own count; NaN where it does not say
    double resident_per_body; // growth of the resident process over the run
    double memory_bytes;      // peak resident
} step_result;

// All keys but the end of the line, so that a benchmark can add its own.
json_line step_result_begin(const char *bench, const char *engine, const step_result *result);

#ifdef __cplusplus
}
#endif

#endif
