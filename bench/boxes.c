// Boxes: detection in a settled heap of cubes, from bodies to contact points with full data, as the steps of the engine
// do it; the least time of a few steps.
#include <math.h>

#include "bench/benchmarks.h"
#include "bench/heap.h"
#include "bench/json_line.h"
#include "bench/measure.h"

enum { REPEATS = 12 };

scree_status bench_boxes(const bench_options *options, scree_error *error)
{
    cube_heap heap;
    scree_status status = cube_heap_make(&heap, options->boxes, options->threads, error);
    double broad = HUGE_VAL, narrow = HUGE_VAL;
    for (int i = 0; i < REPEATS && !status; i++) {
        status = scree_world_step(heap.world, 1, error);
        scree_step_figures step = scree_world_last_step(heap.world);
        broad = fmin(broad, step.stages.broad);
        narrow = fmin(narrow, step.stages.narrow);
    }
    if (status)
        return status;
    scree_figures figures = scree_world_figures(heap.world);
    json_line line = json_line_begin("boxes", "scree");
    json_line_count(&line, "bodies", heap.count);
    json_line_count(&line, "threads", (size_t)options->threads);
    json_line_number(&line, "wall_ms", 1e3 * (broad + narrow));
    json_line_number(&line, "broad_ms", 1e3 * broad);
    json_line_number(&line, "narrow_ms", 1e3 * narrow);
    json_line_count(&line, "contacts", figures.contacts);
    json_line_count(&line, "touching", figures.touching);
    json_line_number(&line, "kinetic_per_body", figures.kinetic / (double)heap.count);
    json_line_end(&line);
    cube_heap_free(&heap);
    return SCREE_OK;
}
