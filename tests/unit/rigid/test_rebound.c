// Rebounds: impacts one after the other, and none that creates energy, in closed form.
//
//     wall | <- b (1) | <- a (1/2)            wall and b: restitution 1; b and a: none
//
// b comes back from the wall at 1, and meets a, which comes at 1/2: both go on at 1/4. Newton's law for both at once
// would have asked for 1 and 1, more energy than there was.
#include "plain_step.h"

static const double KEPT = 0.25;

static plain_step *make_case(scree_algorithm algorithm, double speed_of_a)
{
    plain_step *of = plain_make();
    of->problem.gravity_length = 0;
    of->problem.gravity = vec3_make(0, 0, 0);
    of->problem.solver.algorithm = algorithm;
    of->problem.solver.precision = SCREE_PRECISION_DOUBLE;
    of->problem.solver.iterations = 1000;
    of->problem.solver.tolerance = 1e-10;
    of->problem.bouncy = true;
    uint32_t wall = plain_add(of, vec3_make(0, 0, 0), 1, 0);
    uint32_t b = plain_add(of, vec3_make(0, 0, 0.4995), 0.5, 2), a = plain_add(of, vec3_make(0, 0, 1.499), 0.5, 2);
    of->velocity[b].z = -1;
    of->velocity[a].z = -speed_of_a;
    plain_touch_floor(of, wall, b);
    plain_touch_balls(of, b, a)->material_a = 1;
    of->pairs[0].restitution = 1; // 2, of materials 1 and 0, has none
    return of;
}

static void test_impacts_come_one_after_the_other(void **state)
{
    (void)state;
    static const scree_algorithm algorithms[] = {SCREE_ALGORITHM_AUTO, SCREE_ALGORITHM_NEWTON,
                                                 SCREE_ALGORITHM_GAUSS_SEIDEL, SCREE_ALGORITHM_JACOBI};
    for (int i = 0; i < 4; i++) {
        plain_step *of = make_case(algorithms[i], 0.5);
        step_solution solution = plain_solve(of);
        for (uint32_t slot = 1; slot < 3; slot++)
            assert_vec3_near(solution.end[slot].velocity, vec3_make(0, 0, KEPT), 1e-6);
        assert_near((double)of->contacts[0].impulse.z, 2 * (2 * KEPT + 1.5), 1e-5); // m times what both gained: 4
        assert_near((double)of->contacts[1].impulse.z, 2 * (KEPT + 0.5), 1e-5);
        plain_free(of);
    }
}

// A rough blow beside the centre: sticking takes u_t away, restitution turns u_n round, and by their coupling friction
// would push along with the sliding, 1/2 p_t u_t > 0 (Kane's paradox). What there was is kept.
static void test_a_rough_blow_creates_no_energy(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    of->problem.gravity_length = 0;
    of->problem.gravity = vec3_make(0, 0, 0);
    of->problem.solver.precision = SCREE_PRECISION_DOUBLE;
    of->problem.solver.algorithm = SCREE_ALGORITHM_NEWTON;
    of->problem.solver.friction = SCREE_FRICTION_EXACT;
    of->problem.bouncy = true;
    for (int i = 0; i < 4; i++) {
        of->pairs[i].restitution = 1;
        of->pairs[i].friction = 5;
    }
    uint32_t floor = plain_add(of, vec3_make(0, 0, 0), 1, 0), body = plain_add(of, vec3_make(0, 0, 0.5), 0.5, 2);
    of->inertia[body] = (vec3f){0.2f, 0.2f, 0.2f};
    of->velocity[body] = vec3_make(-0.1, 0, -1);
    plain_touch(of, floor, body, vec3_make(0.4, 0, 0), vec3_make(0, 0, 1), 0);
    step_solution solution = plain_solve(of);
    vec3 v = solution.end[body].velocity, w = solution.end[body].spin;
    assert_near(0.5 * 2 * vec3_dot(v, v) + 0.5 * 0.2 * vec3_dot(w, w), 0.5 * 2 * 1.01, 1e-5);
    assert_near(v.y, 0, 1e-9);
    plain_free(of);
}

// Energy that a slow push-out gives is not the rebound's: a ball comes back from the floor at its speed, while a wall
// beside it, along which it slides, pushes it out at 0.2.
static void test_push_out_is_not_taken_for_a_rebound(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    of->problem.gravity = vec3_make(0, 0, 0); // its length stays, as the measure of what is slow
    of->problem.bouncy = true;
    of->pairs[0].friction = 0;
    of->pairs[0].restitution = 1;
    uint32_t floor = plain_add(of, vec3_make(0, 0, 0), 1, 0), wall = plain_add(of, vec3_make(0, 0, 0.5), 1, 0);
    uint32_t ball = plain_add(of, vec3_make(0.4975, 0, 0.4995), 0.5, 2);
    of->velocity[ball].z = -1;
    of->problem.solver.friction = SCREE_FRICTION_CONVEX; // sliding leaves no band of rest, and all is pushed out
    plain_touch_floor(of, floor, ball);
    plain_touch(of, wall, ball, vec3_make(0, 0, 0), vec3_make(1, 0, 0), -0.0025); // 0.002 beyond rest
    step_solution solution = plain_solve(of);
    assert_null(solution.position);
    assert_vec3_near(solution.end[ball].velocity, vec3_make(0.2, 0, 1), 1e-5);
    plain_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impacts_come_one_after_the_other),
        cmocka_unit_test(test_a_rough_blow_creates_no_energy),
        cmocka_unit_test(test_push_out_is_not_taken_for_a_rebound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
