// The floor and four walls round a comparison scene, as one fixed body of planes.
#ifndef BENCH_CONTAINER_H
#define BENCH_CONTAINER_H

#include "scree/world.h"

// Floor z = 0, walls at +-width/2 in x and y, of the given material.
scree_status container_add(scree_world *world, double width, int material, scree_error *error);

#endif
