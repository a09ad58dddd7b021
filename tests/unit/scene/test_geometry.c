// Shapes with sizes, lists and files: what is read, what is shared, what is refused and where, and that a scene written
// anywhere else builds the same world.
#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "geometry/geometry.h"
#include "temporary.h"

static char folder[512];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(temporary_template(folder, sizeof folder, "geometry")) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"four.obj", "two.txt", "grid.txt", "bad.obj", "scene.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_files(void)
{
    write_file("four.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_file("two.txt", "0 0 0 1\n3 0 0 1\n");
    write_file("grid.txt", "0 1 2\n1 2 3\n");
}

static scree_scene *load(void)
{
    char path[600];
    scree_scene *scene = NULL;
    scree_error error = {0};
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    if (scree_scene_load(path, NULL, 0, &scene, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    return scene;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void assert_string_begins(const char *text, const char *beginning)
{
    if (strncmp(text, beginning, strlen(beginning)) != 0)
        fail_msg("'%s' does not begin with '%s'", text, beginning);
}

static void test_sizes(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies:\n"
                               "  - shapes:\n"
                               "      - {type: ellipsoid, radii: [1, 2, 3]}\n"
                               "      - {type: capsule, radius: 4, half: 5}\n"
                               "      - {half: 6, type: cylinder}\n"
                               "      - {type: cone, radius: 7}\n"
                               "    group: 3\n"
                               "    mask: [0, 31, 3]\n"
                               "solver: {contacts_per_pair: 5}\n");
    const scree_shape_def *shapes = scene->bodies[0].def.shapes;
    assert_int_equal(shapes[0].type, SCREE_SHAPE_ELLIPSOID);
    assert_true(shapes[0].radii.x == 1 && shapes[0].radii.y == 2 && shapes[0].radii.z == 3);
    assert_true(shapes[1].radius == 4 && shapes[1].half_length == 5);
    assert_true(shapes[2].radius == 0.5 && shapes[2].half_length == 6);
    assert_true(shapes[3].radius == 7 && shapes[3].half_length == 0.5);
    assert_true(scene->bodies[0].def.group == 8 && scene->bodies[0].def.mask == 0x80000009);
    assert_int_equal(scene->world.contacts_per_pair, 5);
    assert_null(scene->bodies[0].sources);
    scree_scene_destroy(scene);
}

static void test_sizes_of_fills(void **state)
{
    (void)state;
    scree_scene *scene = parse("fills:\n"
                               "  - count: 1\n"
                               "    box: [[0, 0, 0], [1, 1, 1]]\n"
                               "    group: 1\n"
                               "    mask: []\n"
                               "    shapes:\n"
                               "      - {type: ellipsoid, radii: [0.1, [0.2, 0.3], 0.4]}\n"
                               "      - {type: capsule, radius: [0.1, 0.2], half: [0.3, 0.4]}\n"
                               "      - {type: cone, half: 0.7}\n");
    const fill_shape *shapes = scene->fills[0].def.shapes;
    assert_true(shapes[0].radii[0].high == 0.1 && shapes[0].radii[1].low == 0.2 && shapes[0].radii[1].high == 0.3);
    assert_true(shapes[1].radius.low == 0.1 && shapes[1].half_length.high == 0.4);
    assert_true(shapes[2].half_length.low == 0.7 && shapes[2].radius.low == 0.5);
    assert_true(scene->fills[0].def.group == 2 && scene->fills[0].def.mask == 0);
    scree_scene_destroy(scene);
}

static void test_lists(void **state)
{
    (void)state;
    if (!has_hulls())
        skip();
    scree_scene *scene =
        parse("bodies:\n"
              "  - shapes:\n"
              "      - {type: spheres, scale: 2, list: [[0, 0, 0, 0.5], [1, 0, 0, 0.5]]}\n"
              "      - {type: hull, scale: 2, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n");
    const scree_shape_def *shapes = scene->bodies[0].def.shapes;
    assert_near(scree_shape_volume(&shapes[0]), 2 * 4.1887902047863905, 1e-12);
    assert_near(scree_shape_volume(&shapes[1]), 8.0 / 6, 1e-12);
    assert_int_equal(scene->geometries.count, 2);
    assert_int_equal(scene->files.count, 0);
    assert_refused(
        "bodies: [{shapes: [{type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}]}]\n"
        "fills: [{}]\n",
        "scene.yaml:1:41: the points of a hull lie in one plane, or nearly so; four that span a volume are needed");
    scree_scene_destroy(scene);
}

static void test_files_are_shared(void **state)
{
    (void)state;
    if (!has_hulls())
        skip();
    write_files();
    write_file("scene.yaml",
               "bodies:\n"
               "  - {shapes: [{type: hull, file: four.obj}, {type: hull, file: ./four.obj}]}\n"
               "  - {shapes: [{type: hull, file: four.obj, scale: 2}, {type: spheres, file: two.txt}]}\n"
               "  - {fixed: true, shapes: [{type: mesh, file: four.obj},\n"
               "     {type: heightfield, file: grid.txt, size: [4, 2], scale: 3, offset: 1}]}\n"
               "fills:\n"
               "  - {count: 2, box: [[10, 10, 10], [20, 20, 20]], shapes: [{type: hull, file: four.obj}]}\n");
    scree_scene *scene = load();
    const scree_shape_def *first = scene->bodies[0].def.shapes, *second = scene->bodies[1].def.shapes;
    const scree_shape_def *fixed = scene->bodies[2].def.shapes;
    assert_ptr_equal(first[0].geometry, first[1].geometry);
    assert_ptr_equal(first[0].geometry, scene->fills[0].def.shapes[0].shape.geometry);
    assert_ptr_not_equal(first[0].geometry, second[0].geometry);
    assert_ptr_not_equal(first[0].geometry, fixed[0].geometry);
    assert_int_equal(scene->geometries.count, 5);
    assert_int_equal(scene->files.count, 5);
    assert_near(scree_shape_volume(&second[0]), 8.0 / 6, 1e-12);
    assert_near(fixed[1].geometry->half.x, 2, 1e-6);
    scree_scene_destroy(scene);
}

// The text of a scene names files by their absolute paths and can be read from anywhere.
static void test_written_scenes_find_their_files(void **state)
{
    (void)state;
    if (!has_hulls())
        skip();
    write_files();
    write_file(
        "scene.yaml",
        "bodies:\n"
        "  - {position: [0, 0, 9], shapes: [{type: hull, file: four.obj, scale: 0.3333333333333333}]}\n"
        "  - {position: [5, 0, 9], mask: [1, 2], shapes: [{type: spheres, list: [[0, 0.1, 0, 1]], scale: 0.7}]}\n"
        "  - {position: [0, 5, 9], shapes: [{type: cone, radius: 0.1, half: 0.3}, {type: ellipsoid}]}\n"
        "  - {fixed: true, shapes: [{type: heightfield, file: grid.txt, size: [40, 20], offset: -1}]}\n"
        "fills:\n"
        "  - {count: 3, pattern: random, box: [[1, 1, 10], [5, 5, 15]], orientation: random, group: 5,\n"
        "     shapes: [{type: capsule, radius: [0.1, 0.2], half: 0.4}, {type: spheres, file: two.txt, scale: 0.1}]}\n");
    scree_scene *scene = load();
    char *text, *again_text, expected[200];
    assert_int_equal(scree_scene_text(scene, &text, NULL), SCREE_OK);
    char *real = realpath(folder, NULL);
    snprintf(expected, sizeof expected, "file: \"%s/four.obj\"", real);
    free(real);
    assert_non_null(strstr(text, expected));
    assert_int_equal(chdir("/"), 0);
    scree_scene *again = parse(text);
    assert_int_equal(scree_scene_text(again, &again_text, NULL), SCREE_OK);
    assert_string_equal(text, again_text);
    scree_world *world, *other;
    scree_error error = {0};
    if (scree_scene_build(scene, 1, &world, &error) || scree_scene_build(again, 1, &other, &error))
        fail_msg("%s", error.message);
    // A world outlives the scene that it was built from.
    scree_scene_destroy(scene);
    scree_scene_destroy(again);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(scree_world_step(world, 20, NULL), SCREE_OK);
        assert_int_equal(scree_world_step(other, 20, NULL), SCREE_OK);
        assert_true(scree_world_hash(world) == scree_world_hash(other));
    }
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_text_free(text);
    scree_text_free(again_text);
    assert_int_equal(chdir(folder), 0);
}

static void test_refusals_have_places(void **state)
{
    (void)state;
    if (!has_hulls())
        skip();
    write_files();
    write_file("bad.obj", "v 0 0 0\nv 1 x 0\n");
    scree_scene *scene = NULL;
    scree_error error = {0};
    const char missing[] = "bodies:\n  - shapes: [{type: hull,\n              file: none.obj}]\n";
    assert_int_equal(scree_scene_parse(missing, strlen(missing), "scene.yaml", NULL, 0, &scene, &error),
                     SCREE_ERROR_INVALID);
    assert_string_begins(error.message, "scene.yaml:3:21: cannot read none.obj: ");
    const char bad[] = "bodies: [{shapes: [{type: hull, file: bad.obj}]}]\n";
    assert_int_equal(scree_scene_parse(bad, strlen(bad), "sub/../scene.yaml", NULL, 0, &scene, &error),
                     SCREE_ERROR_INVALID);
    assert_int_equal(scree_scene_parse(bad, strlen(bad), "scene.yaml", NULL, 0, &scene, &error), SCREE_ERROR_INVALID);
    assert_string_begins(error.message, "scene.yaml:1:39: bad.obj:2: ");
    assert_refused("bodies: [{shapes: [{type: mesh, file: four.obj}]}]\n",
                   "scene.yaml:1:20: a mesh needs a fixed body; give the body 'fixed: true' or a motion");
    assert_refused("bodies: [{shapes: [{type: heightfield, file: grid.txt}]}]\n",
                   "scene.yaml:1:20: a heightfield needs a fixed body; give the body 'fixed: true' or a motion");
    assert_refused("bodies: [{group: 32, shapes: [{type: sphere}]}]\n",
                   "scene.yaml:1:18: 'group' must be a whole number from 0 to 31, found '32'");
    assert_refused("bodies: [{mask: [1, -1], shapes: [{type: sphere}]}]\n",
                   "scene.yaml:1:21: 'mask' must be a list of whole numbers from 0 to 31, found '-1'");
    const char *sets[] = {"bodies.0.shapes.0.half=[1, 1, 1]"};
    assert_refused_with(
        "bodies: [{shapes: [{type: cone}]}]\n", sets, 1,
        "--set bodies.0.shapes.0.half=[1, 1, 1]: 'half' must be a number greater than 0, found [1, 1, 1]");
    // A motion fixes the body.
    scree_scene_destroy(parse("bodies: [{name: a, shapes: [{type: mesh, file: four.obj}]}]\n"
                              "motions: [{body: a, type: sine}]\n"));
}

static void test_overrides_reach_shapes(void **state)
{
    (void)state;
    write_files();
    const char *sets[] = {"bodies.0.shapes.0.file=two.txt", "bodies.0.shapes.0.scale=2", "bodies.1.shapes.0.half=3"};
    scree_scene *scene =
        parse_with("bodies: [{shapes: [{type: spheres, file: none.txt}]}, {shapes: [{type: cone}]}]\n", sets, 3);
    assert_near(scree_shape_volume(&scene->bodies[0].def.shapes[0]), 16 * 4.1887902047863905, 1e-9);
    assert_true(scene->bodies[1].def.shapes[0].half_length == 3);
    scree_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sizes_of_fills),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_files_are_shared),
        cmocka_unit_test(test_written_scenes_find_their_files),
        cmocka_unit_test(test_refusals_have_places),
        cmocka_unit_test(test_overrides_reach_shapes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
