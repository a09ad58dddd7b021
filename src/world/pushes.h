// Bodies that the last step moved by more than their velocities say: overlaps are pushed out by velocities that bodies
// do not keep. Contacts are told where they were found, so these paths are remembered, for such bodies alone.
#ifndef WORLD_PUSHES_H
#define WORLD_PUSHES_H

#include "base/array.h"
#include "base/vec.h"

typedef struct body_push {
    vec3 path;
    uint32_t slot, unused; // 0
} body_push;

typedef ARRAY(body_push) body_pushes; // rising by slot, each once, when they are read

// Forgets all of them, and gives memory back that an impact needed and the last step did not.
void pushes_clear(body_pushes *pushes);

// A path of zero is none. False when out of memory.
bool pushes_note(body_pushes *pushes, uint32_t slot, vec3 path);

// Needed when bodies were not noted by rising slots.
void pushes_sort(body_pushes *pushes);

// Zero for a body that was not pushed.
vec3 pushes_path(const body_pushes *pushes, uint32_t slot);

// Bodies changed their slots: `new_slot` by old slot, NO_SLOT for those that are gone.
void pushes_follow_bodies(body_pushes *pushes, const uint32_t *new_slot);

#endif
