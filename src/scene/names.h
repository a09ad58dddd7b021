// From names to indices: a hash table of fixed room, filled once when a scene is read.
#ifndef SCENE_NAMES_H
#define SCENE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "scene/document/suggest.h"

typedef struct name_slot {
    const char *name; // NULL when free
    size_t value;
} name_slot;

typedef struct name_index {
    name_slot *slots; // NULL: an index without names
    size_t slot_count;
} name_index;

// Room for `most` names, taken from the arena. False when out of memory.
bool names_init(name_index *index, arena *memory, size_t most);

// The name must not be there yet and must outlive the index.
void names_add(name_index *index, const char *name, size_t value);

// False when the name is not there. `value` may be NULL.
bool names_find(const name_index *index, const char *name, size_t *value);

// Offers every name.
void names_suggest(const name_index *index, suggestion *nearest);

#endif
