// The path is walked down to a slot, a pointer to a node, where the value is put. A key with dots in it (a material
// may be named steel.rough) is found as the longest key that the rest of the path begins with.
#include "scene/document/override.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef struct path_walk {
    scene_document *document;
    const char *path, *end; // what is left of the path
    node place;             // carries the override's number into messages
    scree_error *error;
} path_walk;

static size_t segment_length(const path_walk *walk)
{
    const char *dot = memchr(walk->path, '.', (size_t)(walk->end - walk->path));
    return (size_t)((dot ? dot : walk->end) - walk->path);
}

static bool is_index(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789") >= length;
}

static void advance(path_walk *walk, size_t length)
{
    walk->path += length;
    if (walk->path < walk->end)
        walk->path++;
}

static printable segment_text(const char *text, size_t length)
{
    char copy[PRINTABLE_SIZE + 1];
    size_t kept = length < PRINTABLE_SIZE ? length : PRINTABLE_SIZE;
    memcpy(copy, text, kept);
    copy[kept] = 0;
    return make_printable(copy);
}

// A new node with the place of what the path was given by.
static node *add_here(path_walk *walk, node_kind kind, const char *text, size_t length)
{
    node *made = document_add(walk->document, kind, walk->place.set, text, length);
    if (made) {
        made->line = walk->place.line;
        made->column = walk->place.column;
    }
    return made;
}

// The slot of the value of a key that is made here unless it is there.
static scree_status enter_mapping(path_walk *walk, node *mapping, node ***slot)
{
    size_t left = (size_t)(walk->end - walk->path);
    node *found = NULL, **link = &mapping->first;
    size_t found_length = 0;
    for (; *link; link = &(*link)->next) {
        size_t length = strlen((*link)->text);
        bool matches = length <= left && memcmp((*link)->text, walk->path, length) == 0 &&
                       (length == left || walk->path[length] == '.');
        if (matches && (!found || length > found_length)) {
            found = *link;
            found_length = length;
        }
    }
    if (!found) {
        found_length = segment_length(walk);
        if (found_length == 0)
            return document_fail(walk->document, &walk->place, walk->error, "an empty name in the path");
        found = add_here(walk, NODE_SCALAR, walk->path, found_length);
        if (!found)
            return fail_no_memory(walk->error);
        *link = found;
        mapping->count++;
    }
    advance(walk, found_length);
    *slot = &found->first;
    return SCREE_OK;
}

static scree_status enter_list(path_walk *walk, node *list, node ***slot)
{
    size_t length = segment_length(walk);
    if (!is_index(walk->path, length))
        return document_fail(walk->document, &walk->place, walk->error, "'%s' is not an index into a list of %u",
                             segment_text(walk->path, length).text, list->count);
    unsigned long long index = length < 12 ? strtoull(walk->path, NULL, 10) : UINT32_MAX;
    if (index >= list->count)
        return document_fail(walk->document, &walk->place, walk->error,
                             "index %s is out of range; the list has %u, counted from 0",
                             segment_text(walk->path, length).text, list->count);
    node **link = &list->first;
    while (index-- > 0)
        link = &(*link)->next;
    advance(walk, length);
    *slot = link;
    return SCREE_OK;
}

// One step down: `*slot` moves to the part of its node that the path names next.
static scree_status descend(path_walk *walk, node ***slot)
{
    node *at = **slot;
    if (!at || node_is_nothing(at)) {
        size_t length = segment_length(walk);
        if (is_index(walk->path, length))
            return document_fail(walk->document, &walk->place, walk->error,
                                 "index %s is out of range; there is no list here",
                                 segment_text(walk->path, length).text);
        node *made = add_here(walk, NODE_MAPPING, NULL, 0);
        if (!made)
            return fail_no_memory(walk->error);
        made->next = at ? at->next : NULL;
        **slot = at = made;
    }
    if (at->kind == NODE_MAPPING)
        return enter_mapping(walk, at, slot);
    if (at->kind == NODE_LIST)
        return enter_list(walk, at, slot);
    return document_fail(walk->document, &walk->place, walk->error,
                         "'%s' is not there; the path ends at the value '%s'",
                         segment_text(walk->path, segment_length(walk)).text, make_printable(at->text).text);
}

// Puts the value where the path leads.
static scree_status put_value(path_walk *walk, node *value)
{
    scree_status status = SCREE_OK;
    node **slot = &walk->document->root;
    if (walk->end == walk->path)
        return document_fail(walk->document, &walk->place, walk->error, "an empty path");
    for (int depth = 0; status == SCREE_OK && walk->path < walk->end; depth++) {
        if (depth == DOCUMENT_DEPTH)
            return document_fail(walk->document, &walk->place, walk->error,
                                 "the path is too deep; at most 64 levels are accepted");
        status = descend(walk, &slot);
    }
    if (status != SCREE_OK)
        return status;
    if (walk->end[-1] == '.')
        return document_fail(walk->document, &walk->place, walk->error, "an empty name at the end of the path");
    value->next = *slot ? (*slot)->next : NULL;
    *slot = value;
    return SCREE_OK;
}

scree_status override_apply(scene_document *document, size_t index, scree_error *error)
{
    const char *text = document->sets[index];
    const char *equals = strchr(text, '=');
    path_walk walk = {
        .document = document, .path = text, .end = equals, .place = {.set = (uint32_t)index + 1}, .error = error};
    if (!equals || equals == text)
        return document_fail(document, &walk.place, error, "must be PATH=VALUE, for example solver.iterations=200");
    node *value = NULL;
    scree_status status = document_parse(document, equals + 1, strlen(equals + 1), walk.place.set, &value, error);
    if (status == SCREE_OK && !value) {
        value = document_add(document, NODE_SCALAR, walk.place.set, "", 0);
        if (!value)
            return fail_no_memory(error);
        value->plain = true;
    }
    return status == SCREE_OK ? put_value(&walk, value) : status;
}

// ----------------------------------------------------------------------------------------------------------- variants

static const char variant_key[] = "variant=";

static bool names_variant(const char *set)
{
    return strncmp(set, variant_key, sizeof variant_key - 1) == 0;
}

static const node *find_value(const node *mapping, const char *name)
{
    const node *key = mapping && mapping->kind == NODE_MAPPING ? mapping_find(mapping, name) : NULL;
    return key ? key->first : NULL;
}

// The values of the variant, whatever node is there; NULL when there is none of that name. What is wrong with other
// variants is found when the scene is read.
static const node *find_variant(const scene_document *document, const char *name)
{
    const node *list = find_value(document->root, "variants");
    for (const node *item = list && list->kind == NODE_LIST ? list->first : NULL; item; item = item->next) {
        const node *its = find_value(item, "name");
        if (its && its->kind == NODE_SCALAR && strcmp(its->text, name) == 0)
            return find_value(item, "set");
    }
    return NULL;
}

scree_status variant_apply(scene_document *document, size_t set_count, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < set_count && status == SCREE_OK; i++)
        if (names_variant(document->sets[i]))
            status = override_apply(document, i, error);
    const node *name = find_value(document->root, "variant");
    if (status != SCREE_OK || !name || name->kind != NODE_SCALAR || node_is_nothing(name))
        return status; // what is not a name is found when the scene is read
    const node *values = find_variant(document, name->text);
    if (!values || values->kind != NODE_MAPPING)
        return values ? SCREE_OK
                      : document_fail(document, name, error, "there is no variant '%s' in 'variants'",
                                      make_printable(name->text).text);
    for (const node *key = values->first; key && status == SCREE_OK; key = key->next) {
        path_walk walk = {.document = document,
                          .path = key->text,
                          .end = key->text + strlen(key->text),
                          .place = *key,
                          .error = error};
        // Values are moved, not copied: none may be put into itself.
        if (strncmp(key->text, "variant", strlen("variant")) == 0)
            return document_fail(document, key, error, "a variant cannot set variants");
        status = put_value(&walk, key->first);
    }
    return status;
}
