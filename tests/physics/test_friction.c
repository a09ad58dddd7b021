// Coulomb friction: sticking, sliding, rolling and their turning points, against textbook formulas.
//
// A sliding contact of the relaxed scheme stands off by mu |v_t| h (docs/methods.md), so errors of first order in the
// step h are expected; steps are chosen so that these stay below the tolerance stated at each test.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

static const lab_solver EXACT_SINGLE = {SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, SCREE_FRICTION_EXACT};
static const lab_solver EXACT_DOUBLE = {SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_EXACT};
#define TEST_EXACT(test) LAB_TEST(test, EXACT_SINGLE), LAB_TEST(test, EXACT_DOUBLE)

// A ball thrown along a floor without spin slides with v = v0 - mu g t while its spin grows by 5/2 mu g t / R; it rolls
// at v = R w, at t = 2 v0 / (7 mu g), v = 5/7 v0. The final speed follows from angular momentum about a line in the
// floor alone: 0.2 %. The time within 3 %: start and end of sliding each cost the scheme a few steps.
static void test_sliding_ball_ends_rolling(void **state)
{
    const double h = 2e-4, v0 = 2, mu = 0.3, radius = 0.5;
    scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
    lab_surface(world, mu, 0);
    lab_add_floor(world);
    scree_id id =
        lab_add(world, lab_body(vec3_make(0, 0, radius + mu * v0 * h), vec3_make(v0, 0, 0)), lab_sphere(radius));
    double expected = 2 * v0 / (7 * mu * LAB_G), rolling = 0;
    for (int i = 1; i * h < 2 * expected; i++) {
        lab_step(world, 1);
        scree_state now = lab_state(world, id);
        double slip = now.velocity.x - radius * now.spin.y;
        assert_at_least(slip, -1e-3 * v0);
        if (rolling == 0 && slip < 0.01 * v0)
            rolling = i * h;
        if (rolling == 0 && i % 100 == 0) // on the way
            assert_near(now.velocity.x, v0 - mu * LAB_G * i * h, 0.01 * v0);
    }
    scree_state now = lab_state(world, id);
    assert_relative(rolling, expected, 0.03);
    assert_relative(now.velocity.x, 5.0 / 7 * v0, 2e-3);
    assert_relative(radius * now.spin.y, 5.0 / 7 * v0, 2e-3);
    assert_near(now.velocity.y, 0, 1e-5);
    assert_near(now.position.z, radius, 1e-3);
    scree_world_destroy(world);
}

// A flat box on an incline of angle a whose x axis points downhill: by a tilted plane, or by gravity turned against a
// level one.
static scree_id add_on_incline(scree_world **world, const lab_solver *solver, double h, double angle, double mu,
                               bool tilt_plane)
{
    vec3 level = {0, 0, -LAB_G}, turned = {LAB_G * sin(angle), 0, -LAB_G * cos(angle)};
    *world = lab_world(solver, h, tilt_plane ? level : turned);
    lab_surface(*world, mu, 0);
    quat tilt = quat_from_rotation(vec3_make(0, tilt_plane ? angle : 0, 0));
    lab_add_fixed(*world, NOWHERE, lab_plane(quat_rotate(tilt, vec3_make(0, 0, 1)), 0));
    scree_body_def body = lab_body(quat_rotate(tilt, vec3_make(0, 0, 0.1)), NOWHERE);
    body.orientation = tilt;
    return lab_add(*world, body, lab_box(0.5, 0.4, 0.1));
}

// tan(a) = 0.95 mu: the box settles into its contacts (under 0.5 mm) and then must not move: creep of the unfinished
// iteration stays under 0.05 mm/s.
static void test_box_sticks_below_the_friction_angle(void **state)
{
    for (int tilt_plane = 0; tilt_plane < 2; tilt_plane++) {
        scree_world *world;
        const double mu = 0.5;
        scree_id id = add_on_incline(&world, *state, 0.005, atan(0.95 * mu), mu, tilt_plane);
        vec3 start = lab_state(world, id).position;
        lab_step(world, 100);
        vec3 settled = lab_state(world, id).position;
        assert_vec3_near(settled, start, 5e-4);
        lab_step(world, 400);
        assert_vec3_near(lab_state(world, id).position, settled, 1e-4);
        assert_vec3_near(lab_state(world, id).velocity, NOWHERE, 1e-4);
        scree_world_destroy(world);
    }
}

// Above it: acceleration g (sin a - mu cos a), also where it is a small difference of large numbers (tan(a) = 1.05 mu).
static void test_box_slides_above_the_friction_angle(void **state)
{
    const double mu = 0.5, h = 0.001, steeper[] = {1.05, 1.3, 2.5}, tolerance[] = {0.03, 0.01, 0.01};
    for (int k = 0; k < 6; k++) {
        double angle = atan(steeper[k / 2] * mu);
        scree_world *world;
        scree_id id = add_on_incline(&world, *state, h, angle, mu, k % 2);
        lab_step(world, 200); // past the first steps, in which the gap opens
        double from = vec3_length(lab_state(world, id).velocity);
        lab_step(world, 500);
        double speed = vec3_length(lab_state(world, id).velocity) - from;
        assert_relative(speed / 0.5, LAB_G * (sin(angle) - mu * cos(angle)), tolerance[k / 2]);
        vec3 along =
            quat_rotate_back(quat_from_rotation(vec3_make(0, k % 2 ? angle : 0, 0)), lab_state(world, id).position);
        assert_near(along.y, 0, 1e-3);
        assert_near(along.z, 0.1, 3e-3);
        scree_world_destroy(world);
    }
}

// A ball on an incline rolls with 5/7 g sin a while tan(a) <= 7/2 mu; steeper, it slips with g (sin a - mu cos a) and
// spins up with 5/2 mu g cos a / R.
static void test_ball_on_an_incline(void **state)
{
    const double mu = 0.2, h = 0.001, radius = 0.3;
    for (int slips = 0; slips < 2; slips++) {
        double angle = atan((slips ? 1.5 : 0.9) * 3.5 * mu);
        scree_world *world = lab_world(*state, h, vec3_make(LAB_G * sin(angle), 0, -LAB_G * cos(angle)));
        lab_surface(world, mu, 0);
        lab_add_floor(world);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, radius), NOWHERE), lab_sphere(radius));
        lab_step(world, 1000);
        scree_state now = lab_state(world, id);
        if (slips) {
            assert_relative(now.velocity.x, LAB_G * (sin(angle) - mu * cos(angle)), 0.01);
            assert_relative(now.spin.y, 2.5 * mu * LAB_G * cos(angle) / radius, 0.01);
        } else {
            assert_relative(now.velocity.x, 5.0 / 7 * LAB_G * sin(angle), 2e-3);
            assert_relative(now.spin.y * radius, now.velocity.x, 1e-3);
        }
        scree_world_destroy(world);
    }
}

// Pushed from rest with twice the friction for a while and then left alone, a body slides v^2 / (2 mu g) further.
static double stopping_distance(const lab_solver *solver, double direction, bool puck)
{
    const double h = 0.001, mu = 0.4, push_time = 0.4;
    scree_world *world = lab_world(solver, h, vec3_make(0, 0, -LAB_G));
    lab_surface(world, mu, 0);
    lab_add_floor(world);
    scree_id id = puck ? lab_add_puck(world, vec3_make(0, 0, 0.3), 0.3)
                       : lab_add(world, lab_body(vec3_make(0, 0, 0.1), NOWHERE), lab_box(0.5, 0.5, 0.1));
    double force = 2 * mu * LAB_G * lab_info(world, id).mass;
    for (int i = 0; i < (int)(push_time / h + 0.5); i++) {
        lab_push(world, id, vec3_make(force * cos(direction), force * sin(direction), 0));
        lab_step(world, 1);
    }
    for (int i = 0; i < 1000 && vec3_length(lab_state(world, id).velocity) > 1e-4; i++)
        lab_step(world, 1);
    scree_state now = lab_state(world, id);
    assert_at_most(vec3_length(now.velocity), 1e-4);
    double along = now.position.x * cos(direction) + now.position.y * sin(direction);
    double across = now.position.y * cos(direction) - now.position.x * sin(direction);
    assert_near(across, 0, 1e-3 * along);
    scree_world_destroy(world);
    return along;
}

// The cone is round: in all directions the same distance within 0.5 %, which is mu g t^2 (half of it while pushed, half
// after) within 2 %. A pyramid of four sides would differ by 41 %.
static void check_isotropy(const lab_solver *solver, bool puck)
{
    double low = 1e300, high = 0, expected = 0.4 * LAB_G * 0.4 * 0.4;
    const int directions = CHECK_SANITIZED ? 5 : 16;
    for (int k = 0; k < directions; k++) {
        double distance = stopping_distance(solver, 2 * LAB_PI * (k + 0.1) / directions, puck);
        low = fmin(low, distance);
        high = fmax(high, distance);
        assert_relative(distance, expected, 0.02);
    }
    assert_at_most(high / low, 1.005);
}

static void test_friction_is_isotropic_for_one_contact(void **state)
{
    check_isotropy(*state, true);
}

static void test_friction_is_isotropic_for_a_box(void **state)
{
    check_isotropy(*state, false);
}

// Friction between two materials is the geometric mean of theirs, or what the pair says: deceleration mu g of a puck.
static void test_friction_of_pairs(void **state)
{
    (void)state;
    const double h = 0.001;
    for (int given = 0; given < 2; given++) {
        scree_world *world = lab_world(&LAB_GS_DOUBLE, h, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.9, 0);
        scree_material_def slick = scree_default_material_def();
        slick.friction = 0.1;
        int index = 0;
        lab_ok(scree_world_add_material(world, &slick, &index, error));
        double mu = sqrt(0.9 * 0.1);
        if (given) {
            mu = 0.15;
            lab_ok(scree_world_set_pair(world, index, 0, &(scree_pair_def){.friction = mu, .restitution = 0}, error));
        }
        lab_add_floor(world);
        scree_body_def body = lab_body(vec3_make(0, 0, 0.3), NOWHERE);
        body.inertia = vec3_make(1e9, 1e9, 1e9);
        body.material = index;
        scree_id id = lab_add(world, body, lab_sphere(0.3));
        double force = 2 * mu * LAB_G * lab_info(world, id).mass;
        for (int i = 0; i < 500; i++) {
            lab_push(world, id, vec3_make(force, 0, 0));
            lab_step(world, 1);
        }
        assert_relative(lab_state(world, id).velocity.x, mu * LAB_G * 0.5, 0.01);
        scree_world_destroy(world);
    }
}

// A spinning box on a floor stops by friction: with the pressure spread over four corners at distance d from the axis
// the torque is mu m g d, so that the spin falls by mu m g d / I per second (corners only: the contact points).
static void test_spinning_box_stops(void **state)
{
    const double h = 0.001, mu = 0.3, half = 0.5;
    scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
    lab_surface(world, mu, 0);
    lab_add_floor(world);
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.1), NOWHERE), lab_box(half, half, 0.1));
    scree_body_info info = lab_info(world, id);
    double brake = mu * info.mass * LAB_G * half * sqrt(2) / info.inertia.z;
    vec3 none = NOWHERE, torque = {0, 0, 2 * brake * info.inertia.z};
    for (int i = 0; i < 300; i++) {
        lab_ok(scree_world_apply_forces(world, &id, &none, &torque, 1, error));
        lab_step(world, 1);
    }
    assert_relative(lab_state(world, id).spin.z, 0.3 * brake, 0.02);
    lab_step(world, 150);
    assert_relative(lab_state(world, id).spin.z, 0.15 * brake, 0.03);
    lab_step(world, 200);
    assert_vec3_near(lab_state(world, id).spin, NOWHERE, 1e-3);
    assert_near(lab_state(world, id).position.x, 0, 1e-3);
    assert_near(lab_state(world, id).position.y, 0, 1e-3);
    scree_world_destroy(world);
}

// A box set down at speed s: the relaxed law gives it the normal velocity mu s, as (6) says, and it hops; Coulomb's
// leaves it on the floor, where it slides on with -mu g.
static void test_fast_box_hops_by_the_relaxed_law_only(void **state)
{
    const double h = 0.005, mu = 0.5, speed = 10, half = 0.1;
    const lab_solver *solvers[] = {&LAB_GS_DOUBLE, &LAB_APGS_SINGLE, &EXACT_DOUBLE, &EXACT_SINGLE};
    (void)state;
    for (int k = 0; k < 4; k++) {
        scree_world *world = lab_world(solvers[k], h, vec3_make(0, 0, -LAB_G));
        lab_surface(world, mu, 0);
        lab_add_floor(world);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, half), vec3_make(speed, 0, 0)), lab_box(0.5, 0.4, half));
        lab_step(world, 1);
        scree_state now = lab_state(world, id);
        if (k < 2)
            assert_relative(now.velocity.z, mu * now.velocity.x, 0.1); // turning takes a part of it
        double highest = now.position.z - half;
        for (int i = 1; i < 100; i++) {
            lab_step(world, 1);
            highest = fmax(highest, lab_state(world, id).position.z - half);
        }
        now = lab_state(world, id);
        if (k < 2) {
            assert_at_least(highest, 0.05);
        } else {
            assert_at_most(highest, 1e-4);
            assert_relative(now.velocity.x, speed - mu * LAB_G * 100 * h, 2e-3);
        }
        scree_world_destroy(world);
    }
}

// A box of 0.2 x 0.2 x 0.1 that slides, with everything as it is by default: it stays on the floor and stops after
// v^2 / (2 mu g); a step of h brakes at its beginning, which costs v h / 2 of the way.
static void test_sliding_boxes_do_not_hop_by_default(void **state)
{
    const double mu = 0.5, speeds[] = {1, 2, 5, 10, 20}, steps[] = {0.01, 0.005, 0.002};
    (void)state;
    for (int k = 0; k < 15; k++) {
        double speed = speeds[k % 5], h = steps[k / 5], way = speed * speed / (2 * mu * LAB_G), highest = 0;
        scree_world_def def = scree_default_world_def();
        def.step = h;
        scree_world *world = lab_create(&def);
        lab_surface(world, mu, 0);
        lab_add_floor(world);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 0.05), vec3_make(speed, 0, 0)), lab_box(0.1, 0.1, 0.05));
        for (int i = 0; i < 1.1 * speed / (mu * LAB_G * h); i++) {
            lab_step(world, 1);
            highest = fmax(highest, lab_state(world, id).position.z - 0.05);
        }
        assert_at_most(highest, 1e-4);
        assert_near(lab_state(world, id).position.x, way, speed * h);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST_ALL(test_sliding_ball_ends_rolling),
        LAB_TEST_ALL(test_box_sticks_below_the_friction_angle),
        LAB_TEST_ALL(test_box_slides_above_the_friction_angle),
        LAB_TEST_ALL(test_ball_on_an_incline),
        LAB_TEST(test_friction_is_isotropic_for_one_contact, LAB_GS_SINGLE),
        LAB_TEST(test_friction_is_isotropic_for_one_contact, LAB_JACOBI_DOUBLE),
        LAB_TEST(test_friction_is_isotropic_for_a_box, LAB_GS_DOUBLE),
        LAB_TEST(test_friction_is_isotropic_for_a_box, LAB_JACOBI_SINGLE),
        cmocka_unit_test(test_friction_of_pairs),
        LAB_TEST_ALL(test_spinning_box_stops),
        TEST_EXACT(test_sliding_ball_ends_rolling),
        TEST_EXACT(test_box_sticks_below_the_friction_angle),
        TEST_EXACT(test_box_slides_above_the_friction_angle),
        TEST_EXACT(test_ball_on_an_incline),
        TEST_EXACT(test_friction_is_isotropic_for_one_contact),
        TEST_EXACT(test_friction_is_isotropic_for_a_box),
        TEST_EXACT(test_spinning_box_stops),
        cmocka_unit_test(test_fast_box_hops_by_the_relaxed_law_only),
        cmocka_unit_test(test_sliding_boxes_do_not_hop_by_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
