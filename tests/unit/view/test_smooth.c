// The Gaussian filter: what it keeps, what it takes away, and by how much.
#include "physics/check.h"

#include "view/chart/smooth.h"

enum { COUNT = 801 };

static double x[COUNT], y[COUNT], smooth[COUNT];

static void even_rows(void)
{
    for (int i = 0; i < COUNT; i++)
        x[i] = 0.01 * i;
}

static void constants_and_lines_stay(void **state)
{
    (void)state;
    even_rows();
    for (int i = 0; i < COUNT; i++)
        y[i] = 7;
    smooth_gaussian(x, y, COUNT, 0.3, smooth);
    for (int i = 0; i < COUNT; i++)
        assert_near(smooth[i], 7, 1e-12);
    for (int i = 0; i < COUNT; i++)
        y[i] = 3 - 2 * x[i];
    smooth_gaussian(x, y, COUNT, 0.1, smooth);
    for (int i = 100; i < COUNT - 100; i++) // the ends see one side alone
        assert_near(smooth[i], y[i], 1e-9);
}

// A Gaussian takes exp(-(w s)^2 / 2) of a wave of angular frequency w: its Fourier transform.
static void waves_fade_by_their_frequency(void **state)
{
    (void)state;
    even_rows();
    for (int k = 1; k <= 3; k++) {
        double frequency = 4.0 * k, sigma = 0.2, gain = exp(-0.5 * frequency * frequency * sigma * sigma);
        for (int i = 0; i < COUNT; i++)
            y[i] = sin(frequency * x[i]);
        smooth_gaussian(x, y, COUNT, sigma, smooth);
        for (int i = 200; i < COUNT - 200; i++)
            assert_near(smooth[i], gain * y[i], 1e-6);
    }
}

static void uneven_rows_do_not_weigh_double(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) // four times as dense in the second half
        x[i] = i < 400 ? 0.01 * i : 4 + 0.0025 * (i - 400);
    for (int i = 0; i < COUNT; i++)
        y[i] = x[i];
    smooth_gaussian(x, y, COUNT, 0.1, smooth);
    for (int i = 380; i < 420; i++)
        assert_near(smooth[i], y[i], 2e-4);
}

static void gaps_have_no_weight(void **state)
{
    (void)state;
    even_rows();
    for (int i = 0; i < COUNT; i++)
        y[i] = i % 3 == 0 ? (double)NAN : 5;
    smooth_gaussian(x, y, COUNT, 0.05, smooth);
    for (int i = 0; i < COUNT; i++)
        assert_near(smooth[i], 5, 1e-12);
    double nothing = (double)NAN, zero = 0, result;
    smooth_gaussian(&zero, &nothing, 1, 1, &result);
    assert_true(isnan(result));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_and_lines_stay),
        cmocka_unit_test(waves_fade_by_their_frequency),
        cmocka_unit_test(uneven_rows_do_not_weigh_double),
        cmocka_unit_test(gaps_have_no_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
