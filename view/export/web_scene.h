// The data of a web page about a run, beside its frames, as one JSON object: times, bodies, shapes, scales, camera,
// the tables of series and probes, the closing figures. web/scene.js reads it.
#ifndef VIEW_EXPORT_WEB_SCENE_H
#define VIEW_EXPORT_WEB_SCENE_H

#include "view/export/web_frame.h"

// Writes the object to a stream, whose errors are left for its owner to find. The run's world stands at the first
// frame.
scree_status web_scene_put(FILE *to, film *shown, const web_bodies *bodies, const web_stream *stream,
                           scree_error *error);

#endif
