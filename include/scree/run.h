// Runs: a scene simulated into a run directory with series, probes, frames and checkpoints.
//
//     scree_run_open(scene, &def, &run, &error);
//     while (!scree_run_done(run)) scree_run_step(run, &error);
//     scree_run_close(run, &error);
#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include "scree/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_run scree_run;

typedef struct scree_run_def {
    const char *directory; // made if it is not there
    uint64_t steps;        // how many steps in all; 0: as many as the scene's duration asks for
    int threads;           // as in scree_world_def
    bool resume;           // continue from the newest whole checkpoint in the directory
    bool force;            // replace an earlier run in the directory
} scree_run_def;

SCREE_API scree_run_def scree_default_run_def(void);

// Fails with SCREE_ERROR_INVALID when the directory holds an earlier run and neither `resume` nor `force` is set.
// The scene must outlive the run.
SCREE_API scree_status scree_run_open(const scree_scene *scene, const scree_run_def *def, scree_run **run,
                                      scree_error *error);

SCREE_API bool scree_run_done(const scree_run *run);

// One step with its events and outputs. On failure the last good checkpoint stays; scree_run_checkpoint_path names it.
SCREE_API scree_status scree_run_step(scree_run *run, scree_error *error);

// Lets a step be given up, as scree_world_set_interrupt does. The run has then failed within that step: it can only be
// closed, and resumed from its newest checkpoint.
SCREE_API scree_status scree_run_set_interrupt(scree_run *run, scree_interrupt *ask, void *context, scree_error *error);

// Writes a checkpoint now, whatever the scene's interval.
SCREE_API scree_status scree_run_checkpoint(scree_run *run, scree_error *error);

// Path of the newest checkpoint, or "" when there is none yet. Valid until the next call on the run.
SCREE_API const char *scree_run_checkpoint_path(const scree_run *run);

// What is wrong with the newest checkpoint, where a resumed run had to pass over it and went on from the one before; ""
// otherwise. Valid as long as the run.
SCREE_API const char *scree_run_passed_over(const scree_run *run);

// The world being run, for reading.
SCREE_API const scree_world *scree_run_world(const scree_run *run);

typedef struct scree_progress {
    uint64_t step, steps; // taken so far, and in all
    double wall_s;        // since the run was opened
} scree_progress;

SCREE_API scree_progress scree_run_progress(const scree_run *run);

// Writes what is pending and summary.json (with or without all steps taken), then frees the run, also on failure.
// Accepts NULL.
SCREE_API scree_status scree_run_close(scree_run *run, scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
