// From velocities to poses, for solutions made by hand: q + h v by the velocities that move, and the others kept.
#include "plain_step.h"

#include "rigid/integrate.h"
#include "world/wake.h"

enum { BODIES = 5 };

static void assert_same_turn(quat a, quat b)
{
    assert_near(fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1, 1e-14);
}

// A floor, a ball, a box that spins, a ball that sleeps, and another ball.
static plain_step *make_step(void)
{
    plain_step *of = plain_make();
    plain_add(of, vec3_make(0, 0, 0), 1, 0);
    for (int i = 1; i < BODIES; i++)
        plain_add(of, vec3_make(i, 2, 3), 0.1, 4);
    of->inertia[2] = (vec3f){0.17f, 0.13f, 0.07f}; // edges of 0.2, 0.4 and 0.6, a mass of 4, but for rounding
    of->rest[3] = ASLEEP;
    of->problem.threads = 2;
    return of;
}

static size_t integrate(plain_step *of, const step_solution *solution)
{
    step_bodies bodies = plain_bodies(of);
    return integrate_bodies(&of->problem, solution, &bodies);
}

static void test_poses_follow_velocities(void **state)
{
    (void)state;
    plain_step *of = make_step();
    body_velocity end[BODIES];
    for (int i = 0; i < BODIES; i++)
        end[i] = (body_velocity){{1, -2, i}, {0.5, 0, 3}};
    step_solution solution = {.end = end};
    assert_int_equal(integrate(of, &solution), SIZE_MAX);
    for (int i = 0; i < BODIES; i++) {
        bool moves = i != 0 && i != 3;
        vec3 start = i == 0 ? vec3_make(0, 0, 0) : vec3_make(i, 2, 3);
        vec3 way = moves ? vec3_make(0.01, -0.02, 0.01 * i) : vec3_make(0, 0, 0);
        assert_vec3_near(of->position[i], vec3_add(start, way), 1e-15);
        assert_vec3_near(of->velocity[i], moves ? end[i].velocity : vec3_make(0, 0, 0), 0);
    }
    quat turned = quat_from_rotation(vec3_scale(end[1].spin, 0.01)); // a ball turns about one axis
    assert_same_turn(of->orientation[1], turned);
    assert_vec3_near(of->spin[1], end[1].spin, 1e-14);
    plain_free(of);
}

// Push-out moves and turns, and stays in no velocity; what it moved is remembered.
static void test_what_moves_is_not_what_is_kept(void **state)
{
    (void)state;
    plain_step *of = make_step();
    body_velocity end[BODIES] = {0}, position[BODIES] = {0};
    end[1] = (body_velocity){{1, 0, 0}, {0, 0, 2}};
    position[1] = (body_velocity){{1, 0, 4}, {0, 0, 5}};
    position[3] = position[1]; // asleep
    position[4] = end[4] = end[1];
    step_solution solution = {.end = end, .position = position};
    body_pushes pushes = {0};
    assert_true(note_pushes(&of->problem, &solution, &pushes));
    assert_int_equal(integrate(of, &solution), SIZE_MAX);
    assert_vec3_near(of->position[1], vec3_make(1.01, 2, 3.04), 1e-15);
    assert_vec3_near(of->velocity[1], end[1].velocity, 0);
    assert_vec3_near(of->spin[1], end[1].spin, 1e-14);
    quat turned = quat_from_rotation(vec3_make(0, 0, 0.05));
    assert_same_turn(of->orientation[1], turned);
    assert_vec3_near(pushes_path(&pushes, 1), vec3_make(0, 0, 0.04), 1e-15);
    assert_vec3_near(pushes_path(&pushes, 3), vec3_make(0, 0, 0), 0);
    assert_vec3_near(pushes_path(&pushes, 4), vec3_make(0, 0, 0), 0);
    array_free(&pushes);
    plain_free(of);
}

// A box that turns freely keeps its angular momentum in the world.
static void test_angular_momentum_stays(void **state)
{
    (void)state;
    plain_step *of = make_step();
    vec3 inertia = vec3_from_f(of->inertia[2]);
    body_velocity end[BODIES] = {0};
    end[2].spin = vec3_make(5, 7, 11);
    vec3 momentum =
        quat_rotate(of->orientation[2], vec3_multiply(inertia, quat_rotate_back(of->orientation[2], end[2].spin)));
    step_solution solution = {.end = end};
    for (int step = 0; step < 100; step++) {
        integrate(of, &solution);
        end[2].spin = of->spin[2];
        vec3 now =
            quat_rotate(of->orientation[2], vec3_multiply(inertia, quat_rotate_back(of->orientation[2], end[2].spin)));
        assert_vec3_near(now, momentum, 1e-12 * vec3_length(momentum));
    }
    assert_true(vec3_length(vec3_sub(end[2].spin, vec3_make(5, 7, 11))) > 0.1); // its spin does not
    plain_free(of);
}

// The first body that is lost, by its slot.
static void test_lost_bodies_are_named(void **state)
{
    (void)state;
    plain_step *of = make_step();
    body_velocity end[BODIES] = {0};
    end[2].spin.x = CHECK_NAN;
    end[4].velocity.y = CHECK_INFINITY;
    step_solution solution = {.end = end};
    assert_int_equal(integrate(of, &solution), 2);
    plain_free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_follow_velocities),
        cmocka_unit_test(test_what_moves_is_not_what_is_kept),
        cmocka_unit_test(test_angular_momentum_stays),
        cmocka_unit_test(test_lost_bodies_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
