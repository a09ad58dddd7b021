// Events: changes to a world at given times of a scene.
#ifndef SCENE_EVENT_H
#define SCENE_EVENT_H

#include "scene/scene.h"

// Applies the events from number `next` on that are due in the step that begins at `time`, and moves `next` past them.
scree_status scene_apply_events(const scree_scene *scene, scree_world *world, double time, uint64_t *next,
                                scree_error *error);

#endif
