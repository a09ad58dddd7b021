// Depths of 100,000 random pairs of convex shapes against libccd in double precision: another implementation, by
// others, of the same definition.
//
// They differ on some 3.5 % of the pairs, always with libccd's depth the smaller one: about half of these have an
// ellipsoid, a cylinder or a cone, nearly all others a sphere or a capsule (to libccd a curved surface as well). Then
// what each claims is put to the test: a depth holds only if the shapes do come apart along its direction by no more
// than that, and brute force must find no way out that is shallower than ours.
#include "convex_cases.h"

#ifdef SCREE_HAVE_CCD
#include <ccd/ccd.h>

_Static_assert(sizeof(ccd_real_t) == sizeof(double), "libccd must be built for double precision");

static vec3 from_ccd(const ccd_vec3_t *v)
{
    return vec3_make(v->v[0], v->v[1], v->v[2]);
}

static void to_ccd(ccd_vec3_t *v, vec3 from)
{
    ccdVec3Set(v, from.x, from.y, from.z);
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    const convex *shape = object;
    vec3 d = from_ccd(direction);
    to_ccd(point, vec3_add_scaled(convex_support(shape, d), vec3_normalize(d), shape->radius));
}

static void center(const void *object, ccd_vec3_t *point)
{
    to_ccd(point, ((const convex *)object)->center);
}

static ccd_t settings(void)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = center;
    ccd.max_iterations = 150;
    ccd.epa_tolerance = 1e-14; // compared with a squared distance as well
    ccd.mpr_tolerance = 1e-9;
    ccd.dist_tolerance = 1e-9;
    return ccd;
}

typedef struct tally {
    int apart, overlapping, doubtful;
} tally;

static void compare(const ccd_t *ccd, const convex *a, const convex *b, tally *count)
{
    convex_distance d;
    ccd_real_t depth;
    ccd_vec3_t direction, position;
    assert_true(convex_find_distance(a, b, CHECK_INFINITY, &d));
    if (d.gap > 1e-6) {
        count->apart++;
        assert_near(case_separation(a, b, d.normal), d.gap, 1e-9); // proof enough, whatever libccd says
        if (ccdGJKIntersect(a, b, ccd))
            count->doubtful++;
        return;
    }
    if (d.gap > -1e-6 || ccdGJKPenetration(a, b, ccd, &depth, &direction, &position) != 0)
        return;
    count->overlapping++;
    if (fabs(depth + d.gap) <= 1e-6)
        return;
    count->doubtful++;
    assert_true(depth < -d.gap);
    vec3 normal = vec3_normalize(from_ccd(&direction));
    double claimed = fmax(case_separation(a, b, normal), case_separation(a, b, vec3_negate(normal)));
    if (isfinite(claimed))                      // it may have no direction at all
        assert_at_least(d.gap, claimed - 1e-6); // no way out that is shallower than ours
    assert_near(case_separation(a, b, d.normal), d.gap, 1e-9);
    assert_at_least(d.gap, case_greatest_separation(a, b, 60) - 1e-6);
}

static void test_random_pairs(void **state)
{
    (void)state;
    static const convex_kind kinds[] = {CONVEX_POINT,    CONVEX_SEGMENT, CONVEX_BOX, CONVEX_ELLIPSOID,
                                        CONVEX_CYLINDER, CONVEX_CONE,    CONVEX_HULL};
    enum { KINDS = 7, PAIRS = CHECK_SANITIZED ? 5000 : 100000 };
    random_stream random = {101};
    ccd_t ccd = settings();
    tally count = {0};
    for (int trial = 0; trial < PAIRS; trial++) {
        static case_shape a, b;
        case_random(&a, &random, kinds[trial % KINDS], 0.2, 1);
        case_random(&b, &random, kinds[trial / KINDS % KINDS], 0.2, 1);
        b.shape.center = random_vec(&random, 1.2);
        compare(&ccd, &a.shape, &b.shape, &count);
    }
    print_message("%d apart, %d overlap, libccd is less exact on %d\n", count.apart, count.overlapping, count.doubtful);
    assert_true(count.overlapping > PAIRS / 5 && count.apart > PAIRS / 10);
    assert_at_most(count.doubtful, PAIRS / 25);
}
#else
static void test_random_pairs(void **state)
{
    (void)state;
    print_message("libccd was not found: nothing to compare with\n");
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
