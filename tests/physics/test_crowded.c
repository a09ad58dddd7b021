// Many bodies and one that is unlike them: a slab on grains, a machine in a heap, thousands of bodies that are moved.
#include "lab.h"

#include "scree/joint.h"

static const vec3 NOWHERE = {0, 0, 0};

// Grains in a box of half width 0.7, let fall, settled for a while.
static scree_world *settled_grains(size_t count, int steps)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0.5, 0);
    lab_add_container(world, 0.7);
    lab_add_heap(world, count, 0.7, false, 3);
    lab_step(world, steps);
    return world;
}

static double top_of(const scree_world *world)
{
    double top = 0;
    size_t count = scree_world_body_count(world);
    scree_id *ids = malloc(count * sizeof *ids);
    scree_world_body_ids(world, ids);
    for (size_t i = 0; i < count; i++)
        if (!lab_info(world, ids[i]).fixed)
            top = fmax(top, lab_state(world, ids[i]).position.z + 0.1);
    free(ids);
    return top;
}

// 100,000 times as heavy as a grain, it lands at 1 m/s: grains without restitution carry it and do not throw it up, and
// rest under it.
static void test_slab_on_grains(void **state)
{
    (void)state;
    scree_world *world = settled_grains(150, 250);
    scree_body_def body = lab_body(vec3_make(0, 0, top_of(world) + 0.051), NOWHERE);
    body.mass = 4e5; // a grain has 2 to 4
    scree_id slab = lab_add(world, body, lab_box(0.69, 0.69, 0.05));
    double fastest_up = 0;
    for (int step = 0; step < 100; step++) {
        lab_step(world, 1);
        fastest_up = fmax(fastest_up, lab_state(world, slab).velocity.z);
    }
    assert_at_most(fastest_up, 0.15);
    assert_at_most(vec3_length(lab_state(world, slab).velocity), 0.15);
    assert_at_most(scree_world_figures(world).penetration_max, 0.1);
    // 150 grains of radius 0.09 on the average, not denser than any packing of spheres
    assert_at_least(lab_state(world, slab).position.z - 0.05, 150 * 4.0 / 3 * LAB_PI * 0.000729 / (1.4 * 1.4) / 0.74);
    scree_world_destroy(world);
}

static scree_id add_motor(scree_world *world, scree_id paddle, double speed, double torque)
{
    scree_joint_def def = scree_default_joint_def();
    def.type = SCREE_JOINT_REVOLUTE;
    def.bodies[1] = paddle;
    def.position = lab_state(world, paddle).position;
    def.axis = vec3_make(0, 0, 1);
    def.motor.type = SCREE_MOTOR_SPEED;
    def.motor.target = speed;
    def.motor.max_force = torque;
    scree_id id;
    lab_ok(scree_world_add_joints(world, &def, 1, &id, error));
    return id;
}

// A paddle on a motor with a bob hinged to its end, and a heap above it whose balls overlap by 8 % of their radius: its
// joints are relaxed among the contacts of one large island. They hold, the motor does no more than it can, overlaps
// are pushed out, and nothing is thrown.
static void test_machine_in_a_heap(void **state)
{
    (void)state;
    enum { ACROSS = 6, BALLS = 180 };
    const double torque = 300;
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0.5, 0);
    lab_add_container(world, 0.7);
    scree_id paddle = lab_add(world, lab_body(vec3_make(0, 0, 0.25), NOWHERE), lab_box(0.4, 0.05, 0.1));
    scree_id bob = lab_add(world, lab_body(vec3_make(0.5, 0, 0.25), NOWHERE), lab_sphere(0.08));
    for (int i = 0; i < BALLS; i++) {
        vec3 at = {0.192 * (i % ACROSS) - 0.48, 0.192 * (i / ACROSS % ACROSS) - 0.48,
                   0.5 + 0.192 * (i / ACROSS / ACROSS)};
        lab_add(world, lab_body(at, NOWHERE), lab_sphere(0.1));
    }
    scree_id joints[2] = {add_motor(world, paddle, 2, torque), 0};
    scree_joint_def hinge = scree_default_joint_def();
    hinge.type = SCREE_JOINT_SPHERICAL;
    hinge.bodies[0] = paddle;
    hinge.bodies[1] = bob;
    hinge.position = vec3_make(0.4, 0, 0.25);
    lab_ok(scree_world_add_joints(world, &hinge, 1, &joints[1], error));
    scree_figures before = scree_world_figures(world);
    double energy = before.kinetic + before.potential, work = 0, gap = 0;
    int swept = 0;
    for (int step = 0; step < 200; step++) {
        lab_step(world, 1);
        scree_figures figures = scree_world_figures(world);
        swept += figures.algorithm != SCREE_ALGORITHM_NEWTON;
        for (int k = 0; k < 2; k++) {
            scree_joint_state joint;
            lab_ok(scree_world_get_joint(world, joints[k], &joint, error));
            gap = fmax(gap, vec3_length(vec3_sub(joint.ends[0], joint.ends[1])));
            work += k == 0 ? torque * fabs(joint.speed) * def.step : 0;
        }
        assert_at_most(figures.kinetic + figures.potential, energy + work + 1);
    }
    assert_true(swept > 30); // while most of the heap is one island
    assert_at_most(gap, 1e-3);
    assert_at_most(scree_world_figures(world).penetration_max, 0.05);
    scree_world_destroy(world);
}

// Each on a way of its own, in pairs of which one carries a box.
static void test_thousands_of_motions(void **state)
{
    (void)state;
    enum { MOVED = 2000 };
    const double h = 0.005;
    const int steps = 10;
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    scree_world *world = lab_create(&def);
    lab_surface(world, 0.9, 0);
    static scree_id ids[MOVED], boxes[MOVED];
    for (int i = 0; i < MOVED; i++) {
        vec3 at = {2.0 * (i % 60), 2.0 * (i / 60), 0};
        ids[i] = lab_add_fixed(world, at, lab_box(0.3, 0.3, 0.1));
        scree_motion_def motion = scree_default_motion_def();
        motion.type = SCREE_MOTION_VELOCITY;
        motion.linear = vec3_make(0.1 + 1e-4 * i, 0, 0.05);
        lab_set_motion(world, ids[i], motion);
        at.z = 0.2;
        if (i % 2 == 0)
            boxes[i] = lab_add(world, lab_body(at, motion.linear), lab_box(0.1, 0.1, 0.1));
    }
    lab_step(world, steps);
    for (int i = 0; i < MOVED; i++) {
        vec3 way = vec3_scale(vec3_make(0.1 + 1e-4 * i, 0, 0.05), steps * h);
        vec3 start = {2.0 * (i % 60), 2.0 * (i / 60), 0};
        assert_vec3_near(lab_state(world, ids[i]).position, vec3_add(start, way), 1e-12);
        if (i % 2)
            continue;
        start.z = 0.2;
        assert_vec3_near(lab_state(world, boxes[i]).position, vec3_add(start, way), 1e-3);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slab_on_grains),
        cmocka_unit_test(test_machine_in_a_heap),
        cmocka_unit_test(test_thousands_of_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
