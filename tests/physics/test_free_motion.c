// Bodies that touch nothing: free fall, turning without torque, external forces. Closed forms of the scheme or of
// mechanics.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};

// v = v_0 + g t and x = x_0 + v_0 t + g t^2 / 2, which the leapfrog meets at every step. Tolerance: n roundings of the
// largest value that occurs.
static void test_free_fall_is_exact(void **state)
{
    (void)state;
    const int n = 1000;
    const double h = 0.004;
    vec3 g = {0.3, -0.2, -LAB_G};
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, g);
    const vec3 starts[] = {{0, 0, 0}, {7, -3, 1e3}, {-1e6, 2e6, 5}};
    const vec3 speeds[] = {{0, 0, 0}, {3, 1, 12}, {-40, 25, -60}};
    scree_id ids[6];
    for (int i = 0; i < 6; i++)
        ids[i] = lab_add(world, lab_body(vec3_add(starts[i / 2], vec3_make(0, 50 * (i % 2), 0)), speeds[i / 2]),
                         i % 2 ? lab_box(0.1, 0.2, 0.3) : lab_sphere(0.5));
    lab_step(world, n);
    for (int i = 0; i < 6; i++) {
        scree_state now = lab_state(world, ids[i]);
        vec3 start = vec3_add(starts[i / 2], vec3_make(0, 50 * (i % 2), 0));
        vec3 v = vec3_add_scaled(speeds[i / 2], g, n * h);
        vec3 x = vec3_add_scaled(vec3_add_scaled(start, speeds[i / 2], n * h), g, h * h * n * n / 2);
        double scale = vec3_length(start) + vec3_length(x) + 100;
        assert_vec3_near(now.velocity, v, 1e-16 * n * 100);
        assert_vec3_near(now.position, x, 1e-16 * n * scale);
    }
    assert_near(scree_world_figures(world).time, n * h, 1e-12);
    assert_int_equal(scree_world_figures(world).steps, n);
    scree_world_destroy(world);
}

// A ball's spin is constant, and its orientation turns by |w| t about it.
static void test_ball_spins_uniformly(void **state)
{
    (void)state;
    const double h = 0.01;
    const int n = 500;
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, NOWHERE);
    scree_body_def body = lab_body(NOWHERE, NOWHERE);
    body.spin = vec3_make(3, -2, 5);
    scree_id id = lab_add(world, body, lab_sphere(0.5));
    lab_step(world, n);
    scree_state now = lab_state(world, id);
    assert_vec3_near(now.spin, body.spin, 1e-12);
    quat expected = quat_from_rotation(vec3_scale(body.spin, n * h));
    vec3 mark = {0.2, 0.5, -0.4};
    assert_vec3_near(quat_rotate(now.orientation, mark), quat_rotate(expected, mark), 1e-10);
    assert_near(quat_length(now.orientation), 1, 1e-14);
    scree_world_destroy(world);
}

// Complete elliptic integral of the first kind by the arithmetic-geometric mean, from the parameter m = k^2.
static double elliptic_k(double m)
{
    double a = 1, b = sqrt(1 - m);
    while (fabs(a - b) > 1e-15 * a) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return LAB_PI / (2 * a);
}

// Time between two flips of a torque-free body: half the period of its body-frame spin (Landau & Lifshitz, Mechanics,
// section 37), for moments i1 < i2 < i3, energy e and angular momentum l.
static double flip_interval(double i1, double i2, double i3, double e, double l)
{
    double l2 = l * l;
    if (l2 < 2 * e * i2) { // the same with the axes exchanged
        double keep = i1;
        i1 = i3;
        i3 = keep;
    }
    double rate = sqrt((i3 - i2) * (l2 - 2 * e * i1) / (i1 * i2 * i3));
    double m = (i2 - i1) * (2 * e * i3 - l2) / ((i3 - i2) * (l2 - 2 * e * i1));
    return 2 * elliptic_k(m) / rate;
}

// A box started about its intermediate axis with a small disturbance. Angular momentum is kept to rounding (1e-10 of
// its size after 10^4 steps); energy may swing with the step but neither drift nor leave 1e-3; the flips recur as in
// the elliptic solution.
static void test_asymmetric_box_tumbles(void **state)
{
    (void)state;
    const double h = 0.003;
    const int n = 10000;
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, NOWHERE);
    scree_body_def body = lab_body(vec3_make(3, -1, 2), NOWHERE);
    body.spin = vec3_make(0.02, 5, 0.01);
    scree_id id = lab_add(world, body, lab_box(0.6, 0.4, 0.2));
    vec3 inertia = lab_info(world, id).inertia;
    assert_true(inertia.x < inertia.y && inertia.y < inertia.z);
    lab_totals before = lab_total(world);
    double l = vec3_length(before.angular);
    double interval = flip_interval(inertia.x, inertia.y, inertia.z, before.kinetic, l);

    int flips = 0;
    double first_flip = 0, last_flip = 0, last_spin = body.spin.y, worst_l = 0, worst_e = 0, early = 0, late = 0;
    int window = (int)(2 * interval / h); // averages over whole periods
    assert_true(2 * window < n);
    for (int i = 1; i <= n; i++) {
        lab_step(world, 1);
        scree_state now = lab_state(world, id);
        double spin = quat_rotate_back(now.orientation, now.spin).y;
        if (spin * last_spin < 0) {
            last_flip = h * (i - spin / (spin - last_spin));
            first_flip = flips++ ? first_flip : last_flip;
        }
        last_spin = spin;
        lab_totals total = lab_total(world);
        worst_l = fmax(worst_l, vec3_length(vec3_sub(total.angular, before.angular)) / l);
        double energy = total.kinetic / before.kinetic - 1;
        worst_e = fmax(worst_e, fabs(energy));
        early += i <= window ? energy / window : 0;
        late += i > n - window ? energy / window : 0;
    }
    assert_at_most(worst_l, 1e-10);
    assert_at_most(worst_e, 1e-3);
    assert_near(late, early, 1e-6);
    assert_at_least(flips, 3);
    assert_relative((last_flip - first_flip) / (flips - 1), interval, 0.02);
    assert_vec3_near(lab_state(world, id).position, body.position, 0);
    scree_world_destroy(world);
}

// About its largest or smallest axis the same box is stable: the body-frame axis stays within a few degrees.
static void test_stable_axes_stay(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, 0.002, NOWHERE);
    scree_id ids[2];
    for (int i = 0; i < 2; i++) {
        scree_body_def body = lab_body(vec3_make(5.0 * i, 0, 0), NOWHERE);
        body.spin = i ? vec3_make(0.05, 0.05, 5) : vec3_make(5, 0.05, 0.05);
        ids[i] = lab_add(world, body, lab_box(0.6, 0.4, 0.2));
    }
    for (int n = 0; n < 100; n++) {
        lab_step(world, 50);
        for (int i = 0; i < 2; i++) {
            scree_state now = lab_state(world, ids[i]);
            vec3 local = quat_rotate_back(now.orientation, now.spin);
            assert_at_least((i ? local.z : local.x) / vec3_length(local), 0.998);
        }
    }
    scree_world_destroy(world);
}

// The integrator has at least first-order accuracy for a symmetric top, whose axis cones about L at the rate |L| /
// I_across.
static void test_symmetric_top_precesses(void **state)
{
    (void)state;
    const double h = 0.001;
    const int n = 4000;
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, NOWHERE);
    scree_body_def body = lab_body(NOWHERE, NOWHERE);
    body.mass = 1;
    body.inertia = vec3_make(2, 2, 3);
    body.spin = vec3_make(1, 0, 4);
    scree_id id = lab_add(world, body, lab_sphere(0.5));
    vec3 momentum = {2, 0, 12}; // I w at the start, where the frame is the world's
    lab_step(world, n);
    quat cone = quat_from_rotation(vec3_scale(momentum, n * h / 2));
    vec3 axis = quat_rotate(lab_state(world, id).orientation, vec3_make(0, 0, 1));
    // 25 radians of precession; error of one part in a thousand allowed on the cone's radius of 0.16
    assert_vec3_near(axis, quat_rotate(cone, vec3_make(0, 0, 1)), 2e-3);
    scree_world_destroy(world);
}

// A force equal and opposite to the weight, given anew for each step, lets a body hover; the first step without it
// falls.
static void test_forces_hold_for_one_step(void **state)
{
    (void)state;
    const double h = 0.005;
    scree_world *world = lab_world(&LAB_GS_SINGLE, h, vec3_make(0, 0, -LAB_G));
    scree_id id = lab_add(world, lab_body(vec3_make(0, 0, 4), NOWHERE), lab_sphere(0.3));
    scree_id other = lab_add(world, lab_body(vec3_make(5, 0, 4), NOWHERE), lab_sphere(0.3));
    double weight = lab_info(world, id).mass * LAB_G;
    for (int i = 0; i < 100; i++) {
        lab_push(world, id, vec3_make(0, 0, 0.25 * weight)); // several givings add up
        lab_push(world, id, vec3_make(0, 0, 0.75 * weight));
        lab_step(world, 1);
    }
    assert_vec3_near(lab_state(world, id).position, vec3_make(0, 0, 4), 1e-12);
    assert_vec3_near(lab_state(world, id).velocity, NOWHERE, 1e-12);
    assert_near(lab_state(world, other).velocity.z, -100 * h * LAB_G, 1e-12);
    lab_step(world, 3);
    assert_near(lab_state(world, id).velocity.z, -3 * h * LAB_G, 1e-12);
    lab_push(world, id, vec3_make(0, 0, weight)); // of two steps the first only
    lab_step(world, 2);
    assert_near(lab_state(world, id).velocity.z, -4 * h * LAB_G, 1e-12);
    scree_world_destroy(world);
}

// dw = h t / I for a body at rest, about each principal axis, turned with the body; no torque comes from a force.
static void test_torque_turns_by_the_inertia(void **state)
{
    (void)state;
    const double h = 0.01;
    const quat turned = quat_from_rotation(vec3_make(0.4, -0.7, 0.2));
    for (int axis = 0; axis < 3; axis++) {
        scree_world *world = lab_world(&LAB_GS_SINGLE, h, NOWHERE);
        scree_body_def body = lab_body(NOWHERE, NOWHERE);
        body.orientation = turned;
        body.mass = 2;
        scree_id id = lab_add(world, body, lab_box(0.1, 0.2, 0.3));
        const vec3 moments = {2.0 / 3 * (0.04 + 0.09), 2.0 / 3 * (0.01 + 0.09), 2.0 / 3 * (0.01 + 0.04)};
        vec3 local = {axis == 0, axis == 1, axis == 2};
        vec3 torque = quat_rotate(turned, vec3_scale(local, 0.3)), force = {4, 5, 6};
        lab_ok(scree_world_apply_forces(world, &id, &force, &torque, 1, error));
        lab_step(world, 1);
        scree_state now = lab_state(world, id);
        vec3 expected = vec3_scale(quat_rotate(turned, local), 0.3 * h / vec3_get(moments, axis));
        assert_vec3_near(now.spin, expected, 1e-7 * vec3_length(expected)); // moments are kept in float
        assert_vec3_near(now.velocity, vec3_scale(force, h / 2), 1e-14);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall_is_exact),          cmocka_unit_test(test_ball_spins_uniformly),
        cmocka_unit_test(test_asymmetric_box_tumbles),      cmocka_unit_test(test_stable_axes_stay),
        cmocka_unit_test(test_symmetric_top_precesses),     cmocka_unit_test(test_forces_hold_for_one_step),
        cmocka_unit_test(test_torque_turns_by_the_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
