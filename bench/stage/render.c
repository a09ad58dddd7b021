// Pictures: a heap of spheres drawn frame by frame while the camera goes round, as a film is made of a run that does
// not wait for the disk: states copied, scene filled and aimed, drawn with all light, read back. The PNG file comes
// extra.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "view/painters/painters.h"
#include "view/world/world_bodies.h"
#include "view/world/world_picture.h"

enum { FRAMES = 12 };

typedef struct frame_times {
    double first_s, png_s; // of the first frame, with programs compiled on the way; of the last one's file
    timing others;
} frame_times;

typedef ARRAY(scree_body_def) body_array;

// A cone of spheres in shifted square layers, each a little off its place, on a floor: as a heap, it hides most of
// itself.
static bool place_heap(body_array *bodies, scree_shape_def *shapes, size_t count)
{
    const double slope = 0.5, layer = 0.70710678; // rise of the cone; distance of layers of unit balls
    double height = cbrt(3 * slope * slope * layer * (double)count / 3.14159265) + 1;
    random_stream stream = {1};
    for (long k = 0; bodies->count < count; k++) {
        double z = 0.5 + layer * (double)k, reach = fmax((height - z) / slope, 0) + 1;
        long across = (long)reach + 1;
        for (long j = -across; j <= across; j++)
            for (long i = -across; i <= across && bodies->count < count; i++) {
                double x = (double)i + 0.5 * (double)(k & 1), y = (double)j + 0.5 * (double)(k & 1);
                if (x * x + y * y > reach * reach)
                    continue;
                scree_body_def body = scree_default_body_def();
                scree_shape_def *shape = &shapes[bodies->count];
                *shape = scree_default_shape_def();
                shape->radius = random_between(&stream, 0.44, 0.5);
                body.position =
                    (scree_vec3){x + random_between(&stream, -0.05, 0.05), y + random_between(&stream, -0.05, 0.05), z};
                body.shapes = shape;
                body.shape_count = 1;
                if (!array_push(bodies, body))
                    return false;
            }
    }
    return true;
}

static scree_status make_heap(size_t count, scree_world **world, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    body_array bodies = {0};
    scree_shape_def floor = scree_default_shape_def(), *shapes = malloc(count * sizeof *shapes);
    scree_body_def ground = scree_default_body_def();
    floor.type = SCREE_SHAPE_PLANE;
    ground.fixed = true;
    ground.shapes = &floor;
    ground.shape_count = 1;
    *world = NULL;
    scree_status status =
        shapes && place_heap(&bodies, shapes, count) ? scree_world_create(&def, world, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = scree_world_add_bodies(*world, &ground, 1, NULL, error);
    if (status == SCREE_OK)
        status = scree_world_add_bodies(*world, bodies.data, bodies.count, NULL, error);
    array_free(&bodies);
    free(shapes);
    return status;
}

static scree_status time_png(const canvas *sheet, double *seconds, scree_error *error)
{
    char folder[4096], path[sizeof folder + 16];
    scree_status status = temporary_folder(folder, sizeof folder, error);
    if (status != SCREE_OK)
        return status;
    snprintf(path, sizeof path, "%s/frame.png", folder);
    double start = clock_seconds();
    status = canvas_save(sheet, path, error);
    *seconds = lap_seconds(&start);
    unlink(path);
    rmdir(folder);
    return status;
}

static scree_status draw_frames(const scree_world *world, world_picture_def *def, frame_times *found,
                                scree_error *error)
{
    world_bodies bodies = {0};
    step_times times;
    double start = clock_seconds();
    if (!step_times_make(&times, FRAMES))
        return fail_no_memory(error);
    scree_status status = SCREE_OK;
    for (int i = 0; status == SCREE_OK && i <= FRAMES; i++) {
        canvas sheet = {0};
        step_times_start(&times);
        def->azimuth += 0.05;
        status = world_bodies_read(&bodies, world, error);
        if (status == SCREE_OK)
            status = world_picture_draw(&bodies, def, &sheet, error);
        step_times_stop(&times, i > 0);
        if (i == 0)
            found->first_s = lap_seconds(&start);
        if (status == SCREE_OK && i == FRAMES)
            status = time_png(&sheet, &found->png_s, error);
        canvas_free(&sheet);
    }
    found->others = step_times_timing(&times);
    step_times_free(&times);
    world_bodies_free(&bodies);
    return status;
}

scree_status bench_render(const bench_options *options, scree_error *error)
{
    frame_times times = {0};
    scree_world *world = NULL;
    painters painter = {0};
    world_picture_def def = world_picture_default();
    def.width = options->width;
    def.height = options->height;
    def.color = BODY_COLOR_HEIGHT;
    def.threads = options->threads;
    scree_status status = painters_open(&painter, PAINTER_AUTO, error);
    def.painter = painters_use(&painter);
    if (status == SCREE_OK)
        status = make_heap(options->spheres, &world, error);
    if (status == SCREE_OK)
        status = draw_frames(world, &def, &times, error);
    if (status == SCREE_OK) {
        json_line line = json_line_begin("render", painter.opengl ? "opengl" : "software");
        json_line_count(&line, "bodies", options->spheres);
        json_line_count(&line, "width", options->width);
        json_line_count(&line, "height", options->height);
        json_line_count(&line, "threads", (size_t)options->threads);
        json_line_number(&line, "frame_s", 1e-3 * times.others.median);
        json_line_number(&line, "frame_least_s", 1e-3 * times.others.minimum);
        json_line_number(&line, "cpu_s", 1e-3 * times.others.cpu);
        json_line_repeats(&line, 1, times.others.count, times.others.median / times.others.minimum);
        json_line_number(&line, "first_s", times.first_s);
        json_line_number(&line, "png_s", times.png_s);
        json_line_number(&line, "memory_mb", memory_peak_bytes() / 1e6);
        json_line_end(&line);
    }
    painters_close(&painter);
    scree_world_destroy(world);
    return status;
}
