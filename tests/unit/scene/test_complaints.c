// All errors of a scene at once: each with its place, none twice, and none that follows from another.
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scene/complaints.h"
#include "temporary.h"

static complaint_list complaints_of(const char *text)
{
    char path[512];
    complaint_list all = {0};
    scree_scene *scene;
    scree_error error = {0};
    int descriptor = mkstemp(temporary_template(path, sizeof path, "complaints"));
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    scree_status status = scene_load_listing(path, NULL, 0, &all, &scene, &error);
    if (status == SCREE_OK) {
        scree_world *world = NULL;
        status = scene_build_listing(scene, 1, &all, &world, &error);
        scree_world_destroy(world);
    }
    scree_scene_destroy(scene);
    unlink(path);
    assert_int_equal(status, SCREE_ERROR_INVALID);
    assert_true(all.count > 0);
    assert_string_equal(all.data[0].message, error.message);
    for (size_t i = 0; i < all.count; i++) { // what stands behind the path is what the test knows
        assert_memory_equal(all.data[i].message, path, strlen(path));
        memmove(all.data[i].message, all.data[i].message + strlen(path),
                strlen(all.data[i].message) - strlen(path) + 1);
    }
    return all;
}

static void assert_complaints(const char *text, const char *const *expected, size_t count)
{
    complaint_list all = complaints_of(text);
    for (size_t i = 0; i < all.count; i++)
        if (i >= count || strncmp(all.data[i].message, expected[i], strlen(expected[i])) != 0)
            fail_msg("complaint %zu is '%s'", i, all.data[i].message);
    assert_int_equal(all.count, count);
    array_free(&all);
}

#define check_all(text, ...)                                                                                           \
    assert_complaints(text, (const char *const[]){__VA_ARGS__},                                                        \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_errors_of_all_parts(void **state)
{
    (void)state;
    check_all("gravity: [0, 0]\n"
              "time: {step: -1, durration: 2}\n"
              "solver: {iterations: 0}\n"
              "materials: {steel: {friction: -1, densty: 3}}\n"
              "pairs: [{materials: [steel, wood]}]\n"
              "bodies:\n"
              "  - {name: a, mass: -1, spin: x, shapes: [{type: sphere}]}\n"
              "  - {name: b, shapes: [{type: sphere, radius: 0}, {type: cube}]}\n"
              "  - {name: c, shapes: [{type: plane}]}\n"
              "fills: [{count: -1, box: [[0, 0, 0], [1, 1, 1]], shapes: [{type: sphere}]}]\n"
              "joints: [{type: revolute, bodies: [a, d]}]\n"
              "motions: [{body: e, type: sine}]\n"
              "events: [{time: 1, remove: [b, f]}]\n"
              "output: {every: 0, probes: [a, g], counters: [{}]}\n",
              ":1:10: ", ":2:14: ", ":2:18: ", ":3:22: ", ":14:17: ", ":4:31: ", ":4:35: ", ":5:29: ", ":7:21: ",
              ":7:31: ", ":8:47: ", ":8:58: ", ":10:17: ", ":12:18: ", ":11:39: ", ":13:32: ", ":14:32: ", ":14:47: ");
}

static void test_wrong_kinds_end_nothing(void **state)
{
    (void)state;
    check_all("bodies: {a: 1}\nfills: 7\nmaterials: [1]\njoints: x\noutput: 3\nevents: {}\n",
              ":1:9: ", ":2:8: ", ":3:12: ", ":4:9: ", ":5:9: ", ":6:9: ");
    check_all("[1, 2]\n", ":1:1: ");
    check_all("bodies:\n  - {name: a, shapes: 3}\n  - 7\n  - {shapes: []}\n", ":2:23: ", ":3:5: ", ":4:14: ");
}

static void test_what_follows_is_not_said(void **state)
{
    (void)state;
    // The body is refused, its name is known all the same.
    check_all("bodies: [{name: a, mass: -1, shapes: [{type: sphere}]}]\n"
              "joints: [{type: fixed, bodies: [world, a]}]\noutput: {probes: [a]}\n",
              ":1:26: ");
    // The motion is refused, so it is not said that a mesh or plane must be fixed.
    check_all("bodies: [{name: a, shapes: [{type: plane}]}]\nmotions: [{body: a, type: sin}]\n", ":2:27: ");
}

static void test_errors_of_building(void **state)
{
    (void)state;
    check_all("bodies:\n"
              "  - {shapes: [{type: sphere, radius: 1e20}]}\n"
              "  - {name: b, shapes: [{type: sphere}]}\n"
              "  - {name: c, inertia: [1e30, 1e30, 1e30], shapes: [{type: sphere}]}\n",
              ":2:5: body: ", ":4:5: body 'c': ");
    check_all("fills:\n"
              "  - {count: 100, box: [[0, 0, 0], [1, 1, 1]], shapes: [{type: sphere}]}\n"
              "  - {count: 200, box: [[5, 0, 0], [6, 1, 1]], shapes: [{type: sphere}]}\n",
              ":2:5: fill: ", ":3:5: fill: ");
    check_all("materials:\n  default: {damping: 1}\nbodies: [{shapes: [{type: sphere}]}]\n",
              ":2:3: material 'default': ");
    check_all("method: penalty\nbodies: [{shapes: [{type: sphere}]}]\n", ":1:1: method: ");
}

// What the first step could only lose is refused before it, with its place.
static void test_hopeless_values(void **state)
{
    (void)state;
    check_all("bodies:\n"
              "  - {position: [1e15, 0, 0], shapes: [{type: sphere}]}\n"
              "  - {velocity: [1e300, 0, 0], shapes: [{type: sphere}]}\n"
              "  - {spin: [0, 1e12, 0], shapes: [{type: sphere}]}\n"
              "  - {name: fine, shapes: [{type: sphere}]}\n",
              ":2:5: body: a shape", ":3:5: body: speed", ":4:5: body: spin");
    check_all("gravity: [0, 0, -1e10]\nbodies: [{name: a, shapes: [{type: sphere}]}]\n", ":2:10: body 'a': gravity");
    check_all("bodies: [{shapes: [{type: sphere, radius: 1e-15}]}]\n", ":1:10: body: gravity");
    check_all("bodies:\n  - shapes: [{type: spheres, list: [[0, 0, 0, 1], [1e300, 0, 0, 1]]}]\n", ":2:36: sphere 1");
    check_all("fills: [{name: f, count: 2, velocity: [1e200, 0, 0], box: [[0, 0, 0], [9, 9, 9]], shapes: [{type: "
              "sphere}]}]\n",
              ":1:9: fill 'f': speed", ":1:9: fill 'f': speed");
}

static void test_variants_have_places(void **state)
{
    (void)state;
    check_all(
        "variant: v\nvariants:\n  - name: v\n    set:\n      solver.nothing: 3\nbodies: [{shapes: [{type: sphere}]}]\n",
        ":5:7: ");
}

static void test_there_is_an_end(void **state)
{
    (void)state;
    char text[16384] = "bodies:\n";
    for (int i = 0; i < 300; i++)
        strcat(text, "  - {shapes: [{type: cube}]}\n");
    complaint_list all = complaints_of(text);
    assert_int_equal(all.count, MOST_COMPLAINTS);
    array_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_of_all_parts),      cmocka_unit_test(test_wrong_kinds_end_nothing),
        cmocka_unit_test(test_what_follows_is_not_said), cmocka_unit_test(test_errors_of_building),
        cmocka_unit_test(test_hopeless_values),          cmocka_unit_test(test_variants_have_places),
        cmocka_unit_test(test_there_is_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
