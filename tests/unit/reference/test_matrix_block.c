// The set of one block and the projection onto it, against its definition: the projection is where the set's tangents
// turn away from z, and the derivative is what differences of projections tend to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "base/random.h"
#include "reference/matrix_block.h"

static const matrix_block kinds[] = {
    {.size = 1, .low = -HUGE_VAL, .high = HUGE_VAL},
    {.size = 1, .low = -0.5, .high = 0.3},
    {.size = 2, .cap_count = 1, .cap = {{1, 0.5}}, .high = HUGE_VAL},
    {.size = 3, .cap_count = 1, .cap = {{2, 0.7}}, .high = HUGE_VAL},
    {.size = 3, .cap_count = 1, .cap = {{2, 0}}, .high = HUGE_VAL},
    {.size = 5, .cap_count = 2, .cap = {{2, 0.7}, {2, 0.2}}, .high = HUGE_VAL},
    {.size = 6, .cap_count = 3, .cap = {{2, 0.6}, {2, 0.3}, {1, 0.1}}, .high = HUGE_VAL},
};
enum { KINDS = sizeof kinds / sizeof *kinds, TRIES = 2000 };

static double weight_of(const matrix_block *block, const block_metric *metric, uint32_t index)
{
    if (index == 0)
        return metric->lead;
    uint32_t end = 1;
    for (uint32_t k = 0;; k++)
        if (index < (end += block->cap[k].size))
            return metric->cap[k];
}

static void random_point(random_stream *stream, double *z, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        z[i] = random_between(stream, -1, 1);
}

static block_metric random_metric(random_stream *stream)
{
    return (block_metric){
        random_between(stream, 0.2, 2),
        {random_between(stream, 0.2, 2), random_between(stream, 0.2, 2), random_between(stream, 0.2, 2)}};
}

static void assert_inside(const matrix_block *block, const double *p)
{
    assert_true(p[0] >= block->low && p[0] <= block->high);
    const double *y = p + 1;
    for (uint32_t k = 0; k < block->cap_count; y += block->cap[k++].size) {
        double length = block->cap[k].size == 1 ? fabs(y[0]) : sqrt(y[0] * y[0] + y[1] * y[1]);
        assert_true(length <= block->cap[k].coefficient * p[0] + 1e-12);
    }
}

// Any point of the set: the projection of another.
static void random_inside(random_stream *stream, const matrix_block *block, double *p)
{
    const block_metric metric = random_metric(stream);
    double z[BLOCK_MOST];
    random_point(stream, z, block->size);
    z[0] += random_unit(stream);
    block_project(block, &metric, random_unit(stream) < 0.5, z, p);
    assert_inside(block, p);
}

// (z - p) . (y - p) <= 0 in the metric for all y of the convex set.
static void convex_projection_is_nearest(void **unused)
{
    (void)unused;
    random_stream stream = {1};
    for (int t = 0; t < KINDS * TRIES; t++) {
        const matrix_block *block = &kinds[t % KINDS];
        const block_metric metric = random_metric(&stream);
        double z[BLOCK_MOST], p[BLOCK_MOST], y[BLOCK_MOST];
        random_point(&stream, z, block->size);
        block_project(block, &metric, false, z, p);
        assert_inside(block, p);
        for (int other = 0; other < 20; other++) {
            random_inside(&stream, block, y);
            double sum = 0;
            for (uint32_t i = 0; i < block->size; i++)
                sum += weight_of(block, &metric, i) * (z[i] - p[i]) * (y[i] - p[i]);
            assert_true(sum <= 1e-12);
        }
    }
}

// A fixed point p = P(p - B^-1 u) of the exact map is Coulomb's law: u_n >= 0 and complementary, friction at its bound
// and against the slip, or no slip.
static void exact_fixed_points_are_coulombs(void **unused)
{
    (void)unused;
    const matrix_block *block = &kinds[3];
    random_stream stream = {2};
    int slides = 0, sticks = 0, opens = 0;
    for (int t = 0; t < TRIES; t++) {
        const block_metric metric = random_metric(&stream);
        double z[3], p[3], u[3];
        random_point(&stream, z, 3);
        block_project(block, &metric, true, z, p);
        assert_inside(block, p);
        for (uint32_t i = 0; i < 3; i++)
            u[i] = weight_of(block, &metric, i) * (p[i] - z[i]);
        double slip = hypot(u[1], u[2]), force = hypot(p[1], p[2]);
        assert_true(u[0] >= -1e-12 && fabs(u[0] * p[0]) < 1e-12);
        if (slip > 1e-9) {
            assert_true(fabs(force - 0.7 * p[0]) < 1e-12);
            assert_true(fabs(u[1] * p[1] + u[2] * p[2] + slip * force) < 1e-12);
        }
        slides += slip > 1e-9 && p[0] > 0;
        sticks += slip <= 1e-9 && p[0] > 0;
        opens += p[0] == 0;
    }
    assert_true(slides > 100 && sticks > 100 && opens > 100);
}

static void derivative_is_that_of_differences(void **unused)
{
    (void)unused;
    const double width = 1e-6;
    random_stream stream = {3};
    int checked = 0;
    for (int t = 0; t < 2 * KINDS * TRIES; t++) {
        const matrix_block *block = &kinds[t % KINDS];
        const block_metric metric = random_metric(&stream);
        bool exact = t / KINDS % 2, smooth = true;
        uint32_t size = block->size;
        double z[BLOCK_MOST], up[BLOCK_MOST], down[BLOCK_MOST], middle[BLOCK_MOST], d[BLOCK_MOST * BLOCK_MOST];
        random_point(&stream, z, size);
        block_derivative(block, &metric, exact, z, d);
        block_project(block, &metric, exact, z, middle);
        for (uint32_t j = 0; j < size && smooth; j++) {
            double at = z[j];
            z[j] = at + width;
            block_project(block, &metric, exact, z, up);
            z[j] = at - width;
            block_project(block, &metric, exact, z, down);
            z[j] = at;
            for (uint32_t i = 0; i < size && smooth; i++) {
                // A kink within the width: the two one-sided differences disagree.
                smooth = fabs(up[i] - 2 * middle[i] + down[i]) < 1e-3 * width;
                if (smooth)
                    assert_true(fabs((up[i] - down[i]) / (2 * width) - d[i * size + j]) < 1e-3);
            }
        }
        checked += smooth;
    }
    assert_true(checked > KINDS * TRIES);
}

static void slip_is_weighted(void **unused)
{
    (void)unused;
    const double u[6] = {9, 3, 4, 0, -2, -5};
    assert_true(fabs(block_slip(&kinds[6], u) - (0.6 * 5 + 0.3 * 2 + 0.1 * 5)) < 1e-15);
    assert_true(block_slip(&kinds[0], u) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_projection_is_nearest),
        cmocka_unit_test(exact_fixed_points_are_coulombs),
        cmocka_unit_test(derivative_is_that_of_differences),
        cmocka_unit_test(slip_is_weighted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
