// Writing values by the tables of keys.h; scree_scene_text is made of it.
#ifndef SCENE_WRITE_H
#define SCENE_WRITE_H

#include "base/array.h"
#include "scene/keys.h"
#include "scene/scene.h"

typedef struct text_buffer { // an ARRAY(char), NUL-terminated once something was added
    char *data;
    size_t count, capacity;
    bool failed; // out of memory
} text_buffer;

// Adds the value at the row's place in `target` as YAML in one line. `scene` gives names to materials and bodies.
void write_value(text_buffer *out, const scree_scene *scene, const key_row *row, const void *target);

#endif
