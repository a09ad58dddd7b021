// The table of contents is what reading trusts, and it is checked line by line; HDF5's own tables are written for
// others and never read back. HDF5 is not safe against a file that was made to harm: a list of links forged by hand
// ends H5Lget_name_by_idx of 1.10 in a wild pointer.
//
// The table follows HDF5's last byte, at a multiple of eight, and ends the file:
//
//     line of an array:  group (16 bytes), name (48), type, rows, columns, place in the file (8 each, little-endian)
//     line of a group:   the same with an empty name and no rows
//     last word:         number of lines
#include "record/hdf5/container.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

enum {
    GROUP_SIZE = 16,
    NAME_SIZE = 48,
    LINE_SIZE = GROUP_SIZE + NAME_SIZE + 4 * 8,
    MOST_LINES = 4 * SNAPSHOT_MAX_FIELDS
};

// A line of the table of contents.
typedef struct content_line {
    char group[GROUP_SIZE], name[NAME_SIZE];
    uint64_t type, rows, columns, place;
} content_line;

typedef struct content_table {
    content_line lines[MOST_LINES];
    size_t count;
} content_table;

// ----------------------------------------------------------------------------------------------------------- writing

static bool add_line(content_table *table, const char *group, const snapshot_field *field, haddr_t place)
{
    if (table->count == MOST_LINES || strlen(group) >= GROUP_SIZE || strlen(field->name) >= NAME_SIZE ||
        place == HADDR_UNDEF)
        return false;
    content_line *line = &table->lines[table->count++];
    *line = (content_line){.type = field->type, .rows = field->rows, .columns = field->columns, .place = place};
    strcpy(line->group, group);
    strcpy(line->name, field->name);
    return true;
}

static bool write_array(hid_t to, hid_t untimed, const char *group, const snapshot_field *field, content_table *table)
{
    hsize_t shape[2] = {field->rows, field->columns};
    hid_t space = H5Screate_simple(2, shape, NULL);
    hid_t set = H5Dcreate2(to, field->name, file_type(field->type), space, H5P_DEFAULT, untimed, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && field->rows > 0)
        good = H5Dwrite(set, memory_type(field->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, field->data) >= 0;
    good = good && add_line(table, group, field, field->rows > 0 ? H5Dget_offset(set) : 0);
    if (set >= 0)
        good = H5Dclose(set) >= 0 && good;
    if (space >= 0)
        H5Sclose(space);
    return good;
}

static bool write_group(hid_t file, hid_t untimed, const container_group *from, content_table *table)
{
    const snapshot_field itself = {.name = "", .columns = 1};
    hid_t group = H5Gcreate2(file, from->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = group >= 0 && add_line(table, from->name, &itself, 0);
    for (size_t i = 0; good && i < from->arrays->count; i++)
        good = write_array(group, untimed, from->name, &from->arrays->fields[i], table);
    if (group >= 0)
        good = H5Gclose(group) >= 0 && good;
    return good;
}

// Without modification times, so that equal arrays give equal bytes.
static bool write_file(driver_io *io, size_t head, const container_group *groups, size_t count, content_table *table)
{
    hid_t access = driver_access(io);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t untimed = H5Pcreate(H5P_DATASET_CREATE);
    hid_t file = -1;
    if (access >= 0 && untimed >= 0 && H5Pset_userblock(creation, head) >= 0 && H5Pset_obj_track_times(untimed, 0) >= 0)
        file = H5Fcreate("container", H5F_ACC_TRUNC, creation, access);
    bool good = file >= 0;
    for (size_t i = 0; good && i < count; i++)
        good = write_group(file, untimed, &groups[i], table);
    if (file >= 0) {
        good = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && good;
        good = H5Fclose(file) >= 0 && good;
    }
    H5Pclose(untimed);
    H5Pclose(creation);
    H5Pclose(access);
    return good;
}

static void store_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(word >> (8 * i));
}

static uint64_t load_word(const unsigned char *from)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)from[i] << (8 * i);
    return word;
}

// All of `size` bytes, or an errno.
static int put_bytes(int descriptor, const unsigned char *data, size_t size, uint64_t at)
{
    while (size > 0) {
        ssize_t put = pwrite(descriptor, data, size, (off_t)at);
        if (put < 0 && errno != EINTR)
            return errno;
        if (put == 0)
            return ENOSPC;
        data += put > 0 ? put : 0;
        at += put > 0 ? (uint64_t)put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return 0;
}

static int write_table(int descriptor, const content_table *table)
{
    unsigned char text[MOST_LINES * LINE_SIZE + 8];
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return errno;
    for (size_t i = 0; i < table->count; i++) {
        const content_line *line = &table->lines[i];
        unsigned char *to = text + i * LINE_SIZE, *words = to + GROUP_SIZE + NAME_SIZE;
        memcpy(to, line->group, GROUP_SIZE);
        memcpy(to + GROUP_SIZE, line->name, NAME_SIZE);
        store_word(words, line->type);
        store_word(words + 8, line->rows);
        store_word(words + 16, line->columns);
        store_word(words + 24, line->place);
    }
    store_word(text + table->count * LINE_SIZE, table->count);
    return put_bytes(descriptor, text, table->count * LINE_SIZE + 8, ((uint64_t)info.st_size + 7) / 8 * 8);
}

scree_status container_write(int descriptor, size_t head, const container_group *groups, size_t count, const char *path,
                             scree_error *error)
{
    driver_io io = {descriptor, 0};
    content_table table = {.count = 0};
    driver_silence before = driver_enter();
    bool good = write_file(&io, head, groups, count, &table);
    driver_leave(before);
    if (good && io.code == 0)
        io.code = write_table(descriptor, &table);
    if (io.code)
        return fail_io(error, "write", path, io.code);
    return good ? SCREE_OK : fail(error, SCREE_ERROR_IO, "cannot write %s: HDF5 failed", path);
}

// ----------------------------------------------------------------------------------------------------------- reading

static bool get_bytes(int descriptor, void *data, size_t size, uint64_t from)
{
    char *to = data;
    while (size > 0) {
        ssize_t got = pread(descriptor, to, size, (off_t)from);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        to += got > 0 ? got : 0;
        from += got > 0 ? (uint64_t)got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

// Whether the line is one that this program may have written: names that end, a known type, an array that lies between
// the file's start and the table's.
static bool line_is_good(const content_line *line, uint64_t table_start)
{
    if (line->group[0] == '\0' || (line->name[0] == '\0' && line->rows > 0) || line->group[GROUP_SIZE - 1] != '\0' ||
        line->name[NAME_SIZE - 1] != '\0' || line->type > SNAPSHOT_F64 || line->columns == 0)
        return false;
    uint64_t size = snapshot_element_size((snapshot_type)line->type);
    return line->place <= table_start && line->columns <= table_start / size &&
           line->rows <= (table_start - line->place) / (line->columns * size);
}

static scree_status read_table(int descriptor, content_table *table, scree_error *error)
{
    struct stat info;
    unsigned char text[MOST_LINES * LINE_SIZE + 8];
    if (fstat(descriptor, &info) != 0)
        return fail(error, SCREE_ERROR_IO, "it cannot be read");
    uint64_t size = (uint64_t)info.st_size, count = 0;
    if (size < 8 || !get_bytes(descriptor, text, 8, size - 8) || (count = load_word(text)) == 0 || count > MOST_LINES ||
        count * LINE_SIZE + 8 > size || !get_bytes(descriptor, text, count * LINE_SIZE, size - 8 - count * LINE_SIZE))
        return fail(error, SCREE_ERROR_INVALID, "it does not end with a table of contents");
    table->count = (size_t)count;
    for (size_t i = 0; i < count; i++) {
        content_line *line = &table->lines[i];
        const unsigned char *from = text + i * LINE_SIZE, *words = from + GROUP_SIZE + NAME_SIZE;
        memcpy(line->group, from, GROUP_SIZE);
        memcpy(line->name, from + GROUP_SIZE, NAME_SIZE);
        line->type = load_word(words);
        line->rows = load_word(words + 8);
        line->columns = load_word(words + 16);
        line->place = load_word(words + 24);
        if (!line_is_good(line, size - 8 - count * LINE_SIZE))
            return fail(error, SCREE_ERROR_INVALID, "line %zu of its table of contents is wrong", i + 1);
    }
    return SCREE_OK;
}

// Arrays lie in the file as little-endian numbers.
static void use_host_order(void *data, size_t count, size_t size)
{
    const uint16_t one = 1;
    if (*(const unsigned char *)&one == 1 || size == 1)
        return;
    for (unsigned char *number = data; count > 0; count--, number += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = number[i];
            number[i] = number[size - 1 - i];
            number[size - 1 - i] = byte;
        }
}

static scree_status read_array(int descriptor, const content_line *line, snapshot *arrays, scree_error *error)
{
    snapshot_type type = (snapshot_type)line->type;
    size_t numbers = (size_t)(line->rows * line->columns), bytes = numbers * snapshot_element_size(type);
    char *name = strdup(line->name);
    void *data = malloc(bytes ? bytes : 1);
    scree_status status = name && data ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK && !get_bytes(descriptor, data, bytes, line->place))
        status = fail(error, SCREE_ERROR_INVALID, "array \"%s\" cannot be read", line->name);
    if (status != SCREE_OK) {
        free(name);
        free(data);
        return status;
    }
    use_host_order(data, numbers, snapshot_element_size(type));
    arrays->fields[arrays->count++] = (snapshot_field){name, type, (size_t)line->rows, (size_t)line->columns, data};
    return SCREE_OK;
}

// The arrays of a group lie apart, so that together they are no larger than the file; a table in which they share bytes
// could ask for any amount of memory.
static scree_status read_group(int descriptor, const char *group, const content_table *table, snapshot *arrays,
                               scree_error *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return fail(error, SCREE_ERROR_IO, "it cannot be read");
    uint64_t left = (uint64_t)info.st_size;
    bool found = false;
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < table->count; i++) {
        const content_line *line = &table->lines[i];
        if (strcmp(line->group, group) != 0)
            continue;
        found = true;
        if (line->name[0] == '\0')
            continue;
        uint64_t bytes = line->rows * line->columns * snapshot_element_size((snapshot_type)line->type);
        if (arrays->count == SNAPSHOT_MAX_FIELDS || bytes > left)
            return fail(error, SCREE_ERROR_INVALID, "group \"%s\" has more arrays or bytes than a file may", group);
        left -= bytes;
        status = read_array(descriptor, line, arrays, error);
    }
    if (status == SCREE_OK && !found)
        return fail(error, SCREE_ERROR_INVALID, "it has no group \"%s\"", group);
    return status;
}

scree_status container_read(int descriptor, const char *group, snapshot *arrays, const char *path, scree_error *error)
{
    scree_error inner = {0};
    content_table table;
    *arrays = (snapshot){0};
    scree_status status = read_table(descriptor, &table, &inner);
    if (status == SCREE_OK)
        status = read_group(descriptor, group, &table, arrays, &inner);
    if (status != SCREE_OK) {
        state_release(arrays);
        return fail(error, status, "cannot read %s: %s", path, inner.message);
    }
    return SCREE_OK;
}
