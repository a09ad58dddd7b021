// Collisions: rebound heights, two balls head-on and oblique with friction, and what every collision must conserve.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

// Rounding of velocities that went through some hundred sweeps, relative.
static double rounding(const lab_solver *solver)
{
    return solver->precision == SCREE_PRECISION_DOUBLE ? 1e-9 : 3e-6;
}

// Dropped from h0, a ball rises to e^2 h0, e^4 h0, ... A rebound happens up to one step before or after the true
// moment, which costs a height of v h: 0.05 % of h0 at this step, so 1 % of each height asked for is tight from the
// third rebound on.
static void check_rebounds(const lab_solver *solver, scree_shape_def shape, double half, double e, int rebounds)
{
    const double h = 1e-4, drop = 1;
    scree_world *world = lab_world(solver, h, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0.5, e);
    lab_add_floor(world);
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, half + drop), NOWHERE), shape);
    double speed = 0, top = drop;
    int n = 0;
    for (int i = 0; i < (int)(5 / h) && n < rebounds; i++) {
        lab_step(world, 1);
        scree_state now = lab_state(world, id);
        if (speed > 0 && now.velocity.z <= 0) { // at the top
            n++;
            top = now.position.z - half;
            assert_relative(top, drop * pow(e, 2 * n), 0.01);
        }
        speed = now.velocity.z;
        assert_at_least(now.position.z, half - 1e-3);
    }
    assert_int_equal(n, rebounds);
    assert_near(lab_state(world, id).velocity.x, 0, 1e-4);
    assert_vec3_near(lab_state(world, id).spin, NOWHERE, 1e-4);
    scree_world_destroy(world);
}

static void test_ball_rebounds_to_e_squared(void **state)
{
    check_rebounds(*state, lab_sphere(0.5), 0.5, 0.8, 4);
    check_rebounds(*state, lab_sphere(0.05), 0.05, 0.5, 2);
    check_rebounds(*state, lab_sphere(0.5), 0.5, 1, 3);
}

// All four corners strike at once: the box rises like the ball and does not turn.
static void test_flat_box_rebounds_like_a_ball(void **state)
{
    check_rebounds(*state, lab_box(0.3, 0.2, 0.1), 0.1, 0.7, 3);
}

// Without restitution a body that lands stays: no rebound higher than a thousandth, at a coarse step and at speed.
static void test_no_restitution_no_rebound(void **state)
{
    for (int box = 0; box < 2; box++) {
        scree_world *world = lab_world(*state, 0.005, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.5, 0);
        lab_add_floor(world);
        scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 2.5), vec3_make(0, 0, -10)),
                              box ? lab_box(0.5, 0.5, 0.5) : lab_sphere(0.5));
        bool landed = false;
        for (int i = 0; i < 400; i++) {
            lab_step(world, 1);
            double height = lab_state(world, id).position.z - 0.5;
            landed = landed || height < 1e-3;
            if (landed)
                assert_near(height, 0, 2e-3);
        }
        assert_true(landed);
        assert_vec3_near(lab_state(world, id).velocity, NOWHERE, 1e-4);
        scree_world_destroy(world);
    }
}

static void add_two_balls(scree_world *world, scree_body_def first, scree_body_def second, scree_id ids[2])
{
    ids[0] = lab_add(world, first, lab_sphere(0.5));
    ids[1] = lab_add(world, second, lab_sphere(0.3));
}

// v1' = (m1 v1 + m2 v2 - m2 e (v1 - v2)) / (m1 + m2), and the same with 1 and 2 exchanged.
static void test_head_on_collision(void **state)
{
    const double restitutions[] = {0, 0.4, 1};
    for (int k = 0; k < 3; k++) {
        double e = restitutions[k];
        scree_world *world = lab_world(*state, 0.002, NOWHERE);
        lab_surface(world, 0.5, e);
        scree_body_def first = lab_body(vec3_make(-1, 0, 0), vec3_make(3, 0, 0));
        scree_body_def second = lab_body(vec3_make(0.2, 0, 0), vec3_make(-1, 0, 0));
        first.mass = 2;
        second.mass = 0.5;
        scree_id ids[2];
        add_two_balls(world, first, second, ids);
        lab_step(world, 500);
        double expected[2] = {(2 * 3 - 0.5 - 0.5 * e * 4) / 2.5, (2 * 3 - 0.5 + 2 * e * 4) / 2.5};
        for (int i = 0; i < 2; i++) {
            scree_state now = lab_state(world, ids[i]);
            assert_vec3_near(now.velocity, vec3_make(expected[i], 0, 0), 1e-4); // as far as the sweeps went
            assert_vec3_near(now.spin, NOWHERE, 1e-6);
        }
        scree_world_destroy(world);
    }
}

typedef struct oblique {
    scree_world *world;
    scree_id ids[2];
} oblique;

// Two unequal spinning balls whose centres pass each other at a distance, about to touch; shifted and boosted as a
// whole.
static oblique set_up_oblique(const lab_solver *solver, double mu, double e, vec3 shift, vec3 boost)
{
    oblique set = {.world = lab_world(solver, 0.001, NOWHERE)};
    lab_surface(set.world, mu, e);
    // Centres 0.8 + 0.001 apart along a direction at 40 degrees to the approach.
    vec3 apart = vec3_scale(vec3_make(cos(0.7), sin(0.7), 0), 0.801);
    scree_body_def first = lab_body(shift, vec3_add(vec3_make(2, 0, 0.3), boost));
    scree_body_def second = lab_body(vec3_add(shift, apart), vec3_add(vec3_make(-1, 0, 0), boost));
    first.mass = 2;
    second.mass = 0.5;
    first.spin = vec3_make(1, 2, -3);
    second.spin = vec3_make(0, -4, 2);
    add_two_balls(set.world, first, second, set.ids);
    return set;
}

// Steps until the balls have exchanged an impulse; gives the contact of that step and the states before it.
static scree_contact collide(oblique *set, scree_state before[2])
{
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 2; k++)
            before[k] = lab_state(set->world, set->ids[k]);
        lab_step(set->world, 1);
        size_t count;
        scree_contact *contacts = lab_contacts(set->world, &count);
        scree_contact contact = {0};
        if (count == 1)
            contact = contacts[0];
        free(contacts);
        if (vec3_length(contact.impulse) > 0)
            return contact;
    }
    print_error("the balls did not collide\n");
    _fail(__FILE__, __LINE__);
    return (scree_contact){0};
}

// Newton's restitution and Coulomb friction for two balls, in the frame of the contact, with the reduced mass m*. The
// slip answers a tangential impulse with 1/m* + r1^2/I1 + r2^2/I2 = 7/2 / m*, since I = 2/5 m r^2. Sticking: p_n = (1 +
// e) m* u_n and p_t = 2/7 m* u_t, if that is within mu p_n. Otherwise p_t = mu p_n, and in the relaxed scheme the
// rebound is faster by mu times the remaining slip u_t - 7/2 mu p_n / m*: p_n = m* ((1 + e) u_n + mu u_t) / (1 + 7/2
// mu^2). Tolerance 0.3 %: arms end midway between the surfaces, which are up to u h apart.
static void check_oblique(const lab_solver *solver, double mu, double e, bool sticks)
{
    oblique set = set_up_oblique(solver, mu, e, NOWHERE, NOWHERE);
    scree_state before[2];
    scree_contact contact = collide(&set, before);
    double sign = contact.a == set.ids[0] ? 1 : -1;
    vec3 normal = vec3_scale(contact.normal, sign),
         impulse = vec3_scale(contact.impulse, sign); // towards, on the second
    assert_vec3_near(normal, vec3_normalize(vec3_sub(before[1].position, before[0].position)), 1e-6);
    vec3 at_first = vec3_add(before[0].velocity, vec3_cross(before[0].spin, vec3_scale(normal, 0.5)));
    vec3 at_second = vec3_add(before[1].velocity, vec3_cross(before[1].spin, vec3_scale(normal, -0.3)));
    vec3 u = vec3_sub(at_first, at_second);
    double u_n = vec3_dot(u, normal), reduced = 2 * 0.5 / 2.5;
    vec3 u_t = vec3_sub(u, vec3_scale(normal, u_n));
    double p_n = (1 + e) * reduced * u_n, slip = vec3_length(u_t), stop = 2.0 / 7 * reduced * slip;
    assert_int_equal(stop <= mu * p_n, sticks);
    if (!sticks && solver->friction == SCREE_FRICTION_CONVEX)
        p_n = reduced * ((1 + e) * u_n + mu * slip) / (1 + 3.5 * mu * mu);
    vec3 p_t = vec3_scale(vec3_normalize(u_t), sticks ? stop : mu * p_n);
    vec3 expected = vec3_add(vec3_scale(normal, p_n), p_t);
    assert_vec3_near(impulse, expected, 3e-3 * p_n);

    // The states changed by that impulse and nothing else.
    const double mass[2] = {2, 0.5}, radius[2] = {0.5, 0.3};
    for (int k = 0; k < 2; k++) {
        scree_state after = lab_state(set.world, set.ids[k]);
        vec3 on_k = vec3_scale(impulse, k ? 1 : -1);
        vec3 arm = vec3_sub(contact.point, before[k].position);
        vec3 turn = vec3_scale(vec3_cross(arm, on_k), 1 / (0.4 * mass[k] * radius[k] * radius[k]));
        assert_vec3_near(vec3_sub(after.velocity, before[k].velocity), vec3_scale(on_k, 1 / mass[k]), 1e-5);
        assert_vec3_near(vec3_sub(after.spin, before[k].spin), turn, 1e-4);
    }
    scree_world_destroy(set.world);
}

static const lab_solver EXACT_SINGLE = {SCREE_ALGORITHM_APGS, SCREE_PRECISION_SINGLE, SCREE_FRICTION_EXACT};

static void test_oblique_collision_sticks(void **state)
{
    check_oblique(*state, 0.9, 0.6, true);
}

static void test_oblique_collision_slides(void **state)
{
    check_oblique(*state, 0.1, 0.6, false);
}

// Momentum and angular momentum about the origin before and after, relative to what the bodies hold.
static void check_conserved(const lab_totals *before, const lab_totals *after, double tolerance)
{
    assert_vec3_near(after->momentum, before->momentum, tolerance * before->momentum_scale);
    assert_vec3_near(after->angular, before->angular, tolerance * before->angular_scale);
}

static void test_oblique_collision_conserves(void **state)
{
    for (double mu = 0; mu < 1; mu += 0.3)
        for (double e = 0; e <= 1; e += 0.5) {
            oblique set = set_up_oblique(*state, mu, e, vec3_make(1, -2, 0.5), NOWHERE);
            lab_totals before = lab_total(set.world);
            lab_step(set.world, 100);
            lab_totals after = lab_total(set.world);
            check_conserved(&before, &after, rounding(*state));
            assert_at_most(after.kinetic, before.kinetic * (1 + 1e-6));
            scree_world_destroy(set.world);
        }
}

// The same collision a million radii away, and in a frame that moves, has the same relative outcome. Positions are
// double: at 1e6 they are rounded to 1e-10, which over the step makes 1e-7 of velocity.
static void test_collision_is_galilean_invariant(void **state)
{
    const vec3 shifts[] = {{0, 0, 0}, {1e6, -1e6, 1e6}, {0, 0, 0}}, boosts[] = {{0, 0, 0}, {0, 0, 0}, {20, -10, 5}};
    scree_state results[3][2];
    for (int k = 0; k < 3; k++) {
        oblique set = set_up_oblique(*state, 0.3, 0.5, shifts[k], boosts[k]);
        lab_step(set.world, 200);
        for (int i = 0; i < 2; i++)
            results[k][i] = lab_state(set.world, set.ids[i]);
        scree_world_destroy(set.world);
    }
    for (int k = 1; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            vec3 back = vec3_add_scaled(shifts[k], boosts[k], 0.2);
            assert_vec3_near(vec3_sub(results[k][i].velocity, boosts[k]), results[0][i].velocity, 3e-5);
            assert_vec3_near(results[k][i].spin, results[0][i].spin, 3e-4);
            assert_vec3_near(vec3_sub(results[k][i].position, back), results[0][i].position, 1e-5);
        }
}

// A cloud of spheres that rushes together without gravity: thousands of collisions, several at once, conserve momentum
// to rounding, 3e-6 of its scale in single, and angular momentum (about the origin) but for push-out; energy never
// rises.
static void test_gas_conserves_momentum(void **state)
{
    const int side = CHECK_SANITIZED ? 5 : 8;
    scree_world_def def = lab_def(*state, 0.005);
    def.gravity = NOWHERE;
    def.solver.iterations = 50;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0.3, 0.6);
    random_stream stream = {17};
    for (int i = 0; i < side * side * side; i++) {
        vec3 at = {i % side - 0.5 * side, i / side % side - 0.5 * side, i / side / side - 0.5 * side};
        vec3 wander = {random_between(&stream, -1, 1), random_between(&stream, -1, 1), random_between(&stream, -1, 1)};
        scree_body_def body = lab_body(at, vec3_add(vec3_scale(at, -1), wander));
        body.spin = vec3_make(random_between(&stream, -2, 2), 0, random_between(&stream, -2, 2));
        lab_add(world, body, lab_sphere(random_between(&stream, 0.3, 0.45)));
    }
    lab_totals before = lab_total(world);
    double energy = before.kinetic;
    size_t most = 0;
    for (int i = 0; i < 40; i++) {
        lab_step(world, 5);
        lab_totals now = lab_total(world);
        size_t contacts = scree_world_figures(world).contacts;
        most = contacts > most ? contacts : most;
        assert_vec3_near(now.momentum, before.momentum, rounding(*state) * before.momentum_scale);
        // Push-out of overlaps moves bodies without velocities of its own, which shifts x but not m v in x times m v.
        assert_vec3_near(now.angular, before.angular, 3e-4 * before.angular_scale);
        assert_at_most(now.kinetic, energy * (1 + 1e-6));
        energy = now.kinetic;
    }
    assert_at_least((double)most, side * side); // it was crowded
    assert_at_most(energy, 0.9 * before.kinetic);
    vec3 momentum = scree_world_figures(world).momentum;
    assert_vec3_near(momentum, before.momentum, 1e-6 * before.momentum_scale);
    scree_world_destroy(world);
}

// A ball that moves by four radii a step is stopped by three others that lie in its way with gaps between them. The
// second and third are thrown by it, and would run into what they were far from when the step began.
static void test_thrown_balls_collide(void **state)
{
    const double radius = 0.05, places[] = {-0.13, 0, 0.13, 0.27};
    for (int bounces = 0; bounces < 2; bounces++) {
        scree_world *world = lab_world(*state, 0.005, NOWHERE);
        lab_surface(world, 0.3, bounces ? 0.8 : 0);
        scree_id ids[4];
        for (int i = 0; i < 4; i++)
            ids[i] =
                lab_add(world, lab_body(vec3_make(places[i], 0, 0), vec3_make(i ? 0 : 40, 0, 0)), lab_sphere(radius));
        lab_totals before = lab_total(world);
        double energy = before.kinetic;
        for (int step = 0; step < 20; step++) {
            lab_step(world, 1);
            for (int i = 1; i < 4; i++)
                assert_at_least(lab_state(world, ids[i]).position.x - lab_state(world, ids[i - 1]).position.x,
                                1.95 * radius);
            lab_totals now = lab_total(world);
            check_conserved(&before, &now, rounding(*state));
            assert_at_most(now.kinetic, energy * (1 + 1e-5));
            energy = now.kinetic;
        }
        scree_world_destroy(world);
    }
}

// Newton's cradle, two balls at rest touching and one coming in: with e = 1 the last one leaves with most of the speed.
// Simultaneous impacts have no unique law; what must hold is momentum, no gain of energy, and order of speeds.
static void test_row_of_balls_passes_momentum_on(void **state)
{
    scree_world *world = lab_world(*state, 0.001, NOWHERE);
    lab_surface(world, 0, 1);
    scree_id ids[3];
    for (int i = 0; i < 3; i++)
        ids[i] =
            lab_add(world, lab_body(vec3_make(i ? 1.0 * i : -0.5, 0, 0), vec3_make(i ? 0 : 2, 0, 0)), lab_sphere(0.5));
    lab_totals before = lab_total(world);
    lab_step(world, 1000);
    lab_totals after = lab_total(world);
    check_conserved(&before, &after, rounding(*state));
    assert_at_most(after.kinetic, before.kinetic * (1 + 1e-5));
    double speeds[3];
    for (int i = 0; i < 3; i++)
        speeds[i] = lab_state(world, ids[i]).velocity.x;
    assert_true(speeds[0] <= speeds[1] + 1e-4 && speeds[1] <= speeds[2] + 1e-4);
    assert_at_least(speeds[2], 1);
    scree_world_destroy(world);
}

// A crowd of boxes and balls in a room, of materials of all restitutions, rough: several collisions at once, each by
// Newton's law, would create energy. It never rises: 1e-4 of it in a step is what turning boxes swing by (methods.md).
static void test_mixed_gas_never_gains_energy(void **state)
{
    const lab_solver *solver = *state;
    scree_world *world = lab_world(solver, 0.004, NOWHERE);
    int material[3];
    for (int k = 0; k < 3; k++) {
        scree_material_def def = scree_default_material_def();
        def.restitution = 0.5 * k;
        lab_ok(scree_world_add_material(world, &def, &material[k], error));
    }
    for (int k = 0; k < 6; k++) {
        double side = k % 2 ? 1 : -1;
        scree_body_def wall = lab_body(NOWHERE, NOWHERE);
        wall.fixed = true;
        wall.material = material[2];
        lab_add(world, wall,
                lab_plane(vec3_make(k / 2 == 0 ? side : 0, k / 2 == 1 ? side : 0, k / 2 == 2 ? side : 0), -2.2));
    }
    random_stream random = {2};
    for (int i = 0; i < 125; i++) {
        scree_body_def body = lab_body(
            vec3_make(0.8 * (i % 5) - 1.6, 0.8 * (i / 5 % 5) - 1.6, 0.8 * (i / 25) - 1.6),
            vec3_make(random_between(&random, -3, 3), random_between(&random, -3, 3), random_between(&random, -3, 3)));
        body.spin =
            vec3_make(random_between(&random, -5, 5), random_between(&random, -5, 5), random_between(&random, -5, 5));
        body.material = material[i % 3];
        lab_add(world, body, i % 2 ? lab_box(0.25, 0.2, 0.15) : lab_sphere(0.3));
    }
    double last = lab_total(world).kinetic, first = last;
    for (int i = 0; i < (CHECK_SANITIZED ? 100 : 300); i++) {
        lab_step(world, 1);
        double now = lab_total(world).kinetic;
        assert_at_most(now, last * (1 + 1e-4));
        last = now;
    }
    assert_at_least(last, 0.02 * first); // and what rebounds does not stop
    scree_world_destroy(world);
}

// Five balls dropped one above the other on a floor, all with e = 1, and once with a soft one among them: what they
// have together never grows, up to the g h v per step that the integrator swings by.
static void test_bouncing_stack_never_gains_energy(void **state)
{
    const double h = 2e-4;
    for (int soft = 0; soft < 2; soft++) {
        scree_world *world = lab_world(*state, h, vec3_make(0, 0, -LAB_G));
        lab_surface(world, 0.3, 1);
        scree_material_def clay = scree_default_material_def();
        int index = 0;
        lab_ok(scree_world_add_material(world, &clay, &index, error));
        lab_ok(scree_world_set_pair(world, index, 0, &(scree_pair_def){.friction = 0.3}, error));
        lab_add_floor(world);
        for (int i = 0; i < 5; i++) {
            scree_body_def ball = lab_body(vec3_make(0.001 * i, 0, 0.6 + i * 0.2), NOWHERE);
            ball.material = soft && i == 2 ? index : 0;
            lab_add(world, ball, lab_sphere(0.1));
        }
        lab_totals start = lab_total(world);
        double first = start.kinetic + scree_world_figures(world).potential, most = first;
        for (int i = 0; i < 5000; i++) {
            lab_step(world, 1);
            scree_figures now = scree_world_figures(world);
            most = fmax(most, now.kinetic + now.potential);
        }
        assert_at_most(most, first * 1.002);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST_ALL(test_ball_rebounds_to_e_squared),
        LAB_TEST_ALL(test_flat_box_rebounds_like_a_ball),
        LAB_TEST_ALL(test_no_restitution_no_rebound),
        LAB_TEST_ALL(test_head_on_collision),
        LAB_TEST_ALL(test_oblique_collision_sticks),
        LAB_TEST_ALL(test_oblique_collision_slides),
        LAB_TEST_ALL(test_oblique_collision_conserves),
        LAB_TEST_ALL(test_collision_is_galilean_invariant),
        LAB_TEST_ALL(test_gas_conserves_momentum),
        LAB_TEST_ALL(test_thrown_balls_collide),
        LAB_TEST_ALL(test_row_of_balls_passes_momentum_on),
        LAB_TEST(test_oblique_collision_slides, EXACT_SINGLE),
        LAB_TEST(test_mixed_gas_never_gains_energy, LAB_APGS_SINGLE),
        LAB_TEST(test_mixed_gas_never_gains_energy, LAB_GS_DOUBLE),
        LAB_TEST(test_bouncing_stack_never_gains_energy, LAB_APGS_SINGLE),
        LAB_TEST(test_bouncing_stack_never_gains_energy, LAB_GS_DOUBLE),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
