// Variants: their values are in the document already (override.c); here what is left is checked and named.
#include "base/error.h"
#include "scene/read.h"

scree_status scene_read_variants(const scene_reader *reader, const node *root)
{
    scree_scene *scene = reader->scene;
    name_index names = {0};
    const node *item = items_of(root, "variants", &scene->variant_count);
    scree_status status = reader_array(reader, &scene->variants, scene->variant_count);
    if (status == SCREE_OK && !names_init(&names, &scene->memory, scene->variant_count))
        return fail_no_memory(reader->error);
    for (size_t i = 0; i < scene->variant_count && status == SCREE_OK; i++, item = item->next) {
        scene_variant *variant = &scene->variants[i];
        status = read_mapping(reader, item, &variant_table, variant);
        if (status == SCREE_OK && names_find(&names, variant->name, NULL))
            status =
                reader_fail(reader, value_of(item, "name"), "the name '%s' is taken by another variant", variant->name);
        else if (status == SCREE_OK)
            names_add(&names, variant->name, i);
        status = reader_go_on(reader, status);
    }
    return status;
}
