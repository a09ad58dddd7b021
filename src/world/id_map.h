// Where the body of an id stands now: a hash table from ids to slots, by open addressing.
//
// The table holds slots alone. Which id stands in a slot, the caller's column of ids says, so that an entry takes four
// bytes. At most half of the entries are taken; how many there are follows from how many bodies live, not from how many
// ids were ever given.
#ifndef WORLD_ID_MAP_H
#define WORLD_ID_MAP_H

#include "base/array.h"
#include "base/hash.h"
#include "scree/types.h"

enum { NO_SLOT = UINT32_MAX };

typedef struct id_map {
    ARRAY(uint32_t) entries; // slots, or NO_SLOT; none at all, or a power of two
    size_t taken;
} id_map;

// Room for so many ids in all. `ids` by slot. False when out of memory, with nothing changed.
bool id_map_reserve(id_map *map, const scree_id *ids, size_t count);

// An id that is not in the map; room for it was reserved.
void id_map_insert(id_map *map, scree_id id, uint32_t slot);

// The ids of the slots from 0 up to `count`, all different, and no others, in a table of the size that they need. False
// when out of memory, with nothing changed.
bool id_map_build(id_map *map, const scree_id *ids, size_t count);

void id_map_free(id_map *map);

static inline size_t id_map_home(const id_map *map, scree_id id)
{
    return (size_t)hash_word(0, id) & (map->entries.count - 1);
}

// NO_SLOT when the id is not in the map.
static inline uint32_t id_map_find(const id_map *map, const scree_id *ids, scree_id id)
{
    if (map->taken == 0)
        return NO_SLOT;
    size_t i = id_map_home(map, id);
    while (map->entries.data[i] != NO_SLOT && ids[map->entries.data[i]] != id)
        i = (i + 1) & (map->entries.count - 1);
    return map->entries.data[i];
}

#endif
