// Stepping a world of Scree while measuring it.
#ifndef BENCH_MEASURE_STEPPING_H
#define BENCH_MEASURE_STEPPING_H

#include "bench/benchmarks.h"

// Takes options->steps steps, the last ones timed, and fills in everything but the overlap. `bodies` counts the moving
// ones, `resident_before` is the resident memory from before the world was made.
scree_status step_world(scree_world *world, const bench_options *options, size_t bodies, double resident_before,
                        step_result *result, scree_error *error);

// The same with something done before every step, which is not timed; `before` may be NULL.
typedef scree_status before_step(void *context, scree_error *error);
scree_status step_world_after(scree_world *world, const bench_options *options, size_t bodies, double resident_before,
                              before_step *before, void *context, step_result *result, scree_error *error);

#endif
