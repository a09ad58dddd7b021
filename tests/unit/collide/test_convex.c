// Signed distance of convex shapes: every answer is checked by what proves it. A direction that separates by the gap
// shows that the shapes are no nearer, two points of them that they are no farther; where they overlap no direction
// may separate them by more.
#include "convex_cases.h"

static const convex_kind KINDS[] = {CONVEX_POINT,     CONVEX_SEGMENT,  CONVEX_TRIANGLE, CONVEX_BOX,
                                    CONVEX_ELLIPSOID, CONVEX_CYLINDER, CONVEX_CONE,     CONVEX_HULL};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

// Returns the gap. `size` is what errors are measured in.
static double check_distance(const convex *a, const convex *b, double size, int directions)
{
    convex_distance d = {.gap = CHECK_NAN}, turned;
    // Iterations on curved surfaces end where the gap is right; points are right to about its error's root.
    bool curved = convex_is_curved(a) || convex_is_curved(b);
    double slack = curved ? 4e-6 : 1e-9, precision = curved ? 1e-7 : 1e-9;
    assert_true(convex_find_distance(a, b, CHECK_INFINITY, &d));
    assert_true(isfinite(d.gap) && vec3_finite(d.on_a) && vec3_finite(d.on_b));
    assert_near(vec3_length(d.normal), 1, 1e-12);
    assert_vec3_near(vec3_sub(d.on_b, d.on_a), vec3_scale(d.normal, d.gap), 1e-12 * size);
    assert_near(case_separation(a, b, d.normal), d.gap, 1e-12 * size);
    if (d.gap > -1e-9 * size) { // with the gap proven from below, points of the shapes prove it from above
        assert_at_most(case_outside(a, d.on_a), slack * size);
        assert_at_most(case_outside(b, d.on_b), slack * size);
    } else {
        assert_at_least(d.gap, case_greatest_separation(a, b, directions) - precision * size);
        assert_at_most(case_outside(a, d.on_a), 1e-4 * size);
        assert_at_most(case_outside(b, d.on_b), 1e-4 * size);
    }
    assert_true(convex_find_distance(b, a, CHECK_INFINITY, &turned));
    assert_near(turned.gap, d.gap, precision * size);
    return d.gap;
}

static void test_random_pairs(void **state)
{
    (void)state;
    random_stream random = {11};
    int apart = 0, overlapping = 0;
    for (int trial = 0; trial < (CHECK_SANITIZED ? 1000 : 6400); trial++) {
        static case_shape a, b;
        case_random(&a, &random, KINDS[trial % KIND_COUNT], 0.2, 1);
        case_random(&b, &random, KINDS[trial / KIND_COUNT % KIND_COUNT], 0.2, 1);
        b.shape.centre = random_vec(&random, 1.2);
        double gap = check_distance(&a.shape, &b.shape, 1, 100);
        apart += gap > 0;
        overlapping += gap < 0;
    }
    assert_true(apart > 400 && overlapping > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
