// Filling errors: the status comes back, the message is formatted, and nothing overflows or needs an error to be there.
#include "../../physics/check.h"

#include <string.h>

#include "base/error.h"

static void test_fail_fills_and_returns_the_status(void **state)
{
    (void)state;
    scree_error error = {0};
    assert_int_equal(fail(&error, SCREE_ERROR_INVALID, "body %d: mass %g is negative", 3, -1.5), SCREE_ERROR_INVALID);
    assert_int_equal(error.status, SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "body 3: mass -1.5 is negative");
    assert_int_equal(fail(&error, SCREE_ERROR_IO, "%s", "100 %"), SCREE_ERROR_IO);
    assert_string_equal(error.message, "100 %");
}

static void test_no_error_to_fill_is_fine(void **state)
{
    (void)state;
    assert_int_equal(fail(NULL, SCREE_ERROR_DIVERGED, "%d", 1), SCREE_ERROR_DIVERGED);
    assert_int_equal(fail_no_memory(NULL), SCREE_ERROR_NO_MEMORY);
}

static void test_no_memory_says_so(void **state)
{
    (void)state;
    scree_error error = {0};
    assert_int_equal(fail_no_memory(&error), SCREE_ERROR_NO_MEMORY);
    assert_int_equal(error.status, SCREE_ERROR_NO_MEMORY);
    assert_non_null(strstr(error.message, "memory"));
}

static void test_long_message_is_cut_and_terminated(void **state)
{
    (void)state;
    char text[3 * SCREE_MESSAGE_SIZE];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct {
        scree_error error;
        char guard[16];
    } box;
    memset(&box, 'g', sizeof box);
    fail(&box.error, SCREE_ERROR_INVALID, "%s", text);
    assert_int_equal(strlen(box.error.message), SCREE_MESSAGE_SIZE - 1);
    for (size_t i = 0; i < sizeof box.guard; i++)
        assert_int_equal(box.guard[i], 'g');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_fills_and_returns_the_status),
        cmocka_unit_test(test_no_error_to_fill_is_fine),
        cmocka_unit_test(test_no_memory_says_so),
        cmocka_unit_test(test_long_message_is_cut_and_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
