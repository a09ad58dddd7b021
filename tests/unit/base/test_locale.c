// The plain locale: numbers are read with a point while it lasts, and the thread's own is given back.
#include "../../physics/check.h"

#include <stdlib.h>

#include "base/locale.h"

static void test_locale_is_given_back(void **state)
{
    (void)state;
    locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t global = uselocale(mine);
    locale_t before = plain_locale_begin();
    assert_true(before == mine);
    assert_near(strtod("1.5", NULL), 1.5, 0);
    plain_locale_end(before);
    assert_true(uselocale(global) == mine);
    freelocale(mine);
}

static void test_global_locale_is_given_back(void **state)
{
    (void)state;
    locale_t before = plain_locale_begin();
    assert_true(before == LC_GLOBAL_LOCALE);
    plain_locale_end(before);
    assert_true(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locale_is_given_back),
        cmocka_unit_test(test_global_locale_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
