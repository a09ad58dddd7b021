// The tree behind queries.
#ifndef WORLD_QUERY_H
#define WORLD_QUERY_H

#include "world/world.h"

void world_tree_free(world_tree *tree);

#endif
