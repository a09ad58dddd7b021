// The contents of a scene, as rows on stdout: from its description alone, without building the world.
#ifndef MAIN_SCENE_TABLE_H
#define MAIN_SCENE_TABLE_H

#include "scene/keys.h"
#include "scree/scene.h"

void scene_table_print(const scree_scene *scene);

// The word by which scenes call a value, such as "box" for SCREE_SHAPE_BOX; one row of a table of scene/keys.h.
const char *scene_word(const key_table *table, const char *name, int value);

// How many bodies the scene's world begins with.
size_t scene_body_total(const scree_scene *scene);

#endif
