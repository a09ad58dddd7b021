// A walk over the document's tree: mappings by key, lists by index, one part of the dotted path at a time.
#include "main/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/document/scalar.h"

enum { LARGEST_FILE = 1 << 20, LONGEST_KEY = 64 };

static scree_status read_all(FILE *stream, const char *path, void *text, size_t *size, scree_error *error)
{
    *size = fread(text, 1, LARGEST_FILE, stream);
    if (ferror(stream))
        return fail(error, SCREE_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
    if (*size == LARGEST_FILE)
        return fail(error, SCREE_ERROR_INVALID, "%s: the file is too large for what it should hold", path);
    return SCREE_OK;
}

scree_status json_read(const char *path, json *file, scree_error *error)
{
    *file = (struct json){.document = {.name = path}};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fail(error, SCREE_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
    char *text = malloc(LARGEST_FILE);
    size_t size = 0;
    scree_status status = text ? read_all(stream, path, text, &size, error) : fail_no_memory(error);
    if (status == SCREE_OK)
        status = document_parse(&file->document, text, size, 0, &file->root, error);
    if (status == SCREE_OK && !file->root)
        status = fail(error, SCREE_ERROR_INVALID, "%s: the file is empty", path);
    if (status != SCREE_OK)
        json_free(file);
    free(text);
    fclose(stream);
    return status;
}

void json_free(json *file)
{
    document_free(&file->document);
}

static const node *find_part(const node *at, const char *part)
{
    if (at->kind == NODE_MAPPING) {
        const node *key = mapping_find(at, part);
        return key ? key->first : NULL;
    }
    uint64_t index;
    if (at->kind != NODE_LIST || !scalar_whole(part, &index) || index >= at->count)
        return NULL;
    const node *item = at->first;
    while (index-- > 0)
        item = item->next;
    return item;
}

static scree_status find_scalar(const json *file, const char *key, const node **found, scree_error *error)
{
    const node *at = file->root;
    for (const char *from = key; at && *from;) {
        char part[LONGEST_KEY];
        size_t length = strcspn(from, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, from);
        at = find_part(at, part);
        from += length + (from[length] == '.');
    }
    *found = at;
    if (!at)
        return fail(error, SCREE_ERROR_INVALID, "%s: '%s' is missing", file->document.name, key);
    if (at->kind != NODE_SCALAR)
        return document_fail(&file->document, at, error, "'%s' is not a single value", key);
    return SCREE_OK;
}

scree_status json_number(const json *file, const char *key, double *number, scree_error *error)
{
    const node *found;
    scree_status status = find_scalar(file, key, &found, error);
    if (status != SCREE_OK)
        return status;
    *number = (double)NAN;
    if (!found->plain || (strcmp(found->text, "null") != 0 && !scalar_real(found->text, number)))
        return document_fail(&file->document, found, error, "'%s' is not a number", key);
    return SCREE_OK;
}

scree_status json_text(const json *file, const char *key, const char **text, scree_error *error)
{
    const node *found;
    scree_status status = find_scalar(file, key, &found, error);
    if (status != SCREE_OK)
        return status;
    if (found->plain)
        return document_fail(&file->document, found, error, "'%s' is not a text", key);
    *text = found->text;
    return SCREE_OK;
}
