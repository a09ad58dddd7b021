// The benchmarks themselves and the options they take. Each prints its own lines; bench.c holds the table of them.
#ifndef BENCH_BENCHMARKS_H
#define BENCH_BENCHMARKS_H

#include "bench/measure/step_result.h"
#include "scree/world.h"

enum { BENCH_MOST_SETS = 32 };

typedef struct bench_options {
    size_t spheres, boxes;
    int threads;      // as in scree_world_def
    bool particles;   // by the penalty method, with the contacts of bench/scene/particles.h
    int method;       // of ellipsoids: 1 or 2; 0: both
    bool level;       // of a net: it begins to fall
    double ratio;     // of a stack: mass of the topmost cube
    double axes;      // of ellipsoids: longest over shortest semi-axis, at most
    double slack;     // of ellipsoids: how much wider the bounds of the broad phase are than need be
    bool ordered;     // of ellipsoids: neighbours in space are neighbours in memory, as a world keeps them
    int iterations;   // 0: the engine's default
    double tolerance; // negative: the engine's default
    scree_algorithm algorithm;
    size_t steps;                      // in all
    size_t last;                       // of those, how many at the end are timed
    int scene;                         // of detection: a detect_scene
    const char *stream;                // of detection: count, checksum or a file's name; NULL: all in memory
    size_t memory_mb;                  // for streaming
    const char *folder;                // of problems, for profiles; NULL: by the environment
    const char *chart;                 // a picture of the profiles; NULL: none
    double seconds;                    // most per solve; of a window: how long
    const char *file;                  // of a scene
    const char *sets[BENCH_MOST_SETS]; // overrides of it
    size_t set_count;
    size_t lines;         // how many on the way, evenly spread over the steps
    size_t width, height; // of a picture
} bench_options;

scree_status bench_pile(const bench_options *options, scree_error *error);
scree_status bench_stages(const bench_options *options, scree_error *error);
scree_status bench_residual(const bench_options *options, scree_error *error);
scree_status bench_bandwidth(const bench_options *options, scree_error *error);
scree_status bench_growth(const bench_options *options, scree_error *error);
scree_status bench_stack(const bench_options *options, scree_error *error);
scree_status bench_net(const bench_options *options, scree_error *error);
scree_status bench_cubes(const bench_options *options, scree_error *error);
scree_status bench_pyramid(const bench_options *options, scree_error *error);
scree_status bench_hulls(const bench_options *options, scree_error *error);
scree_status bench_track(const bench_options *options, scree_error *error);
scree_status bench_adding(const bench_options *options, scree_error *error);
scree_status bench_million(const bench_options *options, scree_error *error);
scree_status bench_gas(const bench_options *options, scree_error *error);
scree_status bench_well(const bench_options *options, scree_error *error);
scree_status bench_ellipsoids(const bench_options *options, scree_error *error);
scree_status bench_ellipsoid_counts(const bench_options *options, scree_error *error);
scree_status bench_ellipsoid_cases(const bench_options *options, scree_error *error);
scree_status bench_detect(const bench_options *options, scree_error *error);
scree_status bench_detect_stream(const bench_options *options, scree_error *error);
scree_status bench_profile(const bench_options *options, scree_error *error);
scree_status bench_scene(const bench_options *options, scree_error *error);
scree_status bench_boxes(const bench_options *options, scree_error *error);
scree_status bench_render(const bench_options *options, scree_error *error);
scree_status bench_window(const bench_options *options, scree_error *error);

// The definition of a world as the options and the comparison scenes want it.
scree_world_def bench_world_def(const bench_options *options);

// The world of the pile before its first step.
scree_status pile_world_make(const bench_options *options, scree_world **world, scree_error *error);

// Runs the pile in a process of its own, so that its memory is counted from nothing, and prints nothing.
scree_status pile_measure(const bench_options *options, step_result *result, scree_error *error);

#endif
