// Any scene, stepped and measured: what every experiment with a shipped scene is a call of. Events happen as in a run,
// nothing is written but the lines: time per step and stage, the solver's figures, and what the scene's own counters
// and probes say. Seconds of the stages are wall time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"
#include "bench/measure/stepping.h"
#include "scene/event.h"

typedef struct scene_bench {
    scree_scene *scene;
    scree_world *world;
    scree_id *ids; // of the bodies that move, and may be removed
    size_t count;
    double *below; // by counter: what was beyond its plane at the beginning
    uint64_t event;
    double resident_before;
} scene_bench;

static bool collect_moving(scene_bench *run)
{
    const scree_scene *scene = run->scene;
    size_t all = scene->body_count;
    for (size_t i = 0; i < scene->fill_count; i++)
        all += scene->fills[i].ids.count;
    run->ids = malloc((all ? all : 1) * sizeof *run->ids);
    run->below = calloc(scene->output.counter_count + 1, sizeof *run->below);
    if (!run->ids || !run->below)
        return false;
    for (size_t i = 0; i < scene->body_count; i++)
        if (!scene->bodies[i].def.fixed)
            run->ids[run->count++] = i + 1;
    for (size_t i = 0; i < scene->fill_count; i++)
        for (size_t k = 0; !scene->fills[i].def.fixed && k < scene->fills[i].ids.count; k++)
            run->ids[run->count++] = scene->fills[i].ids.first + k;
    return true;
}

static scree_status apply_events(void *context, scree_error *error)
{
    scene_bench *run = context;
    uint64_t before = run->event;
    double time = scree_world_step_figures(run->world).time;
    scree_status status = scene_apply_events(run->scene, run->world, time, &run->event, error);
    if (run->event == before)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < run->count; i++)
        if (scree_world_has_body(run->world, run->ids[i]))
            run->ids[kept++] = run->ids[i];
    run->count = kept;
    return status;
}

// How many bodies, or what mass, has its centre beyond the plane of a counter.
static scree_status count_beyond(const scene_bench *run, const scene_counter *counter, double *sum, scree_error *error)
{
    scree_status status = SCREE_OK;
    *sum = 0;
    for (size_t i = 0; i < run->count && status == SCREE_OK; i++) {
        scree_state state;
        scree_body_info info = {.mass = 1};
        status = scree_world_get_states(run->world, &run->ids[i], 1, &state, error);
        if (status != SCREE_OK || vec3_dot(counter->normal, state.position) >= counter->offset)
            continue;
        if (counter->of == COUNT_MASS)
            status = scree_world_get_body(run->world, run->ids[i], &info, error);
        *sum += info.mass;
    }
    return status;
}

static scree_status make_run(const bench_options *options, scene_bench *run, scree_error *error)
{
    *run = (scene_bench){.resident_before = memory_resident_bytes()};
    scree_status status = scree_scene_load(options->file, options->sets, options->set_count, &run->scene, error);
    if (status == SCREE_OK)
        status = scree_scene_build(run->scene, options->threads, &run->world, error);
    if (status == SCREE_OK && !collect_moving(run))
        status = fail_no_memory(error);
    for (size_t i = 0; status == SCREE_OK && i < run->scene->output.counter_count; i++)
        status = count_beyond(run, &run->scene->output.counters[i], &run->below[i], error);
    return status;
}

static void free_run(scene_bench *run)
{
    free(run->ids);
    free(run->below);
    scree_world_destroy(run->world);
    scree_scene_destroy(run->scene);
}

static scree_status print_counters(const scene_bench *run, json_line *line, scree_error *error)
{
    const scene_output *output = &run->scene->output;
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < output->counter_count && status == SCREE_OK; i++) {
        double now;
        status = count_beyond(run, &output->counters[i], &now, error);
        json_line_number(line, output->counters[i].name, now - run->below[i]);
    }
    return status;
}

// Where the bodies that are probed stand: NAME_x, NAME_y, NAME_z.
static scree_status print_probes(const scene_bench *run, json_line *line, scree_error *error)
{
    static const char axes[] = "xyz";
    const scene_output *output = &run->scene->output;
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < output->probe_count && status == SCREE_OK; i++) {
        const scene_probe *probe = &output->probes[i];
        scree_state state;
        if (probe->body == 0 || !scree_world_has_body(run->world, probe->body))
            continue;
        status = scree_world_get_states(run->world, &probe->body, 1, &state, error);
        const double at[3] = {state.position.x, state.position.y, state.position.z};
        for (int k = 0; k < 3 && status == SCREE_OK; k++) {
            char key[128];
            snprintf(key, sizeof key, "%.100s_%c", probe->name, axes[k]);
            json_line_number(line, key, at[k]);
        }
    }
    return status;
}

static scree_status print_line(const scene_bench *run, const step_result *result, scree_error *error)
{
    scree_figures figures = scree_world_figures(run->world);
    const double *stage = result->stage_ms; // broad, narrow, prepare, solve, integrate
    json_line line = step_result_begin("scene", "scree", result);
    json_line_text(&line, "scene", run->scene->name);
    json_line_text(&line, "variant", run->scene->variant);
    json_line_count(&line, "steps", figures.steps);
    json_line_number(&line, "time", figures.time);
    json_line_number(&line, "step_s", 1e-3 * result->time.mean);
    json_line_number(&line, "cpu_step_s", 1e-3 * result->time.cpu);
    json_line_number(&line, "detect_s", 1e-3 * (stage[0] + stage[1]));
    json_line_number(&line, "solve_s", 1e-3 * (stage[2] + stage[3]));
    json_line_number(&line, "residual_mean", figures.residual_mean);
    json_line_number(&line, "kinetic", figures.kinetic);
    json_line_count(&line, "sleeping", figures.sleeping);
    scree_status status = print_counters(run, &line, error);
    if (status == SCREE_OK)
        status = print_probes(run, &line, error);
    json_line_end(&line);
    return status;
}

// The steps up to line number `i`, of which the last ones are timed.
static scree_status measure_line(const bench_options *options, size_t steps, size_t i, scene_bench *run,
                                 scree_error *error)
{
    bench_options part = *options;
    step_result result;
    part.steps = steps * (i + 1) / options->lines - steps * i / options->lines;
    part.last = part.last < part.steps ? part.last : part.steps;
    scree_status status =
        step_world_after(run->world, &part, run->count, run->resident_before, apply_events, run, &result, error);
    if (status != SCREE_OK)
        return status;
    scree_figures figures = scree_world_figures(run->world);
    result.overlap.touching = figures.touching;
    result.overlap.mean = figures.penetration_mean;
    result.overlap.maximum = figures.penetration_max;
    return print_line(run, &result, error);
}

static scree_status measure_scene(const void *input, void *output, scree_error *error)
{
    const bench_options *options = input;
    scene_bench run;
    size_t *steps = output;
    scree_status status = make_run(options, &run, error);
    if (status == SCREE_OK) {
        *steps = options->steps ? options->steps : (size_t)fmax(1, round(run.scene->duration / run.scene->world.step));
        if (options->lines > *steps)
            status = fail(error, SCREE_ERROR_INVALID, "%zu lines are more than the %zu steps", options->lines, *steps);
    }
    for (size_t i = 0; i < options->lines && status == SCREE_OK; i++)
        status = measure_line(options, *steps, i, &run, error);
    free_run(&run);
    return status;
}

scree_status bench_scene(const bench_options *options, scree_error *error)
{
    size_t steps = 0;
    return measure_apart(measure_scene, options, &steps, sizeof steps, error);
}
