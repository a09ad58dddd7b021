// scene.yaml of a run: the scene as run, and whether another scene may carry that run on.
#ifndef RECORD_MANIFEST_H
#define RECORD_MANIFEST_H

#include "scree/scene.h"

// Writes the scene with the duration of the run, and the edge of cells that its world uses.
scree_status manifest_write(const char *folder, const scree_scene *scene, double duration, double cell,
                            scree_error *error);

// SCREE_ERROR_INVALID when the folder's scene.yaml is missing or differs from the scene in more than time.duration,
// output, and a solver.cell that the scene leaves to the world; the message shows the first difference.
scree_status manifest_check(const char *folder, const scree_scene *scene, scree_error *error);

#endif
