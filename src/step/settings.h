// The settings of all methods in a scree_world_def, by the rows of their tables. A world keeps those of methods that it
// does not use as well, so that snapshots and changed copies of a definition lose nothing.
#ifndef STEP_SETTINGS_H
#define STEP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/world.h"

// How many there are, in the order of the methods: snapshots have places for so many.
enum { SETTING_REALS = 3, SETTING_CHOICES = 2 };

void settings_set_defaults(scree_world_def *def);
scree_status settings_check(const scree_world_def *def, scree_error *error);

// Into SETTING_REALS and SETTING_CHOICES numbers, and back. A choice that cannot be one is refused by false.
void settings_put(const scree_world_def *def, double *reals, uint64_t *choices);
bool settings_get(scree_world_def *def, const double *reals, const uint64_t *choices);

#endif
