// The runner's state: named arrays that are copied in and checked on the way out.
#include "record/state.h"
#include "support.h"

static void holds_copies(void **unused)
{
    (void)unused;
    scree_error error;
    snapshot state = {0};
    double values[] = {1, 2, 3, 4, 5, 6};
    check_ok(state_put(&state, "table", SNAPSHOT_F64, 2, 3, values, &error), error);
    values[4] = 0;
    const void *data;
    check_ok(state_get(&state, "table", SNAPSHOT_F64, 2, 3, &data, &error), error);
    assert_true(((const double *)data)[4] == 5);
    state_release(&state);
    assert_int_equal(state.count, 0);
}

static void scalars_and_text(void **unused)
{
    (void)unused;
    scree_error error;
    snapshot state = {0};
    double number;
    uint64_t count;
    const char *text;
    check_ok(state_put_number(&state, "number", -0.5, &error), error);
    check_ok(state_put_count(&state, "count", UINT64_MAX, &error), error);
    check_ok(state_put_text(&state, "text", "silo", &error), error);
    check_ok(state_put_text(&state, "empty", "", &error), error);
    check_ok(state_get_number(&state, "number", &number, &error), error);
    check_ok(state_get_count(&state, "count", &count, &error), error);
    check_ok(state_get_text(&state, "text", &text, &error), error);
    assert_true(number == -0.5 && count == UINT64_MAX);
    assert_string_equal(text, "silo");
    check_ok(state_get_text(&state, "empty", &text, &error), error);
    assert_string_equal(text, "");
    state_release(&state);
}

static void refuses_other_shapes(void **unused)
{
    (void)unused;
    scree_error error = {0};
    snapshot state = {0};
    const void *data;
    const char *text;
    const uint8_t open_text[] = {'a', 'b'};
    check_ok(state_put(&state, "bytes", SNAPSHOT_U8, 2, 1, open_text, &error), error);
    check_ok(state_put(&state, "nothing", SNAPSHOT_U8, 0, 1, NULL, &error), error);
    assert_int_equal(state_get(&state, "bytes", SNAPSHOT_U8, 3, 1, &data, &error), SCREE_ERROR_INVALID);
    assert_int_equal(state_get(&state, "bytes", SNAPSHOT_U16, 2, 1, &data, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "bytes"));
    assert_int_equal(state_get(&state, "other", SNAPSHOT_U8, 2, 1, &data, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "other"));
    assert_int_equal(state_get_text(&state, "bytes", &text, &error), SCREE_ERROR_INVALID);
    assert_int_equal(state_get_text(&state, "nothing", &text, &error), SCREE_ERROR_INVALID);
    assert_int_equal(state_get_text(&state, "other", &text, &error), SCREE_ERROR_INVALID);
    state_release(&state);
}

static void finds_names(void **unused)
{
    (void)unused;
    scree_error error;
    snapshot state = {0};
    const char *const names[] = {"one", "", "three"};
    const char unended[] = {'x', '\0', 'y'};
    check_ok(state_put_names(&state, "names", names, 3, &error), error);
    check_ok(state_put_names(&state, "none", NULL, 0, &error), error);
    check_ok(state_put(&state, "unended", SNAPSHOT_U8, 3, 1, unended, &error), error);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(state_name_index(&state, "names", names[i]), i);
    assert_true(state_name_index(&state, "names", "thre") == SIZE_MAX);
    assert_true(state_name_index(&state, "names", "three!") == SIZE_MAX);
    assert_true(state_name_index(&state, "none", "one") == SIZE_MAX);
    assert_true(state_name_index(&state, "missing", "one") == SIZE_MAX);
    assert_int_equal(state_name_index(&state, "unended", "y"), 1);
    state_release(&state);
}

static void has_room_for_so_many(void **unused)
{
    (void)unused;
    scree_error error;
    snapshot state = {0};
    for (int i = 0; i < SNAPSHOT_MAX_FIELDS; i++)
        check_ok(state_put_count(&state, "n", 0, &error), error);
    assert_int_equal(state_put_count(&state, "n", 0, &error), SCREE_ERROR_INVALID);
    state_release(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_copies), cmocka_unit_test(scalars_and_text),     cmocka_unit_test(refuses_other_shapes),
        cmocka_unit_test(finds_names),  cmocka_unit_test(has_room_for_so_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
