// Problems as files: dumps come back as they were, in FCLIB's words and in ours; wrong files are refused with what is
// wrong; problems that were dumped from scenes are solved by every algorithm.
#include "support.h"

#include <hdf5.h>
#include <math.h>

#include "../geometry/random_pose.h"
#include "record/problem/problem_file.h"
#include "reference/matrix_solver.h"

enum { BODIES = 6, CONTACTS = 7, JOINTS = 3 };

typedef struct step {
    problem_body bodies[BODIES];
    scree_id ids[BODIES];
    problem_row rows[CONTACTS];
    double gaps[CONTACTS];
    joint_row joints[JOINTS];
    problem_dump dump;
} step;

// Bodies 0 and 5 are not movable. With `special`, what FCLIB cannot say is there too.
static step *make_step(bool special)
{
    random_stream stream = {11};
    step *s = calloc(1, sizeof *s);
    for (uint32_t i = 0; i < BODIES; i++) {
        s->ids[i] = 100 + i;
        s->bodies[i].velocity = random_vec(&stream, 1);
        s->bodies[i].spin = random_vec(&stream, 1);
        s->bodies[i].inverse_mass = i % 5 ? random_between(&stream, 0.5, 2) : 0;
        for (int k = 0; k < 3; k++)
            s->bodies[i].inverse_inertia.m[k][k] = i % 5 ? random_between(&stream, 1, 3) : 0;
    }
    for (uint32_t i = 0; i < CONTACTS; i++) {
        s->gaps[i] = -1e-3 * i;
        s->rows[i] = (problem_row){.a = i % BODIES,
                                   .b = (i + 1) % BODIES,
                                   .friction = 0.1 * i,
                                   .bias = -0.5,
                                   .impulse = random_vec(&stream, 1),
                                   .arm_a = random_vec(&stream, 1),
                                   .arm_b = random_vec(&stream, 1),
                                   .normal = vec3_normalize(random_vec(&stream, 1))};
        if (special)
            s->rows[i].compliance = 0.01 * i, s->rows[i].rolling = i % 2 * 0.1, s->rows[i].spinning = i % 3 * 0.1;
    }
    for (uint32_t i = 0; i < JOINTS; i++) {
        s->joints[i] = (joint_row){.body = {i + 1, i + 2, NO_BODY}, .low = -HUGE_VAL, .high = HUGE_VAL, .bias = 0.1};
        for (int k = 0; k < 2; k++)
            s->joints[i].linear[k] = random_vec(&stream, 1), s->joints[i].angular[k] = random_vec(&stream, 1);
        if (special)
            s->joints[i].low = -1, s->joints[i].compliance = 0.2;
    }
    s->dump = (problem_dump){s->bodies, s->ids, BODIES, s->rows, s->gaps, CONTACTS, s->joints,
                             JOINTS,    42,     0.42,   0.01,    true,    true};
    return s;
}

static void assert_same_problem(const matrix_problem *a, const matrix_problem *b)
{
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->block_count, b->block_count);
    assert_int_equal(sparse_count(&a->w), sparse_count(&b->w));
    for (size_t i = 0; i < a->size; i++) {
        assert_true(fabs(a->q[i] - b->q[i]) < 1e-12);
        for (size_t j = 0; j < a->size; j++)
            assert_true(fabs(sparse_get(&a->w, i, j) - sparse_get(&b->w, i, j)) < 1e-12);
    }
    for (size_t i = 0; i < a->block_count; i++) {
        const matrix_block *x = &a->blocks[i], *y = &b->blocks[i];
        assert_true(x->first == y->first && x->size == y->size && x->cap_count == y->cap_count);
        assert_true(x->low == y->low && x->high == y->high);
        for (uint32_t k = 0; k < x->cap_count; k++)
            assert_true(x->cap[k].size == y->cap[k].size && x->cap[k].coefficient == y->cap[k].coefficient);
    }
}

static void comes_back(const step *s, bool fclib_only)
{
    matrix_global global;
    matrix_problem wanted;
    problem_file file;
    scree_error error = {0};
    const char *path = in_scratch("folder/problem.h5");
    check_ok(problem_file_write(path, &s->dump, &error), error);
    check_ok(problem_file_read(path, fclib_only, &file, &error), error);
    check_ok(matrix_from_rows(s->bodies, BODIES, s->rows, CONTACTS, s->joints, JOINTS, fclib_only, &global, &error),
             error);
    check_ok(matrix_reduce(&global, &wanted, &error), error);
    assert_same_problem(&file.problem, &wanted);
    assert_int_equal(file.form, fclib_only ? PROBLEM_GLOBAL : PROBLEM_DUMP);
    assert_int_equal(file.contacts, CONTACTS);
    assert_int_equal(file.joints, JOINTS);
    assert_true(fclib_only || (file.law_known && file.exact));
    for (size_t i = 0; i < wanted.size; i++)
        assert_true(file.problem.start[i] == (fclib_only ? 0 : wanted.start[i]));
    matrix_problem_free(&wanted);
    matrix_global_free(&global);
    problem_file_free(&file);
}

static void dumps_come_back(void **unused)
{
    (void)unused;
    step *ordinary = make_step(false), *special = make_step(true);
    comes_back(ordinary, false);
    comes_back(ordinary, true);
    comes_back(special, false);
    comes_back(special, true);
    free(ordinary);
    free(special);
}

static int write_in_child(void)
{
    scree_error error = {0};
    step *s = make_step(true);
    scree_status status = problem_file_write(in_scratch("c.h5"), &s->dump, &error);
    free(s);
    return file_exists(in_scratch("c.h5.part")) || (status && file_exists(in_scratch("c.h5"))) ? 100 : (int)status;
}

static void full_disk_leaves_nothing(void **unused)
{
    (void)unused;
    for (size_t limit = 0; limit < 20000; limit += 1777)
        assert_int_equal(with_file_limit(limit, write_in_child), SCREE_ERROR_IO);
    assert_int_equal(with_file_limit(1 << 20, write_in_child), SCREE_OK);
}

// -------------------------------------------------------------------------------------------------------- wrong files

static void refused(const char *path, bool fclib_only, const char *words)
{
    problem_file file;
    scree_error error = {0};
    assert_int_equal(problem_file_read(path, fclib_only, &file, &error), SCREE_ERROR_INVALID);
    if (strncmp(error.message, path, strlen(path)) != 0 || !strstr(error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

// Puts one value into a data set of a fresh dump, or with NULL removes the set, and expects a message.
static void wrong_value(const char *set, hid_t type, const void *value, size_t at, bool fclib_only, const char *words)
{
    step *s = make_step(true);
    scree_error error = {0};
    const char *path = in_scratch("wrong.h5");
    check_ok(problem_file_write(path, &s->dump, &error), error);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (value) {
        hid_t data = H5Dopen2(file, set, H5P_DEFAULT), space = H5Dget_space(data);
        hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space);
        char *all = calloc(count, 8);
        assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
        memcpy(all + at * 8, value, 8);
        assert_true(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
        free(all);
        H5Sclose(space);
        H5Dclose(data);
    } else {
        assert_true(H5Ldelete(file, set, H5P_DEFAULT) >= 0);
    }
    H5Fclose(file);
    refused(path, fclib_only, words);
    free(s);
}

static void wrong_whole(const char *set, int64_t value, size_t at, bool fclib_only, const char *words)
{
    wrong_value(set, H5T_NATIVE_INT64, &value, at, fclib_only, words);
}

static void wrong_number(const char *set, double value, size_t at, bool fclib_only, const char *words)
{
    wrong_value(set, H5T_NATIVE_DOUBLE, &value, at, fclib_only, words);
}

static void missing(const char *set, bool fclib_only)
{
    wrong_value(set, 0, NULL, 0, fclib_only, "missing");
}

static void wrong_values_are_named(void **unused)
{
    (void)unused;
    wrong_whole("/fclib_global/spacedim", 4, 0, true, "spacedim is 4");
    wrong_whole("/fclib_global/M/m", 70, 0, true, "must be 70 x 70");
    wrong_whole("/fclib_global/H/m", -7, 0, true, "too large");
    wrong_whole("/fclib_global/M/n", 100000000, 0, true, "too large");
    wrong_whole("/fclib_global/H/n", 22, 0, true, "must have 23");
    wrong_whole("/fclib_global/H/i", 1000, 5, true, "outside of");
    wrong_number("/fclib_global/H/x", (double)NAN, 5, true, "not finite");
    wrong_number("/fclib_global/M/x", 1e9, 4, true, "not symmetric");
    wrong_number("/fclib_global/M/x", -1, 0, true, "positive definite");
    wrong_number("/fclib_global/vectors/mu", -0.5, 3, true, "contact 3");
    wrong_number("/fclib_global/vectors/f", HUGE_VAL, 3, true, "value 3");
    wrong_whole("/scree/version", 9, 0, false, "version is 9");
    wrong_whole("/scree/contact_count", 6, 0, false, "must have 18");
    wrong_whole("/scree/body_count", -1, 0, false, "cannot hold");
    wrong_whole("/scree/contacts/bodies", BODIES, 3, false, "value 3");
    wrong_whole("/scree/contacts/bodies", -1, 3, false, "value 3");
    wrong_whole("/scree/joints/bodies", -2, 1, false, "value 1");
    wrong_number("/scree/contacts/normal", 7, 1, false, "unit length");
    wrong_number("/scree/contacts/rolling", -1, 1, false, "contact 1");
    wrong_number("/scree/bodies/inverse_mass", -1, 1, false, "body 1");
    wrong_number("/scree/bodies/inverse_inertia", -1, 9, false, "body 1");
    wrong_number("/scree/joints/low", HUGE_VAL, 2, false, "row 2");
    wrong_number("/scree/joints/bias", HUGE_VAL, 2, false, "not finite");
    missing("/fclib_global/M/x", true);
    missing("/fclib_global/H", true);
    missing("/fclib_global/vectors/w", true);
    missing("/fclib_global/vectors", true);
    missing("/scree/bodies", false);
    missing("/scree/contacts/arm_a", false);
    missing("/scree/exact", false);
}

static void other_files_are_refused(void **unused)
{
    (void)unused;
    problem_file file;
    scree_error error = {0};
    write_text(in_scratch("text.h5"), "no problem");
    refused(in_scratch("text.h5"), false, "not an HDF5 file");
    refused(scratch, false, "not a file");
    hid_t empty = H5Fcreate(in_scratch("empty.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(empty);
    refused(in_scratch("empty.h5"), false, "no contact problem");
    assert_int_equal(problem_file_read(in_scratch("none.h5"), false, &file, &error), SCREE_ERROR_IO);
}

static void names_and_steps(void **unused)
{
    (void)unused;
    uint64_t number = 0;
    char *path = problem_file_path("run", 1234);
    assert_string_equal(path, "run/problems/problem-000000001234.h5");
    assert_true(problem_name_step(strrchr(path, '/') + 1, &number) && number == 1234);
    assert_false(problem_name_step("problem-x.h5", &number));
    assert_false(problem_name_step("problem-1.txt", &number));
    free(path);
}

// ----------------------------------------------------------------------------------------------------------- solving

static void solve_file(const char *path, matrix_algorithm algorithm, bool exact, int iterations, double tolerance)
{
    problem_file file;
    matrix_result result;
    scree_error error = {0};
    check_ok(problem_file_read(path, false, &file, &error), error);
    double *r = calloc(file.problem.size, sizeof *r);
    const matrix_options options = {
        .algorithm = algorithm, .exact = exact, .iterations = iterations, .tolerance = tolerance};
    check_ok(matrix_solve(&file.problem, &options, r, &result, &error), error);
    if (!result.solved)
        fail_msg("%s: %s left %g in the %s law", path, matrix_algorithm_names[algorithm],
                 matrix_worst(&result.residual), exact ? "exact" : "convex");
    free(r);
    problem_file_free(&file);
}

static void own_problems_are_solved(void **unused)
{
    (void)unused;
    static const char folder[] = SCREE_SOURCE_DIR "/tests/data/problems/";
    for (int exact = 0; exact < 2; exact++) {
        for (int algorithm = 0; algorithm < MATRIX_ALGORITHMS; algorithm++) {
            char path[512];
            snprintf(path, sizeof path, "%stower.h5", folder);
            solve_file(path, (matrix_algorithm)algorithm, exact, 20000, 1e-6);
            snprintf(path, sizeof path, "%spile.h5", folder);
            solve_file(path, (matrix_algorithm)algorithm, exact, 20000, algorithm == MATRIX_JACOBI ? 1e-3 : 1e-6);
        }
        char path[512]; // ten thousand on one: beyond sweeps alone
        snprintf(path, sizeof path, "%sheavy.h5", folder);
        solve_file(path, MATRIX_AUTO, exact, 5000, 1e-6);
        solve_file(path, MATRIX_INTERIOR, exact, 300, 1e-6);
    }
}

// Problems that others wrote, where they are at hand.
static void problems_of_others_are_solved(void **unused)
{
    (void)unused;
    const char *folder = getenv("SCREE_FCLIB_DIR");
    if (!folder) {
        print_message("SCREE_FCLIB_DIR does not name a folder of FCLIB problems\n");
        skip();
    }
    name_array names;
    scree_error error;
    size_t solved = 0;
    check_ok(folder_list(folder, &names, &error), error);
    for (size_t i = 0; i < names.count; i++) {
        if (!strstr(names.data[i], ".hdf5"))
            continue;
        char *path = path_join(folder, names.data[i]);
        for (int exact = 0; exact < 2; exact++)
            solve_file(path, MATRIX_AUTO, exact, 100000, 1e-4);
        free(path);
        solved++;
    }
    names_free(&names);
    assert_true(solved > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(dumps_come_back),
        test(full_disk_leaves_nothing),
        test(wrong_values_are_named),
        test(other_files_are_refused),
        test(names_and_steps),
        test(own_problems_are_solved),
        test(problems_of_others_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
