// A scene as the command line asks for it.
#ifndef MAIN_LOAD_H
#define MAIN_LOAD_H

#include "main/options.h"
#include "scree/scene.h"

// Loads a scene with the overrides of --set and, after them, one more unless it is NULL.
scree_status load_scene_with(const char *path, const option_list *sets, const char *one_more, scree_scene **scene,
                             scree_error *error);

#endif
