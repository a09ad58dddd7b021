// From a scene to a world: ids, materials, motions, fills, and places in messages.
#include "parse.h"

#include <math.h>

static const char scene_text[] = "gravity: [0, 0, -2]\n"
                                 "time: {step: 0.01}\n"
                                 "materials:\n"
                                 "  default: {density: 100, friction: 0.1}\n"
                                 "  steel: {density: 8000, friction: 0.4, restitution: 0.5}\n"
                                 "pairs: [{materials: [default, steel], friction: 0.9}]\n"
                                 "bodies:\n"
                                 "  - {name: floor, fixed: true, mass: 3, shapes: [{type: plane}]}\n"
                                 "  - {name: ball, material: steel, position: [0, 0, 9], velocity: [1, 2, 3],\n"
                                 "     shapes: [{type: sphere, radius: 0.5}]}\n"
                                 "  - {name: rotor, position: [5, 0, 5], shapes: [{type: box}]}\n"
                                 "fills:\n"
                                 "  - {name: f, count: 8, box: [[-2, -2, 0.5], [2, 2, 4.5]],\n"
                                 "     shapes: [{type: sphere, radius: [0.3, 0.5]}]}\n"
                                 "motions: [{body: rotor, type: velocity, linear: [0, 1, 0]}]\n";

static scree_world *build(const scree_scene *scene)
{
    scree_world *world = NULL;
    scree_error error = {0};
    if (scree_scene_build(scene, 1, &world, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    return world;
}

static void test_world_is_what_the_scene_says(void **state)
{
    (void)state;
    scree_scene *scene = parse(scene_text);
    scree_world *world = build(scene);
    assert_int_equal(scree_world_body_count(world), 11);
    assert_true(scree_world_get_def(world).gravity.z == -2 && scree_world_get_def(world).step == 0.01);
    assert_int_equal(scree_world_material_count(world), 2);
    scree_material_def material;
    assert_int_equal(scree_world_get_material(world, 0, &material, NULL), SCREE_OK);
    assert_true(material.density == 100 && material.friction == 0.1);
    assert_int_equal(scree_world_get_material(world, 1, &material, NULL), SCREE_OK);
    assert_true(material.density == 8000 && material.restitution == 0.5);
    scree_pair_def pair;
    assert_int_equal(scree_world_get_pair(world, 1, 0, &pair, NULL), SCREE_OK);
    assert_true(fabs(pair.friction - 0.9) < 1e-6 && pair.restitution == 0.5); // kept in single precision

    scree_id ball = scree_scene_body(scene, "ball");
    scree_state at;
    scree_body_info info;
    assert_int_equal(scree_world_get_states(world, &ball, 1, &at, NULL), SCREE_OK);
    assert_true(at.position.z == 9 && at.velocity.y == 2);
    assert_int_equal(scree_world_get_body(world, ball, &info, NULL), SCREE_OK);
    assert_true(fabs(info.mass - 8000 * 3.14159265358979323846 / 6) < 1e-6);
    assert_int_equal(info.material, 1);
    scree_id rotor = scree_scene_body(scene, "rotor");
    assert_int_equal(scree_world_get_body(world, rotor, &info, NULL), SCREE_OK);
    assert_true(info.fixed && info.moved);
    for (scree_id id = scene->fills[0].ids.first; id < scene->fills[0].ids.first + 8; id++) {
        assert_int_equal(scree_world_get_states(world, &id, 1, &at, NULL), SCREE_OK);
        assert_true(fabs(at.position.x) < 2 && at.position.z > 0.5 && at.position.z < 4.5);
    }
    scree_error error;
    if (scree_world_step(world, 10, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(scree_world_get_states(world, &rotor, 1, &at, NULL), SCREE_OK);
    assert_true(fabs(at.position.y - 0.1) < 1e-9);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void test_a_scene_written_back_gives_the_same_world(void **state)
{
    (void)state;
    scree_scene *scene = parse(scene_text);
    char *text;
    assert_int_equal(scree_scene_text(scene, &text, NULL), SCREE_OK);
    scree_scene *again = parse(text);
    scree_world *first = build(scene), *second = build(again);
    assert_int_equal(scree_world_step(first, 20, NULL), SCREE_OK);
    assert_int_equal(scree_world_step(second, 20, NULL), SCREE_OK);
    assert_true(scree_world_hash(first) == scree_world_hash(second));
    scree_world_destroy(first);
    scree_world_destroy(second);
    scree_text_free(text);
    scree_scene_destroy(scene);
    scree_scene_destroy(again);
}

static void test_the_seed_matters(void **state)
{
    (void)state;
    const char *sets[] = {"seed=2"};
    scree_scene *scene = parse(scene_text), *other = parse_with(scene_text, sets, 1);
    scree_world *first = build(scene), *second = build(other);
    assert_true(scree_world_hash(first) != scree_world_hash(second));
    scree_world_destroy(first);
    scree_world_destroy(second);
    scree_scene_destroy(scene);
    scree_scene_destroy(other);
}

static void assert_build_fails(const char *text, const char *beginning)
{
    scree_scene *scene = parse(text);
    scree_world *world = (scree_world *)scene;
    scree_error error = {0};
    assert_int_equal(scree_scene_build(scene, 1, &world, &error), SCREE_ERROR_INVALID);
    assert_null(world);
    if (strncmp(error.message, beginning, strlen(beginning)) != 0)
        fail_msg("'%s' does not begin with '%s'", error.message, beginning);
    assert_int_equal(scree_scene_build(scene, 1, &world, NULL), SCREE_ERROR_INVALID);
    scree_scene_destroy(scene);
}

static void test_failures_name_the_place(void **state)
{
    (void)state;
    assert_build_fails("bodies:\n"
                       "  - {shapes: [{type: sphere}]}\n"
                       "  - {name: giant, shapes: [{type: sphere, radius: 1e300}]}\n"
                       "  - {shapes: [{type: sphere}]}\n",
                       "scene.yaml:3:5: body 'giant': ");
    assert_build_fails("fills:\n"
                       "  - {count: 5, box: [[0, 0, 0], [9, 9, 9]], shapes: [{type: sphere}]}\n"
                       "  - {count: 1000, box: [[0, 0, 0], [2, 2, 2]], shapes: [{type: sphere}]}\n",
                       "scene.yaml:3:5: fill: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world_is_what_the_scene_says),
        cmocka_unit_test(test_a_scene_written_back_gives_the_same_world),
        cmocka_unit_test(test_the_seed_matters),
        cmocka_unit_test(test_failures_name_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
