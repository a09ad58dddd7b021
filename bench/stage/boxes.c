// Boxes: detection in a settled heap of cubes, from bodies to contact points with full data, as the steps of the engine
// do it: broad and narrow phase, filter by velocity, impulses remembered. The same state is detected again and again,
// and the least time counts. On one thread that is processor time, so that other work on the machine does not count;
// with more of them the system's account of the others lags behind, and wall time alone is given.
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/scene/heap.h"
#include "contact/detect_step.h" // a stage is measured from inside
#include "world/method.h"

enum { REPEATS = 200 };

typedef struct detection_times {
    samples cpu, wall, broad, narrow;
} detection_times;

static scree_status measure_detection(scree_world *world, detection_times *times, scree_error *error)
{
    scree_status status = SCREE_OK;
    *times = (detection_times){0};
    for (int i = 0; i < REPEATS && !status; i++) {
        arena_reset(&world->scratch);
        stages_begin(world);
        double start = cpu_seconds();
        status = detect_contacts(world, NULL, error);
        samples_add(&times->cpu, cpu_seconds() - start);
        samples_add(&times->wall, world->last.broad + world->last.narrow);
        samples_add(&times->broad, world->last.broad);
        samples_add(&times->narrow, world->last.narrow);
    }
    return status;
}

scree_status bench_boxes(const bench_options *options, scree_error *error)
{
    cube_heap heap;
    detection_times times;
    scree_status status = cube_heap_make(&heap, options->boxes, options->threads, error);
    if (status)
        return status;
    status = measure_detection(heap.world, &times, error);
    if (status) {
        cube_heap_free(&heap);
        return status;
    }
    scree_figures figures = scree_world_figures(heap.world);
    json_line line = json_line_begin("boxes", "scree");
    json_line_count(&line, "bodies", heap.count);
    json_line_count(&line, "threads", (size_t)options->threads);
    if (options->threads == 1)
        json_line_number(&line, "cpu_ms", 1e3 * samples_least(&times.cpu));
    json_line_number(&line, "wall_ms", 1e3 * samples_least(&times.wall));
    json_line_repeats(&line, 0, REPEATS, samples_median(&times.wall) / samples_least(&times.wall));
    json_line_number(&line, "broad_ms", 1e3 * samples_least(&times.broad));
    json_line_number(&line, "narrow_ms", 1e3 * samples_least(&times.narrow));
    json_line_count(&line, "contacts", figures.contacts);
    json_line_count(&line, "touching", figures.touching);
    json_line_number(&line, "kinetic_per_body", figures.kinetic / (double)heap.count);
    json_line_end(&line);
    cube_heap_free(&heap);
    return SCREE_OK;
}
