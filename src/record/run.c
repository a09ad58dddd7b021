// A run: the scene's world stepped to its end, with events, rows, frames and checkpoints in between.
//
// A step is: events that are due, the world's step, counters, then what is due of rows, frames, and a checkpoint. What
// is due is decided by step counts that are fixed when the run opens, so nothing drifts and a resumed run writes what
// an uninterrupted one would have. At a last step that is between two output times there is one more row, which is
// not part of the regular series: the state stored with the last checkpoint is that from before it, so that a longer
// run can go on as if it had never been written.
#include "scree/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "record/checkpoint.h"
#include "record/counter.h"
#include "record/directory.h"
#include "record/file.h"
#include "record/frames/frames.h"
#include "record/manifest.h"
#include "record/probe.h"
#include "record/problem/problem_file.h"
#include "record/series.h"
#include "record/state.h"
#include "rigid/capture.h"
#include "scene/event.h"
#include "scene/plan.h"
#include "scene/scene.h"
#include "scree/version.h"
#include "step/figures.h"

struct scree_run {
    const scree_scene *scene;
    run_directory directory;
    scree_world *world;
    run_plan plan;
    uint64_t step; // taken
    double time;
    double duration; // of all steps
    double cell;     // that scene.yaml tells
    uint64_t event;  // the next one
    body_roster roster;
    series series;
    probe_set probes;
    counter_set counters;
    frames frames;
    step_capture capture; // of the last step whose problem was due
    run_statistics statistics;
    double opened;       // clock
    char *checkpoint;    // path of the newest; NULL when there is none
    scree_error passed;  // what is wrong with the newest checkpoint that a resumed run passed over
    scree_error failure; // why the run cannot go on; SCREE_OK while it can
};

scree_run_def scree_default_run_def(void)
{
    return (scree_run_def){0};
}

static double wall_seconds(const scree_run *run)
{
    return run->statistics.wall_s + clock_seconds() - run->opened;
}

// ------------------------------------------------------------------------------------------------------ checkpoints

static scree_status take_state(const scree_run *run, snapshot *state, scree_error *error)
{
    const checkpoint_header header = {run->scene->name, scree_version(), run->step, run->time,
                                      scree_world_body_count(run->world)};
    run_statistics statistics = run->statistics;
    statistics.wall_s = wall_seconds(run);
    scree_status status = checkpoint_put_header(state, &header, error);
    if (status == SCREE_OK)
        status = state_put_count(state, "event", run->event, error);
    if (status == SCREE_OK)
        status = statistics_save(&statistics, state, error);
    if (status == SCREE_OK)
        status = series_save(&run->series, state, error);
    if (status == SCREE_OK)
        status = row_set_save(&run->probes.files, state, error);
    if (status == SCREE_OK)
        status = counters_save(&run->counters, state, error);
    if (status == SCREE_OK)
        status = frames_save(&run->frames, state, error);
    return status;
}

// The rows and frames that the state speaks of are on the disk before the checkpoint is.
static scree_status sync_outputs(scree_run *run, scree_error *error)
{
    scree_status status = rows_sync(&run->series.file, error);
    if (status == SCREE_OK)
        status = row_set_sync(&run->probes.files, error);
    if (status == SCREE_OK)
        status = row_set_sync(&run->counters.files, error);
    if (status == SCREE_OK)
        status = frames_sync(&run->frames, error);
    return status;
}

static scree_status write_checkpoint(scree_run *run, const snapshot *state, scree_error *error)
{
    snapshot world;
    char *path = checkpoint_path(run->directory.path, run->step);
    scree_status status = path ? sync_outputs(run, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = snapshot_take(run->world, &world, error);
    if (status == SCREE_OK) {
        status = checkpoint_write(run->directory.path, &world, state, run->step, error);
        snapshot_release(&world);
    }
    if (status != SCREE_OK) {
        free(path);
        return status;
    }
    free(run->checkpoint);
    run->checkpoint = path;
    return SCREE_OK;
}

static scree_status checkpoint_now(scree_run *run, scree_error *error)
{
    snapshot state = {0};
    scree_status status = take_state(run, &state, error);
    if (status == SCREE_OK)
        status = write_checkpoint(run, &state, error);
    state_release(&state);
    return status;
}

// --------------------------------------------------------------------------------------------------------- outputs

static scree_status write_rows(scree_run *run, scree_error *error)
{
    scree_status status = series_row(&run->series, run->world, &run->statistics, error);
    if (status == SCREE_OK)
        status = probes_row(&run->probes, run->world, run->time, error);
    if (status == SCREE_OK)
        status = counters_row(&run->counters, run->time, error);
    if (status == SCREE_OK)
        status = frames_add(&run->frames, run->world, &run->roster, error);
    return status;
}

// The problem that the last step solved.
static scree_status write_problem(const scree_run *run, scree_error *error)
{
    const step_capture *rows = &run->capture;
    scree_world_def def = scree_world_get_def(run->world);
    const problem_dump dump = {rows->bodies.data,
                               rows->ids.data,
                               rows->bodies.count,
                               rows->rows.data,
                               rows->gaps.data,
                               rows->rows.count,
                               rows->joints.data,
                               rows->joints.count,
                               run->step,
                               run->time,
                               def.step,
                               def.solver.friction == SCREE_FRICTION_EXACT,
                               def.solver.precision == SCREE_PRECISION_SINGLE};
    if (dump.row_count + dump.joint_count == 0)
        return SCREE_OK;
    char *path = problem_file_path(run->directory.path, run->step);
    scree_status status = path ? problem_file_write(path, &dump, error) : fail_no_memory(error);
    free(path);
    return status;
}

static scree_status write_closing_rows(scree_run *run, scree_error *error)
{
    snapshot before = {0};
    scree_status status = take_state(run, &before, error);
    if (status == SCREE_OK)
        status = write_rows(run, error);
    if (status == SCREE_OK)
        status = write_checkpoint(run, &before, error);
    state_release(&before);
    return status;
}

static bool is_due(uint64_t every, uint64_t step)
{
    return every > 0 && step % every == 0;
}

static scree_status write_outputs(scree_run *run, scree_error *error)
{
    bool last = run->step == run->plan.steps;
    if (is_due(run->plan.problems_every, run->step)) {
        scree_status status = write_problem(run, error);
        if (status != SCREE_OK)
            return status;
    }
    if (last && !is_due(run->plan.every, run->step))
        return write_closing_rows(run, error);
    scree_status status = is_due(run->plan.every, run->step) ? write_rows(run, error) : SCREE_OK;
    if (status == SCREE_OK && (last || is_due(run->plan.checkpoint_every, run->step)))
        status = checkpoint_now(run, error);
    return status;
}

// scene.yaml tells the edge of cells in use, so that running it gives the same bits whatever bodies are added to it.
// A world may decide that edge in a step.
static scree_status write_manifest(scree_run *run, scree_error *error)
{
    run->cell = scree_world_get_def(run->world).solver.cell;
    return manifest_write(run->directory.path, run->scene, run->duration, run->cell, error);
}

static scree_status update_manifest(scree_run *run, scree_error *error)
{
    return scree_world_get_def(run->world).solver.cell == run->cell ? SCREE_OK : write_manifest(run, error);
}

// ----------------------------------------------------------------------------------------------------------- steps

static scree_status apply_events(scree_run *run, scree_error *error)
{
    uint64_t before = run->event;
    scree_status status = scene_apply_events(run->scene, run->world, run->time, &run->event, error);
    if (status != SCREE_OK || run->event == before)
        return status;
    counters_forget(&run->counters, run->world, &run->roster);
    return roster_read(&run->roster, run->world, error);
}

static scree_status take_step(scree_run *run, scree_error *error)
{
    double start = clock_seconds();
    scree_status status = apply_events(run, error);
    world_capture(run->world, is_due(run->plan.problems_every, run->step + 1) ? &run->capture : NULL);
    if (status == SCREE_OK)
        status = scree_world_step(run->world, 1, error);
    if (status != SCREE_OK && run->world->lost)
        scene_blame_body(run->scene, run->world->lost, status, error);
    if (status == SCREE_OK)
        status = counters_check(&run->counters, run->world, &run->roster, error);
    if (status != SCREE_OK)
        return status;
    scree_step_figures figures = scree_world_step_figures(run->world);
    run->step = figures.steps;
    run->time = figures.time;
    double stepped = clock_seconds();
    statistics_add(&run->statistics, &figures, contacts_deepest(run->world), stepped - start);
    status = update_manifest(run, error);
    if (status == SCREE_OK)
        status = write_outputs(run, error);
    double output = clock_seconds() - stepped;
    run->statistics.output_s += output;
    run->statistics.step_s += output;
    return status;
}

// --------------------------------------------------------------------------------------------------------- opening

static scree_status open_outputs(scree_run *run, const snapshot *state, scree_error *error)
{
    const char *folder = run->directory.path;
    const scene_output *output = &run->scene->output;
    int threads = scree_world_get_def(run->world).threads;
    threads = threads > 0 ? threads : threads_available();
    bool keep = state && run->step == run->plan.steps; // nothing will be added to what is there
    scree_status status = roster_read(&run->roster, run->world, error);
    if (status == SCREE_OK)
        status = series_open(&run->series, folder, state, keep, error);
    if (status == SCREE_OK)
        status = probes_open(&run->probes, output, folder, state, keep, error);
    if (status == SCREE_OK)
        status = counters_open(&run->counters, output, folder, run->world, &run->roster, state, keep, error);
    if (status == SCREE_OK)
        status = frames_open(&run->frames, run->scene, folder, threads, state, keep, error);
    return status;
}

// An earlier run goes only when the new world stands.
static scree_status start(scree_run *run, const scree_run_def *def, scree_error *error)
{
    if (!def->force && directory_holds_run(def->directory))
        return fail(error, SCREE_ERROR_INVALID,
                    "%s holds a run already; carry it on with --resume or replace it with --force", def->directory);
    scree_status status = scree_scene_build(run->scene, def->threads, &run->world, error);
    if (status == SCREE_OK)
        status = directory_open(&run->directory, def->directory, error);
    if (status == SCREE_OK && def->force)
        status = directory_refuse_links(def->directory, error);
    if (status == SCREE_OK && def->force)
        status = directory_clear(def->directory, run->scene->name, error);
    if (status == SCREE_OK)
        status = write_manifest(run, error);
    if (status == SCREE_OK)
        status = open_outputs(run, NULL, error);
    if (status == SCREE_OK)
        status = write_rows(run, error);
    if (status == SCREE_OK && run->plan.steps == 0)
        status = checkpoint_now(run, error);
    return status;
}

static scree_status restore(scree_run *run, const scree_run_def *def, const checkpoint *from, scree_error *error)
{
    scree_status status = checkpoint_world(from, def->threads, &run->world, error);
    if (status == SCREE_OK)
        status = statistics_load(&run->statistics, &from->run, error);
    if (status == SCREE_OK)
        status = state_get_count(&from->run, "event", &run->event, error);
    if (status != SCREE_OK)
        return status;
    scree_step_figures figures = scree_world_step_figures(run->world);
    run->step = figures.steps;
    run->time = figures.time;
    if (run->step != from->header.step || run->event > run->scene->event_count)
        return fail(error, SCREE_ERROR_INVALID, "%s does not belong to this scene", from->path);
    run->checkpoint = strdup(from->path);
    return run->checkpoint ? open_outputs(run, &from->run, error) : fail_no_memory(error);
}

static scree_status resume_from(scree_run *run, const scree_run_def *def, const checkpoint *from, scree_error *error)
{
    if (from->header.step > run->plan.steps)
        return fail(error, SCREE_ERROR_INVALID, "%s is at step %llu, beyond the %llu steps asked for", from->path,
                    (unsigned long long)from->header.step, (unsigned long long)run->plan.steps);
    scree_status status = restore(run, def, from, error);
    if (status == SCREE_OK)
        status = directory_sweep(run->directory.path, error);
    if (status == SCREE_OK)
        status = write_manifest(run, error);
    // Until it is closed again the run has no summary.
    char *closing = path_join(run->directory.path, "summary.json");
    if (status == SCREE_OK)
        status = closing ? file_remove(closing, error) : fail_no_memory(error);
    free(closing);
    return status;
}

static scree_status resume(scree_run *run, const scree_run_def *def, scree_error *error)
{
    if (def->force)
        return fail(error, SCREE_ERROR_INVALID, "--resume and --force exclude each other");
    if (!directory_holds_run(def->directory))
        return fail(error, SCREE_ERROR_INVALID, "%s holds no run to resume", def->directory);
    checkpoint from = {0};
    scree_status status = directory_open(&run->directory, def->directory, error);
    if (status == SCREE_OK)
        status = checkpoint_open_newest(def->directory, &from, &run->passed, error);
    if (status == SCREE_OK)
        status = manifest_check(def->directory, run->scene, error);
    if (status == SCREE_OK)
        status = resume_from(run, def, &from, error);
    checkpoint_close(&from);
    return status;
}

static void free_run(scree_run *run)
{
    rows_close(&run->series.file);
    row_set_close(&run->probes.files);
    counters_close(&run->counters);
    frames_close(&run->frames);
    roster_free(&run->roster);
    capture_free(&run->capture);
    scree_world_destroy(run->world);
    directory_close(&run->directory);
    free(run->checkpoint);
    free(run);
}

// ---------------------------------------------------------------------------------------------------------- public

scree_status scree_run_open(const scree_scene *scene, const scree_run_def *def, scree_run **run, scree_error *error)
{
    if (!scene || !def || !run)
        return fail_null(error, "scree_run_open");
    *run = NULL;
    if (!def->directory || !*def->directory)
        return fail(error, SCREE_ERROR_INVALID, "a run needs a directory");
    scree_run *opened = calloc(1, sizeof *opened);
    if (!opened)
        return fail_no_memory(error);
    opened->scene = scene;
    opened->opened = clock_seconds();
    opened->directory.lock = -1;
    opened->plan = scene_plan(scene, def->steps);
    opened->duration = def->steps ? (double)def->steps * scene->world.step : scene->duration;
    scree_status status = def->resume ? resume(opened, def, error) : start(opened, def, error);
    if (status == SCREE_OK)
        *run = opened;
    else
        free_run(opened);
    return status;
}

bool scree_run_done(const scree_run *run)
{
    if (!run)
        return true;
    return run->step >= run->plan.steps;
}

// A run that failed once stays failed: rows may be half written and the world may be past saving.
static scree_status keep_failure(scree_run *run, scree_status status, const scree_error *why, scree_error *error)
{
    if (status != SCREE_OK)
        run->failure = *why;
    if (status != SCREE_OK && error)
        *error = *why;
    return status;
}

scree_status scree_run_step(scree_run *run, scree_error *error)
{
    if (!run)
        return fail_null(error, "scree_run_step");
    scree_error why = run->failure;
    if (run->failure.status != SCREE_OK)
        return keep_failure(run, why.status, &why, error);
    if (scree_run_done(run))
        return fail(error, SCREE_ERROR_INVALID, "the run has taken all its %llu steps",
                    (unsigned long long)run->plan.steps);
    return keep_failure(run, take_step(run, &why), &why, error);
}

scree_status scree_run_set_interrupt(scree_run *run, scree_interrupt *ask, void *context, scree_error *error)
{
    if (!run)
        return fail_null(error, "scree_run_set_interrupt");
    return scree_world_set_interrupt(run->world, ask, context, error);
}

scree_status scree_run_checkpoint(scree_run *run, scree_error *error)
{
    if (!run)
        return fail_null(error, "scree_run_checkpoint");
    scree_error why = run->failure;
    uint64_t step;
    if (run->failure.status != SCREE_OK)
        return keep_failure(run, why.status, &why, error);
    const char *name = run->checkpoint ? strrchr(run->checkpoint, '/') + 1 : "";
    if (checkpoint_name_step(name, &step) && step == run->step)
        return SCREE_OK; // it is there already
    return keep_failure(run, checkpoint_now(run, &why), &why, error);
}

const char *scree_run_checkpoint_path(const scree_run *run)
{
    if (!run)
        return "";
    return run->checkpoint ? run->checkpoint : "";
}

const char *scree_run_passed_over(const scree_run *run)
{
    if (!run)
        return "";
    return run->passed.message;
}

const scree_world *scree_run_world(const scree_run *run)
{
    if (!run)
        return NULL;
    return run->world;
}

scree_progress scree_run_progress(const scree_run *run)
{
    if (!run)
        return (scree_progress){0};
    return (scree_progress){run->step, run->plan.steps, clock_seconds() - run->opened};
}

scree_status scree_run_close(scree_run *run, scree_error *error)
{
    if (!run)
        return SCREE_OK;
    scree_status status = SCREE_OK;
    // The figures of a world that has diverged mean nothing.
    if (run->failure.status != SCREE_ERROR_DIVERGED) {
        const run_summary closing = {run->scene->name, run->world, &run->statistics, wall_seconds(run)};
        char *path = path_join(run->directory.path, "summary.json");
        status = path ? summary_write(&closing, path, error) : fail_no_memory(error);
        free(path);
    }
    free_run(run);
    return status;
}
