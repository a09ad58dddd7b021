// Growth: the same pile at three sizes. Its depth does not depend on its size, so time per body and bytes per body
// would be the same at every size if the engine were wholly linear and memory equally fast. Processor time, since it is
// hardly disturbed by what else runs on the machine.
#include "bench/benchmarks.h"

scree_status bench_growth(const bench_options *options, scree_error *error)
{
    static const size_t factors[] = {1, 4, 16};
    double first_us = 0, first_bytes = 0;
    for (int i = 0; i < 3; i++) {
        bench_options sized = *options;
        sized.spheres = options->spheres * factors[i];
        step_result result;
        scree_status status = pile_measure(&sized, &result, error);
        if (status != SCREE_OK)
            return status;
        double us = 1e3 * result.time.cpu / (double)result.bodies;
        if (i == 0) {
            first_us = us;
            first_bytes = result.bytes_per_body;
        }
        json_line line = step_result_begin("growth", "scree", &result);
        json_line_number(&line, "cpu_us_per_body", us);
        json_line_number(&line, "time_ratio", us / first_us);
        json_line_number(&line, "bytes_ratio", result.bytes_per_body / first_bytes);
        json_line_end(&line);
    }
    return SCREE_OK;
}
