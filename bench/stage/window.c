// The window's own cost: a falling pile in the thread that `scree view` gives it, as fast as it goes, looked at sixty
// times a second as a window does that nobody touches. What the simulation spends on being looked at is a part of its
// steps.
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "scree/scene.h"
#include "view/world/live.h"

static scree_status make_scene(size_t spheres, scree_scene **scene, scree_error *error)
{
    char text[640];
    int length = snprintf(text, sizeof text,
                          "time: { step: 0.01, duration: 1e6 }\n"
                          "solver: { sleep: false }\n"
                          "bodies:\n"
                          "  - name: box\n"
                          "    fixed: true\n"
                          "    shapes: [ { type: plane, normal: [0, 0, 1], offset: 0 },\n"
                          "      { type: plane, normal: [1, 0, 0], offset: -10 }, { type: plane, normal: [-1, 0, 0], "
                          "offset: -10 },\n"
                          "      { type: plane, normal: [0, 1, 0], offset: -10 }, { type: plane, normal: [0, -1, 0], "
                          "offset: -10 } ]\n"
                          "fills: [ { count: %zu, box: [[-10, -10, 0], [10, 10, 1e6]],\n"
                          "           shapes: [ { type: sphere, radius: [0.45, 0.55] } ] } ]\n",
                          spheres);
    return scree_scene_parse(text, (size_t)length, "pile", NULL, 0, scene, error);
}

static scree_status watch(live *pile, double seconds, live_moment *last, scree_error *error)
{
    const struct timespec pause = {.tv_nsec = 16666667};
    double end = clock_seconds() + seconds;
    bool is_new, seen = false;
    while (clock_seconds() < end) {
        const live_moment *moment = live_look(pile, &is_new);
        if (moment && moment->failed) {
            *error = moment->error;
            return moment->error.status;
        }
        if (moment) {
            *last = *moment;
            seen = true;
        }
        nanosleep(&pause, NULL);
    }
    return seen ? SCREE_OK : fail(error, SCREE_ERROR_INVALID, "--seconds: nothing was seen within %g s", seconds);
}

scree_status bench_window(const bench_options *options, scree_error *error)
{
    scree_scene *scene = NULL;
    live *pile = NULL;
    live_moment last = {0};
    scree_status status = make_scene(options->spheres, &scene, error);
    live_def def = {.scenes = &scene, .scene_count = 1, .threads = options->threads};
    if (status == SCREE_OK)
        status = live_open(&pile, &def, error);
    if (status == SCREE_OK) {
        live_set_speed(pile, 1e6);
        status = watch(pile, options->seconds, &last, error);
    }
    live_close(pile);
    scree_scene_destroy(scene);
    if (status != SCREE_OK)
        return status;
    json_line line = json_line_begin("window", "scree");
    json_line_count(&line, "bodies", options->spheres);
    json_line_count(&line, "threads", (size_t)options->threads);
    json_line_count(&line, "steps", last.steps);
    json_line_number(&line, "own_share", last.own_share);
    json_line_end(&line);
    return SCREE_OK;
}
