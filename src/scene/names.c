#include "scene/names.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

bool names_init(name_index *index, arena *memory, size_t most)
{
    size_t slot_count = 16;
    while (slot_count / 2 < most)
        slot_count *= 2;
    name_slot *slots = arena_array(memory, name_slot, slot_count);
    if (!slots)
        return false;
    memset(slots, 0, slot_count * sizeof *slots);
    *index = (name_index){slots, slot_count};
    return true;
}

// The slot that holds the name, or the free one where it belongs.
static name_slot *slot_of(const name_index *index, const char *name)
{
    uint64_t hash = 0;
    for (const char *c = name; *c; c++)
        hash = hash_word(hash, (unsigned char)*c);
    size_t at = (size_t)hash & (index->slot_count - 1);
    while (index->slots[at].name && strcmp(index->slots[at].name, name) != 0)
        at = (at + 1) & (index->slot_count - 1);
    return &index->slots[at];
}

void names_add(name_index *index, const char *name, size_t value)
{
    *slot_of(index, name) = (name_slot){name, value};
}

bool names_find(const name_index *index, const char *name, size_t *value)
{
    if (!index->slots)
        return false;
    const name_slot *slot = slot_of(index, name);
    if (slot->name && value)
        *value = slot->value;
    return slot->name != NULL;
}

void names_suggest(const name_index *index, suggestion *nearest)
{
    for (size_t i = 0; i < index->slot_count; i++)
        if (index->slots[i].name)
            suggest_offer(nearest, index->slots[i].name);
}
