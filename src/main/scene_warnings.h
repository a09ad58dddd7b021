// What is allowed in a scene and hardly meant: a step that is long for what moves, bodies that overlap at the start,
// moments of inertia that no body has.
#ifndef MAIN_SCENE_WARNINGS_H
#define MAIN_SCENE_WARNINGS_H

#include "scree/scene.h"

// One line on stderr for each kind of warning, about the worst case, with its place in the file. Changes nothing.
void warn_of_scene(const scree_scene *scene, scree_world *world);

// Says that bodies are going to be placed where that takes longer than a user waits without a word.
void announce_fills(const scree_scene *scene);

#endif
