#include "record/hdf5/container.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "record/file.h"
#include "record/hdf5/driver.h"
#include "record/state.h"

static hid_t file_type(snapshot_type type)
{
    switch (type) {
    case SNAPSHOT_U8:
        return H5T_STD_U8LE;
    case SNAPSHOT_U16:
        return H5T_STD_U16LE;
    case SNAPSHOT_U32:
        return H5T_STD_U32LE;
    case SNAPSHOT_U64:
        return H5T_STD_U64LE;
    case SNAPSHOT_F32:
        return H5T_IEEE_F32LE;
    case SNAPSHOT_F64:
        return H5T_IEEE_F64LE;
    }
    return -1;
}

static hid_t memory_type(snapshot_type type)
{
    switch (type) {
    case SNAPSHOT_U8:
        return H5T_NATIVE_UINT8;
    case SNAPSHOT_U16:
        return H5T_NATIVE_UINT16;
    case SNAPSHOT_U32:
        return H5T_NATIVE_UINT32;
    case SNAPSHOT_U64:
        return H5T_NATIVE_UINT64;
    case SNAPSHOT_F32:
        return H5T_NATIVE_FLOAT;
    case SNAPSHOT_F64:
        return H5T_NATIVE_DOUBLE;
    }
    return -1;
}

static bool write_array(hid_t group, hid_t untimed, const snapshot_field *field)
{
    hsize_t shape[2] = {field->rows, field->columns};
    hid_t space = H5Screate_simple(2, shape, NULL);
    hid_t set = H5Dcreate2(group, field->name, file_type(field->type), space, H5P_DEFAULT, untimed, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && field->rows > 0)
        good = H5Dwrite(set, memory_type(field->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, field->data) >= 0;
    if (set >= 0)
        good = H5Dclose(set) >= 0 && good;
    if (space >= 0)
        H5Sclose(space);
    return good;
}

static bool write_group(hid_t file, hid_t untimed, const container_group *from)
{
    hid_t group = H5Gcreate2(file, from->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = group >= 0;
    for (size_t i = 0; good && i < from->arrays->count; i++)
        good = write_array(group, untimed, &from->arrays->fields[i]);
    if (group >= 0)
        good = H5Gclose(group) >= 0 && good;
    return good;
}

// Without modification times, so that equal arrays give equal bytes.
static bool write_file(driver_io *io, size_t head, const container_group *groups, size_t count)
{
    hid_t access = driver_access(io);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t untimed = H5Pcreate(H5P_DATASET_CREATE);
    hid_t file = -1;
    if (access >= 0 && untimed >= 0 && H5Pset_userblock(creation, head) >= 0 && H5Pset_obj_track_times(untimed, 0) >= 0)
        file = H5Fcreate("container", H5F_ACC_TRUNC, creation, access);
    bool good = file >= 0;
    for (size_t i = 0; good && i < count; i++)
        good = write_group(file, untimed, &groups[i]);
    if (file >= 0) {
        good = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && good;
        good = H5Fclose(file) >= 0 && good;
    }
    H5Pclose(untimed);
    H5Pclose(creation);
    H5Pclose(access);
    return good;
}

scree_status container_write(int descriptor, size_t head, const container_group *groups, size_t count, const char *path,
                             scree_error *error)
{
    driver_io io = {descriptor, 0};
    driver_silence before = driver_enter();
    bool good = write_file(&io, head, groups, count);
    driver_leave(before);
    if (io.code)
        return fail_io(error, "write", path, io.code);
    return good ? SCREE_OK : fail(error, SCREE_ERROR_IO, "cannot write %s: HDF5 failed", path);
}

static bool stored_type(hid_t set, snapshot_type *type)
{
    static const snapshot_type known[] = {SNAPSHOT_U8,  SNAPSHOT_U16, SNAPSHOT_U32,
                                          SNAPSHOT_U64, SNAPSHOT_F32, SNAPSHOT_F64};
    hid_t stored = H5Dget_type(set);
    bool found = false;
    for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++) {
        found = H5Tequal(stored, file_type(known[i])) > 0;
        *type = known[i];
    }
    H5Tclose(stored);
    return found;
}

// `most` bounds what is allocated: no array is larger than the file.
static scree_status read_array(hid_t group, const char *name, size_t most, snapshot *arrays, scree_error *error)
{
    hsize_t shape[2] = {0, 0};
    snapshot_type type = SNAPSHOT_U8;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, shape, NULL) == 2 && stored_type(set, &type) && shape[1] > 0 &&
                shape[1] <= most && shape[0] <= most / shape[1] / snapshot_element_size(type);
    if (space >= 0)
        H5Sclose(space);
    scree_status status =
        good ? SCREE_OK : fail(error, SCREE_ERROR_INVALID, "array \"%s\" is of an unknown kind", name);
    size_t bytes = good ? (size_t)(shape[0] * shape[1]) * snapshot_element_size(type) : 0;
    char *own_name = strdup(name);
    void *data = malloc(bytes ? bytes : 1);
    if (status == SCREE_OK && (!own_name || !data))
        status = fail_no_memory(error);
    if (status == SCREE_OK && bytes && H5Dread(set, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        status = fail(error, SCREE_ERROR_INVALID, "array \"%s\" cannot be read", name);
    if (set >= 0)
        H5Dclose(set);
    if (status != SCREE_OK) {
        free(own_name);
        free(data);
        return status;
    }
    arrays->fields[arrays->count++] = (snapshot_field){own_name, type, (size_t)shape[0], (size_t)shape[1], data};
    return SCREE_OK;
}

static scree_status read_group(hid_t group, size_t most, snapshot *arrays, scree_error *error)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0 || info.nlinks > SNAPSHOT_MAX_FIELDS)
        return fail(error, SCREE_ERROR_INVALID, "a group has no or more than %d arrays", SNAPSHOT_MAX_FIELDS);
    for (hsize_t i = 0; i < info.nlinks; i++) {
        char name[64];
        ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (length <= 0 || (size_t)length >= sizeof name)
            return fail(error, SCREE_ERROR_INVALID, "array %d has no name or too long a one", (int)i);
        scree_status status = read_array(group, name, most, arrays, error);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

scree_status container_read(int descriptor, const char *group, snapshot *arrays, const char *path, scree_error *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return fail(error, SCREE_ERROR_IO, "cannot read %s", path);
    driver_io io = {descriptor, 0};
    scree_error inner = {0};
    *arrays = (snapshot){0};
    driver_silence before = driver_enter();
    hid_t access = driver_access(&io);
    hid_t file = access < 0 ? -1 : H5Fopen("container", H5F_ACC_RDONLY, access);
    hid_t from = file < 0 ? -1 : H5Gopen2(file, group, H5P_DEFAULT);
    scree_status status = from < 0 ? fail(&inner, SCREE_ERROR_INVALID, "it has no group \"%s\"", group)
                                   : read_group(from, (size_t)info.st_size, arrays, &inner);
    if (from >= 0)
        H5Gclose(from);
    if (file >= 0)
        H5Fclose(file);
    if (access >= 0)
        H5Pclose(access);
    driver_leave(before);
    if (status != SCREE_OK) {
        state_release(arrays);
        return fail(error, status, "cannot read %s: %s", path, inner.message);
    }
    return SCREE_OK;
}
