// Overrides by dotted path: as if the file said so, and messages that name the override.
#include "parse.h"

static const char scene_text[] = "gravity: [0, 0, -1]\n"
                                 "solver:\n"
                                 "materials: {steel.rough: {friction: 0.2}, steel: {friction: 0.3}}\n"
                                 "bodies:\n"
                                 "  - {name: a, shapes: [{type: sphere}, {type: sphere}, {type: sphere}]}\n"
                                 "  - {name: b, shapes: [{type: box}]}\n";

static scree_scene *with(const char *const *sets, size_t count)
{
    return parse_with(scene_text, sets, count);
}
#define WITH(...) with((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void refused(const char *set, const char *message)
{
    const char *sets[] = {"seed=2", "solver={}", set}; // the failing one is not the first
    assert_refused_with(scene_text, sets, 3, message);
}

static void test_values(void **state)
{
    (void)state;
    scree_scene *scene = WITH("gravity=[1, 2, 3]", "solver.iterations=200", "time.step=1e-3", "bodies.1.mass=7",
                              "bodies.0.shapes.1.radius=0.25", "gravity.2=-5");
    assert_true(scene->world.gravity.x == 1 && scene->world.gravity.y == 2 && scene->world.gravity.z == -5);
    assert_int_equal(scene->world.solver.iterations, 200);
    assert_true(scene->world.step == 1e-3);
    assert_true(scene->bodies[1].def.mass == 7);
    assert_int_equal(scene->bodies[0].def.shape_count, 3);
    assert_true(scene->bodies[0].def.shapes[0].radius == 0.5);
    assert_true(scene->bodies[0].def.shapes[1].radius == 0.25);
    assert_true(scene->bodies[0].def.shapes[2].radius == 0.5);
    scree_scene_destroy(scene);
}

static void test_whole_parts(void **state)
{
    (void)state;
    scree_scene *scene = WITH("bodies.0={name: c, shapes: [{type: box, half: [1, 2, 3]}]}", "solver={omega: 0.3}",
                              "events=[{time: 1, remove: [c]}]");
    assert_int_equal(scene->body_count, 2);
    assert_string_equal(scene->bodies[0].name, "c");
    assert_string_equal(scene->bodies[1].name, "b");
    assert_true(scene->bodies[0].def.shapes[0].half.z == 3);
    assert_true(scene->world.solver.omega == 0.3);
    assert_int_equal(scene->event_count, 1);
    scree_scene_destroy(scene);
}

static void test_later_wins(void **state)
{
    (void)state;
    scree_scene *scene = WITH("solver={}", "seed=5", "seed=6");
    assert_int_equal(scene->seed, 6);
    scree_scene_destroy(scene);
}

static void test_names_with_dots(void **state)
{
    (void)state;
    scree_scene *scene = WITH("solver={}", "materials.steel.rough.friction=0.9", "materials.steel.friction=0.1");
    assert_string_equal(scene->materials[1].name, "steel.rough");
    assert_true(scene->materials[1].def.friction == 0.9);
    assert_true(scene->materials[2].def.friction == 0.1);
    scree_scene_destroy(scene);
}

static void test_an_empty_file_can_be_filled(void **state)
{
    (void)state;
    const char *sets[] = {"bodies=[{shapes: [{type: sphere}]}]", "time.duration=2"};
    scree_scene *scene = parse_with("", sets, 2);
    assert_int_equal(scene->body_count, 1);
    assert_true(scene->duration == 2);
    scree_scene_destroy(scene);
}

static void test_messages(void **state)
{
    (void)state;
    refused("solver.iteratoins=5", "--set solver.iteratoins=5: unknown key 'iteratoins', did you mean 'iterations'?");
    refused("solver.iterations=0",
            "--set solver.iterations=0: 'iterations' must be a whole number from 1 to 1000000, found '0'");
    refused("gravity=", "--set gravity=: 'gravity' must be [x, y, z], each a finite number, found nothing");
    refused("gravity=[0,", "--set gravity=[0,: did not find expected node content while parsing a flow node");
    refused("gravity.3=1", "--set gravity.3=1: index 3 is out of range; the list has 3, counted from 0");
    refused("gravity.99999999999999999999=1",
            "--set gravity.99999999999999999999=1: index 99999999999999999999 is out of range; the list has 3, counted "
            "from 0");
    refused("fills.0.count=5", "--set fills.0.count=5: index 0 is out of range; there is no list here");
    refused("bodies.a.mass=1", "--set bodies.a.mass=1: 'a' is not an index into a list of 2");
    refused("bodies.-1.mass=1", "--set bodies.-1.mass=1: '-1' is not an index into a list of 2");
    refused("seed.x=1", "--set seed.x=1: 'x' is not there; the path ends at the value '2'");
    refused("solver", "--set solver: must be PATH=VALUE, for example solver.iterations=200");
    refused("=5", "--set =5: must be PATH=VALUE, for example solver.iterations=200");
    refused("time..step=5", "--set time..step=5: an empty name in the path");
    refused(".time=5", "--set .time=5: an empty name in the path");
    refused("time.=5", "--set time.=5: an empty name at the end of the path");
    refused("seed=1\n---\n2", "--set seed=1?---?2: a second document begins here; a scene is one document");
}

static const char with_variants[] = "variants:\n"
                                    "  - {name: small, set: {bodies.0.mass: 2, solver.iterations: 7}}\n"
                                    "  - {name: deep, set: {bodies.0.shapes: [{type: box}], gravity: [0, 0, 0]}}\n"
                                    "bodies: [{mass: 1, shapes: [{type: sphere}]}]\n";

static void test_variants(void **state)
{
    (void)state;
    const char *none[] = {"seed=3"}, *small[] = {"variant=small"}, *both[] = {"bodies.0.mass=5", "variant=small"};
    const char *deep[] = {"variant=deep"};
    const struct {
        const char **sets;
        size_t count;
        double mass;
        int iterations;
        scree_shape_type type;
    } cases[] = {{none, 1, 1, 50, SCREE_SHAPE_SPHERE},
                 {small, 1, 2, 7, SCREE_SHAPE_SPHERE},
                 {both, 2, 5, 7, SCREE_SHAPE_SPHERE},
                 {deep, 1, 1, 50, SCREE_SHAPE_BOX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scree_scene *scene = parse_with(with_variants, cases[i].sets, cases[i].count);
        assert_true(scene->bodies[0].def.mass == cases[i].mass);
        assert_int_equal(scene->world.solver.iterations, cases[i].iterations);
        assert_int_equal(scene->bodies[0].def.shapes[0].type, cases[i].type);
        assert_int_equal(scree_scene_variant_count(scene), 2);
        assert_string_equal(scree_scene_variant(scene, 1), "deep");
        assert_null(scree_scene_variant(scene, 2));
        char *text;
        assert_int_equal(scree_scene_text(scene, &text, NULL), SCREE_OK);
        assert_null(strstr(text, "variant"));
        scree_text_free(text);
        scree_scene_destroy(scene);
    }
}

static void test_paths_are_not_endless(void **state)
{
    (void)state;
    char set[1000] = "a";
    for (int i = 0; i < 200; i++)
        strcat(set, ".a");
    strcat(set, "=1");
    const char *sets[] = {set};
    scree_scene *scene;
    scree_error error;
    assert_int_equal(scree_scene_parse("", 0, "scene.yaml", sets, 1, &scene, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "the path is too deep"));
}

static void test_null_overrides(void **state)
{
    (void)state;
    scree_scene *scene;
    scree_error error;
    const char *sets[] = {NULL};
    assert_int_equal(scree_scene_parse("", 0, "scene.yaml", sets, 1, &scene, &error), SCREE_ERROR_INVALID);
    assert_int_equal(scree_scene_parse("", 0, "scene.yaml", NULL, 1, &scene, &error), SCREE_ERROR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_whole_parts),
        cmocka_unit_test(test_later_wins),
        cmocka_unit_test(test_names_with_dots),
        cmocka_unit_test(test_an_empty_file_can_be_filled),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_paths_are_not_endless),
        cmocka_unit_test(test_null_overrides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
