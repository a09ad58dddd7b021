// What a contact asks for, against numbers worked out by hand.
//
// All cases have h = 0.01, g = 10 and a smaller radius of 0.2, hence the depth of rest d = 0.0002, the speed of rest
// 2 g h = 0.2 and the speed of push-out sqrt(g r) / 4 = 0.35355339.
#include "../rigid/plain_step.h"

static const double DEPTH = 0.0002, STEP = 0.01;
static const double SINGLE = 1e-7; // a gap is a float

// A small ball above a larger one, the latter with twice its radius, by the convex law.
static plain_step *two_balls(double gap)
{
    plain_step *of = plain_make();
    of->problem.solver.friction = SCREE_FRICTION_CONVEX;
    plain_add(of, vec3_make(0, 0, 0), 0.4, 8);
    plain_add(of, vec3_make(0, 0, 0.6 + gap), 0.2, 1);
    plain_touch_balls(of, 0, 1)->gap = (float)gap;
    return of;
}

static contact_speeds speeds_of(double gap, vec3 velocity)
{
    plain_step *of = two_balls(gap);
    of->velocity[1] = velocity;
    contact_speeds found = contact_row_of(&of->problem, 0).speeds;
    plain_free(of);
    return found;
}

static void assert_speeds(contact_speeds found, double approach, double push_out, double rebound)
{
    assert_near(found.approach, approach, 1e-5 * fabs(approach) + SINGLE / STEP);
    assert_near(found.push_out, push_out, 1e-5 * fabs(push_out) + SINGLE / STEP);
    assert_near(found.rebound, rebound, 1e-6 * fabs(rebound));
}

// A gap may close within the step, and by the depth of rest further.
static void test_an_open_gap_closes(void **state)
{
    (void)state;
    const vec3 at_rest = {0, 0, 0};
    assert_speeds(speeds_of(0.05, at_rest), (0.05 + DEPTH) / STEP, 0, 0);
    assert_speeds(speeds_of(0.05, vec3_make(0, 0, -3)), (0.05 + DEPTH) / STEP, 0, 0);
    assert_speeds(speeds_of(0.3 * DEPTH, at_rest), 1.3 * DEPTH / STEP, 0, 0);
}

// From twice the depth of rest to a quarter of it above the surface nothing is corrected; what comes down faster than
// the speed of rest is let down to the depth itself.
static void test_around_the_depth_of_rest_nothing_is_asked(void **state)
{
    (void)state;
    const double quiet[] = {0.2, 0.01, -0.5, -1, -1.5, -1.99};
    for (int i = 0; i < 6; i++)
        assert_speeds(speeds_of(quiet[i] * DEPTH, vec3_make(0, 0, -0.1)), 0, 0, 0);
    assert_speeds(speeds_of(0.2 * DEPTH, vec3_make(0, 0, -0.3)), 1.2 * DEPTH / STEP, 0, 0);
    assert_speeds(speeds_of(-0.2 * DEPTH, vec3_make(0, 0, -0.3)), 0, 0, 0);
}

// In the convex law sliding at half the speed of rest halves that band, at all of it nothing is left; in Coulomb's
// law sliding makes no difference.
static void test_sliding_narrows_the_band_of_rest(void **state)
{
    (void)state;
    assert_speeds(speeds_of(-0.3 * DEPTH, vec3_make(0.1, 0, 0)), 0.7 * DEPTH / STEP, 0, 0);
    assert_speeds(speeds_of(-0.6 * DEPTH, vec3_make(0, 0.1, 0)), 0, 0, 0);
    assert_speeds(speeds_of(-1.7 * DEPTH, vec3_make(0.1, 0, 0)), 0, 0.2 * DEPTH / STEP, 0);
    assert_speeds(speeds_of(-0.9 * DEPTH, vec3_make(0.5, 0, 0)), 0.1 * DEPTH / STEP, 0, 0);
    plain_step *of = two_balls(-0.3 * DEPTH);
    of->problem.solver.friction = SCREE_FRICTION_EXACT;
    of->velocity[1] = vec3_make(0.1, 0, 0);
    assert_speeds(contact_row_of(&of->problem, 0).speeds, 0, 0, 0);
    plain_free(of);
}

// Spin slides too: the relative velocity is that of the surfaces.
static void test_spins_count_at_the_arms(void **state)
{
    (void)state;
    plain_step *of = two_balls(-0.3 * DEPTH);
    of->spin[0] = vec3_make(0, 0.25, 0); // 0.4 * 0.25 along x at the point
    assert_speeds(contact_row_of(&of->problem, 0).speeds, 0.7 * DEPTH / STEP, 0, 0);
    of->spin[1] = vec3_make(0, -0.5, 0); // the same on the other side: they roll
    assert_speeds(contact_row_of(&of->problem, 0).speeds, 0, 0, 0);
    plain_free(of);
}

// An overlap beyond the band opens within the step, but no faster than the speed of push-out.
static void test_push_out_is_limited(void **state)
{
    (void)state;
    const vec3 at_rest = {0, 0, 0};
    assert_speeds(speeds_of(-2.5 * DEPTH, at_rest), 0, 0.5 * DEPTH / STEP, 0);
    assert_speeds(speeds_of(-0.1, at_rest), 0, 0.35355339059, 0);
    plain_step *of = two_balls(-0.1);
    of->problem.solver.recovery_speed = 0.125;
    assert_speeds(contact_row_of(&of->problem, 0).speeds, 0, 0.125, 0);
    of->problem.solver.recovery_speed = 0;
    of->problem.gravity_length = 0;
    assert_speeds(contact_row_of(&of->problem, 0).speeds, 0, 0.02 * 0.2 / STEP, 0); // 2 % of the radius in a step
    plain_free(of);
}

static contact_speeds bouncing(double gap, double approach)
{
    plain_step *of = two_balls(gap);
    for (int i = 0; i < 4; i++)
        of->pairs[i].restitution = 0.5f;
    of->velocity[1] = vec3_make(0.7, 0, -approach);
    contact_row made = contact_row_of(&of->problem, 0);
    assert_int_equal(contact_rebounds(&of->problem, &of->contacts[0]), made.speeds.rebound > 0);
    plain_free(of);
    return made.speeds;
}

// A collision within the step that is faster than rest comes back, with nothing else asked for on top.
static void test_collisions_rebound(void **state)
{
    (void)state;
    assert_speeds(bouncing(0.01, 3), 0, 0, 1.5);
    assert_speeds(bouncing(-0.1, 3), 0, 0, 1.5);
    assert_speeds(bouncing(0.05, 3), (0.05 + DEPTH) / STEP, 0, 0); // not in this step
    assert_speeds(bouncing(-0.1, 0.19), 0, 0.35355339059, 0);      // at rest
    assert_speeds(bouncing(-0.1, -3), 0, 0.35355339059, 0);        // it parts already
}

// p = -h k (gap + h u) - h d u, which the row says as u + approach + compliance p = 0.
static void test_a_spring(void **state)
{
    (void)state;
    const double k = 2000, d = 30;
    plain_step *of = two_balls(-0.004);
    for (int i = 0; i < 4; i++) {
        of->pairs[i].stiffness = (float)k;
        of->pairs[i].damping = (float)d;
        of->pairs[i].restitution = 0.9f;
    }
    of->velocity[1] = vec3_make(0, 0, -3);
    contact_row made = contact_row_of(&of->problem, 0);
    assert_false(made.pushed);
    assert_near(made.speeds.push_out, 0, 0);
    assert_near(made.speeds.rebound, 0, 0);
    const double speeds[] = {-2, 0, 0.1};
    for (int i = 0; i < 3; i++) {
        double impulse = -STEP * k * (-0.004 + STEP * speeds[i]) - STEP * d * speeds[i];
        assert_near(speeds[i] + made.speeds.approach + made.row.compliance * impulse, 0, 1e-7);
    }
    plain_free(of);
}

// Bodies that are not touching yet do not feel the spring: their gap closes first.
static void test_a_spring_before_it_touches(void **state)
{
    (void)state;
    plain_step *of = two_balls(0.003);
    for (int i = 0; i < 4; i++) {
        of->pairs[i].stiffness = 2000;
        of->pairs[i].damping = 30;
    }
    assert_near(contact_row_of(&of->problem, 0).speeds.approach, 0.3, 1e-5);
    plain_free(of);
}

// Faster than gravity does it to what rests: deeper than 2 d + 2 g h^2 = 0.0024.
static void test_which_contacts_are_pushed(void **state)
{
    (void)state;
    plain_step *of = two_balls(-0.0025);
    assert_true(contact_is_pushed(&of->problem, &of->contacts[0]));
    assert_true(contact_row_of(&of->problem, 0).pushed);
    of->contacts[0].gap = -0.0023f;
    assert_false(contact_is_pushed(&of->problem, &of->contacts[0]));
    of->contacts[0].gap = -0.1f;
    for (int i = 0; i < 4; i++)
        of->pairs[i].stiffness = 100;
    assert_false(contact_is_pushed(&of->problem, &of->contacts[0]));
    plain_free(of);
}

// u_n >= -approach + push_out + rebound, as a bias; push-out that is slow stays where fast one is left out.
static void test_rows_of_another_choice(void **state)
{
    (void)state;
    contact_row from = {.speeds = {.approach = 1, .push_out = 0.25, .rebound = 4}, .pushed = true};
    assert_near(whole_bias(&from.speeds, from.pushed), 1 - 0.25 - 4, 0);
    assert_near(bias_without_push_out(&from.speeds, from.pushed), 1 - 4, 0);
    assert_near(bias_without_rebound(&from.speeds, from.pushed), 1, 0);
    from.pushed = false;
    assert_near(bias_without_push_out(&from.speeds, from.pushed), 1 - 0.25 - 4, 0);
}

// Ends, arms, the pair of materials in either order, and what to start from.
static void test_the_rest_of_a_row(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    plain_add(of, vec3_make(100, 0, 0), 0.4, 8);
    plain_add(of, vec3_make(100.3, 0, 0.4), 0.2, 1);
    contact *c = plain_touch(of, 0, 1, vec3_make(0.24, 0, 0.32), vec3_make(0.6, 0, 0.8), -0.1);
    c->material_a = 1;
    c->impulse = (vec3f){1, 2, 3};
    vec3f angular[1] = {{4, 5, 6}};
    of->problem.angular_impulses = angular;
    of->pairs[2] = (pair_properties){.friction = 0.75f, .rolling = 0.0625f, .spinning = 0.125f};
    problem_row row = contact_row_of(&of->problem, 0).row;
    assert_int_equal(row.a, 0);
    assert_int_equal(row.b, 1);
    assert_vec3_near(row.normal, vec3_make(0.6, 0, 0.8), 1e-7);
    assert_near(vec3_length(row.normal), 1, 1e-15); // in double
    assert_vec3_near(row.arm_a, vec3_make(0.24, 0, 0.32), 1e-7);
    assert_vec3_near(row.arm_b, vec3_make(-0.06, 0, -0.08), 1e-7);
    assert_near(row.friction, 0.75, 0);
    assert_near(row.rolling, 0.0625, 0);
    assert_near(row.spinning, 0.125, 0);
    assert_near(row.compliance, 0, 0);
    assert_vec3_near(row.impulse, vec3_make(1, 2, 3), 0);
    assert_vec3_near(row.angular_impulse, vec3_make(4, 5, 6), 0);
    of->problem.angular_impulses = NULL;
    assert_vec3_near(contact_row_of(&of->problem, 0).row.angular_impulse, vec3_make(0, 0, 0), 0);
    plain_free(of);
}

// Contacts that touch pull, a along the normal and b against it, at the contact's point.
static void test_cohesion_pulls_both_bodies(void **state)
{
    (void)state;
    plain_step *of = two_balls(0);
    contact *c = &of->contacts[0];
    c->arm = (vec3f){0.1f, 0, 0.4f};
    for (int i = 0; i < 4; i++)
        of->pairs[i].cohesion = 3;
    of->problem.loads = of->loads;
    add_cohesion(&of->problem, c);
    assert_vec3_near(of->loads[0].force, vec3_make(0, 0, 3), 1e-12);
    assert_vec3_near(of->loads[1].force, vec3_make(0, 0, -3), 1e-12);
    assert_vec3_near(of->loads[0].torque, vec3_make(0, -0.3, 0), 1e-7); // (0.1, 0, 0.4) x (0, 0, 3)
    assert_vec3_near(of->loads[1].torque, vec3_make(0, 0.3, 0), 1e-7);
    memset(of->loads, 0, 2 * sizeof *of->loads);
    of->immovable[0] = 1;
    add_cohesion(&of->problem, c);
    assert_vec3_near(of->loads[0].force, vec3_make(0, 0, 0), 0);
    assert_vec3_near(of->loads[1].force, vec3_make(0, 0, -3), 1e-12);
    plain_free(of);
}

// It reaches as far as the depth of rest, and in the convex law as far as sliding holds the contact apart.
static void test_how_far_cohesion_reaches(void **state)
{
    (void)state;
    plain_step *of = two_balls(0.9 * DEPTH);
    contact *c = &of->contacts[0];
    assert_near(cohesive_pull(&of->problem, c), 0, 0); // the pair has none
    for (int i = 0; i < 4; i++)
        of->pairs[i].cohesion = 3;
    assert_near(cohesive_pull(&of->problem, c), 3, 0);
    c->gap = (float)(1.1 * DEPTH);
    assert_near(cohesive_pull(&of->problem, c), 0, 0);
    of->velocity[1] = vec3_make(2, 0, 0);
    c->gap = (float)(DEPTH + 0.99 * 0.5 * 2 * STEP);
    assert_near(cohesive_pull(&of->problem, c), 3, 0);
    c->gap = (float)(DEPTH + 1.01 * 0.5 * 2 * STEP);
    assert_near(cohesive_pull(&of->problem, c), 0, 0);
    of->problem.solver.friction = SCREE_FRICTION_EXACT;
    c->gap = (float)(1.1 * DEPTH);
    assert_near(cohesive_pull(&of->problem, c), 0, 0);
    plain_free(of);
}

// v + h (g + F / m), w + h I^-1 t; an immovable body keeps what it has.
static void test_bodies_before_impulses(void **state)
{
    (void)state;
    plain_step *of = two_balls(0);
    of->velocity[1] = vec3_make(1, 2, 3);
    of->spin[1] = vec3_make(4, 5, 6);
    problem_body body = free_body(&of->problem, 1);
    assert_vec3_near(body.velocity, vec3_make(1, 2, 2.9), 1e-15);
    assert_vec3_near(body.spin, vec3_make(4, 5, 6), 0);
    assert_near(body.inverse_mass, 1, 0);
    assert_near(body.inverse_inertia.m[1][1], 1 / 0.016, 1e-5);
    of->problem.loads = of->loads;
    of->loads[1] = (body_load){{10, 0, 0}, {0, 0.32, 0}};
    body_velocity loaded = free_velocity_of(&of->problem, 1);
    assert_vec3_near(loaded.velocity, vec3_make(1.1, 2, 2.9), 1e-14);
    assert_vec3_near(loaded.spin, vec3_make(4, 5.2, 6), 1e-7); // 0.01 * 0.32 / 0.016
    of->immovable[1] = 1;
    body = free_body(&of->problem, 1);
    assert_vec3_near(body.velocity, vec3_make(1, 2, 3), 0);
    assert_vec3_near(body.spin, vec3_make(4, 5, 6), 0);
    assert_near(body.inverse_mass, 0, 0);
    assert_near(body.inverse_inertia.m[1][1], 0, 0);
    plain_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_open_gap_closes),
        cmocka_unit_test(test_around_the_depth_of_rest_nothing_is_asked),
        cmocka_unit_test(test_sliding_narrows_the_band_of_rest),
        cmocka_unit_test(test_spins_count_at_the_arms),
        cmocka_unit_test(test_push_out_is_limited),
        cmocka_unit_test(test_collisions_rebound),
        cmocka_unit_test(test_a_spring),
        cmocka_unit_test(test_a_spring_before_it_touches),
        cmocka_unit_test(test_which_contacts_are_pushed),
        cmocka_unit_test(test_rows_of_another_choice),
        cmocka_unit_test(test_the_rest_of_a_row),
        cmocka_unit_test(test_cohesion_pulls_both_bodies),
        cmocka_unit_test(test_how_far_cohesion_reaches),
        cmocka_unit_test(test_bodies_before_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
