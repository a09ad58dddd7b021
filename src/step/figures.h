// Figures of a step that are cheap enough to be asked for after every one.
#ifndef STEP_FIGURES_H
#define STEP_FIGURES_H

#include "scree/world.h"

// Depth of the deepest contact of the last step over the smaller radius of its bodies; 0 for a method that makes its
// contacts only when somebody reads them.
double contacts_deepest(const scree_world *world);

#endif
