// What detection may leave out: bodies that touch within the step, both moving or one of them stopped, have a contact;
// those that fall side by side have none. Touching is seen from signed distances along the way, which know nothing of
// bounds and margins.
#include "../../physics/lab.h"

#include "../geometry/random_pose.h"

enum { TRIALS = 4000, SAMPLES = 8 };

static const double step = 0.01;
static const vec3 nowhere = {0, 0, 0};

static scree_shape_def random_shape(random_stream *random)
{
    static const scree_shape_type types[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX, SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER};
    scree_shape_def shape = scree_default_shape_def();
    shape.type = types[random_bits(random) % 5];
    shape.radius = random_between(random, 0.1, 0.4);
    shape.half_length = random_between(random, 0.1, 0.4);
    shape.half = shape.radii =
        vec3_make(random_between(random, 0.1, 0.4), random_between(random, 0.1, 0.4), random_between(random, 0.1, 0.4));
    return shape;
}

typedef struct flyer {
    scree_shape_def shape;
    scree_body_def body;
} flyer;

static flyer random_flyer(random_stream *random)
{
    flyer f = {random_shape(random), lab_body(random_vec(random, 0.7), random_vec(random, 60))};
    f.body.orientation = quat_normalize((quat){random_unit(random), random_unit(random), random_unit(random), 0.1});
    return f;
}

static double gap_after(const flyer f[2], double time_a, double time_b)
{
    scree_pose a = {vec3_add_scaled(f[0].body.position, f[0].body.velocity, time_a), f[0].body.orientation};
    scree_pose b = {vec3_add_scaled(f[1].body.position, f[1].body.velocity, time_b), f[1].body.orientation};
    double gap;
    lab_ok(scree_shape_gap(&f[0].shape, &a, &f[1].shape, &b, &gap, error));
    return gap;
}

static bool touch_within_the_step(const flyer f[2])
{
    for (int i = 0; i <= SAMPLES; i++) {
        double time = step * i / SAMPLES;
        if (gap_after(f, time, time) < -1e-6 || gap_after(f, time, 0) < -1e-6 || gap_after(f, 0, time) < -1e-6)
            return true;
    }
    return false;
}

static size_t contacts_of(const flyer f[2])
{
    scree_world *world = lab_world(&LAB_GS_SINGLE, step, nowhere);
    for (int i = 0; i < 2; i++)
        lab_add(world, f[i].body, f[i].shape);
    lab_step(world, 1);
    size_t contacts = scree_world_figures(world).contacts;
    scree_world_destroy(world);
    return contacts;
}

static void test_what_touches_within_the_step_has_contacts(void **state)
{
    (void)state;
    random_stream random = {11};
    int touching = 0, apart = 0;
    for (int i = 0; i < TRIALS; i++) {
        flyer f[2] = {random_flyer(&random), random_flyer(&random)};
        size_t contacts = contacts_of(f);
        if (gap_after(f, 0, 0) > 0 && touch_within_the_step(f)) {
            assert_true(contacts > 0);
            touching++;
        }
        apart += contacts == 0;
    }
    assert_true(touching > TRIALS / 10 && apart > TRIALS / 10);
}

// Neighbours in a block that falls by a third of its spacing in a step: above and below each other they may meet when
// one is stopped, beside each other they may not.
static void test_side_by_side_there_is_none(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, step, nowhere);
    for (int i = 0; i < 64; i++)
        lab_add(world, lab_body(vec3_make(i % 4, i / 4 % 4, i / 16), vec3_make(0, 0, -30)), lab_box(0.4, 0.4, 0.4));
    lab_step(world, 1);
    size_t count;
    scree_contact *contacts = lab_contacts(world, &count);
    assert_true(count >= 3 * 16);
    for (size_t i = 0; i < count; i++)
        assert_near(fabs(contacts[i].normal.z), 1, 1e-5);
    free(contacts);
    scree_world_destroy(world);
}

// A fixed body of a floor and a block, which has no radius: the block is there for what falls on it.
static void test_a_block_beside_a_plane(void **state)
{
    (void)state;
    scree_world *world = lab_world(&LAB_GS_SINGLE, step, nowhere);
    scree_shape_def shapes[2] = {lab_plane(vec3_make(0, 0, 1), -5), lab_box(1, 1, 1)};
    scree_body_def ground = lab_body(nowhere, nowhere);
    ground.shapes = shapes;
    ground.shape_count = 2;
    ground.fixed = true;
    lab_ok(scree_world_add_bodies(world, &ground, 1, NULL, error));
    lab_add(world, lab_body(vec3_make(0, 0, 1.7), vec3_make(0, 0, -40)), lab_box(0.5, 0.5, 0.5));
    lab_step(world, 1);
    assert_true(scree_world_figures(world).contacts >= 3);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_touches_within_the_step_has_contacts),
        cmocka_unit_test(test_side_by_side_there_is_none),
        cmocka_unit_test(test_a_block_beside_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
