// FCLIB's three ways to store a matrix, and everything that can be wrong with one.
#include "support.h"

#include <math.h>

#include "record/problem/problem_matrix.h"

// The matrix [1 0 2; 0 0 3] in all three.
static const stored_matrix columns = {.m = 2,
                                      .n = 3,
                                      .nz = -1,
                                      .p = (const int64_t[]){0, 1, 1, 3},
                                      .p_count = 4,
                                      .i = (const int64_t[]){0, 0, 1},
                                      .i_count = 3,
                                      .x = (const double[]){1, 2, 3},
                                      .x_count = 3};
static const stored_matrix rows = {.m = 2,
                                   .n = 3,
                                   .nz = -2,
                                   .p = (const int64_t[]){0, 2, 3},
                                   .p_count = 3,
                                   .i = (const int64_t[]){0, 2, 2},
                                   .i_count = 3,
                                   .x = (const double[]){1, 2, 3},
                                   .x_count = 3};
// The second column of the first row comes in two parts, and there is room for one more.
static const stored_matrix triplets = {.m = 2,
                                       .n = 3,
                                       .nz = 4,
                                       .p = (const int64_t[]){2, 2, 0, 2},
                                       .p_count = 4,
                                       .i = (const int64_t[]){0, 1, 0, 0},
                                       .i_count = 4,
                                       .x = (const double[]){0.5, 3, 1, 1.5, 9},
                                       .x_count = 5};

static void three_forms_are_one_matrix(void **unused)
{
    (void)unused;
    const stored_matrix *const forms[] = {&columns, &rows, &triplets};
    static const double dense[2][3] = {{1, 0, 2}, {0, 0, 3}};
    for (int f = 0; f < 3; f++) {
        sparse_matrix matrix;
        scree_error error;
        check_ok(stored_matrix_convert(forms[f], "H", &matrix, &error), error);
        assert_int_equal(sparse_count(&matrix), 3);
        for (size_t r = 0; r < 2; r++)
            for (size_t c = 0; c < 3; c++)
                assert_true(sparse_get(&matrix, r, c) == dense[r][c]);
        sparse_free(&matrix);
    }
}

static void refused(stored_matrix stored, const char *words)
{
    sparse_matrix matrix;
    scree_error error = {0};
    assert_int_equal(stored_matrix_convert(&stored, "H", &matrix, &error), SCREE_ERROR_INVALID);
    if (!strstr(error.message, words) || !strstr(error.message, "H"))
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

static void wrong_ones_are_refused(void **unused)
{
    (void)unused;
    stored_matrix s = columns;
    s.m = -1, refused(s, "must be from 0");
    s = columns, s.n = (int64_t)1 << 40, refused(s, "must be from 0");
    s = columns, s.nz = -3, refused(s, "must be -1");
    s = columns, s.p_count = 3, refused(s, "must have 4");
    s = columns, s.p = (const int64_t[]){1, 1, 1, 3}, refused(s, "must with 0");
    s = columns, s.p = (const int64_t[]){0, 2, 1, 3}, refused(s, "falls after entry 1");
    s = columns, s.p = (const int64_t[]){0, 9, 9, 3}, refused(s, "falls after entry 0");
    s = columns, s.p = (const int64_t[]){0, 1, 1, 4}, refused(s, "4 entries");
    s = columns, s.p = (const int64_t[]){0, 1, 1, -4}, refused(s, "-4 entries");
    s = columns, s.i = (const int64_t[]){0, 2, 1}, refused(s, "(2, 2)");
    s = rows, s.i = (const int64_t[]){0, 3, 2}, refused(s, "(0, 3)");
    s = rows, s.i = (const int64_t[]){-1, 2, 2}, refused(s, "(0, -1)");
    s = columns, s.x = (const double[]){1, (double)NAN, 3}, refused(s, "not finite");
    s = columns, s.x_count = 2, refused(s, "2 values");
    s = triplets, s.nz = 5, refused(s, "nz = 5");
    s = triplets, s.i_count = 3, refused(s, "3 indices");
    s = triplets, s.p = (const int64_t[]){2, 3, 0, 2}, refused(s, "(1, 3)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_forms_are_one_matrix),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
