// Containers: arrays come back as they were, and a disk that fills up at any byte is an error and nothing worse.
#include <fcntl.h>

#include <hdf5.h>

#include "base/random.h"
#include "record/hdf5/container.h"
#include "record/state.h"
#include "support.h"

enum { HEAD = 512, ROWS = 3000 };

static snapshot sample(void)
{
    scree_error error;
    snapshot state = {0};
    static double reals[ROWS][3];
    static float narrow[ROWS];
    static uint16_t small[ROWS];
    for (int i = 0; i < ROWS; i++) {
        reals[i][0] = i, reals[i][1] = 1.0 / (i + 1), reals[i][2] = -i * 1e100;
        narrow[i] = 0.1f * (float)i;
        small[i] = (uint16_t)(i * 77);
    }
    check_ok(state_put(&state, "reals", SNAPSHOT_F64, ROWS, 3, reals, &error), error);
    check_ok(state_put(&state, "narrow", SNAPSHOT_F32, ROWS, 1, narrow, &error), error);
    check_ok(state_put(&state, "small", SNAPSHOT_U16, ROWS / 2, 2, small, &error), error);
    check_ok(state_put(&state, "words", SNAPSHOT_U32, 2, 1, (const uint32_t[]){7, UINT32_MAX}, &error), error);
    check_ok(state_put(&state, "nothing", SNAPSHOT_F64, 0, 3, NULL, &error), error);
    check_ok(state_put_count(&state, "count", UINT64_MAX - 1, &error), error);
    check_ok(state_put_text(&state, "text", "a name", &error), error);
    return state;
}

static void assert_same(const snapshot *a, const snapshot *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const snapshot_field *x = &a->fields[i], *y = state_find(b, x->name);
        assert_non_null(y);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->rows, y->rows);
        assert_int_equal(x->columns, y->columns);
        assert_memory_equal(x->data, y->data, x->rows * x->columns * snapshot_element_size(x->type));
    }
}

static scree_status write_sample(const char *path, scree_error *error)
{
    snapshot state = sample(), empty = {0};
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    const container_group groups[] = {{"some", &state}, {"none", &empty}};
    scree_status status = container_write(descriptor, HEAD, groups, 2, path, error);
    close(descriptor);
    state_release(&state);
    return status;
}

static void comes_back(void **unused)
{
    (void)unused;
    scree_error error = {0};
    snapshot before = sample(), after;
    check_ok(write_sample(in_scratch("c.h5"), &error), error);
    int descriptor = open(in_scratch("c.h5"), O_RDONLY);
    check_ok(container_read(descriptor, "some", &after, "c.h5", &error), error);
    assert_same(&before, &after);
    state_release(&after);
    check_ok(container_read(descriptor, "none", &after, "c.h5", &error), error);
    assert_int_equal(after.count, 0);
    assert_int_equal(container_read(descriptor, "other", &after, "c.h5", &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "other"));
    close(descriptor);
    state_release(&before);
}

static void equal_arrays_give_equal_bytes(void **unused)
{
    (void)unused;
    scree_error error;
    size_t a_size = 0, b_size = 0;
    check_ok(write_sample(in_scratch("a.h5"), &error), error);
    check_ok(write_sample(in_scratch("b.h5"), &error), error);
    char *a = read_file(in_scratch("a.h5"), &a_size), *b = read_file(in_scratch("b.h5"), &b_size);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    free(a);
    free(b);
}

static int write_in_child(void)
{
    scree_error error = {0};
    // A second try in the same process, so that nothing of the first is left behind in the library.
    scree_status first = write_sample(in_scratch("c.h5"), &error);
    scree_status second = write_sample(in_scratch("d.h5"), &error);
    return first == second && (first == SCREE_OK || strstr(error.message, "File too large")) ? (int)first : 100;
}

static void full_disk_is_an_error(void **unused)
{
    (void)unused;
    scree_error error;
    size_t size = 0;
    check_ok(write_sample(in_scratch("whole.h5"), &error), error);
    free(read_file(in_scratch("whole.h5"), &size));
    for (size_t limit = 0; limit < size; limit += limit < 6000 ? 331 : size / 17)
        assert_int_equal(with_file_limit(limit, write_in_child), SCREE_ERROR_IO);
    assert_int_equal(with_file_limit(size, write_in_child), SCREE_OK);
}

// HDF5 itself finds what was written: the table of contents behind its last byte is nothing to it.
static void hdf5_reads_it(void **unused)
{
    (void)unused;
    scree_error error = {0};
    static double reals[ROWS][3];
    check_ok(write_sample(in_scratch("c.h5"), &error), error);
    hid_t file = H5Fopen(in_scratch("c.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "some/reals", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, reals) >= 0);
    assert_true(reals[2999][0] == 2999 && reals[1][1] == 0.5);
    H5Dclose(set);
    H5Fclose(file);
}

// Any byte of a file may be changed: reading gives arrays or a refusal, within the file's size of memory.
static void changed_files_do_no_harm(void **unused)
{
    (void)unused;
    enum { TRIES = 3000 };
    scree_error error = {0};
    size_t size = 0, refused = 0;
    check_ok(write_sample(in_scratch("c.h5"), &error), error);
    char *whole = read_file(in_scratch("c.h5"), &size);
    random_stream random = {1};
    int descriptor = open(in_scratch("c.h5"), O_RDWR);
    for (int i = 0; i < TRIES; i++) {
        // Half of the changes are in the table, which has eleven lines of 96 bytes here.
        size_t within = i % 2 ? size : 1000, at = size - 1 - random_bits(&random) % within;
        uint64_t word = i % 4 < 2 ? random_bits(&random) : UINT64_MAX << random_bits(&random) % 64;
        size_t length = at + 8 <= size && i % 3 ? 8 : 1;
        assert_int_equal(pwrite(descriptor, &word, length, (off_t)at), length);
        snapshot after;
        scree_status status = container_read(descriptor, "some", &after, "c.h5", &error);
        refused += status == SCREE_ERROR_INVALID;
        assert_true(status == SCREE_OK || status == SCREE_ERROR_INVALID);
        if (status == SCREE_OK)
            state_release(&after);
        assert_int_equal(pwrite(descriptor, whole + at, length, (off_t)at), length);
    }
    assert_true(refused > TRIES / 10);
    close(descriptor);
    free(whole);
}

static void other_files_are_refused(void **unused)
{
    (void)unused;
    scree_error error = {0};
    snapshot after;
    write_text(in_scratch("text"), "not a container");
    int descriptor = open(in_scratch("text"), O_RDONLY);
    assert_int_equal(container_read(descriptor, "some", &after, "text", &error), SCREE_ERROR_INVALID);
    close(descriptor);
    assert_int_equal(container_read(-1, "some", &after, "text", &error), SCREE_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(comes_back),    test(equal_arrays_give_equal_bytes), test(full_disk_is_an_error),
        test(hdf5_reads_it), test(changed_files_do_no_harm),      test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
