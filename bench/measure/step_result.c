// The line of a measurement over steps: every engine says the same keys in the same order.
#include "bench/measure/step_result.h"

json_line step_result_begin(const char *bench, const char *engine, const step_result *result)
{
    json_line line = json_line_begin(bench, engine);
    if (result->setting)
        json_line_text(&line, "setting", result->setting);
    json_line_count(&line, "bodies", result->bodies);
    json_line_count(&line, "threads", (size_t)result->threads);
    json_line_number(&line, "ms_per_step", result->time.mean);
    json_line_number(&line, "ms_min", result->time.minimum);
    json_line_number(&line, "ms_median", result->time.median);
    json_line_number(&line, "ms_max", result->time.maximum);
    json_line_number(&line, "cpu_ms_per_step", result->time.cpu);
    json_line_number(&line, "cpu_ms_per_10ms", result->time.cpu * 0.01 / result->step_s);
    json_line_repeats(&line, result->warm_up, result->time.count, result->time.median / result->time.minimum);
    json_line_number(&line, "steps_per_s", 1e3 / result->time.mean);
    json_line_open(&line, "stages_ms");
    for (int i = 0; i < STEP_MAX_STAGES && result->stage_names[i]; i++)
        json_line_number(&line, result->stage_names[i], result->stage_ms[i]);
    json_line_close(&line);
    json_line_number(&line, "penetration_mean", result->overlap.mean);
    json_line_number(&line, "penetration_max", result->overlap.maximum);
    json_line_count(&line, "touching", result->overlap.touching);
    json_line_count(&line, "contacts", result->contacts);
    json_line_number(&line, "iterations", result->iterations);
    json_line_number(&line, "residual_max", result->residual_max);
    json_line_number(&line, "bytes_per_body", result->bytes_per_body);
    json_line_number(&line, "resident_per_body", result->resident_per_body);
    json_line_number(&line, "memory_mb", result->memory_bytes / 1e6);
    return line;
}
