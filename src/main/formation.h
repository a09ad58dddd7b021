// Cubes in the five formations of the interactive program that began it all: a column whose cubes are moved back and
// forth so that they must topple, and towers of four sizes.
#ifndef MAIN_FORMATION_H
#define MAIN_FORMATION_H

#include "scree/scene.h"

enum { FORMATIONS = 5 };

// `sets` as in scree_scene_load.
scree_status formation_make(size_t number, const char *const *sets, size_t set_count, scree_scene **scene,
                            scree_error *error);

#endif
