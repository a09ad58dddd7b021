// Growth: the same pile at three sizes. Its depth does not depend on its size, so time per body and bytes per body
// would be the same at every size if the engine were wholly linear and memory equally fast. Processor time, since it is
// hardly disturbed by what else runs on the machine. What else uses its memory disturbs it all the same, for seconds or
// minutes: the sizes are measured in turns, there and back, and of each the least is taken.
#include <math.h>

#include "bench/benchmarks.h"

enum { SIZES = 3, TURNS = 6 };

static double us_per_body(const step_result *result)
{
    return 1e3 * result->time.cpu / (double)result->bodies;
}

static void say(const step_result *result, const step_result *smallest, double turns_spread)
{
    json_line line = step_result_begin("growth", "scree", result);
    json_line_count(&line, "turns", TURNS / SIZES);
    json_line_number(&line, "turns_spread", turns_spread);
    json_line_number(&line, "cpu_us_per_body", us_per_body(result));
    json_line_number(&line, "time_ratio", us_per_body(result) / us_per_body(smallest));
    json_line_number(&line, "bytes_ratio", result->bytes_per_body / smallest->bytes_per_body);
    json_line_end(&line);
}

scree_status bench_growth(const bench_options *options, scree_error *error)
{
    static const size_t factors[SIZES] = {1, 4, 16};
    static const int turns[TURNS] = {0, 1, 2, 2, 1, 0};
    step_result least[SIZES] = {{0}};
    double slowest[SIZES] = {0};
    for (int i = 0; i < TURNS; i++) {
        bench_options sized = *options;
        step_result *kept = &least[turns[i]], result;
        sized.spheres = options->spheres * factors[turns[i]];
        scree_status status = pile_measure(&sized, &result, error);
        if (status != SCREE_OK)
            return status;
        slowest[turns[i]] = fmax(slowest[turns[i]], result.time.cpu);
        if (kept->bodies == 0 || result.time.cpu < kept->time.cpu)
            *kept = result;
    }
    for (int i = 0; i < SIZES; i++)
        say(&least[i], &least[0], slowest[i] / least[i].time.cpu - 1);
    return SCREE_OK;
}
