// A run played back: its world as it stood at each of its frames or, in a run without frames, at its checkpoints.
//
//     replay film;
//     replay_open(&film, "out/silo", 0, &error);
//     for (size_t i = 0; i < replay_count(&film); i++)
//         replay_show(&film, i, &error), ... film.world, for reading
//     replay_close(&film);
//
// The world is built from the run's scene; each frame puts its bodies in their places, and those that are gone go.
#ifndef RECORD_REPLAY_H
#define RECORD_REPLAY_H

#include "record/checkpoint.h"
#include "record/frames/frame_read.h"

typedef struct replay {
    char *run;
    char *name; // of the scene
    int threads;
    scree_scene *scene;
    scree_world *world; // as shown last; NULL before that
    frame_list frames;
    step_array checkpoints; // shown where there are no frames
    frame_data frame;       // as shown last; empty for a checkpoint, whose world has its contacts
    bool removed;           // bodies of the scene are gone from the world
} replay;

// `threads` as in scree_world_def. SCREE_ERROR_INVALID when the run has neither frames nor checkpoints.
scree_status replay_open(replay *film, const char *run, int threads, scree_error *error);

// Frames, or checkpoints.
size_t replay_count(const replay *film);

double replay_time(const replay *film, size_t number);

// Brings film->world to a frame, in any order; cheapest in rising order. On failure the world is not to be used.
scree_status replay_show(replay *film, size_t number, scree_error *error);

void replay_close(replay *film); // accepts one that failed to open
#endif
