// Whole files appear complete or not at all; folders are made, listed and refused with the path in the message.
#include "support.h"

static void writes_and_replaces(void **state)
{
    (void)state;
    scree_error error;
    const char *path = in_scratch("a.txt");
    check_ok(file_write(path, "one", 3, &error), error);
    assert_file_text(path, "one");
    check_ok(file_write(path, "second", 6, &error), error);
    assert_file_text(path, "second");
    assert_false(file_exists(in_scratch("a.txt" FILE_DRAFT_ENDING)));
}

static void draft_is_not_there_until_committed(void **state)
{
    (void)state;
    scree_error error;
    file_draft draft;
    write_text(in_scratch("a.txt"), "old");
    check_ok(draft_open(&draft, in_scratch("a.txt"), &error), error);
    fputs("new", draft.stream);
    fflush(draft.stream);
    assert_file_text(in_scratch("a.txt"), "old");
    draft_discard(&draft);
    assert_file_text(in_scratch("a.txt"), "old");
    assert_false(file_exists(in_scratch("a.txt" FILE_DRAFT_ENDING)));
}

static void full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    scree_error error = {0};
    write_text(in_scratch("a.txt"), "old");
    set_disk_room(0);
    assert_int_equal(file_write(in_scratch("a.txt"), "new", 3, &error), SCREE_ERROR_IO);
    set_disk_room(RLIM_INFINITY);
    assert_non_null(strstr(error.message, "a.txt"));
    assert_non_null(strstr(error.message, "File too large"));
    assert_file_text(in_scratch("a.txt"), "old");
    assert_false(file_exists(in_scratch("a.txt" FILE_DRAFT_ENDING)));
}

// A link in the draft's place would lead the writing to somebody's file.
static void links_are_not_followed(void **state)
{
    (void)state;
    scree_error error = {0};
    write_text(in_scratch("thesis.txt"), "years of work");
    assert_int_equal(symlink("thesis.txt", in_scratch("a.txt" FILE_DRAFT_ENDING)), 0);
    assert_int_equal(symlink("thesis.txt", in_scratch("a.txt")), 0);
    check_ok(file_write(in_scratch("a.txt"), "new", 3, &error), error);
    assert_file_text(in_scratch("a.txt"), "new");
    assert_file_text(in_scratch("thesis.txt"), "years of work");
    assert_false(path_is_link(in_scratch("a.txt")) || file_exists(in_scratch("a.txt" FILE_DRAFT_ENDING)));
}

static void links_are_no_folders_of_a_run(void **state)
{
    (void)state;
    scree_error error = {0};
    check_ok(folder_make(in_scratch("x"), &error), error);
    assert_int_equal(symlink("x", in_scratch("link")), 0);
    assert_int_equal(folder_make_own(in_scratch("link"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "symbolic link"));
    check_ok(folder_make_own(in_scratch("x"), &error), error);
    check_ok(folder_make_own(in_scratch("new"), &error), error);
    check_ok(folder_make(in_scratch("link/below"), &error), error); // where users send a run
}

static int write_much(void)
{
    static char data[1 << 20];
    scree_error error;
    return (int)file_write(in_scratch("a.txt"), data, sizeof data, &error);
}

static void disk_that_fills_up_keeps_the_old_file(void **state)
{
    (void)state;
    write_text(in_scratch("a.txt"), "old");
    assert_int_equal(with_file_limit(300000, write_much), SCREE_ERROR_IO);
    assert_file_text(in_scratch("a.txt"), "old");
    assert_false(file_exists(in_scratch("a.txt" FILE_DRAFT_ENDING)));
}

static void missing_folder_is_named(void **state)
{
    (void)state;
    scree_error error = {0};
    assert_int_equal(file_write(in_scratch("none/a.txt"), "x", 1, &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "none/a.txt"));
    assert_non_null(strstr(error.message, "No such file"));
}

static void makes_nested_folders(void **state)
{
    (void)state;
    scree_error error = {0};
    check_ok(folder_make(in_scratch("x/y/z"), &error), error);
    check_ok(folder_make(in_scratch("x/y/z/"), &error), error);
    write_text(in_scratch("x/file"), "");
    assert_int_equal(folder_make(in_scratch("x/file/w"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "x/file"));
    assert_int_equal(folder_make(in_scratch("x/file"), &error), SCREE_ERROR_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
}

static void lists_in_order(void **state)
{
    (void)state;
    scree_error error;
    name_array names;
    write_text(in_scratch("b"), "");
    write_text(in_scratch("c"), "");
    write_text(in_scratch("a"), "");
    check_ok(folder_list(scratch, &names, &error), error);
    assert_int_equal(names.count, 3);
    assert_string_equal(names.data[0], "a");
    assert_string_equal(names.data[2], "c");
    names_free(&names);
    check_ok(folder_list(in_scratch("none"), &names, &error), error);
    assert_int_equal(names.count, 0);
    assert_int_equal(folder_list(in_scratch("a"), &names, &error), SCREE_ERROR_IO);
}

static void removing_twice_is_fine(void **state)
{
    (void)state;
    scree_error error;
    write_text(in_scratch("a"), "");
    check_ok(file_remove(in_scratch("a"), &error), error);
    check_ok(file_remove(in_scratch("a"), &error), error);
    check_ok(folder_make(in_scratch("d"), &error), error);
    assert_int_equal(file_remove(in_scratch("d"), &error), SCREE_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(writes_and_replaces),
        test(draft_is_not_there_until_committed),
        test(full_disk_keeps_the_old_file),
        test(links_are_not_followed),
        test(links_are_no_folders_of_a_run),
        test(disk_that_fills_up_keeps_the_old_file),
        test(missing_folder_is_named),
        test(makes_nested_folders),
        test(lists_in_order),
        test(removing_twice_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
