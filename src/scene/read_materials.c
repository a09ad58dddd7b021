// Materials and their pairs.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/read.h"

enum { MOST_MATERIALS = 1024 }; // as in a world

static scree_status read_one(scene_reader *reader, const node *key, size_t index)
{
    static const key_row name_row = {.name = "materials", .kind = KEY_NAME};
    scene_material *material = &reader->scene->materials[index];
    material->place = place_of(key);
    scree_status status = read_name(reader, key, &name_row, &material->name);
    if (status != SCREE_OK)
        return status;
    names_add(&reader->materials, material->name, index);
    return read_mapping(reader, key->first, &material_table, material);
}

scree_status scene_read_materials(scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    const node *map = value_of(root, "materials");
    map = map && map->kind == NODE_MAPPING ? map : NULL; // what is none has been refused
    const node *default_key = map ? mapping_find(map, "default") : NULL;
    size_t count = (map ? map->count : 0) + (default_key ? 0 : 1);
    if (count > MOST_MATERIALS)
        return reader_fail(reader, map, "'materials' has %zu with 'default'; at most %d are accepted", count,
                           MOST_MATERIALS);
    scree_status status = reader_array(reader, &scene->materials, count);
    if (status != SCREE_OK)
        return status;
    if (!names_init(&reader->materials, &scene->memory, count))
        return fail_no_memory(reader->error);
    scene->material_count = count;
    table_set_defaults(&material_table, &scene->materials[0]);
    scene->materials[0].name = "default";
    if (default_key)
        status = reader_go_on(reader, read_one(reader, default_key, 0));
    else
        names_add(&reader->materials, "default", 0);
    size_t index = 1;
    for (const node *key = map ? map->first : NULL; key && status == SCREE_OK; key = key->next) {
        if (key == default_key)
            continue;
        scene->materials[index].def = scene->materials[0].def;
        status = reader_go_on(reader, read_one(reader, key, index++));
    }
    return status;
}

// ------------------------------------------------------------------------------------------------------------- pairs

typedef struct sorted_pair {
    int low, high; // materials
    const node *item;
} sorted_pair;

static int compare_pairs(const void *a, const void *b)
{
    const sorted_pair *first = a, *second = b;
    int order = (first->low > second->low) - (first->low < second->low);
    if (order == 0)
        order = (first->high > second->high) - (first->high < second->high);
    if (order == 0)
        order = (first->item->line > second->item->line) - (first->item->line < second->item->line);
    if (order == 0)
        order = (first->item->column > second->item->column) - (first->item->column < second->item->column);
    return order;
}

static scree_status refuse_repeated_pairs(const scene_reader *reader, sorted_pair *sorted, size_t count)
{
    qsort(sorted, count, sizeof *sorted, compare_pairs);
    for (size_t i = 1; i < count; i++)
        if (sorted[i - 1].low == sorted[i].low && sorted[i - 1].high == sorted[i].high)
            return reader_fail(reader, sorted[i].item, "the materials '%s' and '%s' are paired twice, first at line %u",
                               reader->scene->materials[sorted[i].low].name,
                               reader->scene->materials[sorted[i].high].name, sorted[i - 1].item->line);
    return SCREE_OK;
}

// Values that a pair does not give follow from its materials.
static void take_combined(const node *item, const scree_scene *scene, scene_pair *pair)
{
    scree_pair_def combined =
        scree_combine_materials(&scene->materials[pair->material_a].def, &scene->materials[pair->material_b].def);
    for (size_t i = 0; i < pair_table.count; i++) {
        const key_row *row = &pair_table.keys[i];
        if (row->kind != KEY_REAL || mapping_find(item, row->name))
            continue;
        size_t offset = row->offset - offsetof(scene_pair, def);
        memcpy((char *)&pair->def + offset, (const char *)&combined + offset, sizeof(double));
    }
}

scree_status scene_read_pairs(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    const node *item = items_of(root, "pairs", &scene->pair_count);
    sorted_pair *sorted;
    scree_status status = reader_array(reader, &scene->pairs, scene->pair_count);
    if (status == SCREE_OK)
        status = reader_array(reader, &sorted, scene->pair_count);
    if (status != SCREE_OK)
        return status;
    for (size_t i = 0; i < scene->pair_count; i++, item = item->next) {
        scene_pair *pair = &scene->pairs[i];
        pair->place = place_of(item);
        status = read_mapping(reader, item, &pair_table, pair);
        if (reader_go_on(reader, status) != SCREE_OK)
            return status;
        sorted[i] = (sorted_pair){-1 - (int)i, -1, item}; // like no other
        if (status != SCREE_OK)
            continue;
        take_combined(item, scene, pair);
        bool in_order = pair->material_a < pair->material_b;
        sorted[i] = (sorted_pair){in_order ? pair->material_a : pair->material_b,
                                  in_order ? pair->material_b : pair->material_a, item};
    }
    return refuse_repeated_pairs(reader, sorted, scene->pair_count);
}
