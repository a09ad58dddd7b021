// The projection onto what contacts allow: against all sets of active rows, against its conditions on random and on
// degenerate sets, and where no point satisfies all rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ffd/feasible.h"

enum { SIZE = FEASIBLE_SIZE, MOST_ROWS = 600 };

static const double softness = 1e-8;

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += a[i] * b[i];
    return sum;
}

static feasible_row any_row(random_stream *stream)
{
    feasible_row row = {.high = HUGE_VAL, .softness = softness};
    for (int i = 0; i < SIZE; i++)
        row.direction[i] = random_between(stream, -1, 1);
    row.offset = random_between(stream, -0.5, 0.5);
    return row;
}

static int project(feasible_row *rows, size_t count, double y[SIZE])
{
    double start[SIZE];
    memcpy(start, y, sizeof start);
    return feasible_project(rows, count, start, y);
}

static void any_point(random_stream *stream, double y[SIZE])
{
    for (int i = 0; i < SIZE; i++)
        y[i] = random_between(stream, -1, 1);
}

// y - start is the sum of the rows' pushes; each multiplier is within its bounds and fits its row's speed.
static void meets_conditions(const feasible_row *rows, size_t count, const double *start, const double *y, double room)
{
    double sum[SIZE];
    memcpy(sum, start, sizeof sum);
    for (size_t k = 0; k < count; k++) {
        const feasible_row *row = &rows[k];
        double above = dot(row->direction, y) - row->offset;
        for (int i = 0; i < SIZE; i++)
            sum[i] += row->direction[i] * row->multiplier;
        assert_true(row->multiplier >= row->low && row->multiplier <= row->high);
        if (row->multiplier < row->high)
            assert_true(above >= -room);
        if (row->multiplier > row->low)
            assert_true(above <= room);
    }
    for (int i = 0; i < SIZE; i++)
        assert_true(fabs(sum[i] - y[i]) <= room);
}

// ------------------------------------------------------------------------------------------------ all sets of rows

// Solves the square system in place; false when it is singular.
static bool solve_dense(double a[SIZE][SIZE], double *x, int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        if (fabs(a[pivot][k]) < 1e-9)
            return false;
        for (int m = 0; m < n; m++) {
            double kept = a[k][m];
            a[k][m] = a[pivot][m];
            a[pivot][m] = kept;
        }
        double kept = x[k];
        x[k] = x[pivot];
        x[pivot] = kept;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int m = k; m < n; m++)
                a[i][m] -= factor * a[k][m];
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int m = k + 1; m < n; m++)
            x[k] -= a[k][m] * x[m];
        x[k] /= a[k][k];
    }
    return true;
}

// The closest point on the rows of a set taken as equations; false when it is none of the polyhedron.
static bool closest_on(const feasible_row *rows, int count, unsigned set, const double *start, double *y)
{
    int used[SIZE], n = 0;
    for (int k = 0; k < count; k++) {
        if (!(set >> k & 1))
            continue;
        if (n == SIZE)
            return false;
        used[n++] = k;
    }
    double a[SIZE][SIZE], x[SIZE];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            a[i][k] = dot(rows[used[i]].direction, rows[used[k]].direction);
        x[i] = rows[used[i]].offset - dot(rows[used[i]].direction, start);
    }
    if (!solve_dense(a, x, n))
        return false;
    memcpy(y, start, SIZE * sizeof *y);
    for (int i = 0; i < n; i++)
        for (int m = 0; m < SIZE; m++)
            y[m] += x[i] * rows[used[i]].direction[m];
    for (int k = 0; k < count; k++)
        if (dot(rows[k].direction, y) < rows[k].offset - 1e-9)
            return false;
    return true;
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void finds_the_closest_of_all_active_sets(void **state)
{
    (void)state;
    random_stream stream = {11};
    int found = 0;
    for (int trial = 0; trial < 400; trial++) {
        feasible_row rows[8];
        int count = 1 + trial % 8;
        for (int k = 0; k < count; k++)
            rows[k] = any_row(&stream);
        double start[SIZE], best[SIZE] = {0}, y[SIZE], least = HUGE_VAL;
        any_point(&stream, start);
        for (unsigned set = 0; set < 1u << count; set++) {
            if (!closest_on(rows, count, set, start, y) || distance(start, y) >= least)
                continue;
            least = distance(start, y);
            memcpy(best, y, sizeof best);
        }
        if (least == HUGE_VAL)
            continue;
        found++;
        memcpy(y, start, sizeof y);
        project(rows, (size_t)count, y);
        double most = 1; // what the rows give way by, where they meet at small angles
        for (int k = 0; k < count; k++)
            most = fmax(most, rows[k].multiplier);
        assert_true(distance(best, y) < 10 * softness * most * most);
        meets_conditions(rows, (size_t)count, start, y, 10 * softness * most);
    }
    assert_true(found > 300);
}

// ------------------------------------------------------------------------------------------------------- many rows

// A cone with a point inside, so that all rows can hold.
static void meets_conditions_on_hundreds_of_rows(void **state)
{
    (void)state;
    random_stream stream = {12};
    feasible_row *rows = malloc(MOST_ROWS * sizeof *rows);
    assert_non_null(rows);
    for (int trial = 0; trial < 60; trial++) {
        size_t count = (size_t)(10 * (trial + 1));
        double inside[SIZE], start[SIZE], y[SIZE];
        any_point(&stream, inside);
        any_point(&stream, start);
        for (size_t k = 0; k < count; k++) {
            rows[k] = any_row(&stream);
            rows[k].offset = dot(rows[k].direction, inside) - random_between(&stream, 0, trial % 3);
            if (trial % 2 && k % 4) { // friction beside a wall
                rows[k].high = random_between(&stream, 0, 0.1);
                rows[k].low = -rows[k].high;
            }
        }
        for (int i = 0; i < SIZE; i++)
            start[i] *= 10;
        memcpy(y, start, sizeof y);
        int steps = project(rows, count, y);
        assert_in_range(steps, 1, 4 * count);
        meets_conditions(rows, count, start, y, 1e-5);
        double z[SIZE]; // from anywhere
        any_point(&stream, z);
        feasible_project(rows, count, start, z);
        assert_true(distance(y, z) < 1e-5);
    }
    free(rows);
}

// Rows that repeat, oppose, scale and vanish: the point is that of the rows that count, the load is shared evenly.
static void shares_the_load_of_equal_rows(void **state)
{
    (void)state;
    feasible_row rows[6] = {{.direction = {0, 0, 1}}, {.direction = {0, 0, 1}}, {.direction = {0, 0, 1}},
                            {.direction = {0, 0, 1}}, {.direction = {0}},       {.direction = {1, 0, 1}, .offset = -9}};
    for (int k = 0; k < 6; k++) {
        rows[k].high = HUGE_VAL;
        rows[k].softness = softness;
    }
    double y[SIZE] = {1, 2, -4, 3, 0, 0};
    project(rows, 6, y);
    assert_true(fabs(y[2]) < 1e-7);
    assert_true(y[0] == 1 && y[1] == 2 && y[3] == 3);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(rows[k].multiplier - 1) < 1e-6);
    assert_true(rows[4].multiplier == 0 && rows[5].multiplier == 0);
}

static void scale_of_rows_does_not_matter(void **state)
{
    (void)state;
    random_stream stream = {13};
    for (int trial = 0; trial < 100; trial++) {
        feasible_row rows[12], scaled[12];
        for (int k = 0; k < 12; k++) {
            scaled[k] = rows[k] = any_row(&stream);
            rows[k].offset = scaled[k].offset = -fabs(rows[k].offset);
            double factor = exp(random_between(&stream, -8, 8));
            for (int i = 0; i < SIZE; i++)
                scaled[k].direction[i] *= factor;
            scaled[k].offset *= factor;
        }
        double y[SIZE], z[SIZE];
        any_point(&stream, y);
        for (int i = 0; i < SIZE; i++)
            z[i] = y[i] *= 5;
        project(rows, 12, y);
        project(scaled, 12, z);
        assert_true(distance(y, z) < 1e-6);
    }
}

// -------------------------------------------------------------------------------------------------- contradictions

static void contradicting_rows_are_broken_least(void **state)
{
    (void)state;
    feasible_row rows[2] = {{.direction = {1}, .offset = 1, .high = HUGE_VAL, .softness = softness},
                            {.direction = {-1}, .offset = 2, .high = HUGE_VAL, .softness = softness}};
    double y[SIZE] = {40, 7};
    project(rows, 2, y);
    assert_true(fabs(y[0] + 0.5) < 1e-6); // in the middle of x >= 1 and x <= -2
    assert_true(y[1] == 7);

    rows[1].softness = 1000 * softness; // the harder one wins
    double z[SIZE] = {40, 7};
    project(rows, 2, z);
    assert_true(fabs(z[0] - 1) < 0.01);
}

static void random_contradictions_have_an_answer(void **state)
{
    (void)state;
    random_stream stream = {14};
    feasible_row *rows = malloc(MOST_ROWS * sizeof *rows);
    assert_non_null(rows);
    for (int trial = 0; trial < 100; trial++) {
        size_t count = (size_t)(20 + 5 * trial);
        double y[SIZE], start[SIZE];
        any_point(&stream, y);
        memcpy(start, y, sizeof y);
        for (size_t k = 0; k < count; k++) {
            rows[k] = any_row(&stream);
            rows[k].offset += 0.5;
            rows[k].softness = k % 3 ? softness : 1e3 * softness;
        }
        assert_in_range(project(rows, count, y), 1, 4 * count);
        double gradient = 0, most = 0; // of the sum of squares of what is broken, which the point makes least
        double sum[SIZE] = {0};
        for (size_t k = 0; k < count; k++) {
            double broken = fmax(0, rows[k].offset - dot(rows[k].direction, y));
            double weight = softness / rows[k].softness / dot(rows[k].direction, rows[k].direction);
            most = fmax(most, broken * weight);
            for (int i = 0; i < SIZE; i++)
                sum[i] += rows[k].direction[i] * broken * weight;
        }
        for (int i = 0; i < SIZE; i++)
            gradient = fmax(gradient, fabs(sum[i]));
        assert_true(most > 0.01);
        assert_true(gradient < 1e-6);
    }
    free(rows);
}

// ---------------------------------------------------------------------------------------------------------- friction

static void friction_stops_or_brakes(void **state)
{
    (void)state;
    feasible_row row = {.direction = {0.5}, .low = -1, .high = 1, .softness = softness};
    double slow[SIZE] = {0.3}, fast[SIZE] = {5}, back[SIZE] = {-5};
    project(&row, 1, slow);
    assert_true(fabs(slow[0]) < 1e-7);
    project(&row, 1, fast);
    assert_true(fabs(fast[0] - 4.5) < 1e-12 && row.multiplier == -1);
    project(&row, 1, back);
    assert_true(fabs(back[0] + 4.5) < 1e-12 && row.multiplier == 1);
}

static void feasible_points_stay(void **state)
{
    (void)state;
    feasible_row row = {.direction = {1, 1}, .offset = -1, .high = HUGE_VAL, .softness = softness};
    double y[SIZE] = {0.25, 0.5, 1, 2, 3, 4}, kept[SIZE];
    memcpy(kept, y, sizeof y);
    assert_int_equal(project(&row, 1, y), 0);
    assert_memory_equal(y, kept, sizeof y);
    assert_int_equal(project(NULL, 0, y), 0);
    assert_memory_equal(y, kept, sizeof y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_closest_of_all_active_sets),
        cmocka_unit_test(meets_conditions_on_hundreds_of_rows),
        cmocka_unit_test(shares_the_load_of_equal_rows),
        cmocka_unit_test(scale_of_rows_does_not_matter),
        cmocka_unit_test(contradicting_rows_are_broken_least),
        cmocka_unit_test(random_contradictions_have_an_answer),
        cmocka_unit_test(friction_stops_or_brakes),
        cmocka_unit_test(feasible_points_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
