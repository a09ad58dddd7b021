// series.csv: the columns of the contract with the world's own figures.
#include "record/series.h"
#include "record/state.h"
#include "world_support.h"

static const char header[] = "step,time,bodies,contacts,kinetic,potential,penetration_max,residual,iterations,step_ms,"
                             "stopped\n";

static void rows_are_figures(void **unused)
{
    (void)unused;
    scree_error error;
    series rows = {0};
    run_statistics statistics = {0};
    scree_world *world = column_world(6, 1);
    check_ok(series_open(&rows, scratch, NULL, false, &error), error);
    check_ok(series_row(&rows, world, &statistics, &error), error);
    for (int i = 0; i < 30; i++) {
        take_steps(world, 1);
        scree_step_figures figures = scree_world_step_figures(world);
        statistics_add(&statistics, &figures, 0, 0.25);
    }
    check_ok(series_row(&rows, world, &statistics, &error), error);
    assert_true(statistics.row_steps == 0);
    rows_close(&rows.file);

    char *text = read_file(in_scratch("series.csv"), NULL);
    assert_int_equal(strncmp(text, header, sizeof header - 1), 0);
    char *line = text + sizeof header - 1;
    assert_int_equal(strncmp(line, "0,0,8,0,0,", 10), 0);
    line = strchr(line, '\n') + 1;
    scree_figures figures = scree_world_figures(world);
    const double expected[10] = {30,
                                 figures.time,
                                 8,
                                 (double)figures.contacts,
                                 figures.kinetic,
                                 figures.potential,
                                 figures.penetration_max,
                                 figures.residual_max,
                                 figures.iterations,
                                 250};
    for (int i = 0; i < 10; i++, line++)
        assert_true(strtod(line, &line) == expected[i]);
    assert_true(figures.contacts > 0 && figures.kinetic > 0);
    free(text);
    scree_world_destroy(world);
}

static void is_cut_back(void **unused)
{
    (void)unused;
    scree_error error = {0};
    series rows = {0};
    snapshot state = {0};
    run_statistics statistics = {0};
    scree_world *world = column_world(1, 1);
    check_ok(series_open(&rows, scratch, NULL, false, &error), error);
    check_ok(series_row(&rows, world, &statistics, &error), error);
    check_ok(series_save(&rows, &state, &error), error);
    check_ok(series_row(&rows, world, &statistics, &error), error);
    rows_close(&rows.file);
    check_ok(series_open(&rows, scratch, &state, true, &error), error);
    rows_close(&rows.file);
    assert_int_equal(count_lines(in_scratch("series.csv")), 3);
    check_ok(series_open(&rows, scratch, &state, false, &error), error);
    rows_close(&rows.file);
    assert_int_equal(count_lines(in_scratch("series.csv")), 2);
    state_release(&state);
    assert_int_equal(series_open(&rows, scratch, &state, false, &error), SCREE_ERROR_INVALID);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(rows_are_figures),
        test(is_cut_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
