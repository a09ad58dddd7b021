// Row files: exact numbers, and a file that can be cut back to any size it had.
#include <float.h>
#include <locale.h>
#include <math.h>

#include "record/rows.h"
#include "support.h"

static void numbers_read_back(void **state)
{
    (void)state;
    char text[NUMBER_SIZE];
    const double values[] = {0, 1, -1, 0.1, 1.0 / 3, 1e300, -1e-300, DBL_MIN, DBL_MAX, DBL_TRUE_MIN, 123456789, 0.005};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(strtod(number_text(values[i], text), NULL) == values[i]);
    assert_string_equal(number_text(0.1, text), "0.1");
    assert_string_equal(number_text(200000, text), "200000");
    assert_true(isnan(strtod(number_text((double)NAN, text), NULL)));
}

static void numbers_have_a_point_in_any_locale(void **state)
{
    (void)state;
    char text[NUMBER_SIZE];
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        skip();
    number_text(1.5, text);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.5");
}

static void appends(void **state)
{
    (void)state;
    scree_error error;
    row_file file;
    check_ok(rows_create(&file, in_scratch("r.csv"), "a,b", &error), error);
    assert_file_text(in_scratch("r.csv"), "a,b\n");
    check_ok(rows_append(&file, (const double[]){1, 0.5}, 2, &error), error);
    check_ok(rows_append(&file, (const double[]){2, -3}, 2, &error), error);
    check_ok(rows_flush(&file, &error), error);
    assert_file_text(in_scratch("r.csv"), "a,b\n1,0.5\n2,-3\n");
    assert_int_equal(file.size, 4 + 6 + 5);
    rows_close(&file);
    rows_close(&file);
}

static void cuts_back(void **state)
{
    (void)state;
    scree_error error;
    row_file file;
    write_text(in_scratch("r.csv"), "a\n1\n2\n3\n4,half of a ro");
    check_ok(rows_reopen(&file, in_scratch("r.csv"), 6, false, &error), error);
    check_ok(rows_append(&file, (const double[]){9}, 1, &error), error);
    check_ok(rows_sync(&file, &error), error);
    assert_int_equal(file.size, 8);
    rows_close(&file);
    assert_file_text(in_scratch("r.csv"), "a\n1\n2\n9\n");
}

static void keeps_when_asked(void **state)
{
    (void)state;
    scree_error error;
    row_file file;
    write_text(in_scratch("r.csv"), "a\n1\n2\n");
    check_ok(rows_reopen(&file, in_scratch("r.csv"), 4, true, &error), error);
    assert_int_equal(file.size, 6);
    rows_close(&file);
    assert_file_text(in_scratch("r.csv"), "a\n1\n2\n");
}

static void refuses_a_file_that_lost_rows(void **state)
{
    (void)state;
    scree_error error = {0};
    row_file file;
    write_text(in_scratch("r.csv"), "a\n1\n");
    assert_int_equal(rows_reopen(&file, in_scratch("r.csv"), 100, false, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "r.csv"));
    assert_non_null(strstr(error.message, "100"));
    assert_int_equal(rows_reopen(&file, in_scratch("none.csv"), 0, false, &error), SCREE_ERROR_IO);
    assert_file_text(in_scratch("r.csv"), "a\n1\n");
}

static void full_disk_is_an_error(void **state)
{
    (void)state;
    scree_error error = {0};
    row_file file;
    set_disk_room(0);
    assert_int_equal(rows_create(&file, in_scratch("r.csv"), "a", &error), SCREE_ERROR_IO);
    set_disk_room(RLIM_INFINITY);
    assert_non_null(strstr(error.message, "File too large"));
    assert_null(file.stream);
    // A device is neither written nor removed.
    assert_int_equal(rows_create(&file, "/dev/full", "a", &error), SCREE_ERROR_IO);
    assert_true(file_exists("/dev/full"));
}

static void links_are_not_followed(void **state)
{
    (void)state;
    scree_error error = {0};
    row_file file;
    write_text(in_scratch("thesis.txt"), "years of work");
    assert_int_equal(symlink("thesis.txt", in_scratch("r.csv")), 0);
    assert_int_equal(rows_reopen(&file, in_scratch("r.csv"), 0, false, &error), SCREE_ERROR_IO);
    assert_file_text(in_scratch("thesis.txt"), "years of work");
    check_ok(rows_create(&file, in_scratch("r.csv"), "a", &error), error);
    rows_close(&file);
    assert_file_text(in_scratch("thesis.txt"), "years of work");
    assert_file_text(in_scratch("r.csv"), "a\n");
    assert_false(path_is_link(in_scratch("r.csv")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(numbers_read_back),
        test(numbers_have_a_point_in_any_locale),
        test(appends),
        test(cuts_back),
        test(keeps_when_asked),
        test(refuses_a_file_that_lost_rows),
        test(full_disk_is_an_error),
        test(links_are_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
