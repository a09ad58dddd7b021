// What a scene means once it is read: defaults, inheritance, names to ids, order, and what the loader does with files.
#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "temporary.h"

static void test_smallest_scene_has_the_defaults(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies: [{shapes: [{type: sphere}]}]\n");
    assert_string_equal(scene->path, "scene.yaml");
    assert_string_equal(scene->name, "scene");
    assert_true(scene->world.gravity.z == -9.81 && scene->world.gravity.x == 0);
    assert_true(scene->world.step == 0.005);
    assert_true(scene->duration == 10);
    assert_int_equal(scene->seed, 1);
    assert_int_equal(scene->world.solver.iterations, 50);
    assert_true(scene->world.solver.tolerance == 1e-4);
    assert_true(scene->world.solver.warm_start);
    assert_int_equal(scene->material_count, 1);
    assert_string_equal(scene->materials[0].name, "default");
    assert_true(scene->materials[0].def.density == 2500);
    assert_int_equal(scene->body_count, 1);
    assert_string_equal(scene->bodies[0].name, "");
    assert_true(scene->bodies[0].def.shapes[0].radius == 0.5);
    assert_true(scene->bodies[0].def.shapes[0].material == SCREE_MATERIAL_OF_BODY);
    assert_true(scene->output.every == 0.05 && scene->output.frames && !scene->output.frame_contacts);
    assert_true(scene->output.checkpoint_every == 1);
    assert_int_equal(scene->fill_count + scene->motion_count + scene->event_count + scene->pair_count, 0);
    scree_scene_destroy(scene);
}

static void test_cell_is_read_and_written(void **state)
{
    (void)state;
    scree_scene *scene = parse("solver: {cell: 0.3}\nbodies: [{shapes: [{type: sphere}]}]\n");
    char *text;
    assert_true(scene->world.solver.cell == 0.3);
    assert_int_equal(scree_scene_text(scene, &text, NULL), SCREE_OK);
    assert_non_null(strstr(text, ", cell: 0.3, "));
    scree_text_free(text);
    scree_scene_destroy(scene);
}

static void test_json_is_a_scene(void **state)
{
    (void)state;
    scree_scene *scene = parse("{\"gravity\":[0,0,-1],\"bodies\":[{\"name\":\"a\",\"shapes\":[{\"type\":\"box\","
                               "\"half\":[1,2,3]}]}]}");
    assert_true(scene->world.gravity.z == -1);
    assert_int_equal(scree_scene_body(scene, "a"), 1);
    assert_int_equal(scene->bodies[0].def.shapes[0].type, SCREE_SHAPE_BOX);
    scree_scene_destroy(scene);
}

static void test_materials_inherit_from_default(void **state)
{
    (void)state;
    // `default` comes last in the file and still is material 0.
    scree_scene *scene = parse("materials:\n"
                               "  steel: {density: 7800}\n"
                               "  rubber: {restitution: 0.8, friction: 0.9}\n"
                               "  default: {friction: 0.4, restitution: 0.1}\n"
                               "pairs:\n"
                               "  - {materials: [steel, rubber], friction: 0.7}\n"
                               "  - {materials: [steel, steel]}\n"
                               "bodies: [{material: rubber, shapes: [{type: sphere, material: steel}]}]\n");
    assert_int_equal(scene->material_count, 3);
    assert_string_equal(scene->materials[0].name, "default");
    assert_string_equal(scene->materials[1].name, "steel");
    assert_true(scene->materials[1].def.density == 7800);
    assert_true(scene->materials[1].def.friction == 0.4);
    assert_true(scene->materials[1].def.restitution == 0.1);
    assert_true(scene->materials[2].def.density == 2500);
    assert_int_equal(scene->pairs[0].material_a, 1);
    assert_int_equal(scene->pairs[0].material_b, 2);
    assert_true(scene->pairs[0].def.friction == 0.7);
    assert_true(scene->pairs[0].def.restitution == 0.8); // the larger of the two
    assert_true(fabs(scene->pairs[1].def.friction - 0.4) < 1e-15);
    assert_int_equal(scene->bodies[0].def.material, 2);
    assert_int_equal(scene->bodies[0].def.shapes[0].material, 1);
    scree_scene_destroy(scene);
}

static void test_ids_and_events(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies:\n"
                               "  - {name: a, shapes: [{type: sphere}]}\n"
                               "  - {shapes: [{type: sphere}]}\n"
                               "  - {name: c, shapes: [{type: sphere}]}\n"
                               "fills:\n"
                               "  - {name: f, count: 10, box: [[0, 0, 0], [9, 9, 9]], shapes: [{type: sphere}]}\n"
                               "  - {name: g, count: 5, box: [[0, 0, 0], [9, 9, 9]], shapes: [{type: sphere}]}\n"
                               "events:\n"
                               "  - {time: 3, remove: [g]}\n"
                               "  - {time: 1, remove: [c]}\n"
                               "  - {time: 3, remove: [f, a]}\n"
                               "output: {probes: [c, a]}\n");
    assert_int_equal(scree_scene_body(scene, "a"), 1);
    assert_int_equal(scree_scene_body(scene, "c"), 3);
    assert_int_equal(scree_scene_body(scene, "f"), 0);
    assert_int_equal(scree_scene_body(scene, ""), 0);
    assert_int_equal(scree_scene_body(scene, NULL), 0);
    assert_int_equal(scree_scene_body(NULL, "a"), 0);
    assert_int_equal(scene->fills[1].ids.first, 14);
    assert_int_equal(scene->fills[1].ids.count, 5);
    assert_int_equal(scene->event_count, 3);
    assert_string_equal(scene->events[0].remove_names[0], "c"); // in order of time
    assert_int_equal(scene->events[0].remove[0].first, 3);
    assert_string_equal(scene->events[1].remove_names[0], "g"); // and of the file
    assert_int_equal(scene->events[1].remove[0].first, 14);
    assert_int_equal(scene->events[2].remove[0].first, 4);
    assert_int_equal(scene->events[2].remove[0].count, 10);
    assert_int_equal(scene->events[2].remove[1].first, 1);
    assert_int_equal(scene->output.probes[0].body, 3);
    assert_string_equal(scene->output.probes[1].name, "a");
    scree_scene_destroy(scene);
}

static void test_fills(void **state)
{
    (void)state;
    const char *text =
        "fills:\n"
        "  - {count: 2e3, pattern: random, box: [[0, 1, 2], [3, 4, 5]], jitter: 0.5, mass: 2, fixed: true, spacing: "
        "[3, 4, 5], shifts: [[7, 8]],\n"
        "     velocity: [1, 2, 3], speed: [7, 9], spin: [4, 5, 6], orientation: random,\n"
        "     shapes: [{type: box, half: [0.1, [0.2, 0.3], 0.4], position: [0, 0, 1]},\n"
        "              {type: sphere, radius: [0.1, 0.2]}]}\n"
        "  - {count: 1, box: [[0, 1, 2], [3, 4, 5]], orientation: [0, 1, 0, 0],\n"
        "     shapes: [{type: sphere, radius: 2}]}\n";
    scree_scene *scene = parse(text);
    const fill_def *fill = &scene->fills[0].def;
    assert_int_equal(fill->count, 2000);
    assert_int_equal(fill->pattern, FILL_RANDOM);
    assert_true(fill->low.y == 1 && fill->high.z == 5);
    assert_true(fill->jitter == 0.5 && fill->mass == 2 && fill->velocity.y == 2 && fill->spin.z == 6);
    assert_true(fill->fixed && fill->speed.low == 7 && fill->speed.high == 9);
    assert_true(fill->spacing.y == 4 && fill->shifts.count == 1 && fill->shifts.data[0][1] == 8);
    assert_true(fill->random_orientation);
    assert_int_equal(fill->shape_count, 2);
    assert_true(fill->shapes[0].half[0].low == 0.1 && fill->shapes[0].half[0].high == 0.1);
    assert_true(fill->shapes[0].half[1].low == 0.2 && fill->shapes[0].half[1].high == 0.3);
    assert_true(fill->shapes[0].shape.position.z == 1);
    assert_true(fill->shapes[1].radius.high == 0.2);
    assert_int_equal(fill->shapes[1].shape.type, SCREE_SHAPE_SPHERE);
    const fill_def *second = &scene->fills[1].def;
    assert_false(second->random_orientation);
    assert_true(second->orientation.x == 1);
    assert_true(second->seed != fill->seed);
    const char *sets[] = {"seed=2"};
    scree_scene *other = parse_with(text, sets, 1);
    assert_true(other->fills[0].def.seed != fill->seed);
    scree_scene_destroy(other);
    other = parse(text);
    assert_true(other->fills[0].def.seed == fill->seed);
    scree_scene_destroy(other);
    scree_scene_destroy(scene);
}

static void test_motions_fix_their_body(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies:\n"
                               "  - {name: a, shapes: [{type: plane}]}\n"
                               "  - {name: b, shapes: [{type: sphere}]}\n"
                               "motions:\n"
                               "  - {body: a, type: sine, axis: [2, 0, 0], amplitude: 0.1, frequency: 3, phase: 1}\n");
    assert_true(scene->bodies[0].def.fixed);
    assert_false(scene->bodies[1].def.fixed);
    assert_int_equal(scene->motions[0].body, 0);
    assert_int_equal(scene->motions[0].def.type, SCREE_MOTION_SINE);
    assert_true(scene->motions[0].def.axis.x == 2 && scene->motions[0].def.phase == 1);
    assert_int_equal(scene->motions[0].place.line, 5);
    scree_scene_destroy(scene);
}

static void test_density_of_a_body_gives_its_mass(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies:\n"
                               "  - {density: 100, shapes: [{type: sphere, radius: 2}, {type: box, half: [1, 2, 3]}]}\n"
                               "  - {density: 100, mass: 7, shapes: [{type: sphere}]}\n"
                               "  - {density: 100, fixed: true, shapes: [{type: plane}]}\n");
    double volume = 4.0 / 3 * 3.14159265358979323846 * 8 + 8 * 6;
    assert_true(fabs(scene->bodies[0].def.mass - 100 * volume) < 1e-9);
    assert_true(scene->bodies[1].def.mass == 7);
    assert_true(scene->bodies[2].def.mass == 0);
    scree_scene_destroy(scene);
}

static void test_center_may_be_the_origin(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies:\n"
                               "  - {center: [0, 0, 0], inertia: [1, 2, 3], shapes: [{type: sphere}]}\n"
                               "  - {shapes: [{type: sphere}]}\n");
    assert_true(scene->bodies[0].def.has_center);
    assert_true(scene->bodies[0].def.inertia.y == 2);
    assert_false(scene->bodies[1].def.has_center);
    scree_scene_destroy(scene);
}

static void test_counter_normals_are_units(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies: [{shapes: [{type: sphere}]}]\n"
                               "output:\n"
                               "  counters:\n"
                               "    - {name: a, plane: {normal: [3, 0, -4], offset: 2}, of: mass}\n"
                               "    - {name: b}\n");
    const scene_counter *counters = scene->output.counters;
    assert_int_equal(scene->output.counter_count, 2);
    assert_true(fabs(counters[0].normal.x - 0.6) < 1e-15 && fabs(counters[0].normal.z + 0.8) < 1e-15);
    assert_true(counters[0].offset == 2);
    assert_int_equal(counters[0].of, COUNT_MASS);
    assert_true(counters[1].normal.z == 1 && counters[1].offset == 0);
    assert_int_equal(counters[1].of, COUNT_BODIES);
    scree_scene_destroy(scene);
}

static void test_names_come_from_paths(void **state)
{
    (void)state;
    const char *text = "bodies: [{shapes: [{type: sphere}]}]\n";
    const char *cases[][2] = {{"silo.yaml", "silo"},
                              {"a/b.c/pile.v2.json", "pile.v2"},
                              {"x/.hidden", ".hidden"},
                              {"plain", "plain"},
                              {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scree_scene *scene;
        assert_int_equal(scree_scene_parse(text, strlen(text), cases[i][0], NULL, 0, &scene, NULL), SCREE_OK);
        assert_string_equal(scene->path, cases[i][0]);
        assert_string_equal(scene->name, cases[i][1]);
        scree_scene_destroy(scene);
    }
}

static void test_files(void **state)
{
    (void)state;
    char path[512];
    int file = mkstemp(temporary_template(path, sizeof path, "scene"));
    assert_true(file >= 0);
    static const char text[] = "bodies: [{shapes: [{type: sphere}]}]\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    scree_scene *scene;
    scree_error error;
    assert_int_equal(scree_scene_load(path, NULL, 0, &scene, &error), SCREE_OK);
    assert_string_equal(scene->path, path);
    scree_scene_destroy(scene);
    assert_int_equal(ftruncate(file, (256l << 20) + 1), 0);
    assert_int_equal(scree_scene_load(path, NULL, 0, &scene, &error), SCREE_ERROR_INVALID);
    assert_null(scene);
    assert_non_null(strstr(error.message, ": too large; a scene of at most 256 MB is accepted"));
    close(file);
    unlink(path);
    assert_int_equal(scree_scene_load(path, NULL, 0, &scene, &error), SCREE_ERROR_INVALID);
    char expected[600];
    snprintf(expected, sizeof expected, "%s: cannot open: No such file or directory", path);
    assert_string_equal(error.message, expected);
    assert_int_equal(scree_scene_load("/tmp", NULL, 0, &scene, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "/tmp: cannot read: Is a directory");
    assert_int_equal(scree_scene_load(NULL, NULL, 0, &scene, &error), SCREE_ERROR_INVALID);
}

static void test_null_arguments(void **state)
{
    (void)state;
    scree_scene *scene = (scree_scene *)1;
    assert_int_equal(scree_scene_parse(NULL, 5, "a", NULL, 0, &scene, NULL), SCREE_ERROR_INVALID);
    assert_null(scene);
    assert_int_equal(scree_scene_parse("", 0, NULL, NULL, 0, &scene, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_scene_parse("", 0, "a", NULL, 0, NULL, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_scene_parse(NULL, 0, "a", NULL, 0, &scene, NULL), SCREE_ERROR_INVALID);
    char *text;
    assert_int_equal(scree_scene_text(NULL, &text, NULL), SCREE_ERROR_INVALID);
    scree_world *world;
    assert_int_equal(scree_scene_build(NULL, 1, &world, NULL), SCREE_ERROR_INVALID);
    scree_scene_destroy(NULL);
    scree_text_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest_scene_has_the_defaults),
        cmocka_unit_test(test_cell_is_read_and_written),
        cmocka_unit_test(test_json_is_a_scene),
        cmocka_unit_test(test_materials_inherit_from_default),
        cmocka_unit_test(test_ids_and_events),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_motions_fix_their_body),
        cmocka_unit_test(test_density_of_a_body_gives_its_mass),
        cmocka_unit_test(test_center_may_be_the_origin),
        cmocka_unit_test(test_counter_normals_are_units),
        cmocka_unit_test(test_names_come_from_paths),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_null_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
