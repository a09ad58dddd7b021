// The farthest point along a direction, against a plain loop: every build, any number of points, points that tie.
#include "../../physics/check.h"

#include "base/isa.h"
#include "base/random.h"
#include "base/vec.h"
#include "collide/convex/farthest.h"

enum { MOST = 64 };

static farthest_function *const builds[2] = {
    farthest_baseline,
#ifdef SCREE_HAVE_AVX2
    farthest_avx2,
#else
    farthest_baseline,
#endif
};

static uint32_t plain_farthest(const vec3 *points, size_t count, vec3 direction)
{
    uint32_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (vec3_dot(points[i], direction) > vec3_dot(points[best], direction))
            best = (uint32_t)i;
    return best;
}

static void test_farthest_against_a_plain_loop(void **state)
{
    (void)state;
    random_stream random = {51};
    for (int trial = 0; trial < 20000; trial++) {
        size_t count = 4 + (size_t)(random_unit(&random) * (MOST - 4)), length = (count + 7) / 8 * 8;
        vec3 points[MOST];
        double columns[3 * MOST];
        bool ties = trial % 2; // on a coarse grid, along an axis or a diagonal
        for (size_t i = 0; i < count; i++) {
            points[i] = vec3_make(random_between(&random, -2, 2), random_between(&random, -2, 2),
                                  random_between(&random, -2, 2));
            if (ties)
                points[i] = vec3_make(floor(points[i].x), floor(points[i].y), floor(points[i].z));
        }
        for (size_t i = 0; i < length; i++)
            for (int k = 0; k < 3; k++)
                columns[(size_t)k * length + i] = vec3_get(points[i < count ? i : 0], k);
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = ties ? floor(random_between(&random, -1, 2)) : random_between(&random, -1, 1);
        uint32_t expected = plain_farthest(points, count, vec3_make(d[0], d[1], d[2]));
        for (int build = 0; build < (isa_has_avx2() ? 2 : 1); build++)
            assert_int_equal(builds[build](columns, length, d), expected);
        assert_int_equal(farthest_point(columns, length, d), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_farthest_against_a_plain_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
