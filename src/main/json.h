// Small JSON files by dotted path: "solver.iterations_mean", "momentum.2". JSON is YAML, so the scene's reader reads
// them.
#ifndef MAIN_JSON_H
#define MAIN_JSON_H

#include "scene/document/document.h"

typedef struct json {
    scene_document document;
    node *root;
} json;

// Messages of a bad file begin with FILE:LINE:COLUMN. `path` must outlive the json.
scree_status json_read(const char *path, json *file, scree_error *error);
void json_free(json *file);

// The value at a path; a key that is missing or of another kind is SCREE_ERROR_INVALID. A null number, which stands for
// one that was not finite, gives NaN.
scree_status json_number(const json *file, const char *key, double *number, scree_error *error);

// Valid until json_free.
scree_status json_text(const json *file, const char *key, const char **text, scree_error *error);

#endif
