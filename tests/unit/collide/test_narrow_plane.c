// Capsules, cylinders, cones and hulls on planes: how many points, and that the lowest is as low as the shape is.
#include "convex_cases.h"
#include "narrow_support.h"

#include "geometry/geometry.h"

static case_hull hulls[2];
static scree_geometry geometries[2];
static const scree_geometry *const table[2] = {&geometries[0], &geometries[1]};

// The shape over the plane z = 0, `gap` being that of its lowest point.
typedef struct plane_case {
    world w;
    convex shape;
} plane_case;

static points rest(plane_case *c, scree_shape_type type, double radius, double half, quat orientation, double gap)
{
    c->w = (world){0};
    proxy *p = add_proxy(&c->w, add_body(&c->w, vec3_make(0, 0, 0), orientation, 0.005f), type, NULL);
    if (type == SCREE_SHAPE_HULL) {
        p->geometry = 0;
    } else {
        p->size[0] = (float)radius;
        p->size[1] = (float)half;
    }
    add_plane(&c->w, add_body(&c->w, vec3_make(3, 2, 0), quat_identity(), 0.005f), vec3_make(0, 0, 1), 0, NULL);
    c->w.geometries = table;
    proxy_view view = world_view(&c->w);
    c->shape = convex_of_proxy(&view, p, vec3_make(0, 0, 0));
    c->w.centers[0].z = gap + case_reach(&c->shape, vec3_make(0, 0, -1));
    c->shape.center = c->w.centers[0];
    return collide(&c->w, 0, 1);
}

static void check(const plane_case *c, const points *p, double gap)
{
    assert_near(smallest_gap(p), gap, 1e-6);
    for (size_t i = 0; i < p->count; i++) {
        const contact *k = &p->data[i];
        assert_vec3_near(vec3_from_f(k->normal), vec3_make(0, 0, -1), 1e-7);
        vec3 at = vec3_add(c->w.centers[0], vec3_from_f(k->arm));
        assert_near(at.z, 0.5 * (double)k->gap, 1e-6); // midway to the plane
        at.z = (double)k->gap;
        assert_at_most(case_outside(&c->shape, at), 1e-6);
    }
}

static const double GAPS[] = {0.005, 0, -0.003, -0.2};

static void test_counts(void **state)
{
    (void)state;
    case_hull_prism(&hulls[0], 8, 0.5, 0.3);
    geometries[0] = (scree_geometry){.type = SCREE_SHAPE_HULL, .hull = &hulls[0].hull};
    quat upright = quat_identity(), lying = quat_from_rotation(vec3_make(0, PI / 2, 0));
    quat tilted = quat_from_rotation(vec3_make(0.6, 0, 0)),
         side = quat_from_rotation(vec3_make(0, PI / 2 + atan(0.5), 0));
    const struct {
        scree_shape_type type;
        double radius, half;
        quat orientation;
        size_t count;
    } cases[] = {
        {SCREE_SHAPE_CAPSULE, 0.2, 0.5, upright, 1}, {SCREE_SHAPE_CAPSULE, 0.2, 0.5, lying, 2},
        {SCREE_SHAPE_CAPSULE, 0.2, 0.5, tilted, 1},  {SCREE_SHAPE_CYLINDER, 0.4, 0.5, upright, 4},
        {SCREE_SHAPE_CYLINDER, 0.4, 0.5, lying, 2},  {SCREE_SHAPE_CYLINDER, 0.4, 0.5, tilted, 1},
        {SCREE_SHAPE_CONE, 0.5, 0.5, upright, 4},    {SCREE_SHAPE_CONE, 0.5, 0.5, side, 2},
        {SCREE_SHAPE_CONE, 0.5, 0.5, tilted, 1},     {SCREE_SHAPE_HULL, 0, 0, upright, 8},
        {SCREE_SHAPE_HULL, 0, 0, lying, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof GAPS / sizeof *GAPS; k++) {
            plane_case c;
            points p = rest(&c, cases[i].type, cases[i].radius, cases[i].half, cases[i].orientation, GAPS[k]);
            check(&c, &p, GAPS[k]);
            if (GAPS[k] > -0.1) // far below the plane more of the shape is
                assert_int_equal(p.count, cases[i].count);
        }
}

static void test_random_orientations(void **state)
{
    (void)state;
    random_stream random = {31};
    const scree_shape_type types[] = {SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE, SCREE_SHAPE_HULL};
    for (int trial = 0; trial < 4000; trial++) {
        case_hull_random(&hulls[0], &random, 12, vec3_make(0.5, 0.3, 0.4));
        geometries[0] = (scree_geometry){.type = SCREE_SHAPE_HULL, .hull = &hulls[0].hull};
        plane_case c;
        quat orientation = random_rotation(&random);
        if (trial % 2) // nearly standing
            orientation = quat_from_rotation(random_vec(&random, random_between(&random, 0, 0.2)));
        double gap = random_between(&random, -0.3, 0.009);
        points p = rest(&c, types[trial % 4], 0.4, 0.5, orientation, gap);
        assert_true(p.count >= 1);
        check(&c, &p, gap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_random_orientations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
