#include "scene/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

scree_status reader_fail(const scene_reader *reader, const node *at, const char *format, ...)
{
    char message[SCREE_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    scree_error own, *error = reader->error ? reader->error : &own;
    scree_status status = document_fail(reader->document, at, error, "%s", message);
    if (reader->all && reader->all->count < MOST_COMPLAINTS && !complaints_add(reader->all, error))
        return fail_no_memory(reader->error);
    return status;
}

// The text of a node for a message: 'text', [a, b, c], or its kind and size.
static void describe_node(const node *at, char text[DESCRIPTION_SIZE])
{
    if (node_is_nothing(at)) {
        snprintf(text, DESCRIPTION_SIZE, "nothing");
    } else if (at->kind == NODE_SCALAR) {
        snprintf(text, DESCRIPTION_SIZE, at->plain ? "'%s'" : "the quoted text \"%s\"", make_printable(at->text).text);
    } else if (at->kind == NODE_MAPPING) {
        snprintf(text, DESCRIPTION_SIZE, "a mapping");
    } else {
        size_t used = (size_t)snprintf(text, DESCRIPTION_SIZE, "[");
        for (const node *item = at->first; item; item = item->next) {
            if (item->kind != NODE_SCALAR || used > DESCRIPTION_SIZE / 2) {
                snprintf(text, DESCRIPTION_SIZE, "a list of %u", at->count);
                return;
            }
            used += (size_t)snprintf(text + used, DESCRIPTION_SIZE - used, "%s%s", make_printable(item->text).text,
                                     item->next ? ", " : "");
        }
        snprintf(text + used, DESCRIPTION_SIZE - used, "]");
    }
}

scree_status fail_value(const scene_reader *reader, const node *value, const key_row *row)
{
    char accepted[DESCRIPTION_SIZE], found[DESCRIPTION_SIZE];
    key_describe(row, accepted);
    describe_node(value, found);
    return reader_fail(reader, value, "'%s' must be %s, found %s", row->name, accepted, found);
}

// `known` is the list of names to show when none is near.
static scree_status fail_unknown_name(const scene_reader *reader, const node *value, const char *what,
                                      const char *nearest, const char *known)
{
    printable name = make_printable(value->text);
    if (nearest)
        return reader_fail(reader, value, "unknown %s '%s', did you mean '%s'?", what, name.text, nearest);
    return reader_fail(reader, value, "unknown %s '%s'; the scene has %s", what, name.text,
                       *known ? known : "none with a name");
}

scree_status fail_unknown_material(const scene_reader *reader, const node *value)
{
    suggestion nearest = suggest_for(value->text);
    names_suggest(&reader->materials, &nearest);
    char known[NAME_LIST_SIZE] = "";
    for (size_t i = 0; i < reader->scene->material_count; i++)
        if (!name_list_append(known, reader->scene->materials[i].name))
            break;
    return fail_unknown_name(reader, value, "material", nearest.best, known);
}

scree_status fail_unknown_thing(const scene_reader *reader, const node *value, unsigned things)
{
    static const char *const titles[] = {[NAMED_BODIES] = "body",
                                         [NAMED_JOINTS] = "joint",
                                         [NAMED_BODIES | NAMED_FILLS] = "body or fill",
                                         [NAMED_BODIES | NAMED_JOINTS] = "body or joint",
                                         [NAMED_BODIES | NAMED_FILLS | NAMED_JOINTS] = "body, fill or joint"};
    const scree_scene *scene = reader->scene;
    suggestion nearest = suggest_for(value->text);
    char known[NAME_LIST_SIZE] = "";
    bool room = true;
    if (things & NAMED_BODIES)
        names_suggest(&scene->body_names, &nearest);
    for (size_t i = 0; i < scene->body_count && room && (things & NAMED_BODIES); i++)
        room = !*scene->bodies[i].name || name_list_append(known, scene->bodies[i].name);
    if (things & NAMED_FILLS)
        names_suggest(&scene->fill_names, &nearest);
    for (size_t i = 0; i < scene->fill_count && room && (things & NAMED_FILLS); i++)
        room = !*scene->fills[i].name || name_list_append(known, scene->fills[i].name);
    if (things & NAMED_JOINTS)
        names_suggest(&scene->joint_names, &nearest);
    for (size_t i = 0; i < scene->joint_count && room && (things & NAMED_JOINTS); i++)
        room = !*scene->joints[i].name || name_list_append(known, scene->joints[i].name);
    return fail_unknown_name(reader, value, titles[things], nearest.best, known);
}

const node *value_of(const node *mapping, const char *name)
{
    const node *key = mapping_find(mapping, name);
    return key ? key->first : NULL;
}

const node *items_of(const node *mapping, const char *name, size_t *count)
{
    const node *list = value_of(mapping, name);
    bool is_list = list && list->kind == NODE_LIST; // what is none has been refused
    *count = is_list ? list->count : 0;
    return is_list ? list->first : NULL;
}

scree_status reader_take(const scene_reader *reader, void **memory, size_t count, size_t element_size)
{
    *memory = arena_take_array(&reader->scene->memory, count, element_size);
    if (!*memory)
        return fail_no_memory(reader->error);
    memset(*memory, 0, count * element_size);
    return SCREE_OK;
}

// ---------------------------------------------------------------------------------------------------------- mappings

// Offers what the variant has, where it is known: another variant's key would be refused next.
static scree_status fail_unknown_key(const scene_reader *reader, const node *key, const key_table *table, int variant)
{
    printable name = make_printable(key->text);
    suggestion nearest = suggest_for(key->text);
    for (size_t i = 0; i < table->count; i++)
        if (variant < 0 || key_in_variant(&table->keys[i], variant))
            suggest_offer(&nearest, table->keys[i].name);
    if (nearest.best)
        return reader_fail(reader, key, "unknown key '%s', did you mean '%s'?", name.text, nearest.best);
    char known[NAME_LIST_SIZE];
    table_list_keys(table, variant, known);
    return reader_fail(reader, key, "unknown key '%s'; %s accepts %s", name.text, table->title, known);
}

// Finds the variant that the mapping says it is; NULL when it says none.
static scree_status read_variant(const scene_reader *reader, const node *mapping, const key_table *table, void *target,
                                 const key_word **variant)
{
    const key_row *row = table_variant_key(table);
    *variant = NULL;
    const node *value = row ? value_of(mapping, row->name) : NULL;
    if (!value)
        return SCREE_OK;
    scree_status status = read_value(reader, value, row, target);
    if (status == SCREE_OK)
        *variant = word_find(row->words, value->text);
    return status;
}

static scree_status read_key(const scene_reader *reader, const node *key, const key_table *table,
                             const key_word *variant, void *target)
{
    const node *value = key->first;
    const key_row *any = table_find(table, key->text);
    if (!any)
        return fail_unknown_key(reader, key, table, variant ? variant->value : -1);
    if (!variant && any->only) // what it must be is not known; that the variant is missing will be said
        return SCREE_OK;
    const key_row *row = variant ? table_find_in(table, key->text, variant->value) : any;
    if (!row) {
        char accepted[NAME_LIST_SIZE];
        table_list_keys(table, variant->value, accepted);
        return reader_fail(reader, key, "'%s' is not a key of %s %s; it accepts %s", any->name,
                           strchr("aeiou", variant->name[0]) ? "an" : "a", variant->name, accepted);
    }
    if (row->kind == KEY_TABLE && row->flag)
        *(bool *)((char *)target + row->flag) = true;
    if (row->kind == KEY_TABLE)
        return value->kind == NODE_MAPPING ? read_mapping(reader, value, row->table, target)
                                           : fail_value(reader, value, row);
    return read_value(reader, value, row, target);
}

scree_status read_mapping(const scene_reader *reader, const node *mapping, const key_table *table, void *target)
{
    if (mapping->kind != NODE_MAPPING) {
        char accepted[NAME_LIST_SIZE];
        table_list_keys(table, -1, accepted);
        return reader_fail(reader, mapping, "%s must be a mapping with the keys %s", table->title, accepted);
    }
    const key_word *variant;
    size_t before = reader_complaints(reader);
    scree_status status = read_variant(reader, mapping, table, target, &variant);
    for (const node *key = mapping->first; key && status == SCREE_OK; key = key->next)
        status = reader_go_on(reader, read_key(reader, key, table, variant, target));
    for (size_t i = 0; i < table->count && status == SCREE_OK; i++) {
        const key_row *row = &table->keys[i];
        if (!(row->flags & KEY_REQUIRED) || mapping_find(mapping, row->name))
            continue;
        char accepted[DESCRIPTION_SIZE];
        key_describe(row, accepted);
        status =
            reader_go_on(reader, reader_fail(reader, mapping, "%s needs '%s', %s", table->title, row->name, accepted));
    }
    return status == SCREE_OK && reader_complaints(reader) > before ? SCREE_ERROR_INVALID : status;
}
