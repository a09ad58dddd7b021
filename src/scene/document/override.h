// Overrides of scene values by dotted path: "solver.iterations=200", "fills.0.count=64000", "gravity=[0, 0, -1]".
// Variants are such overrides under a name, in the scene itself.
#ifndef SCENE_DOCUMENT_OVERRIDE_H
#define SCENE_DOCUMENT_OVERRIDE_H

#include "scene/document/document.h"

// Puts the value of override `index` of document->sets into the tree, as if the file said so. Mappings on the way that
// are not there are made; list items are not.
scree_status override_apply(scene_document *document, size_t index, scree_error *error);

// Puts the values of the variant that the file or the last override of `variant` names into the tree, in the same way;
// before the overrides, which win.
scree_status variant_apply(scene_document *document, size_t set_count, scree_error *error);

#endif
