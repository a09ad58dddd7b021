// Bodies as detection and queries read them.
#ifndef WORLD_VIEW_H
#define WORLD_VIEW_H

#include "world/world.h"

proxy_view store_view(const body_store *store);
proxy_view world_view(const scree_world *world, const float *margins, const pair_filter *filter);

#endif
