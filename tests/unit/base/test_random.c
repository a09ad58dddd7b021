// splitmix64 against the published streams of its author's reference implementation (Vigna, 2015).
#include "../../physics/check.h"

#include "base/random.h"

static void test_published_streams(void **state)
{
    (void)state;
    static const uint64_t from_zero[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu,
                                         0xf88bb8a8724c81ecu, 0x1b39896a51a8749bu};
    static const uint64_t from_1234567[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                            4593380528125082431u, 16408922859458223821u};
    random_stream zero = {0}, other = {1234567};
    for (int i = 0; i < 5; i++) {
        assert_true(random_bits(&zero) == from_zero[i]);
        assert_true(random_bits(&other) == from_1234567[i]);
    }
}

static void test_unit_is_the_top_53_bits(void **state)
{
    (void)state;
    random_stream bits = {99}, units = {99};
    for (int i = 0; i < 1000; i++) {
        double expected = ldexp((double)(random_bits(&bits) >> 11), -53);
        double u = random_unit(&units);
        assert_near(u, expected, 0);
        assert_true(u >= 0 && u < 1);
    }
}

static void test_unit_is_uniform(void **state)
{
    (void)state;
    enum { BINS = 64, DRAWS = 640000 };
    int counts[BINS] = {0};
    double sum = 0;
    random_stream stream = {4};
    for (int i = 0; i < DRAWS; i++) {
        double u = random_unit(&stream);
        sum += u;
        counts[(int)(u * BINS)]++;
    }
    // Mean 1/2 with standard deviation 1/sqrt(12 DRAWS): five of them.
    assert_near(sum / DRAWS, 0.5, 5 / sqrt(12.0 * DRAWS));
    double chi2 = 0, expected = (double)DRAWS / BINS;
    for (int i = 0; i < BINS; i++)
        chi2 += (counts[i] - expected) * (counts[i] - expected) / expected;
    // 63 degrees of freedom: mean 63, standard deviation 11.2.
    assert_near(chi2, 63, 50);
}

static void test_between_stays_inside(void **state)
{
    (void)state;
    random_stream stream = {8};
    double low = 1, high = -1;
    for (int i = 0; i < 10000; i++) {
        double x = random_between(&stream, -0.25, 0.75);
        assert_true(x >= -0.25 && x < 0.75);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    assert_near(low, -0.25, 1e-3);
    assert_near(high, 0.75, 1e-3);
    assert_near(random_between(&stream, 3, 3), 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_streams),
        cmocka_unit_test(test_unit_is_the_top_53_bits),
        cmocka_unit_test(test_unit_is_uniform),
        cmocka_unit_test(test_between_stays_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
