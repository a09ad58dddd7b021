// Overrides of scene values by dotted path: "solver.iterations=200", "fills.0.count=64000", "gravity=[0, 0, -1]".
#ifndef SCENE_OVERRIDE_H
#define SCENE_OVERRIDE_H

#include "scene/document.h"

// Puts the value of override `index` of document->sets into the tree, as if the file said so. Mappings on the way that
// are not there are made; list items are not.
scree_status override_apply(scene_document *document, size_t index, scree_error *error);

#endif
