// Fuzzing what comes out of a problem file. The first byte chooses the door:
//
//     even   the rest is a list of changes to the bytes of a small valid file, which is then read;
//     odd    the rest is a matrix as FCLIB stores it: sizes, starts, indices and values.
//
// HDF5 itself is not safe against damaged structures, so changes go to where the file keeps its arrays. A problem that
// is accepted must be sound, and bear a few iterations of every algorithm.
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/problem/problem_file.h"
#include "record/problem/problem_matrix.h"
#include "reference/matrix_solver.h"

enum { MOST_CHANGES = 16, MOST_SETS = 64, MOST_UNKNOWNS = 500 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

// ----------------------------------------------------------------------------------------------------------- matrices

static int64_t take_whole(const uint8_t **at, const uint8_t *end)
{
    return *at < end ? (int8_t) * (*at)++ : 0;
}

static void read_as_matrix(const uint8_t *at, const uint8_t *end)
{
    enum { MOST = 40 };
    int64_t p[MOST], i[MOST];
    double x[MOST];
    stored_matrix stored = {.m = take_whole(&at, end), .n = take_whole(&at, end), .nz = take_whole(&at, end)};
    stored.p_count = (size_t)(take_whole(&at, end) & 31);
    stored.i_count = (size_t)(take_whole(&at, end) & 31);
    stored.x_count = (size_t)(take_whole(&at, end) & 31);
    for (int k = 0; k < MOST; k++) {
        p[k] = take_whole(&at, end);
        i[k] = take_whole(&at, end);
        x[k] = take_whole(&at, end) == 127 ? (double)INFINITY : (double)p[k] / 8;
    }
    stored.p = p, stored.i = i, stored.x = x;
    sparse_matrix matrix, turned;
    scree_error error = {0};
    scree_status status = stored_matrix_convert(&stored, "M", &matrix, &error);
    require(status == SCREE_OK || (status == SCREE_ERROR_INVALID && error.message[0]));
    if (status != SCREE_OK)
        return;
    for (size_t k = 0; k < sparse_count(&matrix); k++)
        require(matrix.column[k] < matrix.columns && isfinite(matrix.value[k]));
    if (sparse_transpose(&matrix, &turned, NULL) == SCREE_OK)
        sparse_free(&turned);
    sparse_free(&matrix);
}

// --------------------------------------------------------------------------------------------------------------- files

typedef struct base_file {
    uint8_t *bytes;
    size_t size;
    struct {
        size_t offset, length;
    } sets[MOST_SETS]; // where its arrays are
    size_t set_count;
} base_file;

static const char *const set_names[] = {
    "/fclib_global/spacedim",
    "/fclib_global/M/m",
    "/fclib_global/M/nz",
    "/fclib_global/M/p",
    "/fclib_global/M/i",
    "/fclib_global/M/x",
    "/fclib_global/H/m",
    "/fclib_global/H/n",
    "/fclib_global/H/nz",
    "/fclib_global/H/p",
    "/fclib_global/H/i",
    "/fclib_global/H/x",
    "/fclib_global/vectors/f",
    "/fclib_global/vectors/w",
    "/fclib_global/vectors/mu",
    "/scree/version",
    "/scree/body_count",
    "/scree/contact_count",
    "/scree/joint_count",
    "/scree/exact",
    "/scree/bodies/velocity",
    "/scree/bodies/spin",
    "/scree/contacts/normal",
    "/scree/bodies/inverse_mass",
    "/scree/contacts/bodies",
    "/scree/contacts/arm_a",
    "/scree/bodies/inverse_inertia",
    "/scree/contacts/bias",
    "/scree/contacts/rolling",
    "/scree/contacts/friction",
    "/scree/contacts/spinning",
    "/scree/contacts/impulse",
    "/scree/contacts/compliance",
};

static void note_set(hid_t file, const char *name, base_file *base)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    haddr_t offset = H5Dget_offset(set);
    size_t length = (size_t)H5Dget_storage_size(set);
    require(set >= 0 && offset != HADDR_UNDEF && length >= 4);
    base->sets[base->set_count].offset = (size_t)offset;
    base->sets[base->set_count++].length = length;
    H5Dclose(set);
}

static const char *scratch_path(void)
{
    static char path[256];
    const char *folder = getenv("TMPDIR");
    if (!*path)
        snprintf(path, sizeof path, "%s/scree-fuzz-problem-%d.h5", folder ? folder : "/tmp", (int)getpid());
    return path;
}

static void remove_scratch(void)
{
    unlink(scratch_path());
}

static const base_file *load_base(void)
{
    static base_file base;
    static const char path[] = SCREE_SOURCE_DIR "/tests/data/problems/tower.h5";
    if (base.bytes)
        return &base;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    require(file >= 0);
    for (size_t i = 0; i < sizeof set_names / sizeof *set_names; i++)
        note_set(file, set_names[i], &base);
    H5Fclose(file);
    FILE *stream = fopen(path, "rb");
    require(stream != NULL);
    fseek(stream, 0, SEEK_END);
    base.size = (size_t)ftell(stream);
    rewind(stream);
    base.bytes = malloc(base.size);
    require(base.bytes && fread(base.bytes, 1, base.size, stream) == base.size);
    fclose(stream);
    atexit(remove_scratch);
    return &base;
}

static void exercise(const matrix_problem *problem)
{
    double *r = calloc(problem->size + 1, sizeof *r);
    for (int k = 0; r && problem->size <= MOST_UNKNOWNS && k < 2 * MATRIX_ALGORITHMS; k++) {
        matrix_result result;
        scree_error error;
        const matrix_options options = {
            .algorithm = (matrix_algorithm)(k / 2), .exact = k % 2, .iterations = 3, .tolerance = 1e-3};
        memcpy(r, problem->start, problem->size * sizeof *r);
        require(matrix_solve(problem, &options, r, &result, &error) == SCREE_OK);
    }
    free(r);
}

static void read_as_file(const uint8_t *at, const uint8_t *end)
{
    const base_file *base = load_base();
    uint8_t *bytes = malloc(base->size);
    require(bytes != NULL);
    memcpy(bytes, base->bytes, base->size);
    bool fclib_only = at < end && *at++ & 1;
    for (int changes = 0; changes < MOST_CHANGES && end - at >= 6; changes++, at += 6) {
        size_t set = at[0] % base->set_count, words = base->sets[set].length / 4;
        memcpy(bytes + base->sets[set].offset + 4 * (at[1] % words), at + 2, 4);
    }
    int descriptor = open(scratch_path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(descriptor >= 0 && write(descriptor, bytes, base->size) == (ssize_t)base->size);
    close(descriptor);
    free(bytes);
    problem_file file;
    scree_error error = {0};
    scree_status status = problem_file_read(scratch_path(), fclib_only, &file, &error);
    require(status == SCREE_OK || (error.status == status && strncmp(error.message, scratch_path(), 10) == 0) ||
            status == SCREE_ERROR_NO_MEMORY);
    if (status != SCREE_OK)
        return;
    exercise(&file.problem);
    problem_file_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] & 1)
        read_as_matrix(data + 1, data + size);
    else
        read_as_file(data + 1, data + size);
    return 0;
}
