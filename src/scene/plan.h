// The plan of a run: how many steps it takes, and at which of them it writes. `scree check` tells it, `scree run` keeps
// to it.
#ifndef SCENE_PLAN_H
#define SCENE_PLAN_H

#include "scene/scene.h"

typedef struct run_plan {
    uint64_t steps;                                   // in all
    uint64_t every, checkpoint_every, problems_every; // steps between rows, checkpoints, problems; 0: never
} run_plan;

// `steps` of 0: as many as the scene's duration asks for. Intervals are the nearest whole number of steps, one at
// least.
run_plan scene_plan(const scree_scene *scene, uint64_t steps);

#endif
