// Joints in islands that are swept while overlaps are pushed out: a push moves bodies and stays in no velocity, and so
// in no reaction of a joint and in no impulse from which the next step begins.
#include "lab.h"

#include "scree/joint.h"

enum { SIDE = 6 };

// A cube of balls that touch, in the middle of which a ball overlaps its neighbour by a third of its radius. The two
// are joined to balls two places on, so that what pushes them apart presses on the joints.
static scree_world *make_cube(double recovery_speed, scree_friction friction, scree_id joints[2])
{
    scree_world_def def = scree_default_world_def();
    def.step = 0.005;
    def.threads = 1;
    def.solver.friction = friction;
    def.solver.precision = SCREE_PRECISION_DOUBLE;
    def.solver.iterations = 400;
    def.solver.sleep = SCREE_SLEEP_OFF;
    def.solver.recovery_speed = recovery_speed;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0.3, 0);
    lab_add_floor(world);
    scree_id row[SIDE];
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        bool middle = y == SIDE / 2 && z == SIDE / 2;
        double shift = middle && x == 2 ? 1.0 / 6 : middle && x == 3 ? -1.0 / 6 : 0;
        vec3 at = {x - 0.5 * (SIDE - 1) + shift, y - 0.5 * (SIDE - 1), z + 0.5};
        scree_id id = lab_add(world, lab_body(at, vec3_make(0, 0, 0)), lab_sphere(0.5));
        if (middle)
            row[x] = id;
    }
    for (int k = 0; k < 2; k++) {
        scree_joint_def joint = scree_default_joint_def();
        joint.type = SCREE_JOINT_DISTANCE;
        joint.bodies[0] = row[k ? 5 : 0];
        joint.bodies[1] = row[k ? 3 : 2];
        joint.positions[0] = lab_state(world, joint.bodies[0]).position;
        joint.positions[1] = lab_state(world, joint.bodies[1]).position;
        lab_ok(scree_world_add_joints(world, &joint, 1, &joints[k], error));
    }
    return world;
}

// The largest force of the two joints over the first steps.
static double largest_force(double recovery_speed, scree_friction friction)
{
    scree_id joints[2];
    scree_world *world = make_cube(recovery_speed, friction, joints);
    double largest = 0;
    for (int step = 0; step < 5; step++) {
        lab_step(world, 1);
        assert_int_equal(scree_world_step_figures(world).algorithm, SCREE_ALGORITHM_APGS);
        for (int k = 0; k < 2; k++) {
            scree_joint_state state;
            lab_ok(scree_world_get_joint(world, joints[k], &state, error));
            largest = fmax(largest, vec3_length(vec3_make(state.force.x, state.force.y, state.force.z)));
        }
    }
    scree_world_destroy(world);
    return largest;
}

// Pushed out at 1 m/s, the two balls would press on their joints with m v / h, two hundred times what the pile weighs
// on them.
static void test_push_out_is_in_no_reaction(void **state)
{
    (void)state;
    const double mass = 2500 * 4.0 / 3 * PI * 0.125, push = mass * 1 / 0.005;
    for (int friction = SCREE_FRICTION_CONVEX; friction <= SCREE_FRICTION_EXACT; friction++) {
        double fast = largest_force(1, (scree_friction)friction), slow = largest_force(1e-3, (scree_friction)friction);
        print_message("pushed out fast %.3g N, slowly %.3g N; a push is %.3g N\n", fast, slow, push);
        assert_at_most(fast, slow + 0.02 * push);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_push_out_is_in_no_reaction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
