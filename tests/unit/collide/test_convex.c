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
        assert_at_most(case_outside(a, d.on_a), 1e-3 * size);
        assert_at_most(case_outside(b, d.on_b), 1e-3 * size);
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
        b.shape.center = random_vec(&random, 1.2);
        double gap = check_distance(&a.shape, &b.shape, 1, 100);
        apart += gap > 0;
        overlapping += gap < 0;
    }
    assert_true(apart > 400 && overlapping > 400);
}

static void random_case(random_stream *random, int trial, double low, double high, case_shape *a, case_shape *b)
{
    case_random(a, random, KINDS[trial % KIND_COUNT], low, high);
    case_random(b, random, KINDS[trial / KIND_COUNT % KIND_COUNT], low, high);
}

static void test_coincident_centers(void **state)
{
    (void)state;
    random_stream random = {13};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 256 : 1280); trial++) {
        static case_shape a, b;
        random_case(&random, trial, 0.2, 1, &a, &b);
        if (trial % 2) // the axes as well
            b.shape.axes = a.shape.axes;
        check_distance(&a.shape, &b.shape, 1, 400);
    }
}

// One shape deep inside another that is many times as large.
static void test_containing(void **state)
{
    (void)state;
    random_stream random = {15};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 256 : 1280); trial++) {
        static case_shape a, b;
        random_case(&random, trial, 0.2, 1, &a, &b);
        case_random(&b, &random, b.shape.kind, 5, 10);
        b.shape.center = random_vec(&random, 1);
        check_distance(&a.shape, &b.shape, 10, 200);
    }
}

// Moved apart along the normal by exactly the gap, and by a hair more or less.
static void test_touching(void **state)
{
    (void)state;
    random_stream random = {17};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 320 : 3200); trial++) {
        static case_shape a, b;
        random_case(&random, trial, 0.2, 1, &a, &b);
        vec3 normal = random_direction(&random);
        // Where two support points meet the shapes touch there, and the normal is one of those that separate.
        b.shape.center = random_vec(&random, 1);
        vec3 on_a = vec3_add_scaled(convex_support(&a.shape, normal), normal, a.shape.radius);
        vec3 on_b = vec3_add_scaled(convex_support(&b.shape, vec3_negate(normal)), normal, -b.shape.radius);
        const double off[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-7, -1e-7};
        double gap = off[trial % 9];
        b.shape.center = vec3_add(b.shape.center, vec3_add_scaled(vec3_sub(on_a, on_b), normal, gap));
        convex_distance d;
        assert_true(convex_find_distance(&a.shape, &b.shape, 1, &d));
        assert_near(vec3_length(d.normal), 1, 1e-12);
        assert_near(case_separation(&a.shape, &b.shape, d.normal), d.gap, 1e-12);
        assert_at_least(d.gap, gap - fabs(gap) - 1e-8); // so near, corners and edges are taken for faces
        assert_at_most(d.gap, fabs(gap) + 1e-8); // the distance of the two points, should thin shapes have passed
    }
}

// Flat plates and needles of 1 : 1000.
static void test_thin_shapes(void **state)
{
    (void)state;
    random_stream random = {19};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 320 : 3200); trial++) {
        static case_shape shapes[2];
        for (int i = 0; i < 2; i++) {
            convex_kind kind = KINDS[1 + (trial + i * trial / 7) % 7];
            case_random(&shapes[i], &random, kind, 0.3, 1);
            vec3 *size = &shapes[i].shape.size;
            if (kind == CONVEX_TRIANGLE)
                shapes[i].shape.corners[1] =
                    vec3_add_scaled(random_vec(&random, 1e-3), shapes[i].shape.corners[0], 0.5);
            else if (kind == CONVEX_HULL)
                case_hull_random(&shapes[i].hull, &random, 8,
                                 trial % 2 ? vec3_make(1, 1, 1e-3) : vec3_make(1e-3, 1e-3, 1));
            else if (trial % 2)
                size->z *= 1e-3;
            else
                size->x = size->y = size->x * 1e-3;
            shapes[i].shape.radius *= 1e-3;
        }
        shapes[1].shape.center = random_vec(&random, trial % 3 ? 0.5 : 0.01);
        check_distance(&shapes[0].shape, &shapes[1].shape, 1, 400);
    }
}

// The same pair in other units, and pairs of very different sizes.
static void test_sizes(void **state)
{
    (void)state;
    random_stream random = {25};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 256 : 1280); trial++) {
        static case_shape a, b;
        const double sizes[] = {1e-6, 1e-3, 1e3, 1e6};
        double size = sizes[trial % 4], other = trial % 3 ? size : size * 1e-3;
        case_random(&a, &random, KINDS[trial / 4 % KIND_COUNT], 0.2 * size, size);
        case_random(&b, &random, KINDS[trial / 32 % KIND_COUNT], 0.2 * other, other);
        b.shape.center = random_vec(&random, size);
        check_distance(&a.shape, &b.shape, size, 100);
    }
}

static void test_limit(void **state)
{
    (void)state;
    random_stream random = {27};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 640 : 6400); trial++) {
        static case_shape a, b;
        random_case(&random, trial, 0.2, 1, &a, &b);
        b.shape.center = random_vec(&random, 2);
        convex_distance all, near;
        assert_true(convex_find_distance(&a.shape, &b.shape, CHECK_INFINITY, &all));
        double limit = random_between(&random, -0.5, 1);
        if (fabs(limit - all.gap) > 1e-9)
            assert_true(convex_find_distance(&a.shape, &b.shape, limit, &near) == (all.gap <= limit));
    }
}

// The normal of a pair built with a common normal at known points.
static void test_normals(void **state)
{
    (void)state;
    random_stream random = {29};
    double worst = 0;
    for (int trial = 0; trial < 2000; trial++) {
        static case_shape a, b;
        case_random(&a, &random, CONVEX_ELLIPSOID, 0.3, 1);
        case_random(&b, &random, trial % 2 ? CONVEX_ELLIPSOID : CONVEX_CYLINDER, 0.3, 1);
        vec3 normal = random_direction(&random);
        double gap = random_between(&random, -0.01, 0.05);
        vec3 on_a = convex_support(&a.shape, normal), on_b = convex_support(&b.shape, vec3_negate(normal));
        b.shape.center = vec3_add_scaled(vec3_sub(on_a, on_b), normal, gap);
        convex_distance d;
        assert_true(convex_find_distance(&a.shape, &b.shape, 1, &d));
        assert_near(d.gap, gap, 1e-9);
        worst = fmax(worst, vec3_length(vec3_sub(d.normal, normal)));
    }
    assert_at_most(worst, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs), cmocka_unit_test(test_coincident_centers),
        cmocka_unit_test(test_containing),   cmocka_unit_test(test_touching),
        cmocka_unit_test(test_thin_shapes),  cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_limit),        cmocka_unit_test(test_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
