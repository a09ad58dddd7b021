#include "world/id_map.h"

enum { LEAST_ENTRIES = 16 };

static size_t entries_for(size_t count)
{
    size_t entries = LEAST_ENTRIES;
    while (entries < 2 * count)
        entries *= 2;
    return entries;
}

static bool make_empty(id_map *map, size_t entries)
{
    *map = (id_map){0};
    if (!array_reserve_exact(&map->entries, entries))
        return false;
    map->entries.count = entries;
    memset(map->entries.data, 0xff, entries * sizeof *map->entries.data); // NO_SLOT in each
    return true;
}

static void replace(id_map *map, const id_map *made)
{
    id_map_free(map);
    *map = *made;
}

bool id_map_reserve(id_map *map, const scree_id *ids, size_t count)
{
    size_t entries = entries_for(count);
    if (entries <= map->entries.count)
        return true;
    id_map larger;
    if (!make_empty(&larger, entries))
        return false;
    for (size_t i = 0; i < map->entries.count; i++) {
        uint32_t slot = map->entries.data[i];
        if (slot != NO_SLOT)
            id_map_insert(&larger, ids[slot], slot);
    }
    replace(map, &larger);
    return true;
}

void id_map_insert(id_map *map, scree_id id, uint32_t slot)
{
    size_t i = id_map_home(map, id);
    while (map->entries.data[i] != NO_SLOT)
        i = (i + 1) & (map->entries.count - 1);
    map->entries.data[i] = slot;
    map->taken++;
}

bool id_map_build(id_map *map, const scree_id *ids, size_t count)
{
    id_map made;
    if (!make_empty(&made, entries_for(count)))
        return false;
    for (size_t i = 0; i < count; i++)
        id_map_insert(&made, ids[i], (uint32_t)i);
    replace(map, &made);
    return true;
}

void id_map_free(id_map *map)
{
    array_free(&map->entries);
    map->taken = 0;
}
