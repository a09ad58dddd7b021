// Linkages that pass singular positions, where all links are in line and the equations of the pins depend on each
// other: they go on, at whatever phase of a step they pass. The linkage is benchmark A02 of the IFToMM library of
// multibody systems: N four-bars side by side, links of 1 m and 1 kg.
#include "lab.h"

enum { MOST_LOOPS = 40 };

static const double length = 1;

static scree_id add_link(scree_world *world, vec3 from, double angle, vec3 velocity, double rate)
{
    vec3 along = {cos(angle), 0, sin(angle)};
    scree_body_def body = lab_body(vec3_add_scaled(from, along, 0.5 * length), velocity);
    body.orientation = quat_from_rotation(vec3_make(0, -angle, 0));
    body.spin = vec3_make(0, -rate, 0);
    body.mass = 1;
    body.inertia = vec3_make(1e-4, 1.0 / 12, 1.0 / 12);
    body.mask = 0;
    return lab_add(world, body, lab_sphere(0.05));
}

static void pin(scree_world *world, scree_id a, scree_id b, vec3 at)
{
    lab_join(world, SCREE_JOINT_REVOLUTE, a, b, at, vec3_make(0, 1, 0));
}

// Cranks on the world, one more than loops, at an angle above level and turning at a rate; their tips are coupled.
static scree_world *make_linkage(int loops, double angle, double rate, double step, double gravity)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.step = step;
    def.gravity = vec3_make(0, 0, -gravity);
    def.solver.sleep = false;
    scree_world *world = lab_create(&def);
    vec3 along = {cos(angle), 0, sin(angle)}, tip_velocity = {-rate * sin(angle), 0, rate * cos(angle)};
    scree_id cranks[MOST_LOOPS + 1];
    for (int i = 0; i <= loops; i++) {
        vec3 foot = {i, 0, 0};
        cranks[i] = add_link(world, foot, angle, vec3_scale(tip_velocity, 0.5), rate);
        pin(world, 0, cranks[i], foot);
    }
    for (int i = 0; i < loops; i++) {
        vec3 tip = vec3_add(vec3_make(i, 0, 0), along), next = vec3_add(vec3_make(i + 1, 0, 0), along);
        scree_id coupler = add_link(world, tip, 0, tip_velocity, 0);
        pin(world, cranks[i], coupler, tip);
        pin(world, coupler, cranks[i + 1], next);
    }
    return world;
}

static double energy_of(const scree_world *world)
{
    scree_figures figures = scree_world_figures(world);
    return figures.kinetic + figures.potential;
}

// Without gravity the rate is the same before and after, wherever in a step the level position lies, and whether a step
// turns the cranks by 0.002 or by 0.07 rad. A velocity that is given is read as of its instant, one that was solved as
// of the middle of a step, so energy counts from the first step on.
static void test_every_phase(void **state)
{
    (void)state;
    enum { PHASES = CHECK_SANITIZED ? 12 : 60 };
    const double rate = -4.9, steps[] = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.014};
    for (int k = 0; k < 6 * PHASES; k++) {
        double h = steps[k % 6], at = (double)(k / 6) / PHASES;
        double phase = k / 6 % 2 ? at : 0.5 + 4 * pow(at - 0.5, 3); // half of them crowd where a step ends
        scree_world *world = make_linkage(1 + k / 6 % 3, -rate * h * (4 + phase), rate, h, 0);
        lab_step(world, 1);
        double before = scree_world_figures(world).kinetic;
        lab_step(world, 12);
        assert_relative(scree_world_figures(world).kinetic, before, 1e-3);
        scree_world_destroy(world);
    }
}

// Some fifty times round, through both level positions, in steps of 0.05 and 0.07 rad.
static void test_many_turns(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double h = k / 2 ? 0.014 : 0.01, rate = -4.9;
        scree_world *world = make_linkage(1 + k % 2, 1.3, rate, h, 0);
        lab_step(world, 1);
        double before = scree_world_figures(world).kinetic;
        for (int i = 0; i < (CHECK_SANITIZED ? 500 : 6000); i++) {
            lab_step(world, 1);
            assert_relative(scree_world_figures(world).kinetic, before, 1e-3);
        }
        scree_world_destroy(world);
    }
}

// Two loops that fall through level, each at another phase.
static void test_random_passages(void **state)
{
    (void)state;
    random_stream stream = {7};
    for (int k = 0; k < 60; k++) {
        double h = k % 2 ? 0.001 : 0.002, rate = -3 - 3 * random_unit(&stream);
        scree_world *world = make_linkage(2, -rate * h * (6 + random_unit(&stream)), rate, h, LAB_G);
        double before = energy_of(world);
        lab_step(world, 20);
        assert_near(energy_of(world), before, 1e-3 * scree_world_figures(world).kinetic);
        scree_world_destroy(world);
    }
}

// From upright with 1 m/s at the tips, several times through both level positions and round.
static void test_four_bars(void **state)
{
    (void)state;
    const int loops[] = {2, 10, 40};
    const double steps[] = {0.001, 0.002, 0.002};
    const double times[] = {CHECK_SANITIZED ? 2 : 10, CHECK_SANITIZED ? 1 : 10, CHECK_SANITIZED ? 0.6 : 3};
    for (int k = 0; k < 3; k++) {
        scree_world *world = make_linkage(loops[k], PI / 2, -1, steps[k], LAB_G);
        double start = energy_of(world), worst = 0;
        double scale = LAB_G * (3 * loops[k] + 1); // of the fall from level to the bottom
        for (int i = 0; i < (int)lround(times[k] / steps[k]); i++) {
            lab_step(world, 1);
            worst = fmax(worst, fabs(energy_of(world) - start));
        }
        assert_at_most(worst, 2e-4 * scale);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_phase),
        cmocka_unit_test(test_many_turns),
        cmocka_unit_test(test_random_passages),
        cmocka_unit_test(test_four_bars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
