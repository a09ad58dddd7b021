// The subject of a picture: a run with its frames, a checkpoint, or a scene at time zero.
#ifndef MAIN_SUBJECT_H
#define MAIN_SUBJECT_H

#include "main/run_directory.h"
#include "record/replay.h"
#include "scene/scene.h"
#include "view/world/world_bodies.h"

typedef struct subject {
    const char *path; // as given
    path_kind kind;
    const char *name;                   // of the scene
    const scree_scene *scene;           // NULL for a checkpoint without a scene.yaml beside it
    size_t count;                       // frames; 1 for a checkpoint or scene
    ARRAY(const char *) material_names; // of the scene, by index
    world_bodies bodies;                // as shown last
    bool normals;                       // frames shall have contacts with normals, found anew and without forces

    // Private
    replay film; // of a run
    scree_world *world;
    scree_scene *own_scene;
    char *own_name;
} subject;

// Close also after a failure.
scree_status subject_open(subject *drawn, const char *path, scree_error *error);
void subject_close(subject *drawn);

// The frame nearest to a time.
size_t subject_nearest(const subject *drawn, double time);

// Fills `bodies` with frame number `frame`.
scree_status subject_show(subject *drawn, size_t frame, scree_error *error);

// With the last frame or, where that is not older, with the newest checkpoint, which has all contacts.
scree_status subject_show_newest(subject *drawn, scree_error *error);

#endif
