// Fast bodies: where they hit, that they pass each other where they do, and how a blow goes through others.
//
// Sources: the angled cube is LinearCast of Jolt Physics' test suite
// (UnitTests/Physics/MotionQualityLinearCastTests.cpp, TestDiscreteBoxVsBox... with its boxes at an angle: what is hit
// in the middle of a face takes the normal velocity and turns nothing). Oblique hits of smooth balls are in closed
// form: the speed along the line of centres at the moment of touch is exchanged. Rows of equal balls: as many leave at
// the far end as came in (Newton's cradle; model: Smith et al., "Reflections on simultaneous impact", 2012).
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

static scree_world *make_world(double step, double restitution)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = NOWHERE;
    def.step = step;
    def.threads = 1;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0, restitution);
    return world;
}

static scree_id add(scree_world *world, vec3 at, vec3 velocity, scree_shape_def shape)
{
    scree_body_def body = lab_body(at, velocity);
    body.mass = 1;
    return lab_add(world, body, shape);
}

// A cube hits the middle of a cube's face at an angle: (-20, 0, 40) gives away -20 and keeps 40, unturned, at any step,
// and stands where it met the other but for what it slid on.
static void test_angled_cube(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 20; steps++) {
        scree_world *world = make_world(0.1 / steps, 1);
        scree_id a = add(world, vec3_make(2, 0, -2), vec3_make(-20, 0, 40), lab_box(0.5, 0.5, 0.5));
        scree_id b = add(world, NOWHERE, NOWHERE, lab_box(0.5, 0.5, 0.5));
        lab_step(world, steps);
        scree_state of_a = lab_state(world, a), of_b = lab_state(world, b);
        assert_vec3_near(of_a.velocity, vec3_make(0, 0, 40), 1e-4);
        assert_vec3_near(of_b.velocity, vec3_make(-20, 0, 0), 1e-4);
        assert_vec3_near(of_a.spin, NOWHERE, 1e-4);
        assert_vec3_near(of_b.spin, NOWHERE, 1e-4);
        assert_vec3_near(of_a.position, vec3_make(1, 0, 2), 1e-4);
        scree_world_destroy(world);
    }
}

// Two bodies that pass each other with a clearance of a fifth of a radius do not feel each other, at any speed.
static void check_pass(scree_shape_def shape, double across, double radii, double phase)
{
    const double step = 0.1, speed = 0.5 * 0.1 * radii / step, start = 0.6;
    scree_world *world = make_world(step, 0.5);
    scree_id a = add(world, vec3_make(-start - phase, 0, across), vec3_make(speed, 0, 0), shape);
    scree_id b = add(world, vec3_make(start, 0, -across), vec3_make(-speed, 0, 0), shape);
    lab_step(world, (int)(2 * start / (speed * step)) + 2);
    assert_vec3_near(lab_state(world, a).velocity, vec3_make(speed, 0, 0), 1e-12);
    assert_vec3_near(lab_state(world, b).velocity, vec3_make(-speed, 0, 0), 1e-12);
    assert_vec3_near(lab_state(world, a).spin, NOWHERE, 1e-12);
    scree_world_destroy(world);
}

static scree_shape_def shape_of(scree_shape_type type)
{
    scree_shape_def shape = lab_sphere(0.1);
    shape.type = type;
    shape.half = vec3_make(0.1, 0.1, 0.1);
    shape.radii = vec3_make(0.14, 0.12, 0.1);
    shape.half_length = type == SCREE_SHAPE_CAPSULE ? 0.05 : 0.1;
    return shape;
}

static void test_near_misses_are_none(void **state)
{
    (void)state;
    static const scree_shape_type types[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX, SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        double height = types[t] == SCREE_SHAPE_CAPSULE ? 0.15 : 0.1; // above the centre
        for (double radii = 0.3; radii < 4; radii *= sqrt(10))
            for (int phase = 0; phase < 5; phase++)
                check_pass(shape_of(types[t]), height + 0.01, radii, 0.013 * phase);
    }
}

// Smooth balls of radius 0.1, one at rest, met at the offset b: with the normal n = (sqrt(1 - (b / 2 r)^2), 0, -b / 2
// r) of the moment of touch the part (1 + e) / 2 of the speed along it goes over. What is within 0.004 radii when a
// step begins touches already, which turns the normal of the most grazing hit by a hundredth, and without restitution
// comes to rest in two steps.
static void test_oblique_hits_of_balls(void **state)
{
    (void)state;
    const double radius = 0.1, step = 0.01;
    for (int e = 0; e <= 2; e++)
        for (double radii = 0.1; radii < 6; radii *= 2.3)
            for (double offset = 0.02; offset < 0.2; offset += 0.035)
                for (int phase = 0; phase < 4; phase++) {
                    double speed = radii * radius / step, sine = offset / (2 * radius), cosine = sqrt(1 - sine * sine);
                    scree_world *world = make_world(step, 0.5 * e);
                    scree_id a = add(world, vec3_make(-0.6 - 0.25 * phase * radii * radius, 0, offset),
                                     vec3_make(speed, 0, 0), lab_sphere(radius));
                    scree_id b = add(world, NOWHERE, NOWHERE, lab_sphere(radius));
                    lab_step(world, (int)(0.6 / (radii * radius)) + 3);
                    vec3 normal = {cosine, 0, -sine};
                    vec3 given = vec3_scale(normal, 0.5 * (1 + 0.5 * e) * speed * cosine);
                    assert_vec3_near(lab_state(world, b).velocity, given, (e ? 3e-3 : 1.2e-2) * speed);
                    assert_vec3_near(lab_state(world, a).velocity, vec3_sub(vec3_make(speed, 0, 0), given),
                                     (e ? 3e-3 : 1.2e-2) * speed);
                    scree_world_destroy(world);
                }
}

// Rows of equal balls with e = 1, touching or with gaps that are small beside the path of a step.
static void test_rows_of_balls(void **state)
{
    (void)state;
    static const double gaps[] = {0, 1e-6, 1e-4, 1e-3};
    const double radius = 0.025;
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (int coming = 1; coming < 5; coming++) {
            scree_world *world = make_world(0.001, 1);
            scree_id ids[5];
            for (int i = 0; i < 5; i++)
                ids[i] = add(world, vec3_make(i * (2 * radius + gaps[g]) + (i < coming ? 0 : 0.0007), 0, 0),
                             vec3_make(i < coming, 0, 0), lab_sphere(radius));
            lab_step(world, 60);
            for (int i = 0; i < 5; i++)
                assert_vec3_near(lab_state(world, ids[i]).velocity, vec3_make(i >= 5 - coming, 0, 0), 2e-5);
            scree_world_destroy(world);
        }
}

// A ball between two others that touch it: both sides alike.
static void test_blow_on_two_is_even(void **state)
{
    (void)state;
    scree_world *world = make_world(0.001, 1);
    scree_id a = add(world, vec3_make(0, 0, 0), vec3_make(1, 0, 0), lab_sphere(0.025));
    scree_id b[2];
    for (int i = 0; i < 2; i++)
        b[i] = add(world, vec3_make(0.025 * sqrt(3) + 7e-4, i ? 0.025 : -0.025, 0), NOWHERE, lab_sphere(0.025));
    lab_step(world, 10);
    // In closed form: along the normals (sqrt(3), +-1) / 2 both leave at s with 2 s cos 30 + v = 1, s^2 + s^2 + v^2
    // = 1.
    assert_vec3_near(lab_state(world, a).velocity, vec3_make(-0.2, 0, 0), 1e-4);
    for (int i = 0; i < 2; i++)
        assert_vec3_near(lab_state(world, b[i]).velocity, vec3_make(0.6, (i ? 0.2 : -0.2) * sqrt(3), 0), 1e-4);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angled_cube),           cmocka_unit_test(test_near_misses_are_none),
        cmocka_unit_test(test_oblique_hits_of_balls), cmocka_unit_test(test_rows_of_balls),
        cmocka_unit_test(test_blow_on_two_is_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
