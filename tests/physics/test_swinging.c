// What swings on joints and springs keeps its energy as long as the step resolves the swing, however little inertia of
// its own it has: nothing that steadies taut chains may take it. Scenes 2 and 3 are restated from independent checks of
// this engine; the point mass is benchmark A01 of the IFToMM library of multibody systems. What is not resolved must
// not depend on how a joint's axes lie, which a spherical joint has no use for.
#include "lab.h"

#include "scree/joint.h"
#include "world/instant.h"
#include "world/world.h"

static const vec3 AT_REST = {0, 0, 0};

static scree_world *make_world(double step)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.step = step;
    def.solver.sleep = false;
    return lab_create(&def);
}

// Kinetic energy of the velocities that are stored, which stand half a step behind poses (world/instant.h), and
// potential energy there: what the step conserves, without the error of second order of velocities that are read.
static double energy_of(const scree_world *world)
{
    double energy = scree_world_figures(world).potential;
    scree_world_def def = scree_world_get_def(world);
    const body_store *store = &world->bodies;
    for (size_t i = 0; i < store->count; i++) {
        double mass = store->mass.data[i];
        if (store->immovable.data[i])
            continue;
        vec3 velocity = store->velocity.data[i], moments = vec3_from_f(store->inertia.data[i]);
        vec3 spin = quat_rotate_back(store->orientation.data[i], store->spin.data[i]);
        energy += 0.5 * mass * vec3_dot(velocity, velocity) + 0.5 * vec3_dot(spin, vec3_multiply(moments, spin));
        if (store->instant.data[i] == VELOCITY_BEHIND)
            energy += 0.5 * def.step * mass * vec3_dot(def.gravity, velocity);
    }
    return energy;
}

static double energy_read(const scree_world *world)
{
    scree_figures figures = scree_world_figures(world);
    return figures.kinetic + figures.potential;
}

static scree_id add_ball(scree_world *world, vec3 at, double mass, double radius, vec3 inertia)
{
    scree_body_def body = lab_body(at, AT_REST);
    body.mass = mass;
    body.inertia = inertia;
    body.mask = 0;
    return lab_add(world, body, lab_sphere(radius));
}

static scree_joint_def joint_of(scree_joint_type type, scree_id a, scree_id b, vec3 at, vec3 axis)
{
    scree_joint_def def = scree_default_joint_def();
    def.type = type;
    def.bodies[0] = a;
    def.bodies[1] = b;
    def.position = at;
    def.axis = axis;
    return def;
}

static void add_joint(scree_world *world, scree_joint_def def)
{
    lab_ok(scree_world_add_joints(world, &def, 1, NULL, error));
}

// Swings down from level. The largest change of energy is that of the whole swing, m g L, up to the part given. Gives
// back the largest change of the energy that is read, as a part of it.
static double check_swing(scree_world *world, double scale, double time, double part)
{
    double step = scree_world_get_def(world).step, start = energy_of(world), worst = 0, read = 0;
    for (int i = 0; i < (int)lround((CHECK_SANITIZED ? 0.2 : 1) * time / step); i++) {
        lab_step(world, 1);
        worst = fmax(worst, fabs(energy_of(world) - start));
        read = fmax(read, fabs(energy_read(world) - start));
    }
    assert_at_most(worst, part * scale);
    scree_world_destroy(world);
    return read / scale;
}

// 28 combinations of radius, arm and step; the smallest balls have some 1e-6 of the inertia of their swing.
static void test_small_balls_on_long_arms(void **state)
{
    (void)state;
    const double radii[] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}, arms[] = {1, 10}, steps[] = {0.005, 0.01};
    for (int k = 0; k < 28; k++) {
        double radius = radii[k / 4], arm = arms[k / 2 % 2], step = steps[k % 2];
        scree_world *world = make_world(step);
        scree_id ball = add_ball(world, vec3_make(arm, 0, 0), 1, radius, AT_REST);
        scree_joint_type type = (k / 4 + k) % 2 ? SCREE_JOINT_REVOLUTE : SCREE_JOINT_SPHERICAL;
        add_joint(world, joint_of(type, 0, ball, AT_REST, vec3_make(0, 1, 0)));
        double read = check_swing(world, LAB_G * arm, 20 * sqrt(arm), 0.002);
        assert_at_most(read, 0.01);
    }
}

// Three balls, each hung from the centre of the one above.
static void test_string_of_small_balls(void **state)
{
    (void)state;
    scree_world *world = make_world(0.005);
    scree_id before = 0;
    for (int i = 0; i < 3; i++) {
        scree_id ball = add_ball(world, vec3_make(i + 1, 0, 0), 1, 0.01, AT_REST);
        add_joint(world, joint_of(SCREE_JOINT_SPHERICAL, before, ball, vec3_make(i, 0, 0), vec3_make(0, 1, 0)));
        before = ball;
    }
    check_swing(world, 6 * LAB_G, 10, 0.01);
}

static void test_point_mass(void **state)
{
    (void)state;
    scree_world *world = make_world(0.001);
    scree_id ball = add_ball(world, vec3_make(-1, 0, 0), 1, 0.05, vec3_make(1e-8, 1e-8, 1e-8));
    add_joint(world, joint_of(SCREE_JOINT_REVOLUTE, 0, ball, AT_REST, vec3_make(0, 1, 0)));
    check_swing(world, LAB_G, 10, 0.001);
}

// Two links that turn together, with a slide between them and a spring along it.
static scree_world *make_slide(double back, scree_id *end)
{
    scree_world *world = make_world(0.002);
    scree_id a = add_ball(world, vec3_make(0.2, 0, 0), 0.16, 0.01, vec3_make(4e-5, 1.5e-4, 1.5e-4));
    scree_id b = add_ball(world, vec3_make(0.25, 0, 0), 0.155, 0.01, vec3_make(2e-5, 5e-4, 5e-4));
    add_joint(world, joint_of(SCREE_JOINT_REVOLUTE, 0, a, vec3_make(0.15, 0, 0), vec3_make(0, 1, 0)));
    add_joint(world, joint_of(SCREE_JOINT_PRISMATIC, a, b, vec3_make(0.25, 0, 0), vec3_make(1, 0, 0)));
    scree_joint_def spring = joint_of(SCREE_JOINT_SPRING, a, b, AT_REST, vec3_make(1, 0, 0));
    spring.positions[0] = vec3_make(0.25 - back, 0, 0);
    spring.positions[1] = vec3_make(0.25, 0, 0);
    spring.length = back;
    spring.stiffness = 200;
    add_joint(world, spring);
    *end = b;
    return world;
}

static void test_springs_anchor_on_its_line(void **state)
{
    (void)state;
    const double backs[] = {0.5, 5, 20};
    vec3 at[3];
    for (int k = 0; k < 3; k++) {
        scree_id end;
        scree_world *world = make_slide(backs[k], &end);
        double start = energy_of(world), worst = 0;
        for (int i = 0; i < 1500; i++) {
            lab_step(world, 1);
            worst = fmax(worst, fabs(energy_of(world) - start));
        }
        assert_at_most(worst, 0.02 * 0.315 * LAB_G * 0.1);
        at[k] = lab_state(world, end).position;
        scree_world_destroy(world);
    }
    assert_vec3_near(at[1], at[0], 1e-9);
    assert_vec3_near(at[2], at[0], 1e-9);
}

// Forty thin links with an end of 1000 times a link's mass, let go level with a step that does not resolve their waves.
static vec3 swing_chain(vec3 axis, double *gained)
{
    enum { LINKS = 40 };
    scree_world *world = make_world(0.02);
    scree_id before = 0, end = 0;
    for (int i = 0; i <= LINKS; i++) {
        scree_body_def body = lab_body(vec3_make(0.1 * i + (i < LINKS ? 0.05 : 0.1), 0, 0), AT_REST);
        body.mass = i < LINKS ? 0.1 : 100;
        body.inertia = i < LINKS ? vec3_make(1e-5, 8e-5, 8e-5) : vec3_make(0.4, 0.4, 0.4);
        body.mask = 0;
        end = lab_add(world, body, lab_sphere(i < LINKS ? 0.05 : 0.1));
        add_joint(world, joint_of(SCREE_JOINT_SPHERICAL, before, end, vec3_make(0.1 * i, 0, 0), axis));
        before = end;
    }
    double start = energy_of(world);
    for (int i = 0; i < (CHECK_SANITIZED ? 40 : 150); i++) {
        lab_step(world, 1);
        assert_at_most(energy_of(world), start + 0.001 * 100 * LAB_G * 4.1);
    }
    *gained = energy_of(world) - start;
    vec3 position = lab_state(world, end).position;
    scree_world_destroy(world);
    return position;
}

static void test_chain_whatever_its_axes(void **state)
{
    (void)state;
    double gained[2];
    vec3 at = swing_chain(vec3_make(0, 0, 1), &gained[0]), skew = swing_chain(vec3_make(0.6, 0.64, 0.48), &gained[1]);
    assert_vec3_near(skew, at, 1e-3);
    assert_near(gained[1], gained[0], 0.001 * 100 * LAB_G * 4.1);
    assert_near(vec3_length(at), 4.1, 0.01);
}

// A load keeps its spin about a taut chain.
static void test_spinning_load(void **state)
{
    (void)state;
    enum { LINKS = 10 };
    const double spin = 20;
    scree_world *world = make_world(0.02);
    scree_id before = 0;
    for (int i = 0; i <= LINKS; i++) {
        scree_body_def body = lab_body(vec3_make(0, 0, -0.1 * i - (i < LINKS ? 0.05 : 0.1)), AT_REST);
        body.mass = i < LINKS ? 0.1 : 100;
        body.inertia = i < LINKS ? vec3_make(8e-5, 8e-5, 1e-5) : vec3_make(0.4, 0.4, 0.4);
        body.spin = vec3_make(0, 0, i < LINKS ? 0 : spin);
        body.mask = 0;
        scree_id id = lab_add(world, body, lab_sphere(i < LINKS ? 0.05 : 0.1));
        add_joint(world, joint_of(SCREE_JOINT_SPHERICAL, before, id, vec3_make(0, 0, -0.1 * i), vec3_make(0, 0, 1)));
        before = id;
    }
    lab_step(world, 250);
    assert_near(lab_state(world, before).spin.z, spin, 1e-3 * spin);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_balls_on_long_arms),
        cmocka_unit_test(test_string_of_small_balls),
        cmocka_unit_test(test_point_mass),
        cmocka_unit_test(test_springs_anchor_on_its_line),
        cmocka_unit_test(test_chain_whatever_its_axes),
        cmocka_unit_test(test_spinning_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
