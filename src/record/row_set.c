#include "record/row_set.h"

#include <stdlib.h>

#include "base/error.h"
#include "record/file.h"
#include "record/state.h"

enum { FIELD_NAME_SIZE = 48 };

scree_status row_set_make(row_set *set, const char *kind, size_t count, scree_error *error)
{
    *set = (row_set){.kind = kind};
    if (count == 0)
        return SCREE_OK;
    set->files = calloc(count, sizeof *set->files);
    set->names = calloc(count, sizeof *set->names);
    set->headers = calloc(count, sizeof *set->headers);
    if (!set->files || !set->names || !set->headers) {
        row_set_close(set);
        return fail_no_memory(error);
    }
    set->count = count;
    return SCREE_OK;
}

// The size that the state has for a name; false when it knows none.
static bool size_before(const row_set *set, const char *name, const snapshot *state, uint64_t *size)
{
    char field_name[FIELD_NAME_SIZE];
    snprintf(field_name, sizeof field_name, "%s_names", set->kind);
    size_t index = state ? state_name_index(state, field_name, name) : SIZE_MAX;
    snprintf(field_name, sizeof field_name, "%s_sizes", set->kind);
    const snapshot_field *sizes = state ? state_find(state, field_name) : NULL;
    if (!sizes || sizes->type != SNAPSHOT_U64 || sizes->columns != 1 || index >= sizes->rows)
        return false;
    *size = ((const uint64_t *)sizes->data)[index];
    return true;
}

static scree_status open_one(row_set *set, size_t i, const char *folder, const snapshot *state, bool keep,
                             scree_error *error)
{
    uint64_t size;
    size_t length = strlen(folder) + strlen(set->names[i]) + sizeof "/probes/.csv";
    char *path = malloc(length);
    if (!path)
        return fail_no_memory(error);
    snprintf(path, length, "%s/probes/%s.csv", folder, set->names[i]);
    scree_status status = size_before(set, set->names[i], state, &size)
                              ? rows_reopen(&set->files[i], path, size, keep, error)
                              : rows_create(&set->files[i], path, set->headers[i], error);
    free(path);
    return status;
}

scree_status row_set_open(row_set *set, const char *folder, const snapshot *state, bool keep, scree_error *error)
{
    if (set->count == 0)
        return SCREE_OK;
    char *probes = path_join(folder, "probes");
    scree_status status = probes ? folder_make_own(probes, error) : fail_no_memory(error);
    free(probes);
    for (size_t i = 0; status == SCREE_OK && i < set->count; i++)
        status = open_one(set, i, folder, state, keep, error);
    return status;
}

scree_status row_set_flush(row_set *set, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < set->count; i++)
        status = rows_flush(&set->files[i], error);
    return status;
}

scree_status row_set_sync(row_set *set, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < set->count; i++)
        status = rows_sync(&set->files[i], error);
    return status;
}

scree_status row_set_save(const row_set *set, snapshot *state, scree_error *error)
{
    char field_name[FIELD_NAME_SIZE];
    if (set->count == 0)
        return SCREE_OK;
    snprintf(field_name, sizeof field_name, "%s_names", set->kind);
    scree_status status = state_put_names(state, field_name, set->names, set->count, error);
    uint64_t *sizes = malloc(set->count * sizeof *sizes);
    if (status == SCREE_OK && !sizes)
        status = fail_no_memory(error);
    for (size_t i = 0; status == SCREE_OK && i < set->count; i++)
        sizes[i] = set->files[i].size;
    snprintf(field_name, sizeof field_name, "%s_sizes", set->kind);
    if (status == SCREE_OK)
        status = state_put(state, field_name, SNAPSHOT_U64, set->count, 1, sizes, error);
    free(sizes);
    return status;
}

void row_set_close(row_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        rows_close(&set->files[i]);
    free(set->files);
    free(set->names);
    free(set->headers);
    *set = (row_set){0};
}
