// Lanes: what has a plain meaning lane by lane.
#include "../../physics/check.h"

#define SCREE_LANES 4 // any target passes these in registers
#include "base/wide.h"

static void test_bits(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 1u << LANES; bits++) {
        wide_mask mask;
        for (int i = 0; i < LANES; i++)
            mask[i] = bits >> i & 1 ? -1 : 0;
        assert_int_equal(wide_bits(mask), bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
