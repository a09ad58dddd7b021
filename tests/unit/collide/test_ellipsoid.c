// Pairs of ellipsoids: the paper's own table, known common normals, deep overlaps against brute force, and equal bits
// from every instruction set. The formulas themselves are in test_ellipsoid_lanes.c.
#include "ellipsoid_support.h"

#include <string.h>

#include "base/isa.h"

#if CHECK_SANITIZED
enum { GROUPS = 60, DEEP_GROUPS = 4 };
#else
enum { GROUPS = 2000, DEEP_GROUPS = 40 };
#endif

static const double right_angle = 0.70710678118654752;

// Table 1 of Pazouki et al. 2012. The normal is given there as c, whose sign is free where the centres coincide.
static void test_table_1(void **state)
{
    (void)state;
    const quat straight = {1, 0, 0, 0}, about_z = {right_angle, 0, 0, right_angle};
    const struct {
        oval first, second;
        vec3 between;
        double gap;
        vec3 normal;
    } rows[] = {
        {{{3, 1, 2}, straight}, {{6, 2, 4}, straight}, {0, 0, 0}, -3, {0, 1, 0}},
        {{{3, 1, 2}, about_z}, {{12, 4, 8}, straight}, {0, 0, 0}, -7, {0, 1, 0}},
        {{{3, 1, 2}, straight}, {{3, 1, 2}, straight}, {5.8, 0, 0}, -0.2, {1, 0, 0}},
        {{{3, 1, 2}, about_z}, {{1, 3, 2}, about_z}, {4.2, 0, 0}, 0.2, {1, 0, 0}},
        {{{3, 1, 2}, about_z}, {{1, 3, 2}, about_z}, {3.8, 0, 0}, -0.2, {1, 0, 0}},
        {{{3, 1, 2}, straight}, {{3, 1, 2}, straight}, {6, 0, 0}, 0, {1, 0, 0}},
    };
    for (int row = 0; row < 6; row++)
        for (int method = 1; method <= 2; method++) {
            oval_pair pair = {rows[row].first, rows[row].second, rows[row].between, 0};
            oval_contact c = collide_oval(&pair, method);
            assert_near(c.gap, rows[row].gap, 1e-14);
            assert_near(fabs(vec3_dot(c.normal, rows[row].normal)), 1, 1e-14);
            if (row > 1)
                assert_true(vec3_dot(c.normal, rows[row].normal) > 0);
            assert_int_equal(c.near, rows[row].gap <= 0);
        }
}

typedef struct built_tally {
    size_t pairs, built, nearer, steps, most_steps;
} built_tally;

// Either the normal is the built one, or another direction proves that the built one was not the nearest way out.
static void check_built(const oval_pair *pair, const oval_contact *c, bool may_touch, vec3 normal, double gap,
                        built_tally *tally)
{
    double proven = gap_along(pair, c->normal);
    assert_near(proven, c->gap, 2e-14);
    vec3 on_first = vec3_add_scaled(c->point, c->normal, -0.5 * c->gap);
    assert_vec3_near(on_first, oval_support(&pair->first, c->normal), 1e-11);
    tally->pairs++;
    tally->steps += c->steps;
    tally->most_steps = c->steps > tally->most_steps ? c->steps : tally->most_steps;
    if (proven > gap + 5e-14) { // never where the built one must be the only one
        assert_true(gap < -1e-4);
        assert_true(proven > 0 || (c->near && may_touch));
        tally->nearer++;
        return;
    }
    assert_true(c->near && may_touch);
    assert_near(c->gap, gap, 5e-14);
    assert_at_most(angle_degrees(c->normal, normal), 1e-4);
    tally->built++;
}

static built_tally run_built(uint64_t seed, double ratio, double gap, int method)
{
    random_stream random = {seed};
    built_tally tally = {0};
    for (int group = 0; group < GROUPS; group++) {
        oval_pair pairs[ELLIPSOID_LANES];
        vec3 normals[ELLIPSOID_LANES];
        for (int lane = 0; lane < ELLIPSOID_LANES; lane++) {
            normals[lane] = random_direction(&random);
            pairs[lane] = pair_with_normal(&random, ratio, normals[lane], gap);
            pairs[lane].margin = fmax(gap, 0);
        }
        oval_results results = collide_ovals(pairs, method);
        for (int lane = 0; lane < ELLIPSOID_LANES; lane++)
            check_built(&pairs[lane], &results.at[lane], results.may_touch >> lane & 1, normals[lane], gap, &tally);
    }
    return tally;
}

// None missed and the normal right, for gaps round the peers' overlap of 0.02, exact touch, and apart within a margin.
static void test_known_normals(void **state)
{
    (void)state;
    const double ratios[] = {1, 1.5, 2, 4, 10, 30, 100}, gaps[] = {-0.02, -0.002, -1e-5, 0, 1e-5, 0.002, 0.02};
    for (int r = 0; r < 7; r++)
        for (int g = 0; g < 7; g++)
            for (int method = 1; method <= 2; method++) {
                built_tally tally = run_built((uint64_t)(100 * r + g), ratios[r], gaps[g], method);
                if (gaps[g] >= -2 / (ratios[r] * ratios[r])) // within the curvature: the built normal is the only one
                    assert_int_equal(tally.nearer, 0);
                double mean = (double)tally.steps / (double)tally.pairs;
                assert_true(mean < (method == 2 && gaps[g] > -0.01 ? 10 : 12));
                if (method == 2 && (ratios[r] <= 4 || fabs(gaps[g]) <= 1e-5))
                    assert_true(tally.most_steps <= 9);
            }
}

// What may_touch calls apart is farther apart than the margin, and it lets few others through.
static void test_polynomial_verdict(void **state)
{
    (void)state;
    random_stream random = {77};
    size_t apart = 0, refused = 0, passed_apart = 0;
    for (int group = 0; group < GROUPS; group++) {
        oval_pair pairs[ELLIPSOID_LANES];
        for (int lane = 0; lane < ELLIPSOID_LANES; lane++) {
            double ratio = exp(log(100.0) * random_unit(&random));
            pairs[lane] = (oval_pair){.first = random_oval(&random, ratio), .second = random_oval(&random, ratio)};
            pairs[lane].between = random_vec(&random, 1.5);
            pairs[lane].margin = lane % 2 ? 0.02 : 0;
        }
        oval_results results = collide_ovals(pairs, 2);
        for (int lane = 0; lane < ELLIPSOID_LANES; lane++) {
            const oval_contact *c = &results.at[lane];
            bool may = results.may_touch >> lane & 1;
            assert_near(c->gap, gap_along(&pairs[lane], c->normal), 1e-13);
            assert_true(may || c->gap > pairs[lane].margin);
            apart += c->gap > pairs[lane].margin;
            refused += !may;
            // With no margin the polynomial is the whole truth, but for rounding.
            if (lane % 2 == 0)
                passed_apart += may && c->gap > 1e-6;
        }
    }
    assert_true(apart > (size_t)GROUPS);
    assert_true(refused > apart - apart / 10);
    assert_int_equal(passed_apart, 0);
}

static void check_deep(const oval_pair *pair, const oval_contact *c)
{
    vec3 normal;
    double brute = brute_gap(pair, 3000, &normal);
    assert_near(c->gap, gap_along(pair, c->normal), 1e-13);
    if (c->gap < brute - 1e-7) {
        print_error("depth %.9g, brute force finds %.9g; radii %g %g %g, %g %g %g\n", -c->gap, -brute,
                    pair->first.radii.x, pair->first.radii.y, pair->first.radii.z, pair->second.radii.x,
                    pair->second.radii.y, pair->second.radii.z);
        assert_true(false);
    }
    assert_int_equal(c->near, c->gap <= 0);
}

// Equal centres, one inside the other, halfway through: the least depth of all directions.
static void test_deep_overlaps(void **state)
{
    (void)state;
    random_stream random = {78};
    const double ratios[] = {1, 2, 5, 20, 100};
    for (int r = 0; r < 5; r++)
        for (int group = 0; group < DEEP_GROUPS; group++) {
            oval_pair pairs[ELLIPSOID_LANES];
            for (int lane = 0; lane < ELLIPSOID_LANES; lane++) {
                oval_pair pair = {.first = random_oval(&random, ratios[r]), .second = random_oval(&random, ratios[r])};
                double size = lane < 2 ? 0.2 : 1; // the first two: a small one, likely inside
                pair.second.radii = vec3_scale(pair.second.radii, size);
                vec3 inside = vec3_scale(random_direction(&random), cbrt(random_unit(&random)));
                if (lane != 0) // the first: equal centres
                    pair.between = quat_rotate(pair.first.orientation, vec3_multiply(inside, pair.first.radii));
                pairs[lane] = pair;
            }
            oval_results results = collide_ovals(pairs, 1 + group % 2);
            for (int lane = 0; lane < ELLIPSOID_LANES; lane++)
                check_deep(&pairs[lane], &results.at[lane]);
        }
}

static void test_spheres(void **state)
{
    (void)state;
    random_stream random = {79};
    for (int trial = 0; trial < GROUPS; trial++) {
        double a = random_between(&random, 0.1, 1), b = random_between(&random, 0.1, 1);
        oval_pair pair = {{{a, a, a}, random_rotation(&random)}, {{b, b, b}, random_rotation(&random)}, {0, 0, 0}, 0};
        pair.between = trial == 0 ? vec3_make(0, 0, 0) : random_vec(&random, 1);
        double distance = vec3_length(pair.between);
        oval_contact c = collide_oval(&pair, 1 + trial % 2);
        assert_near(c.gap, distance - a - b, 1e-14);
        assert_near(vec3_length(c.normal), 1, 1e-14);
        assert_vec3_near(vec3_scale(c.normal, distance), pair.between, 1e-13);
    }
}

// A grain of 1e-4 on a boulder, also in units in which all are tiny or huge.
static void test_sizes(void **state)
{
    (void)state;
    random_stream random = {80};
    const double units[] = {1e-30, 1e-9, 1, 1e9, 1e30};
    for (int trial = 0; trial < GROUPS; trial++) {
        vec3 normal = random_direction(&random);
        oval_pair pair = {.first = random_oval(&random, 3), .second = random_oval(&random, 3)};
        double unit = units[trial % 5], gap = -1e-6 * unit;
        pair.first.radii = vec3_scale(pair.first.radii, unit);
        pair.second.radii = vec3_scale(pair.second.radii, 1e-4 * unit);
        pair.between = vec3_add(oval_support(&pair.first, normal), oval_support(&pair.second, normal));
        pair.between = vec3_add_scaled(pair.between, normal, gap);
        oval_contact c = collide_oval(&pair, 2);
        assert_true(c.near);
        assert_relative(c.gap, gap, 1e-8);
        assert_at_most(angle_degrees(c.normal, normal), 1e-4);
    }
}

static void test_equal_bits(void **state)
{
    (void)state;
#ifdef SCREE_HAVE_AVX2
    if (!isa_has_avx2())
        skip();
    random_stream random = {81};
    const ellipsoid_kernels *kernels[2] = {&ellipsoid_kernels_baseline, &ellipsoid_kernels_avx2};
    for (int group = 0; group < GROUPS; group++) {
        ellipsoid_poses poses;
        ellipsoid_pairs lanes[2];
        ellipsoid_contacts found[2];
        for (int lane = 0; lane < ELLIPSOID_LANES; lane++) {
            oval_pair pair = pair_with_normal(&random, 1 + 50 * random_unit(&random), random_direction(&random), -0.01);
            set_oval_lane(&poses, lane, &pair);
        }
        memset(found, 0, sizeof found);
        for (int isa = 0; isa < 2; isa++) {
            kernels[isa]->prepare(&poses, &lanes[isa]);
            kernels[isa]->may_touch(&lanes[isa]);
            kernels[isa]->contact(&lanes[isa], -HUGE_VAL, &found[isa]);
        }
        assert_memory_equal(&lanes[0], &lanes[1], sizeof lanes[0]);
        assert_memory_equal(&found[0], &found[1], sizeof found[0]);
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_1),       cmocka_unit_test(test_known_normals),
        cmocka_unit_test(test_deep_overlaps), cmocka_unit_test(test_polynomial_verdict),
        cmocka_unit_test(test_spheres),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_equal_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
