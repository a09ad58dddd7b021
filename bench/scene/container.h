// The floor of a comparison scene, or the floor and four walls, as one fixed body of planes.
#ifndef BENCH_SCENE_CONTAINER_H
#define BENCH_SCENE_CONTAINER_H

#include "scree/world.h"

// The floor z = 0 alone.
scree_status floor_add(scree_world *world, scree_error *error);

// Floor z = 0, walls at +-width/2 in x and y, of the given material.
scree_status container_add(scree_world *world, double width, int material, scree_error *error);

#endif
