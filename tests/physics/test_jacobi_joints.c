// Joints inside the fixed point iteration, equation (13) of Negrut et al. 2010: who asks for `jacobi` gets it, for
// joints as for contacts, in a step as on its own.
#include "lab.h"

#include "scree/joint.h"

enum { LINKS = 4, STEPS = 100 };

// A chain of balls that is let go level. Newton's method takes joints to where the step ends in a second round, so that
// the two part by what the curvature of paths makes of a step.
static scree_world *make_chain(scree_algorithm algorithm, scree_id *links, scree_id *joints)
{
    scree_world_def def = scree_default_world_def();
    def.solver.algorithm = algorithm;
    def.solver.precision = SCREE_PRECISION_DOUBLE;
    def.solver.iterations = 20000;
    def.solver.tolerance = 1e-9;
    def.solver.sleep = SCREE_SLEEP_OFF;
    def.threads = 1;
    scree_world *world = lab_create(&def);
    lab_add_floor(world);
    for (int i = 0; i < LINKS; i++) {
        links[i] = lab_add(world, lab_body(vec3_make(0.4 * (i + 1), 0, 2), vec3_make(0, 0, 0)), lab_sphere(0.15));
        scree_joint_def joint = scree_default_joint_def();
        joint.bodies[0] = i > 0 ? links[i - 1] : 0;
        joint.bodies[1] = links[i];
        joint.position = vec3_make(0.4 * i + 0.2, 0, 2);
        lab_ok(scree_world_add_joints(world, &joint, 1, &joints[i], error));
    }
    return world;
}

static void test_jacobi_takes_joints_in_a_step(void **state)
{
    (void)state;
    scree_id links[2][LINKS], joints[2][LINKS];
    scree_world *by_factors = make_chain(SCREE_ALGORITHM_NEWTON, links[0], joints[0]);
    scree_world *by_jacobi = make_chain(SCREE_ALGORITHM_JACOBI, links[1], joints[1]);
    double farthest = 0, weakest = 0;
    for (int step = 0; step < STEPS; step++) {
        lab_step(by_factors, 1);
        lab_step(by_jacobi, 1);
        assert_int_equal(scree_world_step_figures(by_jacobi).algorithm, SCREE_ALGORITHM_JACOBI);
        for (int i = 0; i < LINKS; i++) {
            vec3 apart =
                vec3_sub(lab_state(by_factors, links[0][i]).position, lab_state(by_jacobi, links[1][i]).position);
            farthest = fmax(farthest, vec3_length(apart));
            scree_joint_state at;
            lab_ok(scree_world_get_joint(by_jacobi, joints[1][i], &at, error));
            weakest = fmax(weakest, vec3_length(vec3_sub(at.ends[1], at.ends[0])));
        }
    }
    print_message("chain by jacobi: %.2e m from Newton's, joints open by %.2e m\n", farthest, weakest);
    assert_at_most(farthest, 1e-3);
    assert_at_most(weakest, 1e-3);
    scree_world_destroy(by_factors);
    scree_world_destroy(by_jacobi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jacobi_takes_joints_in_a_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
