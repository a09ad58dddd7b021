// Writing. The FCLIB part is built from the same rows as everything that reads the file back.
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "record/file.h"
#include "record/hdf5/driver.h"
#include "record/problem/problem_file.h"
#include "record/problem/problem_layout.h"

static const char folder_name[] = "problems";

char *problem_file_path(const char *folder, uint64_t step)
{
    char name[64];
    snprintf(name, sizeof name, "%s/problem-%012" PRIu64 ".h5", folder_name, step);
    return path_join(folder, name);
}

bool problem_name_step(const char *name, uint64_t *step)
{
    static const char before[] = "problem-";
    if (strncmp(name, before, sizeof before - 1) != 0 || !isdigit((unsigned char)name[sizeof before - 1]))
        return false;
    char *end;
    *step = strtoull(name + sizeof before - 1, &end, 10);
    return strcmp(end, ".h5") == 0;
}

typedef struct target {
    hid_t file;
    hid_t untimed, deep; // data sets without times; links that make the groups on their way
    bool good;
} target;

static void put(target *to, const char *group, const char *name, hid_t stored, hid_t given, size_t rows, size_t columns,
                const void *data)
{
    char path[128];
    hsize_t shape[2] = {rows, columns};
    if (!to->good)
        return;
    snprintf(path, sizeof path, "%s/%s", group, name);
    hid_t space = H5Screate_simple(columns == 1 ? 1 : 2, shape, NULL);
    hid_t set = H5Dcreate2(to->file, path, stored, space, to->deep, to->untimed, H5P_DEFAULT);
    to->good = set >= 0;
    if (to->good && rows > 0)
        to->good = H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0)
        to->good = H5Dclose(set) >= 0 && to->good;
    if (space >= 0)
        H5Sclose(space);
}

static void put_numbers(target *to, const char *group, const char *name, size_t rows, size_t columns,
                        const double *data)
{
    put(to, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, rows, columns, data);
}

static void put_whole(target *to, const char *group, const char *name, int64_t value)
{
    put(to, group, name, H5T_STD_I32LE, H5T_NATIVE_INT64, 1, 1, &value);
}

static void put_text(target *to, const char *path, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    hid_t set = H5Dcreate2(to->file, path, type, space, to->deep, to->untimed, H5P_DEFAULT);
    to->good = to->good && set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

// ------------------------------------------------------------------------------------------------------------- FCLIB

// Columns [first, end) of a matrix given by its transpose, in compressed columns.
static scree_status put_columns(target *to, const char *group, const sparse_matrix *turned, size_t first, size_t end,
                                scree_error *error)
{
    size_t count = end - first, begin = turned->start[first], entries = turned->start[end] - begin;
    int64_t *starts = calloc(count + 1, sizeof *starts);
    if (!starts)
        return fail_no_memory(error);
    for (size_t i = 0; i <= count; i++)
        starts[i] = (int64_t)(turned->start[first + i] - begin);
    put_whole(to, group, "m", (int64_t)turned->columns);
    put_whole(to, group, "n", (int64_t)count);
    put_whole(to, group, "nz", -1);
    put_whole(to, group, "nzmax", (int64_t)entries);
    put(to, group, "p", H5T_STD_I32LE, H5T_NATIVE_INT64, count + 1, 1, starts);
    put(to, group, "i", H5T_STD_I32LE, H5T_NATIVE_UINT32, entries, 1, turned->column + begin);
    put_numbers(to, group, "x", entries, 1, turned->value + begin);
    free(starts);
    return SCREE_OK;
}

static scree_status put_friction(target *to, const problem_dump *dump, scree_error *error)
{
    double *friction = calloc(dump->row_count + 1, sizeof *friction);
    if (!friction)
        return fail_no_memory(error);
    for (size_t i = 0; i < dump->row_count; i++)
        friction[i] = dump->rows[i].friction;
    put_numbers(to, "/fclib_global/vectors", "mu", dump->row_count, 1, friction);
    free(friction);
    return SCREE_OK;
}

static scree_status put_fclib(target *to, const problem_dump *dump, const matrix_global *global, scree_error *error)
{
    static const char vectors[] = "/fclib_global/vectors";
    size_t contact_rows = 3 * dump->row_count, joint_rows = dump->joint_count;
    sparse_matrix turned;
    scree_status status = sparse_transpose(&global->directions, &turned, error);
    if (status != SCREE_OK)
        return status;
    put_whole(to, "/fclib_global", "spacedim", 3);
    status = put_columns(to, "/fclib_global/M", &global->mass, 0, global->mass.rows, error);
    if (status == SCREE_OK)
        status = put_columns(to, "/fclib_global/H", &turned, 0, contact_rows, error);
    if (status == SCREE_OK && joint_rows)
        status = put_columns(to, "/fclib_global/G", &turned, contact_rows, contact_rows + joint_rows, error);
    if (status == SCREE_OK)
        status = put_friction(to, dump, error);
    put_numbers(to, vectors, "f", global->mass.rows, 1, global->force);
    put_numbers(to, vectors, "w", contact_rows, 1, global->bias);
    if (joint_rows)
        put_numbers(to, vectors, "b", joint_rows, 1, global->bias + contact_rows);
    put_text(to, "/fclib_global/info/title", "a step of Scree; /scree tells what FCLIB cannot");
    sparse_free(&turned);
    return status;
}

// --------------------------------------------------------------------------------------------------------------- rows

static scree_status put_table(target *to, const char *group, const dump_column *columns, size_t column_count,
                              const void *items, size_t stride, size_t count, scree_error *error)
{
    for (size_t c = 0; c < column_count; c++) {
        size_t width = columns[c].width;
        double *data = calloc(count * width + 1, sizeof *data);
        if (!data)
            return fail_no_memory(error);
        for (size_t i = 0; i < count; i++)
            memcpy(data + i * width, (const char *)items + i * stride + columns[c].offset, width * sizeof *data);
        put_numbers(to, group, columns[c].name, count, width, data);
        free(data);
    }
    return SCREE_OK;
}

static scree_status put_ends(target *to, const problem_dump *dump, scree_error *error)
{
    int64_t *pairs = calloc(2 * dump->row_count + 1, sizeof *pairs);
    int64_t *joints = calloc(JOINT_ROW_BODIES * dump->joint_count + 1, sizeof *joints);
    scree_status status = pairs && joints ? SCREE_OK : fail_no_memory(error);
    for (size_t i = 0; status == SCREE_OK && i < dump->row_count; i++) {
        pairs[2 * i] = dump->rows[i].a;
        pairs[2 * i + 1] = dump->rows[i].b;
    }
    for (size_t i = 0; status == SCREE_OK && i < JOINT_ROW_BODIES * dump->joint_count; i++) {
        uint32_t body = dump->joints[i / JOINT_ROW_BODIES].body[i % JOINT_ROW_BODIES];
        joints[i] = body == NO_BODY ? -1 : (int64_t)body;
    }
    if (status == SCREE_OK)
        put(to, DUMP_CONTACTS, "bodies", H5T_STD_I32LE, H5T_NATIVE_INT64, dump->row_count, 2, pairs);
    if (status == SCREE_OK && dump->joint_count)
        put(to, DUMP_JOINTS, "bodies", H5T_STD_I32LE, H5T_NATIVE_INT64, dump->joint_count, JOINT_ROW_BODIES, joints);
    free(pairs);
    free(joints);
    return status;
}

static scree_status put_rows(target *to, const problem_dump *dump, scree_error *error)
{
    put_whole(to, DUMP_GROUP, "version", DUMP_VERSION);
    put_whole(to, DUMP_GROUP, "body_count", (int64_t)dump->body_count);
    put_whole(to, DUMP_GROUP, "contact_count", (int64_t)dump->row_count);
    put_whole(to, DUMP_GROUP, "joint_count", (int64_t)dump->joint_count);
    put_whole(to, DUMP_GROUP, "exact", dump->exact);
    put_whole(to, DUMP_GROUP, "single_precision", dump->single_precision);
    put(to, DUMP_GROUP, "step", H5T_STD_U64LE, H5T_NATIVE_UINT64, 1, 1, &dump->step);
    put_numbers(to, DUMP_GROUP, "time", 1, 1, &dump->time);
    put_numbers(to, DUMP_GROUP, "step_length", 1, 1, &dump->step_s);
    put(to, DUMP_BODIES, "id", H5T_STD_U64LE, H5T_NATIVE_UINT64, dump->body_count, 1, dump->ids);
    scree_status status = put_table(to, DUMP_BODIES, body_columns, DUMP_COLUMNS(body_columns), dump->bodies,
                                    sizeof *dump->bodies, dump->body_count, error);
    if (status == SCREE_OK)
        status = put_table(to, DUMP_CONTACTS, contact_columns, DUMP_COLUMNS(contact_columns), dump->rows,
                           sizeof *dump->rows, dump->row_count, error);
    if (status == SCREE_OK && dump->gaps)
        put_numbers(to, DUMP_CONTACTS, "gap", dump->row_count, 1, dump->gaps);
    if (status == SCREE_OK && dump->joint_count)
        status = put_table(to, DUMP_JOINTS, joint_columns, DUMP_COLUMNS(joint_columns), dump->joints,
                           sizeof *dump->joints, dump->joint_count, error);
    return status == SCREE_OK ? put_ends(to, dump, error) : status;
}

// -------------------------------------------------------------------------------------------------------------- files

static scree_status write_file(driver_io *io, const problem_dump *dump, const matrix_global *global, const char *path,
                               scree_error *error)
{
    hid_t access = driver_access(io);
    target to = {.untimed = H5Pcreate(H5P_DATASET_CREATE), .deep = H5Pcreate(H5P_LINK_CREATE)};
    scree_status status = SCREE_OK;
    to.file = access < 0 ? -1 : H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    to.good =
        to.file >= 0 && H5Pset_obj_track_times(to.untimed, 0) >= 0 && H5Pset_create_intermediate_group(to.deep, 1) >= 0;
    if (to.good)
        status = put_fclib(&to, dump, global, error);
    if (to.good && status == SCREE_OK)
        status = put_rows(&to, dump, error);
    if (to.file >= 0) {
        to.good = H5Fflush(to.file, H5F_SCOPE_GLOBAL) >= 0 && to.good;
        to.good = H5Fclose(to.file) >= 0 && to.good;
    }
    H5Pclose(to.untimed);
    H5Pclose(to.deep);
    if (access >= 0)
        H5Pclose(access);
    if (status != SCREE_OK)
        return status;
    if (io->code)
        return fail_io(error, "write", path, io->code);
    return to.good ? SCREE_OK : fail(error, SCREE_ERROR_IO, "cannot write %s: HDF5 failed", path);
}

static scree_status write_part(const char *path, const char *part, const problem_dump *dump,
                               const matrix_global *global, scree_error *error)
{
    driver_io io = {file_create(part), 0};
    if (io.descriptor < 0)
        return fail_io(error, "write", path, errno);
    driver_silence before = driver_enter();
    scree_status status = write_file(&io, dump, global, path, error);
    driver_leave(before);
    if (status == SCREE_OK)
        status = file_publish(io.descriptor, part, path, error);
    else
        close(io.descriptor);
    if (status != SCREE_OK)
        unlink(part);
    return status;
}

static scree_status make_folder_of(const char *path, scree_error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    scree_status status = folder ? folder_make_own(*folder ? folder : "/", error) : fail_no_memory(error);
    free(folder);
    return status;
}

scree_status problem_file_write(const char *path, const problem_dump *dump, scree_error *error)
{
    matrix_global global;
    size_t length = strlen(path) + sizeof FILE_DRAFT_ENDING;
    scree_status status = matrix_from_rows(dump->bodies, dump->body_count, dump->rows, dump->row_count, dump->joints,
                                           dump->joint_count, true, &global, error);
    if (status != SCREE_OK)
        return status;
    char *part = malloc(length);
    status = part ? make_folder_of(path, error) : fail_no_memory(error);
    if (status == SCREE_OK) {
        snprintf(part, length, "%s%s", path, FILE_DRAFT_ENDING);
        status = write_part(path, part, dump, &global, error);
    }
    free(part);
    matrix_global_free(&global);
    return status;
}
