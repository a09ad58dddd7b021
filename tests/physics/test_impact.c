// Fast bodies: where they hit, and that they pass each other where they do.
//
// Sources: the angled cube is of Jolt Physics' test suite (UnitTests/Physics/MotionQualityLinearCastTests.cpp, boxes at
// an angle: what is hit in the middle of a face takes the normal velocity and turns nothing). Oblique hits of smooth
// balls are in closed form: of the speed along the line of centres at the moment of touch (1 + e) / 2 goes over. Other
// shapes are compared with the same hit in steps so short that bodies meet where they are.
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
// and both stand where they should.
static void test_angled_cube(void **state)
{
    (void)state;
    const double rounding = 4e-4; // of single precision, at 40 m/s
    for (int steps = 1; steps <= 24; steps++) {
        scree_world *world = make_world(0.1 / steps, 1);
        scree_id a = add(world, vec3_make(2, 0, -2), vec3_make(-20, 0, 40), lab_box(0.5, 0.5, 0.5));
        scree_id b = add(world, NOWHERE, NOWHERE, lab_box(0.5, 0.5, 0.5));
        lab_step(world, steps);
        scree_state of_a = lab_state(world, a), of_b = lab_state(world, b);
        assert_vec3_near(of_a.velocity, vec3_make(0, 0, 40), rounding);
        assert_vec3_near(of_b.velocity, vec3_make(-20, 0, 0), rounding);
        assert_vec3_near(of_a.spin, NOWHERE, rounding);
        assert_vec3_near(of_b.spin, NOWHERE, rounding);
        assert_vec3_near(of_a.position, vec3_make(1, 0, 2), 0.1 * rounding);
        assert_vec3_near(of_b.position, vec3_make(-1, 0, 0), 0.1 * rounding);
        scree_world_destroy(world);
    }
}

// ------------------------------------------------------------------------------------------------------------- shapes

typedef struct shape_kit {
    scree_geometry *hull, *mesh;
} shape_kit;

static shape_kit make_kit(void)
{
    shape_kit kit = {0};
    const scree_vec3 corners[] = {{0.13, 0, 0},  {-0.13, 0, 0}, {0, 0.13, 0}, // an octahedron
                                  {0, -0.13, 0}, {0, 0, 0.13},  {0, 0, -0.13}};
    if (scree_hull_create(corners, 6, &kit.hull, NULL) != SCREE_OK) // a build without qhull
        kit.hull = NULL;
    const scree_vec3 vertices[] = {{-0.1, -2, -2}, {-0.1, 2, -2}, {-0.1, 2, 2}, {-0.1, -2, 2}};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    lab_ok(scree_mesh_create(vertices, 4, triangles, 2, &kit.mesh, error));
    return kit;
}

static void release_kit(shape_kit *kit)
{
    scree_geometry_release(kit->hull);
    scree_geometry_release(kit->mesh);
}

static const scree_shape_type MOVING[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                          SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_HULL};
enum { MOVING_COUNT = sizeof MOVING / sizeof *MOVING };

// About 0.1 in size, and so high above its centre.
static scree_shape_def shape_of(const shape_kit *kit, scree_shape_type type, double *height)
{
    scree_shape_def shape = lab_sphere(0.1);
    shape.type = type;
    shape.half = vec3_make(0.1, 0.1, 0.1);
    shape.radii = vec3_make(0.14, 0.12, 0.1);
    shape.half_length = type == SCREE_SHAPE_CAPSULE ? 0.05 : 0.1;
    shape.geometry = type == SCREE_SHAPE_HULL ? kit->hull : NULL;
    *height = type == SCREE_SHAPE_CAPSULE ? 0.15 : type == SCREE_SHAPE_HULL ? 0.13 : 0.1;
    return shape;
}

static bool can_be_made(const shape_kit *kit, scree_shape_type type)
{
    return type != SCREE_SHAPE_HULL || kit->hull;
}

// ------------------------------------------------------------------------------------------------------- near misses

// The last state of body `which` of two, or of the one alone.
static scree_state fly(const scree_body_def bodies[2], const scree_shape_def shapes[2], int which, bool alone,
                       scree_friction law, int steps)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = vec3_make(0, -LAB_G, 0);
    def.step = 0.1;
    def.threads = 1;
    def.solver.friction = law;
    scree_world *world = lab_create(&def);
    lab_surface(world, law == SCREE_FRICTION_EXACT ? 0.5 : 0, 0.5); // by the other law friction acts at a distance
    scree_id ids[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        if (!alone || i == which)
            ids[i] = lab_add(world, bodies[i], shapes[i]);
    lab_step(world, steps);
    scree_state last = lab_state(world, ids[which]);
    scree_world_destroy(world);
    return last;
}

// Two bodies that pass each other with a clearance of a fifth of a radius keep their free flight bit by bit.
static void check_pass(const shape_kit *kit, scree_shape_type a, scree_shape_type b, double radii, scree_friction law)
{
    double above, below, speed = 0.5 * 0.1 * radii / 0.1;
    scree_shape_def shapes[2] = {shape_of(kit, a, &below), shape_of(kit, b, &above)};
    double start = 0.7 + 0.03 * radii; // in the first step they are far from each other
    int steps = (int)(2 * start / (speed * 0.1));
    scree_body_def bodies[2] = {lab_body(vec3_make(-start, 0, -below - 0.01), vec3_make(speed, 0, 0)),
                                lab_body(vec3_make(start, 0, above + 0.01), vec3_make(-speed, 0, 0))};
    for (int i = 0; i < 2; i++) {
        scree_state with = fly(bodies, shapes, i, false, law, steps),
                    without = fly(bodies, shapes, i, true, law, steps);
        assert_memory_equal(&with.position, &without.position, sizeof with.position);
        assert_memory_equal(&with.velocity, &without.velocity, sizeof with.velocity);
        assert_memory_equal(&with.spin, &without.spin, sizeof with.spin);
    }
}

static void test_near_misses_are_none(void **state)
{
    (void)state;
    shape_kit kit = make_kit();
    for (int a = 0; a < MOVING_COUNT; a++)
        for (int b = 0; b < MOVING_COUNT; b++)
            for (double radii = 0.3; radii < 4; radii *= sqrt(10))
                for (int law = 0; law < 2; law++)
                    if (can_be_made(&kit, MOVING[a]) && can_be_made(&kit, MOVING[b]))
                        check_pass(&kit, MOVING[a], MOVING[b], radii,
                                   law ? SCREE_FRICTION_EXACT : SCREE_FRICTION_CONVEX);
    release_kit(&kit);
}

// A ball that is thrown by another passes a third, which did not lie in anybody's way before.
static void test_thrown_ball_passes(void **state)
{
    (void)state;
    scree_world *world = make_world(0.01, 1);
    scree_id a = add(world, vec3_make(-0.5, 0, 0), vec3_make(40, 0, 0), lab_sphere(0.1));
    scree_id b = add(world, vec3_make(-0.25, 0, 0), NOWHERE, lab_sphere(0.1));
    scree_id c = add(world, vec3_make(0, 0, 0.22), NOWHERE, lab_sphere(0.1));
    lab_step(world, 3);
    assert_vec3_near(lab_state(world, a).velocity, NOWHERE, 1e-4);
    assert_vec3_near(lab_state(world, b).velocity, vec3_make(40, 0, 0), 1e-4);
    assert_vec3_near(lab_state(world, c).velocity, NOWHERE, 0);
    scree_world_destroy(world);
}

// A ball hits a second, behind which there is a third, also in reach of the first: that never gets there.
static void test_impacts_one_after_the_other(void **state)
{
    (void)state;
    for (int e = 0; e <= 2; e++) {
        double restitution = 0.5 * e, speed = 40;
        scree_world *world = make_world(0.01, restitution);
        scree_id a = add(world, vec3_make(-0.3, 0, 0), vec3_make(speed, 0, 0), lab_sphere(0.1));
        scree_id b = add(world, NOWHERE, NOWHERE, lab_sphere(0.1));
        add(world, vec3_make(0.25, 0, 0), NOWHERE, lab_sphere(0.1));
        lab_step(world, 1);
        assert_vec3_near(lab_state(world, a).velocity, vec3_make(0.5 * (1 - restitution) * speed, 0, 0), 1e-3);
        assert_vec3_near(lab_state(world, b).velocity, vec3_make(0.5 * (1 + restitution) * speed, 0, 0), 1e-3);
        scree_world_destroy(world);
    }
}

// --------------------------------------------------------------------------------------------------------------- hits

typedef struct ball_hit {
    double radii;  // that the first ball moves by in a step
    double offset; // of the paths, in sums of radii
    double restitution;
    double phase; // of a step
} ball_hit;

// Smooth balls of radius 0.1, of which the second is at rest: with the normal n = (cos, 0, -sin) of the moment of
// touch, sin = offset, (1 + e) / 2 of the speed along it goes over. Where they stand afterwards follows.
static void check_hit(ball_hit hit)
{
    const double radius = 0.1, step = 0.01, speed = hit.radii * radius / step;
    double cosine = sqrt(1 - hit.offset * hit.offset), start = 0.6 + hit.phase * speed * step;
    double meets = (start - 2 * radius * cosine) / speed;
    int steps = (int)(meets / step) + 3;
    scree_world *world = make_world(step, hit.restitution);
    vec3 from = {-start, 0, 2 * radius * hit.offset}, before = {speed, 0, 0}, normal = {cosine, 0, -hit.offset};
    scree_id a = add(world, from, before, lab_sphere(radius)), b = add(world, NOWHERE, NOWHERE, lab_sphere(radius));
    lab_step(world, steps);
    vec3 given = vec3_scale(normal, 0.5 * (1 + hit.restitution) * speed * cosine), left = vec3_sub(before, given);
    double after = steps * step - meets, size = 2e-3 * speed;
    assert_vec3_near(lab_state(world, b).velocity, given, size);
    assert_vec3_near(lab_state(world, a).velocity, left, size);
    vec3 end = vec3_add_scaled(vec3_add_scaled(from, before, meets), left, after);
    assert_vec3_near(lab_state(world, a).position, end, 0.01 * radius + 2 * size * after);
    assert_vec3_near(lab_state(world, b).position, vec3_scale(given, after), 0.01 * radius + 2 * size * after);
    scree_world_destroy(world);
}

// What is within 0.004 radii when a step begins touches already, and has the normal of then.
static void test_oblique_hits_of_balls(void **state)
{
    (void)state;
    for (int e = 0; e <= 2; e++)
        for (double radii = 0.3; radii < 4; radii *= sqrt(10))
            for (double offset = 0; offset < 0.99; offset += 0.12)
                for (int phase = 0; phase < 5; phase++)
                    check_hit((ball_hit){radii, offset, 0.5 * e, 0.2 * phase + 0.07});
}

typedef struct shape_hit {
    scree_shape_def shapes[2];
    scree_body_def bodies[2];
    bool fixed; // the second
    double restitution;
} shape_hit;

typedef struct outcome {
    vec3 velocity, momentum; // the latter of spin, which stays as it is while the body turns on
} outcome;

// Both bodies after the step in which they hit each other.
static void run_hit(const shape_hit *hit, double step, outcome of[2])
{
    scree_world *world = make_world(step, hit->restitution);
    scree_id ids[2];
    for (int i = 0; i < 2; i++)
        ids[i] = i && hit->fixed ? lab_add_fixed(world, hit->bodies[i].position, hit->shapes[i])
                                 : lab_add(world, hit->bodies[i], hit->shapes[i]);
    lab_totals before = lab_total(world);
    vec3 velocity = hit->bodies[0].velocity;
    for (int k = 0; velocity.x == hit->bodies[0].velocity.x; k++) {
        lab_step(world, 1);
        velocity = lab_state(world, ids[0]).velocity;
        assert_at_most(k * step, 0.1); // they hit
    }
    lab_totals after = lab_total(world);
    assert_at_most(after.kinetic, before.kinetic * (1 + 1e-5));
    if (hit->restitution == 1)
        assert_at_least(after.kinetic, before.kinetic * (1 - 1e-3)); // of bodies that turn by a radian in what is left
    bool turned = hit->shapes[0].type != SCREE_SHAPE_SPHERE || hit->shapes[1].type != SCREE_SHAPE_SPHERE;
    if (!hit->fixed) {
        assert_vec3_near(after.momentum, before.momentum, 1e-5 * before.momentum_scale);
        // A body that is turned by the hit may run into the other again within the step. Its place is then held,
        // without a velocity of its own, which shifts x but not m v in x times m v.
        assert_vec3_near(after.angular, before.angular, (turned ? 0.05 : 1e-3) * before.angular_scale);
    }
    for (int i = 0; i < 2; i++) {
        scree_state end = lab_state(world, ids[i]);
        of[i].velocity = end.velocity;
        of[i].momentum = i && hit->fixed ? NOWHERE : lab_own_angular_momentum(&end, lab_info(world, ids[i]).inertia);
    }
    scree_world_destroy(world);
}

// Steps of a few thousandths of a size, in which bodies hit where they are, and of several sizes.
static void check_shape_hit(const shape_hit *hit)
{
    const double speed = 30, inertia = 0.4 * 0.1 * 0.1; // about
    outcome fine[2], coarse[2];
    run_hit(hit, 1.2e-5, fine);
    for (double step = 0.003; step < 0.02; step *= 2.1) {
        run_hit(hit, step, coarse);
        for (int i = 0; i < 2; i++) {
            assert_vec3_near(coarse[i].velocity, fine[i].velocity, 0.01 * speed);
            assert_vec3_near(coarse[i].momentum, fine[i].momentum, 0.01 * inertia * speed / 0.1);
        }
    }
}

// A body at 30 m/s meets the second askew, out of line with its centre.
static shape_hit askew(const shape_kit *kit, scree_shape_type a, double restitution)
{
    double unused;
    shape_hit hit = {.shapes = {shape_of(kit, a, &unused)}, .restitution = restitution};
    hit.bodies[0] = lab_body(vec3_make(0.6, 0.05, 0.03), vec3_make(-30, 2, 1));
    hit.bodies[0].orientation = quat_from_rotation(vec3_make(0.4, 0.3, -0.5));
    hit.bodies[0].mass = 1;
    return hit;
}

static void test_hits_of_all_shapes(void **state)
{
    (void)state;
    shape_kit kit = make_kit();
    for (int e = 0; e < 2; e++)
        for (int a = 0; a < MOVING_COUNT; a++)
            for (int b = 0; b < MOVING_COUNT; b++) {
                if (!can_be_made(&kit, MOVING[a]) || !can_be_made(&kit, MOVING[b]))
                    continue;
                double unused;
                shape_hit hit = askew(&kit, MOVING[a], e ? 1 : 0.5);
                hit.shapes[1] = shape_of(&kit, MOVING[b], &unused);
                hit.bodies[1] = lab_body(NOWHERE, NOWHERE);
                hit.bodies[1].mass = 1;
                check_shape_hit(&hit);
            }
    release_kit(&kit);
}

// How often the first body is hit in so much time, and its velocity at the end.
static int count_hits(const shape_hit *hit, double step, double time, vec3 *velocity)
{
    scree_world *world = make_world(step, hit->restitution);
    scree_id first = lab_add(world, hit->bodies[0], hit->shapes[0]);
    lab_add(world, hit->bodies[1], hit->shapes[1]);
    int hits = 0;
    *velocity = hit->bodies[0].velocity;
    for (double now = 0; now < time - 0.5 * step; now += step) {
        lab_step(world, 1);
        vec3 reached = lab_state(world, first).velocity;
        hits += vec3_length(vec3_sub(reached, *velocity)) > 1e-3;
        *velocity = reached;
    }
    scree_world_destroy(world);
    return hits;
}

// What was hit turns by up to two radians a step, close to what hit it: where short steps have one hit there is no
// other.
static void test_turned_bodies_pass(void **state)
{
    (void)state;
    shape_kit kit = make_kit();
    int once = 0;
    for (int a = 1; a < MOVING_COUNT; a++)
        for (int b = 0; b < MOVING_COUNT; b++) {
            if (!can_be_made(&kit, MOVING[a]) || !can_be_made(&kit, MOVING[b]))
                continue;
            double unused;
            shape_hit hit = askew(&kit, MOVING[a], 1);
            hit.shapes[1] = shape_of(&kit, MOVING[b], &unused);
            hit.bodies[1] = lab_body(NOWHERE, NOWHERE);
            hit.bodies[1].mass = 1.5;
            hit.bodies[0].velocity = vec3_make(-10, 1, 0.5);
            vec3 fine, coarse;
            if (count_hits(&hit, 1e-4, 0.12, &fine) != 1)
                continue;
            once++;
            count_hits(&hit, 0.02, 0.12, &coarse);
            assert_vec3_near(coarse, fine, 0.1);
        }
    assert_at_least(once, 5);
    release_kit(&kit);
}

static void test_hits_on_what_is_fixed(void **state)
{
    (void)state;
    shape_kit kit = make_kit();
    scree_shape_def mesh = lab_sphere(1);
    mesh.type = SCREE_SHAPE_MESH;
    mesh.geometry = kit.mesh;
    const scree_shape_def fixed[] = {lab_plane(vec3_make(1, 0, 0), -0.1), lab_box(0.05, 2, 2), mesh};
    for (int a = 0; a < MOVING_COUNT; a++)
        for (int b = 0; b < 3; b++) {
            if (!can_be_made(&kit, MOVING[a]))
                continue;
            shape_hit hit = askew(&kit, MOVING[a], 1);
            hit.shapes[1] = fixed[b];
            hit.bodies[1] = lab_body(vec3_make(b == 1 ? -0.15 : 0, 0, 0), NOWHERE);
            hit.fixed = true;
            check_shape_hit(&hit);
        }
    release_kit(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angled_cube),           cmocka_unit_test(test_near_misses_are_none),
        cmocka_unit_test(test_thrown_ball_passes),    cmocka_unit_test(test_impacts_one_after_the_other),
        cmocka_unit_test(test_oblique_hits_of_balls), cmocka_unit_test(test_hits_of_all_shapes),
        cmocka_unit_test(test_hits_on_what_is_fixed), cmocka_unit_test(test_turned_bodies_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
