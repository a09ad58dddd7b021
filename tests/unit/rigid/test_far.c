// Islands know nothing of each other: bodies keep every bit when a violent yard is put a kilometre away.
#include "busy_yard.h"

#include "contact/detect_step.h"

enum { STEPS = CHECK_SANITIZED ? 60 : 300, CROWD = 20 };
enum { MOST_DETECTIONS = 5 }; // of a step: one, and as many as strikes are passed on

static void test_far_yard(void **state)
{
    const yard_setting *set = *state;
    scree_world_def one = yard_def(set, 1), two = yard_def(set, 2);
    scree_world *alone = yard_create(&one), *with_far = yard_create(&two);
    yard_add_far(with_far);
    heap_assert_alike(alone, with_far, STEPS);
    assert_at_least((double)scree_world_figures(alone).touching, HEAP_BODIES / 2);
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

static void test_large_island(void **state)
{
    (void)state;
    scree_world *alone = yard_create_large(2), *with_far = yard_create_large(1);
    yard_add_far(with_far);
    heap_assert_alike(alone, with_far, LARGE_HEAP_STEPS);
    assert_at_least((double)scree_world_figures(alone).contacts, LARGE_HEAP_CONTACTS);
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

// A force on some body is no force of zero on all others, which would take the sign off their zeros.
static void test_forces_elsewhere(void **state)
{
    (void)state;
    scree_world_def def =
        yard_def(&(yard_setting){SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX}, 1);
    def.gravity = vec3_make(-0.0, -0.0, -0.0);
    scree_world *alone = lab_create(&def), *with_far = lab_create(&def);
    scree_body_def body = lab_body(vec3_make(0, 0, 0), vec3_make(-0.0, 1, -0.0));
    body.spin = vec3_make(-0.0, 2, -0.0);
    lab_add(alone, body, lab_sphere(0.1));
    lab_add(with_far, body, lab_sphere(0.1));
    scree_id far = lab_add(with_far, lab_body(vec3_make(1000, 0, 0), vec3_make(0, 0, 0)), lab_sphere(0.1));
    for (int i = 0; i < 3; i++) {
        lab_push(with_far, far, vec3_make(1, 2, 3));
        heap_assert_alike(alone, with_far, 1);
    }
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

// ------------------------------------------------------------------------------------------------- throws elsewhere

enum { SHOTS = CHECK_SANITIZED ? 20 : 150, CLUSTERS = 24 };

// Heavy balls run into loose clusters of light bodies, and throw some of them past others. There is a choice among the
// points of those that are made of several shapes.
static scree_world *create_shots(scree_world_def def)
{
    def.contacts_per_pair = 2;
    scree_world *world = lab_create(&def);
    scree_geometry *set = heap_sphere_set();
    world->def.solver.cell = 1;
    yard_add_materials(world);
    yard_add_fixed(world, vec3_make(0, 0, -0.1), lab_box(9, 9, 0.1));
    random_stream stream = {4};
    for (int i = 0; i < CLUSTERS; i++) {
        vec3 at = {2.0 * (i % 5) - 4, 2.0 * (i / 5) - 4, 0.3};
        scree_body_def ball = lab_body(at, vec3_make(0.8 + 0.4 * (i % 3), 0.1, 0));
        ball.mass = 200;
        ball.material = i % 2;
        yard_add(world, ball, lab_sphere(0.2));
        for (int k = 0; k < 9; k++) {
            vec3 aside = {0.3 + 0.22 * (k % 3), 0.2 * (k / 3 - 1), random_between(&stream, -0.1, 0.1)};
            scree_body_def light = lab_body(vec3_add(at, aside), vec3_make(0, 0, random_between(&stream, 0, 1)));
            light.orientation = quat_from_rotation(vec3_make(random_unit(&stream), random_unit(&stream), 0));
            light.material = i % 2;
            light.group = light.mask = YARD_GROUP;
            if (k % 3 == 1)
                heap_add_compound(world, light);
            else
                lab_add(world, light, k % 3 ? heap_shape(SCREE_SHAPE_SPHERES, set) : lab_sphere(0.07));
        }
    }
    scree_geometry_release(set);
    return world;
}

// A heavy ball hits a light one, which is thrown against a third.
static void add_far_throw(scree_world *world, scree_id ids[3], scree_state states[3])
{
    for (int i = 0; i < 3; i++) {
        scree_body_def ball =
            lab_body(vec3_make(1000, 0, 50 + 0.22 * i), vec3_make(0, 0, i == 0 ? 30 : 0)); // balls of radius 0.1
        ball.mass = i == 0 ? 1000 : 1;
        ball.material = FAR_MATERIAL;
        ids[i] = yard_add(world, ball, lab_sphere(0.1));
        states[i] = lab_state(world, ids[i]);
    }
}

static void add_far_crowd(scree_world *world, scree_id ids[], scree_state states[])
{
    for (int i = 0; i <= CROWD * CROWD; i++) {
        bool plate = i == CROWD * CROWD;
        vec3 aside = {0.055 * (i % CROWD), 0.055 * (i / CROWD), 0.03};
        scree_body_def body = lab_body(vec3_make(1000, 0, 50), vec3_make(0, 0, plate ? 30 : 0));
        body.mass = plate ? 1e5 : 1;
        body.material = FAR_MATERIAL;
        body.position = vec3_add(body.position, plate ? vec3_make(0.5, 0.5, -0.02) : aside);
        ids[i] = yard_add(world, body, plate ? lab_box(0.7, 0.7, 0.02) : lab_sphere(0.025));
        states[i] = lab_state(world, ids[i]);
    }
}

static int looks;                    // worlds that look at what fast exits run into
static int detections;               // that they take
static bool crowded;                 // one of them took all bodies for near
static const scree_world *last_look; // which may take several detections
extern scree_status __real_detect_strikes(scree_world *world, const strike_search *search, contact_array *found,
                                          vec3f_array *angular, scree_error *error);
extern scree_status __wrap_detect_strikes(scree_world *world, const strike_search *search, contact_array *found,
                                          vec3f_array *angular, scree_error *error);

scree_status __wrap_detect_strikes(scree_world *world, const strike_search *search, contact_array *found,
                                   vec3f_array *angular, scree_error *error)
{
    size_t near = 0;
    for (size_t i = 0; i < world->bodies.count; i++)
        near += search->near[i];
    crowded = crowded || near == world->bodies.count;
    looks += world != last_look;
    detections++;
    last_look = world;
    return __real_detect_strikes(world, search, found, angular, error);
}

// Bodies that are thrown without running into anything do not notice that others do.
static void test_throws_elsewhere(void **state)
{
    (void)state;
    scree_world_def def =
        yard_def(&(yard_setting){SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX}, 1);
    scree_world *alone = create_shots(def), *with_far = create_shots(def);
    scree_id ids[3];
    scree_state states[3];
    add_far_throw(with_far, ids, states);
    int alone_looks = 0;
    for (int i = 0; i < SHOTS; i++) {
        looks = detections = 0;
        last_look = NULL;
        lab_ok(scree_world_set_states(with_far, ids, 3, states, error));
        heap_assert_alike(alone, with_far, 1);
        assert_in_range(looks, 1, 2); // always in the second, now and then in the first
        assert_in_range(detections, looks, MOST_DETECTIONS * looks);
        alone_looks += looks - 1;
    }
    assert_in_range(alone_looks, SHOTS / 20, SHOTS * 9 / 10);
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

// A heavy plate throws so many small balls at once that the look gives up, and all bodies are taken for near.
static void test_crowds_elsewhere(void **state)
{
    (void)state;
    scree_world_def def =
        yard_def(&(yard_setting){SCREE_ALGORITHM_AUTO, SCREE_PRECISION_SINGLE, SCREE_FRICTION_CONVEX}, 1);
    scree_world *alone = create_shots(def), *with_far = create_shots(def);
    scree_id ids[1 + CROWD * CROWD];
    scree_state states[1 + CROWD * CROWD];
    add_far_crowd(with_far, ids, states);
    for (int i = 0; i < SHOTS / 2; i++) {
        crowded = false;
        lab_ok(scree_world_set_states(with_far, ids, 1 + CROWD * CROWD, states, error));
        heap_assert_alike(alone, with_far, 1);
        assert_true(crowded);
    }
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {YARD_TEST(test_far_yard, AUTO, SINGLE, CONVEX),
                                       YARD_TEST(test_far_yard, AUTO, DOUBLE, EXACT),
                                       YARD_TEST(test_far_yard, APGS, SINGLE, EXACT),
                                       YARD_TEST(test_far_yard, JACOBI, DOUBLE, CONVEX),
                                       YARD_TEST(test_far_yard, APGD, SINGLE, CONVEX),
                                       YARD_TEST(test_far_yard, GAUSS_SEIDEL, SINGLE, CONVEX),
                                       cmocka_unit_test(test_large_island),
                                       cmocka_unit_test(test_forces_elsewhere),
                                       cmocka_unit_test(test_throws_elsewhere),
                                       cmocka_unit_test(test_crowds_elsewhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
