#include "record/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

scree_status state_put(snapshot *state, const char *name, snapshot_type type, size_t rows, size_t columns,
                       const void *data, scree_error *error)
{
    if (state->count == SNAPSHOT_MAX_FIELDS)
        return fail(error, SCREE_ERROR_INVALID, "more than %d arrays in one state", SNAPSHOT_MAX_FIELDS);
    size_t bytes = rows * columns * snapshot_element_size(type);
    char *own_name = strdup(name);
    void *own_data = malloc(bytes ? bytes : 1);
    if (!own_name || !own_data) {
        free(own_name);
        free(own_data);
        return fail_no_memory(error);
    }
    if (bytes)
        memcpy(own_data, data, bytes);
    state->fields[state->count++] = (snapshot_field){own_name, type, rows, columns, own_data};
    return SCREE_OK;
}

scree_status state_put_number(snapshot *state, const char *name, double value, scree_error *error)
{
    return state_put(state, name, SNAPSHOT_F64, 1, 1, &value, error);
}

scree_status state_put_count(snapshot *state, const char *name, uint64_t value, scree_error *error)
{
    return state_put(state, name, SNAPSHOT_U64, 1, 1, &value, error);
}

scree_status state_put_text(snapshot *state, const char *name, const char *text, scree_error *error)
{
    return state_put(state, name, SNAPSHOT_U8, strlen(text) + 1, 1, text, error);
}

scree_status state_put_names(snapshot *state, const char *name, const char *const *names, size_t count,
                             scree_error *error)
{
    ARRAY(char)
    text = {0};
    bool fits = true;
    for (size_t i = 0; fits && i < count; i++) {
        size_t length = strlen(names[i]) + 1, before = text.count;
        fits = array_resize(&text, before + length);
        if (fits)
            memcpy(text.data + before, names[i], length);
    }
    scree_status status =
        fits ? state_put(state, name, SNAPSHOT_U8, text.count, 1, text.data, error) : fail_no_memory(error);
    array_free(&text);
    return status;
}

size_t state_name_index(const snapshot *state, const char *name, const char *wanted)
{
    const snapshot_field *field = state_find(state, name);
    if (!field || field->type != SNAPSHOT_U8 || field->columns != 1)
        return SIZE_MAX;
    const char *text = field->data;
    size_t index = 0;
    for (size_t at = 0; at < field->rows; index++) {
        size_t length = strnlen(text + at, field->rows - at);
        if (length == strlen(wanted) && memcmp(text + at, wanted, length) == 0)
            return index;
        at += length + 1;
    }
    return SIZE_MAX;
}

const snapshot_field *state_find(const snapshot *state, const char *name)
{
    for (size_t i = 0; i < state->count; i++)
        if (strcmp(state->fields[i].name, name) == 0)
            return &state->fields[i];
    return NULL;
}

scree_status state_get(const snapshot *state, const char *name, snapshot_type type, size_t rows, size_t columns,
                       const void **data, scree_error *error)
{
    const snapshot_field *field = state_find(state, name);
    if (!field)
        return fail(error, SCREE_ERROR_INVALID, "the checkpoint lacks \"%s\"", name);
    if (field->type != type || field->rows != rows || field->columns != columns)
        return fail(error, SCREE_ERROR_INVALID, "the checkpoint's \"%s\" has %zu x %zu values; expected %zu x %zu",
                    name, field->rows, field->columns, rows, columns);
    *data = field->data;
    return SCREE_OK;
}

scree_status state_get_number(const snapshot *state, const char *name, double *value, scree_error *error)
{
    const void *data;
    scree_status status = state_get(state, name, SNAPSHOT_F64, 1, 1, &data, error);
    if (status == SCREE_OK)
        memcpy(value, data, sizeof *value);
    return status;
}

scree_status state_get_count(const snapshot *state, const char *name, uint64_t *value, scree_error *error)
{
    const void *data;
    scree_status status = state_get(state, name, SNAPSHOT_U64, 1, 1, &data, error);
    if (status == SCREE_OK)
        memcpy(value, data, sizeof *value);
    return status;
}

scree_status state_get_text(const snapshot *state, const char *name, const char **text, scree_error *error)
{
    const snapshot_field *field = state_find(state, name);
    const void *data;
    scree_status status = state_get(state, name, SNAPSHOT_U8, field ? field->rows : 1, 1, &data, error);
    if (status != SCREE_OK)
        return status;
    if (field->rows == 0 || ((const char *)data)[field->rows - 1] != '\0')
        return fail(error, SCREE_ERROR_INVALID, "the checkpoint's \"%s\" is not a text", name);
    *text = data;
    return SCREE_OK;
}

void state_release(snapshot *state)
{
    for (size_t i = 0; i < state->count; i++) {
        free((void *)state->fields[i].name);
        free((void *)state->fields[i].data);
    }
    *state = (snapshot){0};
}
