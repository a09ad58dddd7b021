// Colours of contacts: forces are summed, neighbours counted once, and frames tell the same as the world they came
// from.
#include "physics/check.h"

#include <string.h>

#include "base/vec.h"
#include "view/world/body_color.h"
#include "view/world/world_scene.h"

// Three moving bodies and a floor; two points between the first two, one with nothing to push.
static void make_bodies(world_bodies *bodies)
{
    static const world_contact contacts[] = {
        {.a = 0, .b = 1, .ends = {{0, 0, 1}, {1, 0, 1}}, .force = 2},
        {.a = 1, .b = 0, .ends = {{1, 0, 1}, {0, 0, 1}}, .force = 3},
        {.a = 1, .b = 2, .ends = {{1, 0, 1}, {2, 0, 1}}, .force = 0},
        {.a = 3, .b = 2, .ends = {{2, 0, 0.5}, {2, 0, 1}}, .force = 7},
        {.a = WORLD_NO_BODY, .b = 2, .ends = {{2.1, 0, 0.5}, {2, 0, 1}}, .force = 1},
    };
    *bodies = (world_bodies){.has_contacts = true, .gravity = {0, 0, -10}};
    for (int i = 0; i < 4; i++) {
        assert_true(array_push(&bodies->ids, (scree_id)(i + 1)));
        assert_true(array_push(
            &bodies->states,
            ((scree_state){
                .position = {i, 0, 1}, .orientation = {1, 0, 0, 0}, .velocity = {0, 3, 4}, .spin = {2 * i, 0, 0}})));
        assert_true(
            array_push(&bodies->infos, ((scree_body_info){.bounding_radius = 0.5, .fixed = i == 3, .shape_count = 0})));
    }
    for (int i = 0; i < 5; i++) {
        assert_true(array_push(&bodies->first_shapes, 0u));
        assert_true(array_push(&bodies->contacts, contacts[i]));
    }
}

static void assert_values(const world_bodies *bodies, body_color what, const double expected[3])
{
    body_values values = {0};
    assert_int_equal(body_color_values(bodies, what, vec3_make(0, 0, 1), &values, NULL), SCREE_OK);
    for (int i = 0; i < 3; i++)
        assert_near(values.data[i], expected[i], 1e-12);
    array_free(&values);
}

static void quantities_are_right(void **state)
{
    (void)state;
    world_bodies bodies;
    make_bodies(&bodies);
    assert_values(&bodies, BODY_COLOR_SPEED, (const double[]){5, 5, 5});
    assert_values(&bodies, BODY_COLOR_SPIN, (const double[]){0, 2, 4});
    assert_values(&bodies, BODY_COLOR_HEIGHT, (const double[]){1, 1, 1});
    assert_values(&bodies, BODY_COLOR_FORCE, (const double[]){5, 5, 8});
    assert_values(&bodies, BODY_COLOR_COORDINATION, (const double[]){1, 1, 1});
    world_bodies_free(&bodies);
}

static void unknown_contacts_are_refused(void **state)
{
    (void)state;
    world_bodies bodies;
    body_values values = {0};
    scree_error error = {0};
    make_bodies(&bodies);
    bodies.has_contacts = false;
    assert_int_equal(body_color_values(&bodies, BODY_COLOR_FORCE, vec3_make(0, 0, 1), &values, &error),
                     SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "output.contacts"));
    assert_int_equal(body_color_values(&bodies, BODY_COLOR_SPIN, vec3_make(0, 0, 1), &values, &error), SCREE_OK);
    array_free(&values);
    world_bodies_free(&bodies);
}

// Ids find the bodies again; one that the list does not have is not known.
static void frames_tell_the_same(void **state)
{
    (void)state;
    world_bodies bodies;
    frame_data frame = {.has_contacts = true};
    make_bodies(&bodies);
    for (size_t i = 0; i < bodies.contacts.count; i++) {
        const world_contact *c = &bodies.contacts.data[i];
        assert_true(
            array_push(&frame.contacts, ((frame_contact){.from = c->ends[0],
                                                         .to = c->ends[1],
                                                         .normal_force = (float)c->force,
                                                         .a = c->a == WORLD_NO_BODY ? 99 : bodies.ids.data[c->a],
                                                         .b = c->b == WORLD_NO_BODY ? 99 : bodies.ids.data[c->b]})));
    }
    assert_int_equal(world_bodies_take_contacts(&bodies, &frame, NULL), SCREE_OK);
    assert_int_equal(bodies.contacts.data[0].a, 0);
    assert_int_equal(bodies.contacts.data[0].b, 1);
    assert_int_equal(bodies.contacts.data[3].a, 3); // fixed bodies too
    assert_true(bodies.contacts.data[4].a == WORLD_NO_BODY);
    assert_values(&bodies, BODY_COLOR_FORCE, (const double[]){5, 5, 8});
    assert_values(&bodies, BODY_COLOR_COORDINATION, (const double[]){1, 1, 1});
    frame_data_free(&frame);
    world_bodies_free(&bodies);
}

// The mean of what pushes is 3.25: only the force of 7 is more.
static void chains_are_the_strong_contacts(void **state)
{
    (void)state;
    world_bodies bodies;
    world_scene scene = {0};
    world_picture_def def = world_picture_default();
    make_bodies(&bodies);
    def.force_chains = true;
    assert_int_equal(world_scene_fill(&scene, &bodies, &def, NULL), SCREE_OK);
    assert_int_equal(scene.picture.line_count, 1);
    assert_near(scene.picture.lines[0].ends[1].x, 2, 0);
    const picture_plane section = {{1, 0, 0}, 1.5};
    def.sections = &section;
    def.section_count = 1;
    assert_int_equal(world_scene_fill(&scene, &bodies, &def, NULL), SCREE_OK);
    assert_int_equal(scene.picture.line_count, 0);
    world_scene_free(&scene);
    world_bodies_free(&bodies);
}

static void names_are_words(void **state)
{
    (void)state;
    for (int i = 0; i < BODY_COLORS; i++) {
        body_color value;
        assert_int_equal(body_color_parse(body_color_name((body_color)i), &value, NULL), SCREE_OK);
        assert_int_equal(value, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_right), cmocka_unit_test(unknown_contacts_are_refused),
        cmocka_unit_test(frames_tell_the_same), cmocka_unit_test(chains_are_the_strong_contacts),
        cmocka_unit_test(names_are_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
