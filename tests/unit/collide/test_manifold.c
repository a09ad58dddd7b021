// Points of contact of convex shapes: how many there are for shapes at rest on each other, that each has its true gap,
// that the deepest is as deep as the shapes are, and that names last from step to step.
#include "convex_cases.h"

static const convex_kind KINDS[] = {CONVEX_POINT,     CONVEX_SEGMENT,  CONVEX_TRIANGLE, CONVEX_BOX,
                                    CONVEX_ELLIPSOID, CONVEX_CYLINDER, CONVEX_CONE,     CONVEX_HULL};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static const mat3 UPRIGHT = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const mat3 LYING = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}; // z along x

static convex box(double x, double y, double z)
{
    return (convex){.kind = CONVEX_BOX, .size = {x, y, z}, .axes = UPRIGHT};
}

static convex of_length(convex_kind kind, double radius, double half)
{
    convex shape = {.kind = kind, .axes = UPRIGHT};
    if (kind == CONVEX_SEGMENT) {
        shape.radius = radius;
        shape.size.z = half;
    } else {
        shape.size = vec3_make(radius, 0, half);
    }
    return shape;
}

static convex of_hull(const case_hull *hull)
{
    return (convex){.kind = CONVEX_HULL, .hull = &hull->hull, .axes = UPRIGHT};
}

// Each point lies between the shapes with its gap: half the gap along the normal to either side is on the surface.
static void check_points(const convex *a, const convex *b, const manifold *m, double margin, double slack)
{
    assert_near(vec3_length(m->normal), 1, 1e-12);
    assert_true(m->count >= 1 && m->count <= MANIFOLD_MOST);
    for (int i = 0; i < m->count; i++) {
        const manifold_point *p = &m->points[i];
        assert_at_most(p->gap, margin);
        assert_at_most(case_outside(a, vec3_add_scaled(p->point, m->normal, -0.5 * p->gap)), slack);
        assert_at_most(case_outside(b, vec3_add_scaled(p->point, m->normal, 0.5 * p->gap)), slack);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(p->feature, m->points[k].feature);
    }
}

static double deepest(const manifold *m)
{
    double least = CHECK_INFINITY;
    for (int i = 0; i < m->count; i++)
        least = fmin(least, m->points[i].gap);
    return least;
}

// Rests `upper` on `lower` with a gap along z and expects so many points.
static manifold rest(const convex *lower, convex upper, double gap, int least, int most)
{
    manifold m;
    double height = case_reach(lower, vec3_make(0, 0, 1)) + case_reach(&upper, vec3_make(0, 0, -1)) + gap;
    upper.center.z += height;
    assert_true(convex_manifold(lower, &upper, 0.05, &m));
    check_points(lower, &upper, &m, 0.05, 1e-5);
    assert_vec3_near(m.normal, vec3_make(0, 0, 1), 1e-6);
    if (m.count < least || m.count > most)
        print_error("%d points for kinds %d and %d, gap %g\n", m.count, lower->kind, upper.kind, gap);
    assert_in_range(m.count, least, most);
    for (int i = 0; i < m.count; i++)
        assert_near(m.points[i].gap, gap, 1e-7);
    return m;
}

static const double GAPS[] = {0.01, 1e-6, 0, -1e-12, -1e-6, -0.01};

static void test_flat_on_flat(void **state)
{
    (void)state;
    static case_hull prism, cube;
    case_hull_prism(&prism, 6, 0.5, 0.3);
    case_hull_prism(&cube, 4, 0.6, 0.4);
    convex plate = box(2, 2, 0.2), hexagon = of_hull(&prism), quad = of_hull(&cube);
    convex standing = of_length(CONVEX_CYLINDER, 0.5, 0.7), cone = of_length(CONVEX_CONE, 0.5, 0.7);
    for (size_t i = 0; i < sizeof GAPS / sizeof *GAPS; i++) {
        rest(&plate, box(0.3, 0.4, 0.5), GAPS[i], 4, 4);
        rest(&plate, hexagon, GAPS[i], 6, 6);
        rest(&plate, quad, GAPS[i], 4, 4);
        rest(&hexagon, quad, GAPS[i], 4, 8);
        rest(&quad, hexagon, GAPS[i], 4, 8);
        rest(&plate, standing, GAPS[i], 4, 8);
        rest(&plate, cone, GAPS[i], 4, 8);
        rest(&standing, cone, GAPS[i], 4, 8);
        rest(&standing, standing, GAPS[i], 4, 8);
        rest(&hexagon, standing, GAPS[i], 4, 8);
        rest(&standing, box(2, 2, 0.1), GAPS[i], 4, 8);
    }
}

static void test_lines_on_flat(void **state)
{
    (void)state;
    static case_hull prism;
    case_hull_prism(&prism, 6, 0.9, 0.3);
    convex plate = box(2, 2, 0.2), hexagon = of_hull(&prism);
    convex capsule = of_length(CONVEX_SEGMENT, 0.2, 0.5), cylinder = of_length(CONVEX_CYLINDER, 0.2, 0.5);
    convex cone = of_length(CONVEX_CONE, 0.3, 0.5), edge = box(0.4, 0.4, 0.4);
    double angle = atan2(0.3, 1.0); // the side of the cone down
    cone.axes = mat3_from_quat(quat_from_rotation(vec3_make(0, PI / 2 + angle, 0)));
    edge.axes = mat3_from_quat(quat_from_rotation(vec3_make(PI / 4, 0, 0)));
    capsule.axes = cylinder.axes = LYING;
    for (size_t i = 0; i < sizeof GAPS / sizeof *GAPS; i++) {
        rest(&plate, capsule, GAPS[i], 2, 2);
        rest(&plate, cylinder, GAPS[i], 2, 2);
        rest(&plate, cone, GAPS[i], 2, 2);
        rest(&plate, edge, GAPS[i], 2, 2);
        rest(&hexagon, capsule, GAPS[i], 2, 2);
        rest(&hexagon, cylinder, GAPS[i], 2, 2);
        rest(&capsule, capsule, GAPS[i], 2, 2);
        rest(&cylinder, capsule, GAPS[i], 2, 2);
        rest(&cylinder, cylinder, GAPS[i], 2, 2);
    }
}

static void test_points(void **state)
{
    (void)state;
    convex plate = box(2, 2, 0.2), ellipsoid = {.kind = CONVEX_ELLIPSOID, .size = {0.3, 0.4, 0.5}, .axes = UPRIGHT};
    convex tilted = of_length(CONVEX_CYLINDER, 0.4, 0.5), capsule = of_length(CONVEX_SEGMENT, 0.2, 0.5);
    convex across = of_length(CONVEX_SEGMENT, 0.2, 0.5), lying = across, roof = box(0.4, 0.4, 0.4), ridge = roof;
    tilted.axes = mat3_from_quat(quat_from_rotation(vec3_make(0.7, 0, 0)));
    lying.axes = LYING;
    across.axes = mat3_from_quat(quat_from_rotation(vec3_make(PI / 2, 0, 0)));
    roof.axes = mat3_from_quat(quat_from_rotation(vec3_make(PI / 4, 0, 0)));
    ridge.axes = mat3_from_quat(quat_from_rotation(vec3_make(0, PI / 4, 0)));
    for (size_t i = 0; i < sizeof GAPS / sizeof *GAPS; i++) {
        rest(&plate, ellipsoid, GAPS[i], 1, 1);
        rest(&plate, tilted, GAPS[i], 1, 1);
        rest(&plate, capsule, GAPS[i], 1, 1);
        rest(&lying, across, GAPS[i], 1, 1);
        rest(&roof, ridge, GAPS[i], 1, 1);
        rest(&ellipsoid, capsule, GAPS[i], 1, 1);
    }
}

// A box, a prism and a cylinder that stand a little askew have all their points, each with its own height.
static void test_small_tilts(void **state)
{
    (void)state;
    static case_hull prism;
    case_hull_prism(&prism, 6, 0.5, 0.3);
    convex plate = box(2, 2, 0.2);
    const double tilts[] = {1e-9, 1e-6, 1e-4, 1e-2};
    for (size_t i = 0; i < sizeof tilts / sizeof *tilts; i++) {
        convex shapes[] = {box(0.3, 0.4, 0.3), of_hull(&prism), of_length(CONVEX_CYLINDER, 0.5, 0.3)};
        for (int k = 0; k < 3; k++) {
            convex upper = shapes[k];
            upper.axes = mat3_from_quat(quat_from_rotation(vec3_make(tilts[i], 0.7 * tilts[i], 0.3)));
            upper.center = vec3_make(0.1, 0.2, 0.5);
            manifold m;
            assert_true(convex_manifold(&plate, &upper, 0.05, &m));
            check_points(&plate, &upper, &m, 0.05, 1e-5);
            assert_at_least(m.count, 4);
            assert_near(deepest(&m), case_separation(&plate, &upper, vec3_make(0, 0, 1)), 1e-7);
            for (int p = 0; p < m.count; p++) // over the plate
                assert_near(m.points[p].point.z - 0.5 * m.points[p].gap, 0.2, 1e-6);
        }
    }
}

// The deepest point is as deep as the shapes are; swapped shapes give the same points.
static void test_random_pairs(void **state)
{
    (void)state;
    random_stream random = {21};
    int points = 0, several = 0;
    for (int trial = 0; trial < (CHECK_SANITIZED ? 4000 : 40000); trial++) {
        static case_shape a, b;
        case_random(&a, &random, KINDS[trial % KIND_COUNT], 0.2, 1);
        case_random(&b, &random, KINDS[trial / KIND_COUNT % KIND_COUNT], 0.2, 1);
        b.shape.center = random_vec(&random, 1.5);
        convex_distance d;
        manifold m, turned;
        convex_find_distance(&a.shape, &b.shape, CHECK_INFINITY, &d);
        bool found = convex_manifold(&a.shape, &b.shape, 0.1, &m);
        assert_true(found == (d.gap <= 0.1));
        if (!found)
            continue;
        check_points(&a.shape, &b.shape, &m, 0.1, 2e-3); // lines that touch may lie a little aside
        assert_near(deepest(&m), d.gap, 1e-6);
        assert_true(convex_manifold(&b.shape, &a.shape, 0.1, &turned));
        if (vec3_dot(m.normal, turned.normal) > -1 + 1e-9) // two ways out of the same depth
            continue;
        assert_near(deepest(&turned), d.gap, 1e-6);
        points += m.count;
        several += m.count > 1;
    }
    assert_true(points > (CHECK_SANITIZED ? 100 : 1000) && several > (CHECK_SANITIZED ? 20 : 200));
}

// Small motions keep the names of points that stay.
static void test_names_last(void **state)
{
    (void)state;
    static case_hull prism;
    case_hull_prism(&prism, 5, 0.5, 0.3);
    random_stream random = {23};
    convex plate = box(2, 2, 0.2),
           shapes[] = {of_hull(&prism), of_length(CONVEX_CYLINDER, 0.5, 0.3), box(0.3, 0.4, 0.3)};
    for (int k = 0; k < 3; k++) {
        convex upper = shapes[k];
        upper.center = vec3_make(0.1, 0.2, 0.501);
        manifold first, next;
        assert_true(convex_manifold(&plate, &upper, 0.01, &first));
        for (int trial = 0; trial < 200; trial++) {
            upper.axes = mat3_from_quat(quat_from_rotation(random_vec(&random, 1e-4)));
            upper.center = vec3_add(vec3_make(0.1, 0.2, 0.501), random_vec(&random, 1e-4));
            assert_true(convex_manifold(&plate, &upper, 0.01, &next));
            int kept = 0;
            for (int i = 0; i < next.count; i++)
                for (int j = 0; j < first.count; j++)
                    if (next.points[i].feature == first.points[j].feature) {
                        kept++;
                        assert_vec3_near(next.points[i].point, first.points[j].point, 1e-3);
                    }
            assert_at_least(kept, first.count - 1); // a rim's deepest point may take the place of one
        }
    }
}

static void test_along_a_given_normal(void **state)
{
    (void)state;
    convex floor = {.kind = CONVEX_TRIANGLE, .corners = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}, .axes = UPRIGHT};
    convex upper = box(0.2, 0.2, 0.2);
    upper.center = vec3_make(0, 0, 0.19);
    manifold m;
    assert_true(convex_manifold_along(&upper, &floor, vec3_make(0, 0, -1), 0.05, &m));
    assert_int_equal(m.count, 4);
    for (int i = 0; i < m.count; i++) {
        assert_near(m.points[i].gap, -0.01, 1e-12);
        assert_near(m.points[i].point.z, -0.005, 1e-12);
    }
    upper.center = vec3_make(3, 0, 0.19);
    assert_false(convex_manifold_along(&upper, &floor, vec3_make(0, 0, -1), 0.05, &m));
    upper.center = vec3_make(0, 0, 0.3);
    assert_false(convex_manifold_along(&upper, &floor, vec3_make(0, 0, -1), 0.05, &m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_on_flat),
        cmocka_unit_test(test_lines_on_flat),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_small_tilts),
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_names_last),
        cmocka_unit_test(test_along_a_given_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
