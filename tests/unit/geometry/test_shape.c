// Shapes: validation, and sizes and mass properties against closed forms and Monte Carlo integration.
#include "../../physics/check.h"

#include <string.h>

#include "base/random.h"
#include "geometry/shape.h"
#include "random_pose.h"

static scree_shape_def sphere(double radius)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.radius = radius;
    return shape;
}

static scree_shape_def box(double x, double y, double z)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_BOX;
    shape.half = vec3_make(x, y, z);
    return shape;
}

// Ellipsoid, capsule, cylinder or cone.
static scree_shape_def round_shape(scree_shape_type type, double radius, double half_length)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    shape.radius = radius;
    shape.half_length = half_length;
    shape.radii = vec3_make(radius, 0.6 * radius, half_length);
    return shape;
}

static scree_shape_def plane(void)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_PLANE;
    return shape;
}

static void assert_refused(const scree_shape_def *shape, const char *word)
{
    scree_error error = {0};
    assert_int_equal(shape_validate(shape, "body 3, shape 1", &error), SCREE_ERROR_INVALID);
    assert_int_equal(error.status, SCREE_ERROR_INVALID);
    assert_ptr_equal(strstr(error.message, "body 3, shape 1: "), error.message);
    assert_non_null(strstr(error.message, word));
    assert_int_equal(shape_validate(shape, "", NULL), SCREE_ERROR_INVALID);
}

static void test_defaults_are_valid(void **state)
{
    (void)state;
    scree_shape_def shape = scree_default_shape_def();
    assert_int_equal(shape.type, SCREE_SHAPE_SPHERE);
    assert_true(shape.radius == 0.5);
    assert_int_equal(shape.material, SCREE_MATERIAL_OF_BODY);
    for (int type = 0; type < SCREE_SHAPE_TYPES; type++) {
        shape.type = (scree_shape_type)type;
        bool needs_geometry = type == SCREE_SHAPE_HULL || type == SCREE_SHAPE_MESH || type == SCREE_SHAPE_HEIGHTFIELD ||
                              type == SCREE_SHAPE_SPHERES;
        assert_int_equal(shape_validate(&shape, "x", NULL), needs_geometry ? SCREE_ERROR_INVALID : SCREE_OK);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    const double bad_sizes[] = {0, -1, CHECK_NAN, CHECK_INFINITY, 1e-16, 1e16};
    for (size_t i = 0; i < sizeof bad_sizes / sizeof *bad_sizes; i++) {
        scree_shape_def shape = sphere(bad_sizes[i]);
        assert_refused(&shape, "radius");
        for (int type = SCREE_SHAPE_CAPSULE; type <= SCREE_SHAPE_CONE; type++) {
            shape = round_shape((scree_shape_type)type, bad_sizes[i], 1);
            assert_refused(&shape, "radius");
            shape = round_shape((scree_shape_type)type, 1, bad_sizes[i]);
            assert_refused(&shape, "half length");
        }
        shape = round_shape(SCREE_SHAPE_ELLIPSOID, 1, bad_sizes[i]);
        assert_refused(&shape, "radii");
        for (int axis = 0; axis < 3; axis++) {
            double half[3] = {1, 1, 1};
            half[axis] = bad_sizes[i];
            shape = box(half[0], half[1], half[2]);
            assert_refused(&shape, "half");
        }
    }
    scree_shape_def shape = sphere(1);
    shape.position.y = CHECK_NAN;
    assert_refused(&shape, "position");
    shape = sphere(1);
    shape.orientation = (quat){0, 0, 0, 0};
    assert_refused(&shape, "orientation");
    shape.orientation.x = CHECK_INFINITY;
    assert_refused(&shape, "orientation");
    shape = sphere(1);
    shape.material = -2;
    assert_refused(&shape, "material");
    shape = sphere(1);
    shape.type = SCREE_SHAPE_TYPES;
    assert_refused(&shape, "type");
    shape.type = (scree_shape_type)-1;
    assert_refused(&shape, "type");
    shape = plane();
    shape.normal = vec3_make(0, 0, 0);
    assert_refused(&shape, "normal");
    shape = plane();
    shape.offset = CHECK_INFINITY;
    assert_refused(&shape, "offset");
}

// Sizes that a type does not use may hold anything.
static void test_unused_sizes_are_free(void **state)
{
    (void)state;
    scree_shape_def shape = sphere(1);
    shape.half = vec3_make(-1, 0, CHECK_NAN);
    shape.normal = vec3_make(0, 0, 0);
    assert_int_equal(shape_validate(&shape, "x", NULL), SCREE_OK);
}

static void test_volume_and_radius(void **state)
{
    (void)state;
    scree_shape_def ball = sphere(0.3), brick = box(1, 2, 3), floor = plane();
    assert_near(scree_shape_volume(&ball), 4 * PI / 3 * 0.027, 1e-15);
    assert_near(scree_shape_volume(&brick), 48, 1e-12);
    assert_true(isinf(scree_shape_volume(&floor)));
    assert_near(shape_reach_from(&ball, ball.position), 0.3, 0);
    assert_near(shape_reach_from(&brick, brick.position), sqrt(14), 1e-15);
    assert_true(isinf(shape_reach_from(&floor, floor.position)) && isinf(scree_shape_reach(&floor)));
    assert_true(shape_is_unbounded(SCREE_SHAPE_PLANE));
    assert_false(shape_is_unbounded(SCREE_SHAPE_SPHERE) || shape_is_unbounded(SCREE_SHAPE_BOX));
    ball.type = SCREE_SHAPE_TYPES;
    assert_true(isnan(scree_shape_volume(&ball)) && isnan(scree_shape_reach(&ball)));
}

// The farthest of the eight corners, placed one by one.
static void test_reach_against_corners(void **state)
{
    (void)state;
    random_stream random = {11};
    for (int trial = 0; trial < 1000; trial++) {
        scree_shape_def shape = box(random_between(&random, 0.1, 2), random_between(&random, 0.1, 2), 0.7);
        shape.position = random_vec(&random, 2);
        quat unit = random_rotation(&random);
        shape.orientation = (quat){3 * unit.w, 3 * unit.x, 3 * unit.y, 3 * unit.z};
        double farthest = 0;
        for (int corner = 0; corner < 8; corner++) {
            vec3 sign = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
            vec3 at = vec3_add(shape.position, quat_rotate(unit, vec3_multiply(sign, shape.half)));
            farthest = fmax(farthest, vec3_length(at));
        }
        assert_near(scree_shape_reach(&shape), farthest, 1e-13);
        shape.type = SCREE_SHAPE_SPHERE;
        assert_near(scree_shape_reach(&shape), vec3_length(shape.position) + 0.5, 1e-13);
    }
}

static void test_mass_of_single_shapes(void **state)
{
    (void)state;
    scree_shape_def ball = sphere(0.2), brick = box(0.1, 0.2, 0.4);
    double density = 2500;
    mass_properties m = shapes_mass_properties(&ball, &density, 1);
    double mass = density * 4 * PI / 3 * 0.008;
    assert_near(m.mass, mass, 1e-12);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(m.inertia.m[i][j], i == j ? 0.4 * mass * 0.04 : 0, 1e-13);
    m = shapes_mass_properties(&brick, &density, 1);
    mass = density * 0.2 * 0.4 * 0.8;
    assert_near(m.mass, mass, 1e-11);
    const double expected[] = {mass / 12 * (0.16 + 0.64), mass / 12 * (0.64 + 0.04), mass / 12 * (0.04 + 0.16)};
    for (int i = 0; i < 3; i++)
        assert_near(m.inertia.m[i][i], expected[i], 1e-11);
}

// Two halves of a brick, one of them turned by a right angle, make the whole one.
static void test_mass_of_parts_is_mass_of_whole(void **state)
{
    (void)state;
    scree_shape_def whole = box(1, 0.5, 0.25), parts[2] = {box(0.5, 0.5, 0.25), box(0.5, 0.25, 0.5)};
    whole.position = vec3_make(3, 4, 5);
    parts[0].position = vec3_make(2.5, 4, 5);
    parts[1].position = vec3_make(3.5, 4, 5);
    parts[1].orientation = (quat){sqrt(0.5), sqrt(0.5), 0, 0};
    const double densities[] = {700, 700};
    mass_properties one = shapes_mass_properties(&whole, densities, 1);
    mass_properties two = shapes_mass_properties(parts, densities, 2);
    assert_near(two.mass, one.mass, 1e-10);
    assert_near(vec3_length(vec3_sub(one.center, two.center)), 0, 1e-13);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(two.inertia.m[i][j], one.inertia.m[i][j], 1e-10);
}

static bool shape_holds(const scree_shape_def *shape, vec3 point)
{
    vec3 local = quat_rotate_back(quat_normalize(shape->orientation), vec3_sub(point, shape->position)),
         r = shape->radii;
    double across = hypot(local.x, local.y), half = shape->half_length, up = fabs(local.z);
    switch (shape->type) {
    case SCREE_SHAPE_SPHERE:
        return vec3_length(local) <= shape->radius;
    case SCREE_SHAPE_BOX:
        return fabs(local.x) <= shape->half.x && fabs(local.y) <= shape->half.y && up <= shape->half.z;
    case SCREE_SHAPE_ELLIPSOID:
        return vec3_length(vec3_make(local.x / r.x, local.y / r.y, local.z / r.z)) <= 1;
    case SCREE_SHAPE_CAPSULE:
        return hypot(across, fmax(up - half, 0)) <= shape->radius;
    case SCREE_SHAPE_CYLINDER:
        return across <= shape->radius && up <= half;
    default: // a cone, from its base at -half / 2 to its apex at 3 / 2 half
        return local.z >= -0.5 * half && across <= shape->radius * (1.5 * half - local.z) / (2 * half);
    }
}

// Sums over random points of the cube [-2, 2]^3; overlaps count twice, as documented.
static mass_properties monte_carlo(const scree_shape_def *shapes, const double *densities, size_t count, vec3 center)
{
    enum { SAMPLES = 400000 };
    random_stream random = {5};
    mass_properties sum = {0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        vec3 point = random_vec(&random, 2);
        for (size_t s = 0; s < count; s++) {
            if (!shape_holds(&shapes[s], point))
                continue;
            double mass = densities[s] * 64 / SAMPLES;
            vec3 arm = vec3_sub(point, center);
            sum.mass += mass;
            sum.center = vec3_add_scaled(sum.center, point, mass);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    sum.inertia.m[i][j] +=
                        mass * ((i == j ? vec3_dot(arm, arm) : 0) - vec3_get(arm, i) * vec3_get(arm, j));
        }
    }
    sum.center = vec3_scale(sum.center, 1 / sum.mass);
    return sum;
}

static void test_mass_of_compound_against_monte_carlo(void **state)
{
    (void)state;
    scree_shape_def shapes[4] = {sphere(0.8), box(0.4, 0.9, 0.3), plane(), box(0.7, 0.2, 0.5)};
    shapes[0].position = vec3_make(-0.9, 0.3, 0.2);
    shapes[1].position = vec3_make(0.6, -0.4, 0.5);
    shapes[1].orientation = (quat){0.8, 0.3, -0.4, 0.2};
    shapes[3].position = vec3_make(0.5, 0.6, -0.8);
    shapes[3].orientation = (quat){0.1, -0.7, 0.4, 0.5};
    const double densities[4] = {1, 3, 1e9, 2};
    mass_properties exact = shapes_mass_properties(shapes, densities, 4);
    shapes[2] = shapes[3];
    const double bounded[3] = {1, 3, 2};
    mass_properties sampled = monte_carlo(shapes, bounded, 3, exact.center);
    assert_near(exact.mass, sampled.mass, 0.02 * exact.mass);
    assert_near(vec3_length(vec3_sub(exact.center, sampled.center)), 0, 0.01);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(exact.inertia.m[i][j], sampled.inertia.m[i][j], 0.02 * exact.inertia.m[i][i]);
}

static void test_mass_of_each_shape_against_monte_carlo(void **state)
{
    (void)state;
    double density = 3; // some thousand points fall into each shape: a few per cent
    for (int type = SCREE_SHAPE_SPHERE; type <= SCREE_SHAPE_CONE; type++) {
        scree_shape_def shape = round_shape((scree_shape_type)type, 0.8, 0.6);
        shape.half = vec3_make(0.9, 0.5, 0.3);
        shape.position = vec3_make(0.3, -0.2, 0.1);
        shape.orientation = (quat){0.8, 0.3, -0.4, 0.2};
        mass_properties exact = shapes_mass_properties(&shape, &density, 1);
        mass_properties sampled = monte_carlo(&shape, &density, 1, exact.center);
        assert_relative(sampled.mass, exact.mass, 0.05);
        assert_near(vec3_length(vec3_sub(exact.center, sampled.center)), 0, 0.03);
        assert_near(vec3_length(vec3_sub(exact.center, shape.position)), 0, 1e-14);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(sampled.inertia.m[i][j], exact.inertia.m[i][j], 0.06 * exact.inertia.m[i][i]);
    }
}

static void assert_moments(const scree_shape_def *shape, double volume, double across, double along)
{
    double density = 1;
    mass_properties m = shapes_mass_properties(shape, &density, 1);
    assert_relative(m.mass, volume, 1e-14);
    assert_relative(m.inertia.m[0][0], volume * across, 1e-13);
    assert_relative(m.inertia.m[1][1], volume * across, 1e-13);
    assert_relative(m.inertia.m[2][2], volume * along, 1e-13);
}

// As textbooks have them. A capsule: one without length is a ball, a long one a cylinder.
static void test_mass_of_round_shapes(void **state)
{
    (void)state;
    const double r = 0.7, h = 1.3, height = 2 * h;
    scree_shape_def shape = round_shape(SCREE_SHAPE_CYLINDER, r, h);
    assert_moments(&shape, PI * r * r * height, (3 * r * r + height * height) / 12, r * r / 2);
    shape = round_shape(SCREE_SHAPE_CONE, r, h);
    assert_moments(&shape, PI * r * r * height / 3, 3 * r * r / 20 + 3 * height * height / 80, 3 * r * r / 10);
    shape = round_shape(SCREE_SHAPE_CAPSULE, r, 1e-12);
    assert_near(scree_shape_volume(&shape), 4 * PI / 3 * r * r * r, 1e-10);
    shape = round_shape(SCREE_SHAPE_ELLIPSOID, r, h);
    double density = 1, volume = 4 * PI / 3 * r * 0.6 * r * h;
    mass_properties m = shapes_mass_properties(&shape, &density, 1);
    assert_relative(m.inertia.m[0][0], volume / 5 * (0.36 * r * r + h * h), 1e-14);
    assert_relative(m.inertia.m[1][1], volume / 5 * (h * h + r * r), 1e-14);
    assert_relative(m.inertia.m[2][2], volume / 5 * (1.36 * r * r), 1e-14);
}

// A random point of the surface, or for a cone or cylinder of its rims and apex, which hold all that is farthest.
static vec3 outer_point(const scree_shape_def *shape, random_stream *random)
{
    double angle = random_between(random, 0, 2 * PI), half = shape->half_length;
    vec3 rim = {shape->radius * cos(angle), shape->radius * sin(angle), 0}, direction = random_direction(random);
    bool up = random_bits(random) % 2;
    switch (shape->type) {
    case SCREE_SHAPE_ELLIPSOID:
        return vec3_multiply(shape->radii, direction);
    case SCREE_SHAPE_CAPSULE:
        return vec3_add(vec3_scale(direction, shape->radius), vec3_make(0, 0, up ? half : -half));
    case SCREE_SHAPE_CYLINDER:
        return vec3_add(rim, vec3_make(0, 0, up ? half : -half));
    default:
        return up ? vec3_make(0, 0, 1.5 * half) : vec3_add(rim, vec3_make(0, 0, -0.5 * half));
    }
}

static void test_reach_and_extents_of_round_shapes(void **state)
{
    (void)state;
    enum { POINTS = 20000, TRIALS = 20 };
    random_stream random = {23};
    for (int trial = 0; trial < 4 * TRIALS; trial++) {
        scree_shape_type type = (scree_shape_type)(SCREE_SHAPE_ELLIPSOID + trial % 4);
        scree_shape_def shape = round_shape(type, random_between(&random, 0.2, 1), random_between(&random, 0.2, 1));
        shape.position = random_vec(&random, trial % 3 ? 1.5 : 0);
        shape.orientation = random_rotation(&random);
        proxy p = {.size = {(float)shape.radius, (float)shape.half_length, 0}, .type = (uint32_t)type & 31};
        if (type == SCREE_SHAPE_ELLIPSOID)
            p = (proxy){.size = {(float)shape.radii.x, (float)shape.radii.y, (float)shape.radii.z},
                        .type = SCREE_SHAPE_ELLIPSOID};
        local_pose local = {{0, 0, 0}, {1, 0, 0, 0}};
        vec3 center = {0, 0, 0}, most = {0, 0, 0};
        proxy_view view = {
            .proxies = &p, .proxy_count = 1, .locals = &local, .centers = &center, .orientations = &shape.orientation};
        double farthest = 0;
        for (int i = 0; i < POINTS; i++) {
            vec3 turned = quat_rotate(shape.orientation, outer_point(&shape, &random));
            farthest = fmax(farthest, vec3_length(vec3_add(shape.position, turned)));
            most = vec3_make(fmax(most.x, fabs(turned.x)), fmax(most.y, fabs(turned.y)), fmax(most.z, fabs(turned.z)));
        }
        assert_at_most(farthest, scree_shape_reach(&shape) * (1 + 1e-12));
        assert_at_least(farthest, 0.995 * scree_shape_reach(&shape));
        vec3 extents = proxy_half_extents(&view, &p);
        for (int axis = 0; axis < 3; axis++) {
            assert_at_most(vec3_get(most, axis), vec3_get(extents, axis) * (1 + 1e-6));
            assert_at_least(vec3_get(most, axis), 0.99 * vec3_get(extents, axis));
        }
    }
}

// The farthest point of an ellipsoid by climbing: |R u + p| is convex in u, so u := R (R u + p), normalised, never
// falls.
static double climbed_reach(vec3 radii, vec3 from, random_stream *random)
{
    double farthest = 0;
    for (int start = 0; start < 12; start++) {
        vec3 u = start < 6 ? vec3_scale(vec3_make(start / 2 == 0, start / 2 == 1, start / 2 == 2), start % 2 ? 1 : -1)
                           : random_direction(random);
        if (start < 6) // from exactly on an axis it would not leave it
            u = vec3_normalize(vec3_add_scaled(u, random_direction(random), 1e-3));
        for (int i = 0; i < 2000; i++)
            u = vec3_normalize(vec3_multiply(radii, vec3_add(vec3_multiply(radii, u), from)));
        farthest = fmax(farthest, vec3_length(vec3_add(vec3_multiply(radii, u), from)));
    }
    return farthest;
}

static void test_reach_of_ellipsoids(void **state)
{
    (void)state;
    random_stream random = {29};
    for (int trial = 0; trial < (CHECK_SANITIZED ? 60 : 400); trial++) {
        scree_shape_def shape = round_shape(SCREE_SHAPE_ELLIPSOID, 1, 1);
        double ratio = pow(10, random_between(&random, 0, 2));
        shape.radii = vec3_make(1, 1 / ratio, random_between(&random, 1 / ratio, 1));
        if (trial % 5 == 1)
            shape.radii.z = shape.radii.x;
        if (trial % 5 == 2)
            shape.radii.z = shape.radii.y;
        if (trial % 5 == 3)
            shape.radii = vec3_make(0.3, 0.3, 0.3);
        shape.position = random_vec(&random, pow(10, random_between(&random, -3, 3)));
        const vec3 masks[] = {{1, 1, 1}, {0, 0, 0}, {1, 0, 0},    {0, 1, 0},
                              {0, 0, 1}, {0, 1, 1}, {1e-9, 1, 1}, {1e-30, 1, 0}};
        shape.position = vec3_multiply(shape.position, masks[trial % 8]);
        double reach = scree_shape_reach(&shape), climbed = climbed_reach(shape.radii, shape.position, &random);
        assert_at_least(reach, climbed * (1 - 1e-12));
        assert_at_most(reach, climbed * (1 + 1e-6)); // climbing is slow near a ball
    }
    // Closed forms: from the middle, along each axis, and a ball from anywhere.
    scree_shape_def shape = round_shape(SCREE_SHAPE_ELLIPSOID, 1, 1);
    shape.radii = vec3_make(3, 1, 2);
    assert_near(scree_shape_reach(&shape), 3, 1e-15);
    shape.position = vec3_make(5, 0, 0);
    assert_near(scree_shape_reach(&shape), 8, 1e-14);
    shape.position = vec3_make(0, 100, 0); // far along the shortest axis: its tip
    assert_near(scree_shape_reach(&shape), 101, 1e-12);
    shape.position = vec3_make(0, 0.1, 0); // near: lambda = 9, y = 0.1 / 8, the rest along x
    assert_near(scree_shape_reach(&shape), sqrt(9 * (1 - 0.0125 * 0.0125) + 0.1125 * 0.1125), 1e-14);
    shape.radii = vec3_make(2, 2, 2);
    shape.position = vec3_make(1, 2, 2);
    assert_near(scree_shape_reach(&shape), 5, 1e-14);
}

static void test_planes_alone_have_no_mass(void **state)
{
    (void)state;
    scree_shape_def floor = plane();
    double density = 1;
    mass_properties m = shapes_mass_properties(&floor, &density, 1);
    assert_true(m.mass == 0 && m.inertia.m[0][0] == 0 && m.center.x == 0);
}

static void test_half_extents_against_corners(void **state)
{
    (void)state;
    random_stream random = {17};
    for (int trial = 0; trial < 1000; trial++) {
        local_pose locals[2] = {{{0, 0, 0}, {1, 0, 0, 0}}, {random_vec(&random, 3), random_rotation(&random)}};
        vec3 center = random_vec(&random, 100);
        quat orientation = random_rotation(&random);
        proxy p = {.size = {(float)random_between(&random, 0.1, 2), 0.5f, 1.5f}, .type = SCREE_SHAPE_BOX};
        p.local = (uint32_t)(trial % 2);
        proxy_view view = {
            .proxies = &p, .proxy_count = 1, .locals = locals, .centers = &center, .orientations = &orientation};
        quat axes = quat_multiply(orientation, locals[p.local].orientation);
        vec3 most = {0, 0, 0};
        for (int corner = 0; corner < 8; corner++) {
            vec3 at = quat_rotate(axes, vec3_make(corner & 1 ? (double)p.size[0] : -(double)p.size[0],
                                                  corner & 2 ? 0.5 : -0.5, corner & 4 ? 1.5 : -1.5));
            most = vec3_make(fmax(most.x, at.x), fmax(most.y, at.y), fmax(most.z, at.z));
        }
        assert_near(vec3_length(vec3_sub(proxy_half_extents(&view, &p), most)), 0, 1e-12);
        p.type = SCREE_SHAPE_SPHERE;
        vec3 extents = proxy_half_extents(&view, &p);
        assert_true(extents.x == (double)p.size[0] && extents.y == extents.x && extents.z == extents.x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_valid),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unused_sizes_are_free),
        cmocka_unit_test(test_volume_and_radius),
        cmocka_unit_test(test_reach_against_corners),
        cmocka_unit_test(test_mass_of_single_shapes),
        cmocka_unit_test(test_mass_of_parts_is_mass_of_whole),
        cmocka_unit_test(test_mass_of_compound_against_monte_carlo),
        cmocka_unit_test(test_mass_of_each_shape_against_monte_carlo),
        cmocka_unit_test(test_mass_of_round_shapes),
        cmocka_unit_test(test_reach_and_extents_of_round_shapes),
        cmocka_unit_test(test_reach_of_ellipsoids),
        cmocka_unit_test(test_planes_alone_have_no_mass),
        cmocka_unit_test(test_half_extents_against_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
