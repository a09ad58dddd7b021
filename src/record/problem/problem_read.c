// Reading FCLIB's problems, and finding out what a file holds. Every number is checked before it is used.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "record/file.h"
#include "record/problem/problem_layout.h"
#include "record/problem/problem_matrix.h"
#include "record/problem/problem_source.h"

const char *const problem_form_names[] = {
    [PROBLEM_LOCAL] = "local", [PROBLEM_GLOBAL] = "global", [PROBLEM_DUMP] = "dump"};

// The largest asymmetry of M, over its largest entry. Files that others wrote are off by 1e-3.
static const double most_asymmetry = 0.01;

static scree_status read_matrix(const source *from, const char *group, const char *name, sparse_matrix *matrix,
                                scree_error *error)
{
    char path[64], values[80];
    stored_matrix stored;
    whole_set p = {0}, i = {0};
    void *x = NULL;
    *matrix = (sparse_matrix){0};
    snprintf(path, sizeof path, "%s/%s", group, name);
    snprintf(values, sizeof values, "%s/x", path);
    scree_status status = source_whole(from, path, "m", &stored.m, error);
    if (status == SCREE_OK)
        status = source_whole(from, path, "n", &stored.n, error);
    if (status == SCREE_OK)
        status = source_whole(from, path, "nz", &stored.nz, error);
    if (status == SCREE_OK && ((uint64_t)stored.m / 128 > from->bytes || (uint64_t)stored.n / 128 > from->bytes))
        status = fail(error, SCREE_ERROR_INVALID, "%s is %lld x %lld, too large for the file to hold its vectors", path,
                      (long long)stored.m, (long long)stored.n);
    if (status == SCREE_OK)
        status = source_whole_set(from, path, "p", &p, error);
    if (status == SCREE_OK)
        status = source_whole_set(from, path, "i", &i, error);
    if (status == SCREE_OK)
        status = source_set(from, values, H5T_FLOAT, &x, &stored.x_count, error);
    if (status == SCREE_OK) {
        stored.p = p.data, stored.p_count = p.count;
        stored.i = i.data, stored.i_count = i.count;
        stored.x = x;
        status = stored_matrix_convert(&stored, path, matrix, error);
    }
    free(p.data);
    free(i.data);
    free(x);
    return status;
}

static scree_status expect_size(const char *group, const char *name, const sparse_matrix *matrix, size_t rows,
                                size_t columns, scree_error *error)
{
    if (matrix->rows == rows && matrix->columns == columns)
        return SCREE_OK;
    return fail(error, SCREE_ERROR_INVALID, "%s/%s is %zu x %zu, must be %zu x %zu", group, name, matrix->rows,
                matrix->columns, rows, columns);
}

// --------------------------------------------------------------------------------------------------- FCLIB problems

typedef struct fclib_parts { // of a local problem W, V, R; of a global one M, H, G
    const char *group;
    sparse_matrix main, side, joint;
    bool has_joints;
    size_t rows, contact_rows, joint_rows; // of main; unknowns
    int64_t spacedim;
} fclib_parts;

static void parts_free(fclib_parts *parts)
{
    sparse_free(&parts->main);
    sparse_free(&parts->side);
    sparse_free(&parts->joint);
}

static scree_status read_dimension(const source *from, fclib_parts *parts, scree_error *error)
{
    scree_status status = source_whole(from, parts->group, "spacedim", &parts->spacedim, error);
    if (status != SCREE_OK || parts->spacedim == 2 || parts->spacedim == 3 || parts->spacedim == 5)
        return status;
    return fail(error, SCREE_ERROR_INVALID, "%s/spacedim is %lld, must be 2, 3, or 5 with rolling friction",
                parts->group, (long long)parts->spacedim);
}

// Blocks of the contacts, with their coefficients, then those of the joints.
static scree_status read_blocks(const source *from, const fclib_parts *parts, matrix_block *blocks, scree_error *error)
{
    char group[128];
    size_t dimension = (size_t)parts->spacedim, contacts = parts->contact_rows / dimension;
    double *friction = calloc(2 * contacts + 1, sizeof *friction);
    if (!friction)
        return fail_no_memory(error);
    snprintf(group, sizeof group, "%s/vectors", parts->group);
    scree_status status = source_numbers(from, group, "mu", contacts, friction, error);
    if (status == SCREE_OK && dimension == 5)
        status = source_numbers(from, group, "mu_r", contacts, friction + contacts, error);
    for (size_t i = 0; status == SCREE_OK && i < contacts; i++) {
        matrix_block *block = &blocks[i];
        *block = (matrix_block){.first = (uint32_t)(i * dimension), .size = (uint32_t)dimension, .high = HUGE_VAL};
        block->cap_count = dimension == 5 ? 2 : 1;
        block->cap[0] = (block_cap){dimension == 2 ? 1 : 2, friction[i]};
        block->cap[1] = (block_cap){2, friction[contacts + i]};
        if (friction[i] < 0 || friction[contacts + i] < 0)
            status = fail(error, SCREE_ERROR_INVALID, "friction of contact %zu in %s is negative", i, group);
    }
    for (size_t i = 0; i < parts->joint_rows; i++)
        blocks[contacts + i] =
            (matrix_block){.first = (uint32_t)(parts->contact_rows + i), .size = 1, .low = -HUGE_VAL, .high = HUGE_VAL};
    free(friction);
    return status;
}

static scree_status count_unknowns(fclib_parts *parts, size_t contact_rows, size_t joint_rows, scree_error *error)
{
    parts->contact_rows = contact_rows;
    parts->joint_rows = joint_rows;
    if (contact_rows % (size_t)parts->spacedim != 0)
        return fail(error, SCREE_ERROR_INVALID, "%s has %zu rows of contacts, must be a multiple of spacedim, %lld",
                    parts->group, contact_rows, (long long)parts->spacedim);
    if (contact_rows + joint_rows == 0)
        return fail(error, SCREE_ERROR_INVALID, "%s has no contacts", parts->group);
    return SCREE_OK;
}

static void add_entries(entry_array *entries, const sparse_matrix *matrix, size_t row, size_t column, bool turned)
{
    for (size_t r = 0; r < matrix->rows; r++)
        for (size_t k = matrix->start[r]; k < matrix->start[r + 1]; k++) {
            size_t c = matrix->column[k];
            entries->data[entries->count++] = (sparse_entry){(uint32_t)(row + (turned ? c : r)),
                                                             (uint32_t)(column + (turned ? r : c)), matrix->value[k]};
        }
}

// [W V; V^T R] or [H G].
static scree_status join(const fclib_parts *parts, bool local, sparse_matrix *result, scree_error *error)
{
    entry_array entries = {0};
    size_t contacts = parts->contact_rows, unknowns = contacts + parts->joint_rows;
    const sparse_matrix *main = &parts->main, *side = &parts->side, *joint = &parts->joint;
    if (!array_reserve(&entries, 1 + sparse_count(main) + 2 * sparse_count(side) + sparse_count(joint)))
        return fail_no_memory(error);
    if (local) {
        add_entries(&entries, main, 0, 0, false);
        add_entries(&entries, side, 0, contacts, false);
        add_entries(&entries, side, contacts, 0, true);
        add_entries(&entries, joint, contacts, contacts, false);
    } else {
        add_entries(&entries, side, 0, 0, false);
        add_entries(&entries, joint, 0, contacts, false);
    }
    scree_status status =
        sparse_from_entries(result, local ? unknowns : main->rows, unknowns, entries.data, entries.count, error);
    array_free(&entries);
    return status;
}

static scree_status read_local_parts(const source *from, fclib_parts *parts, scree_error *error)
{
    const char *group = parts->group;
    scree_status status = read_matrix(from, group, "W", &parts->main, error);
    if (status == SCREE_OK)
        status = expect_size(group, "W", &parts->main, parts->main.rows, parts->main.rows, error);
    if (status == SCREE_OK && parts->has_joints)
        status = read_matrix(from, group, "R", &parts->joint, error);
    if (status == SCREE_OK && parts->has_joints)
        status = read_matrix(from, group, "V", &parts->side, error);
    if (status != SCREE_OK)
        return status;
    size_t joints = parts->joint.rows;
    if (parts->has_joints)
        status = expect_size(group, "R", &parts->joint, joints, joints, error);
    if (status == SCREE_OK && parts->has_joints)
        status = expect_size(group, "V", &parts->side, parts->main.rows, joints, error);
    return status == SCREE_OK ? count_unknowns(parts, parts->main.rows, joints, error) : status;
}

static scree_status read_local(const source *from, fclib_parts *parts, matrix_problem *problem, scree_error *error)
{
    char group[128];
    snprintf(group, sizeof group, "%s/vectors", parts->group);
    scree_status status = read_local_parts(from, parts, error);
    size_t contacts = status == SCREE_OK ? parts->contact_rows / (size_t)parts->spacedim : 0;
    if (status == SCREE_OK)
        status = matrix_problem_allocate(problem, parts->contact_rows + parts->joint_rows, contacts + parts->joint_rows,
                                         error);
    if (status == SCREE_OK)
        status = join(parts, true, &problem->w, error);
    if (status == SCREE_OK)
        status = source_numbers(from, group, "q", parts->contact_rows, problem->q, error);
    if (status == SCREE_OK && parts->has_joints)
        status = source_numbers(from, group, "s", parts->joint_rows, problem->q + parts->contact_rows, error);
    if (status == SCREE_OK)
        status = read_blocks(from, parts, problem->blocks, error);
    return status;
}

static scree_status read_global_parts(const source *from, fclib_parts *parts, scree_error *error)
{
    const char *group = parts->group;
    scree_status status = read_matrix(from, group, "M", &parts->main, error);
    if (status == SCREE_OK)
        status = read_matrix(from, group, "H", &parts->side, error);
    if (status == SCREE_OK && parts->has_joints)
        status = read_matrix(from, group, "G", &parts->joint, error);
    if (status != SCREE_OK)
        return status;
    size_t rows = parts->main.rows;
    status = expect_size(group, "M", &parts->main, rows, rows, error);
    if (status == SCREE_OK)
        status = expect_size(group, "H", &parts->side, rows, parts->side.columns, error);
    if (status == SCREE_OK && parts->has_joints)
        status = expect_size(group, "G", &parts->joint, rows, parts->joint.columns, error);
    if (status == SCREE_OK && sparse_asymmetry(&parts->main) > most_asymmetry)
        status =
            fail(error, SCREE_ERROR_INVALID, "%s/M is not symmetric to %g of its largest entry", group, most_asymmetry);
    return status == SCREE_OK ? count_unknowns(parts, parts->side.columns, parts->joint.columns, error) : status;
}

static scree_status read_global(const source *from, fclib_parts *parts, matrix_problem *problem, scree_error *error)
{
    char group[128];
    matrix_global global = {0};
    snprintf(group, sizeof group, "%s/vectors", parts->group);
    scree_status status = read_global_parts(from, parts, error);
    size_t contacts = status == SCREE_OK ? parts->contact_rows / (size_t)parts->spacedim : 0;
    if (status == SCREE_OK)
        status = matrix_global_allocate(&global, parts->contact_rows + parts->joint_rows, contacts + parts->joint_rows,
                                        parts->main.rows, error);
    if (status == SCREE_OK)
        status = join(parts, false, &global.directions, error);
    if (status == SCREE_OK)
        status = source_numbers(from, group, "f", parts->main.rows, global.force, error);
    if (status == SCREE_OK)
        status = source_numbers(from, group, "w", parts->contact_rows, global.bias, error);
    if (status == SCREE_OK && parts->has_joints)
        status = source_numbers(from, group, "b", parts->joint_rows, global.bias + parts->contact_rows, error);
    if (status == SCREE_OK)
        status = read_blocks(from, parts, global.blocks, error);
    if (status == SCREE_OK) {
        global.mass = parts->main;
        parts->main = (sparse_matrix){0};
        status = matrix_reduce(&global, problem, error);
    }
    matrix_global_free(&global);
    return status;
}

// Impulses of /solution or of the first guess; without them `to` stays as it is.
static scree_status read_impulses(const source *from, const char *group, const fclib_parts *parts, double *to,
                                  bool *found, scree_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "%s/r", group);
    *found = source_has(from, path);
    if (!*found)
        return SCREE_OK;
    scree_status status = source_numbers(from, group, "r", parts->contact_rows, to, error);
    snprintf(path, sizeof path, "%s/l", group);
    if (status == SCREE_OK && parts->joint_rows && source_has(from, path))
        status = source_numbers(from, group, "l", parts->joint_rows, to + parts->contact_rows, error);
    return status;
}

static scree_status read_fclib(const source *from, const char *group, bool local, problem_file *file,
                               scree_error *error)
{
    char joints[128];
    fclib_parts parts = {.group = group};
    snprintf(joints, sizeof joints, "%s/%s", group, local ? "R" : "G");
    parts.has_joints = source_has(from, joints);
    file->form = local ? PROBLEM_LOCAL : PROBLEM_GLOBAL;
    scree_status status = read_dimension(from, &parts, error);
    if (status == SCREE_OK)
        status =
            local ? read_local(from, &parts, &file->problem, error) : read_global(from, &parts, &file->problem, error);
    if (status == SCREE_OK && !(file->solution = calloc(file->problem.size + 1, sizeof *file->solution)))
        status = fail_no_memory(error);
    bool found = false;
    if (status == SCREE_OK)
        status = read_impulses(from, "/guesses/1", &parts, file->problem.start, &found, error);
    if (status == SCREE_OK)
        status = read_impulses(from, "/solution", &parts, file->solution, &found, error);
    if (status == SCREE_OK) {
        file->contacts = parts.contact_rows / (size_t)parts.spacedim;
        file->joints = parts.joint_rows;
        file->rolling = parts.spacedim == 5;
    }
    if (!found) {
        free(file->solution);
        file->solution = NULL;
    }
    parts_free(&parts);
    return status;
}

// ------------------------------------------------------------------------------------------------------------- files

static scree_status read_any(const source *from, bool fclib_only, problem_file *file, scree_error *error)
{
    static const struct {
        const char *group;
        bool local;
    } forms[] = {{"/fclib_local", true},
                 {"/fclib_global", false},
                 {"/fclib_local_rolling", true},
                 {"/fclib_global_rolling", false}};
    if (!fclib_only && source_has(from, DUMP_GROUP))
        return read_dump(from, file, error);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (source_has(from, forms[i].group))
            return read_fclib(from, forms[i].group, forms[i].local, file, error);
    return fail(error, SCREE_ERROR_INVALID,
                "it holds no contact problem: /fclib_local, /fclib_global and " DUMP_GROUP " are accepted");
}

scree_status problem_file_read(const char *path, bool fclib_only, problem_file *file, scree_error *error)
{
    struct stat info;
    scree_error inner = {0};
    *file = (problem_file){0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail_io(error, "read", path, errno);
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(descriptor);
        return fail(error, SCREE_ERROR_INVALID, "%s: it is not a file; an HDF5 file is accepted", path);
    }
    driver_io io = {descriptor, 0};
    driver_silence before = driver_enter();
    hid_t access = driver_access(&io);
    source from = {access < 0 ? -1 : H5Fopen("problem", H5F_ACC_RDONLY, access), (size_t)info.st_size};
    scree_status status = from.file < 0 ? fail(&inner, SCREE_ERROR_INVALID, "it is not an HDF5 file")
                                        : read_any(&from, fclib_only, file, &inner);
    if (from.file >= 0)
        H5Fclose(from.file);
    if (access >= 0)
        H5Pclose(access);
    driver_leave(before);
    close(descriptor);
    if (status == SCREE_OK)
        return SCREE_OK;
    problem_file_free(file);
    return fail(error, status, "%s: %s", path, inner.message);
}

void problem_file_free(problem_file *file)
{
    matrix_problem_free(&file->problem);
    free(file->solution);
    *file = (problem_file){0};
}
