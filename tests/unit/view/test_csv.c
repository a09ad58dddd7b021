// CSV tables: what is read, and what is said of files that are not as they should be.
#include "physics/check.h"

#include "unit/view/scratch.h"
#include "view/chart/csv.h"

static const char *write_file(scratch *s, const char *text, size_t size)
{
    FILE *file = fopen(scratch_path(s, "table.csv"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
    return s->path;
}

static csv read_good(scratch *s, const char *text)
{
    csv table;
    scree_error error = {0};
    if (csv_read(write_file(s, text, strlen(text)), &table, &error) != SCREE_OK)
        give_up("%s\n", error.message);
    return table;
}

static void columns_are_read(void **state)
{
    csv table = read_good(*state, "step,time,kinetic\n0,0,1.5\n10,0.05,2.5e-3\n20,0.1,-inf\n");
    assert_int_equal(table.column_count, 3);
    assert_int_equal(table.row_count, 3);
    assert_string_equal(table.names[2], "kinetic");
    const double *step = csv_column(&table, "step"), *kinetic = csv_column(&table, "kinetic");
    assert_near(step[2], 20, 0);
    assert_near(kinetic[0], 1.5, 0);
    assert_near(kinetic[1], 2.5e-3, 0);
    assert_true(kinetic[2] == -CHECK_INFINITY);
    assert_null(csv_column(&table, "Kinetic"));
    csv_free(&table);
    csv_free(&table);
}

static void loose_forms_are_accepted(void **state)
{
    csv table = read_good(*state, "\n a , b\r\n\r\n 1 ,\t2\r\n3,4");
    assert_string_equal(table.names[0], "a");
    assert_string_equal(table.names[1], "b");
    assert_int_equal(table.row_count, 2);
    assert_near(csv_column(&table, "b")[0], 2, 0);
    assert_near(csv_column(&table, "b")[1], 4, 0);
    csv_free(&table);
    table = read_good(*state, "only\n");
    assert_int_equal(table.row_count, 0);
    assert_non_null(csv_column(&table, "only"));
    csv_free(&table);
}

static void a_line_still_being_written_is_left_out(void **state)
{
    csv table = read_good(*state, "a,b,c\n1,2,3\n4,5");
    assert_int_equal(table.row_count, 1);
    csv_free(&table);
}

static void large_files_are_read_whole(void **state)
{
    scratch *s = *state;
    FILE *file = fopen(scratch_path(s, "table.csv"), "wb");
    fputs("i,square\n", file);
    for (int i = 0; i < 50000; i++)
        fprintf(file, "%d,%.17g\n", i, (double)i * i);
    fclose(file);
    csv table;
    assert_int_equal(csv_read(s->path, &table, NULL), SCREE_OK);
    assert_int_equal(table.row_count, 50000);
    const double *square = csv_column(&table, "square");
    for (int i = 0; i < 50000; i++)
        assert_true(square[i] == (double)i * i);
    csv_free(&table);
}

static void bad_files_are_told_by_line(void **state)
{
    scratch *s = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1: the file is empty; a line with the names of the columns is expected"},
        {"\n\n", ":1: the file is empty; a line with the names of the columns is expected"},
        {"a,,b\n1,2,3\n", ":1: column 2 has no name"},
        {"a,b,a\n1,2,3\n", ":1: two columns are named 'a'"},
        {"a,b\n1,2\n1,2,3\n", ":3: 3 fields, but the header names 2 columns"},
        {"a,b\n1,2\n\n1\n", ":4: 1 fields, but the header names 2 columns"},
        {"a,b\n1,two\n", ":2: 'two' in column 'b' is not a number"},
        {"a,b\n1,2\n3,4x\n", ":3: '4x' in column 'b' is not a number"},
        {"a,b\n1,\n", ":2: '' in column 'b' is not a number"},
        {"a,b\n1,2,3", ":2: 3 fields, but the header names 2 columns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        csv table;
        scree_error error = {0};
        char expected[2048];
        const char *path = write_file(s, cases[i].text, strlen(cases[i].text));
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].message);
        assert_int_equal(csv_read(path, &table, &error), SCREE_ERROR_INVALID);
        assert_string_equal(error.message, expected);
        assert_null(table.values);
        csv_free(&table);
    }
}

static void bytes_of_any_kind_do_no_harm(void **state)
{
    scratch *s = *state;
    csv table;
    assert_int_equal(csv_read(write_file(s, "a,b\n1,\0002\n", 9), &table, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(csv_read(write_file(s, "\0\0\0", 3), &table, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(csv_read(write_file(s, "\x89PNG\r\n\x1a\n,,,", 11), &table, NULL), SCREE_ERROR_INVALID);
}

static void missing_files_and_columns_are_told(void **state)
{
    scratch *s = *state;
    csv table;
    scree_error error = {0};
    assert_int_equal(csv_read(scratch_path(s, "none.csv"), &table, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "none.csv"));
    assert_int_equal(csv_read(s->folder, &table, &error), SCREE_ERROR_IO);
    table = read_good(s, "time,count,rate\n0,1,2\n");
    const double *column;
    assert_int_equal(csv_require(&table, "x/flow.csv", "mass", &column, &error), SCREE_ERROR_INVALID);
    assert_null(column);
    assert_string_equal(error.message, "x/flow.csv: no column 'mass'; there are time, count, rate");
    assert_int_equal(csv_require(&table, "x/flow.csv", "rate", &column, &error), SCREE_OK);
    assert_near(column[0], 2, 0);
    csv_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_read),
        cmocka_unit_test(loose_forms_are_accepted),
        cmocka_unit_test(a_line_still_being_written_is_left_out),
        cmocka_unit_test(large_files_are_read_whole),
        cmocka_unit_test(bad_files_are_told_by_line),
        cmocka_unit_test(bytes_of_any_kind_do_no_harm),
        cmocka_unit_test(missing_files_and_columns_are_told),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
