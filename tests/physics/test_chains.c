// Impacts that pass through bodies that touch each other.
//
// Model: generalized reflections (Smith, Kaufman, Vouga, Tamstorf & Grinspun, "Reflections on simultaneous impact",
// 2012), which for a row is one impact after the other. Newton's cradle: as many equal balls leave as came in. Balls
// that lie on each other and fall on a floor: Mellen, "Superball rebound projectiles" (American Journal of Physics 36,
// 845, 1968), (3 M - m) / (M + m) times the speed for a light one on a heavy one.
#include "lab.h"

static const vec3 NOWHERE = {0, 0, 0};
static const double RADIUS = 0.025;

static scree_world *make_world(const lab_solver *solver, double step, double restitution)
{
    scree_world *world = lab_world(solver, step, NOWHERE);
    lab_surface(world, 0, restitution);
    return world;
}

static scree_id add(scree_world *world, vec3 at, vec3 velocity, double mass)
{
    scree_body_def body = lab_body(at, velocity);
    body.mass = mass;
    return lab_add(world, body, lab_sphere(RADIUS));
}

enum { MOST_BALLS = 10 };

typedef struct cradle {
    int balls, coming;
    double gap;   // between them
    double speed; // at 1 ms
} cradle;

// Until the last has left.
static void check_cradle(const lab_solver *solver, cradle of)
{
    scree_world *world = make_world(solver, 0.001, 1);
    scree_id ids[MOST_BALLS];
    for (int i = 0; i < of.balls; i++) {
        double x = i * (2 * RADIUS + of.gap) + (i < of.coming ? 0 : 0.7e-3 * of.speed);
        ids[i] = add(world, vec3_make(x, 0, 0), vec3_make(i < of.coming ? of.speed : 0, 0, 0), 1);
    }
    lab_step(world, 10 + (int)(of.balls * (1 + of.gap / (0.001 * of.speed))));
    for (int i = 0; i < of.balls; i++)
        assert_vec3_near(lab_state(world, ids[i]).velocity, vec3_make(i >= of.balls - of.coming ? of.speed : 0, 0, 0),
                         1e-4 * of.speed);
    scree_world_destroy(world);
}

static void test_cradles(void **state)
{
    // Touching, and apart by less than the path of a step; but not so that many impacts in a row would fall into one.
    static const double gaps[] = {0, 1e-6, 1e-4, 0.9e-3};
    static const int balls[] = {3, 5, 10};
    size_t gap_count = ((const lab_solver *)*state)->algorithm == SCREE_ALGORITHM_AUTO ? 4 : 3;
    for (size_t b = 0; b < sizeof balls / sizeof *balls; b++)
        for (size_t g = 0; g < gap_count; g++)
            for (int coming = 1; coming <= 3 && coming < balls[b]; coming++)
                for (double speed = 0.1; speed < 50 && (gaps[g] < 2e-4 || speed < 5); speed *= 10)
                    check_cradle(*state, (cradle){balls[b], coming, gaps[g], speed});
}

// Two masses that touch, the light one above or behind, against a wall.
static void test_superballs(void **state)
{
    for (double ratio = 4; ratio < 100; ratio *= 3) {
        scree_world *world = make_world(*state, 0.001, 1);
        lab_add_floor(world);
        scree_id heavy = add(world, vec3_make(0, 0, RADIUS + 0.0007), vec3_make(0, 0, -1), ratio);
        scree_id light = add(world, vec3_make(0, 0, 3 * RADIUS + 0.0007), vec3_make(0, 0, -1), 1);
        lab_step(world, 5);
        assert_near(lab_state(world, light).velocity.z, (3 * ratio - 1) / (ratio + 1), 1e-4);
        assert_near(lab_state(world, heavy).velocity.z, (ratio - 3) / (ratio + 1), 1e-4);
        scree_world_destroy(world);
    }
}

// A row of unlike masses: from each to the next 2 m / (m + m') of the speed, however many there are between.
static void test_unlike_masses(void **state)
{
    const double masses[] = {8, 4, 2, 1};
    scree_world *world = make_world(*state, 0.001, 1);
    scree_id ids[4];
    double speed = 1, expected[4];
    for (int i = 0; i < 4; i++) {
        ids[i] = add(world, vec3_make(i * 2 * RADIUS + (i ? 0.0007 : 0), 0, 0), vec3_make(i ? 0 : 1, 0, 0), masses[i]);
        double next = i < 3 ? masses[i + 1] : 0;
        expected[i] = i < 3 ? (masses[i] - next) / (masses[i] + next) * speed : speed;
        speed *= 2 * masses[i] / (masses[i] + next);
    }
    lab_step(world, 10);
    for (int i = 0; i < 4; i++)
        assert_near(lab_state(world, ids[i]).velocity.x, expected[i], 1e-4);
    scree_world_destroy(world);
}

// A blow on two that touch is shared evenly: along the normals (sqrt(3), +-1) / 2 both leave at s with 2 s cos 30 + v
// = 1 and 2 s^2 + v^2 = 1.
static void test_blow_on_two_is_even(void **state)
{
    scree_world *world = make_world(*state, 0.001, 1);
    const double speed = 4;
    scree_id a = add(world, NOWHERE, vec3_make(speed, 0, 0), 1);
    scree_id b[2];
    for (int i = 0; i < 2; i++)
        b[i] = add(world, vec3_make(RADIUS * sqrt(3) + 7e-4, i ? RADIUS : -RADIUS, 0), NOWHERE, 1);
    lab_step(world, 10);
    assert_vec3_near(lab_state(world, a).velocity, vec3_make(-0.2 * speed, 0, 0), 2e-4 * speed);
    for (int i = 0; i < 2; i++)
        assert_vec3_near(lab_state(world, b[i]).velocity, vec3_make(0.6 * speed, (i ? 0.2 : -0.2) * sqrt(3) * speed, 0),
                         2e-4 * speed);
    scree_world_destroy(world);
}

// With restitution below one the last of a row gets ((1 + e) / 2) for each before it, as long as those do not catch up
// with it, and energy is lost in every step in which anything happens.
static void test_lossy_rows(void **state)
{
    for (double e = 0.9; e < 1; e += 0.03) {
        scree_world *world = make_world(*state, 0.001, e);
        scree_id ids[5];
        for (int i = 0; i < 5; i++)
            ids[i] = add(world, vec3_make(i * 2 * RADIUS + (i ? 0.0007 : 0), 0, 0), vec3_make(i ? 0 : 1, 0, 0), 1);
        double energy = lab_total(world).kinetic;
        for (int step = 0; step < 50; step++) {
            lab_step(world, 1);
            lab_totals now = lab_total(world);
            assert_at_most(now.kinetic, energy * (1 + 1e-6));
            assert_vec3_near(now.momentum, vec3_make(1, 0, 0), 1e-5);
            energy = now.kinetic;
        }
        assert_near(lab_state(world, ids[4]).velocity.x, pow(0.5 * (1 + e), 4), 3e-3);
        scree_world_destroy(world);
    }
}

// A heap of bouncing balls in a box loses energy at all times.
static void test_bouncing_heap(void **state)
{
    scree_world *world = lab_world(*state, 0.002, vec3_make(0, 0, -LAB_G));
    lab_surface(world, 0, 0.8);
    lab_add_container(world, 0.1);
    random_stream random = {3};
    for (int i = 0; i < 24; i++)
        add(world,
            vec3_make(0.06 * (i % 3 - 1) + random_between(&random, -3e-3, 3e-3),
                      0.06 * (i / 3 % 3 - 1) + random_between(&random, -3e-3, 3e-3), 0.05 + 0.06 * (i / 9)),
            NOWHERE, 1);
    double energy = HUGE_VAL;
    for (int step = 0; step < 500; step++) {
        lab_step(world, 1);
        scree_figures now = scree_world_figures(world);
        double sum = now.kinetic + now.potential;
        assert_at_most(sum, energy + 24 * LAB_G * 0.002 * 0.5); // velocities of impacts are read half a step off
        energy = fmin(energy, sum);
    }
    scree_world_destroy(world);
}

int main(void)
{
    static const lab_solver automatic = {SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, SCREE_FRICTION_EXACT};
    static const lab_solver apgs = {SCREE_ALGORITHM_APGS, SCREE_PRECISION_DOUBLE, SCREE_FRICTION_EXACT};
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_cradles, automatic),       LAB_TEST(test_cradles, apgs),
        LAB_TEST(test_superballs, automatic),    LAB_TEST(test_superballs, apgs),
        LAB_TEST(test_unlike_masses, automatic), LAB_TEST(test_blow_on_two_is_even, automatic),
        LAB_TEST(test_lossy_rows, automatic),    LAB_TEST(test_bouncing_heap, automatic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
