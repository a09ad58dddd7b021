// Data sets are found by path from the root; every one is checked for kind and size before memory is taken.
#include "record/problem/problem_source.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

bool source_has(const source *from, const char *path)
{
    char part[128];
    // The library wants every step of the path to be there before it is asked for the next.
    for (const char *end = path; *end;) {
        end += *end == '/';
        end += strcspn(end, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (H5Lexists(from->file, part, H5P_DEFAULT) <= 0)
            return false;
    }
    return H5Oexists_by_name(from->file, path, H5P_DEFAULT) > 0;
}

// No data set may claim more than what the file can hold when it is packed as tightly as deflate can.
static bool is_believable(const source *from, hid_t set, size_t count)
{
    hsize_t stored = H5Dget_storage_size(set);
    return count == 0 || (stored <= from->bytes && count / 1100 <= stored / 4);
}

scree_status source_set(const source *from, const char *path, H5T_class_t kind, void **data, size_t *count,
                        scree_error *error)
{
    *data = NULL;
    *count = 0;
    if (!source_has(from, path))
        return fail(error, SCREE_ERROR_INVALID, "%s is missing", path);
    hid_t set = H5Dopen2(from->file, path, H5P_DEFAULT);
    hid_t space = set < 0 ? -1 : H5Dget_space(set), type = set < 0 ? -1 : H5Dget_type(set);
    hssize_t points = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    scree_status status = SCREE_OK;
    if (points < 0 || type < 0 || H5Tget_class(type) != kind || !is_believable(from, set, (size_t)points))
        status = fail(error, SCREE_ERROR_INVALID, "%s is not an array of %s", path,
                      kind == H5T_INTEGER ? "whole numbers" : "floating-point numbers");
    if (status == SCREE_OK && !(*data = calloc((size_t)points + 1, 8)))
        status = fail_no_memory(error);
    hid_t memory = kind == H5T_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    if (status == SCREE_OK && points > 0 && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s cannot be read", path);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (set >= 0)
        H5Dclose(set);
    if (status != SCREE_OK) {
        free(*data);
        *data = NULL;
        return status;
    }
    *count = (size_t)points;
    return SCREE_OK;
}

scree_status source_whole_set(const source *from, const char *group, const char *name, whole_set *set,
                              scree_error *error)
{
    char path[128];
    void *data;
    snprintf(path, sizeof path, "%s/%s", group, name);
    scree_status status = source_set(from, path, H5T_INTEGER, &data, &set->count, error);
    set->data = data;
    return status;
}

scree_status source_whole(const source *from, const char *group, const char *name, int64_t *value, scree_error *error)
{
    whole_set set;
    scree_status status = source_whole_set(from, group, name, &set, error);
    if (status == SCREE_OK && set.count != 1)
        status = fail(error, SCREE_ERROR_INVALID, "%s/%s has %zu values, must have one", group, name, set.count);
    if (status == SCREE_OK)
        *value = set.data[0];
    free(set.data);
    return status;
}

scree_status source_numbers(const source *from, const char *group, const char *name, size_t count, double *to,
                            scree_error *error)
{
    char path[128];
    void *data;
    size_t found;
    snprintf(path, sizeof path, "%s/%s", group, name);
    scree_status status = source_set(from, path, H5T_FLOAT, &data, &found, error);
    if (status == SCREE_OK && found != count)
        status = fail(error, SCREE_ERROR_INVALID, "%s has %zu values, must have %zu", path, found, count);
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        to[i] = ((const double *)data)[i];
        if (!isfinite(to[i]))
            status = fail(error, SCREE_ERROR_INVALID, "value %zu of %s is not finite", i, path);
    }
    free(data);
    return status;
}
