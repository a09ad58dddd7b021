// Probes: the states of chosen bodies and joints, one file each, one row per output interval. What was removed gets no
// more rows.
#ifndef RECORD_PROBE_H
#define RECORD_PROBE_H

#include "record/row_set.h"
#include "scene/scene.h"

typedef struct probe_set {
    const scene_probe *probes; // of the scene
    row_set files;             // one each
} probe_set;

// `state` and `keep` as for row_set_open.
scree_status probes_open(probe_set *set, const scene_output *output, const char *folder, const snapshot *state,
                         bool keep, scree_error *error);

scree_status probes_row(probe_set *set, const scree_world *world, double time, scree_error *error);

#endif
