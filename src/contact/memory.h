// The impulses of the last step, kept while new contacts take the place of the old, so that the solver starts from
// them.
#ifndef CONTACT_MEMORY_H
#define CONTACT_MEMORY_H

#include "base/arena.h"
#include "collide/contact.h"
#include "geometry/proxy.h"

typedef struct remembered_contact {
    uint32_t feature;
    vec3f arm;     // from the centre of a
    vec3f impulse; // on b
} remembered_contact;

typedef struct contact_memory {
    remembered_contact *contacts;
    uint32_t *others; // by contact: slot of b, apart from the rest since most of them are only looked at
    uint32_t *start;  // by slot of a, one more
    bool one_sided;   // all points of a pair of bodies have the same a
} contact_memory;

// From contacts sorted by slot of a, one-sided or not, in memory of `scratch`. False when out of memory.
bool memory_take(contact_memory *memory, const contact_array *contacts, size_t body_count, bool one_sided, int threads,
                 arena *scratch);

// Sets the impulses of new contacts, which come pair by pair: by feature where a point of that name was there;
// otherwise, since names change when a corner slides over an edge, by the nearest point of the pair that is left over.
void memory_recall(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count);

// Recalls impulses by feature alone, and keeps them for another recall.
void memory_recall_features(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count);

// How many points are remembered of the pair of bodies that these contacts are of, and how many of them by feature.
typedef struct pair_memory {
    int points, known;
} pair_memory;

pair_memory memory_of_pair(const contact_memory *memory, const proxy_view *view, const contact *contacts, size_t count);

// The same matching for angular impulses: `remembered` by remembered contact, `angular` by contact.
void memory_recall_angular(const contact_memory *memory, const proxy_view *view, const vec3f *remembered,
                           const contact *contacts, size_t count, vec3f *angular);

#endif
