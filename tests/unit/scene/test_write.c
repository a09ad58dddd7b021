// A scene written back has every default in it and reads as the same scene: its text is the same again.
#include "parse.h"

#include <dirent.h>
#include <stdio.h>

#include "base/random.h"

static char *text_of(const scree_scene *scene)
{
    char *text = NULL;
    scree_error error = {0};
    if (scree_scene_text(scene, &text, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    return text;
}

static void assert_round_trip(scree_scene *scene)
{
    char *first = text_of(scene);
    scree_scene *again = parse(first);
    char *second = text_of(again);
    assert_string_equal(first, second);
    assert_int_equal(again->body_count, scene->body_count);
    assert_int_equal(again->fill_count, scene->fill_count);
    scree_text_free(first);
    scree_text_free(second);
    scree_scene_destroy(again);
    scree_scene_destroy(scene);
}

static void test_defaults_are_written(void **state)
{
    (void)state;
    scree_scene *scene = parse("bodies: [{shapes: [{type: sphere}]}]\n");
    char *text = text_of(scene);
    assert_string_equal(text, "scree: 1\n"
                              "gravity: [0, 0, -9.81]\n"
                              "time: {step: 0.005, duration: 10}\n"
                              "seed: 1\n"
                              "method: complementarity\n"
                              "solver: {algorithm: auto, friction: exact, iterations: 50, tolerance: 0.0001, "
                              "precision: single, warm_start: true, sleep: auto, recovery_speed: 0, omega: 0.2, "
                              "lambda: 1, cell: 0, contacts_per_pair: 8}\n"
                              "penalty: {law: linear, integrator: symplectic, tangential_stiffness: "
                              "0.2857142857142857, tangential_damping: 0.2857142857142857, terminal_velocity: 0}\n"
                              "view: {azimuth: 0.607, elevation: 0.37, field_of_view: 0.5, color: speed}\n"
                              "materials:\n"
                              "  default: {density: 2500, friction: 0.5, restitution: 0, rolling_friction: 0, "
                              "spinning_friction: 0, cohesion: 0, stiffness: 0, damping: 0, contact_time: 0, "
                              "youngs_modulus: 0, poisson_ratio: 0.3}\n"
                              "pairs: []\n"
                              "bodies:\n"
                              "  - position: [0, 0, 0]\n"
                              "    orientation: [1, 0, 0, 0]\n"
                              "    velocity: [0, 0, 0]\n"
                              "    spin: [0, 0, 0]\n"
                              "    material: default\n"
                              "    fixed: false\n"
                              "    group: 0\n"
                              "    shapes:\n"
                              "      - {type: sphere, radius: 0.5, position: [0, 0, 0], orientation: [1, 0, 0, 0]}\n"
                              "fills: []\n"
                              "joints: []\n"
                              "motions: []\n"
                              "events: []\n"
                              "output:\n"
                              "  every: 0.05\n"
                              "  frames: true\n"
                              "  contacts: false\n"
                              "  checkpoint_every: 1\n"
                              "  problems_every: 0\n"
                              "  probes: []\n"
                              "  counters: []\n");
    scree_text_free(text);
    assert_round_trip(scene);
}

static void test_everything_survives(void **state)
{
    (void)state;
    assert_round_trip(parse(
        "gravity: [0.1, 0.2, 0.30000000000000004]\n"
        "seed: 18446744073709551615\n"
        "time: {step: 0.00333333333333333333, duration: 1e-300}\n"
        "solver: {algorithm: gauss-seidel, precision: double, warm_start: false, tolerance: 1.1e-7}\n"
        "materials: {\"12\": {density: 1e20}, no: {}, _x: {friction: 0.1}, '-': {}, a.b-c: {restitution: 1}}\n"
        "pairs: [{materials: [no, '12']}, {materials: ['-', a.b-c], restitution: 0.3333333333333333}]\n"
        "bodies:\n"
        "  - {name: on, mass: 3, density: 2, inertia: [1, 2, 3], center: [0, 0, 0], material: '12',\n"
        "     shapes: [{type: box, half: [1, 2, 3], material: no, orientation: [1, 2, 3, 4]}, {type: sphere}]}\n"
        "  - {name: '1e5', fixed: true, position: [-0.0, 1, 2], shapes: [{type: plane, normal: [1, 2, 3]}]}\n"
        "  - {name: c, density: 3.3, spin: [1, 2, 3], shapes: [{type: sphere, radius: 0.1}]}\n"
        "  - {name: d, shapes: [{type: sphere, radius: 0.1}]}\n"
        "fills:\n"
        "  - {name: f, count: 12, pattern: random, box: [[-1, -2, -3], [1, 2, 3]], orientation: random, mass: 2,\n"
        "     shapes: [{type: box, half: [[0.1, 0.2], 0.3, 0.4]}, {type: sphere, radius: [1, 2], material: _x}]}\n"
        "  - {count: 2, speed: [0.5, 2], spacing: [2, 0, 3], shifts: [[0, 1], [-1, 0.5]], box: [[0, 0, 0], [9, 9, "
        "9]],\n"
        "     shapes: [{type: sphere}]}\n"
        "motions:\n"
        "  - {body: on, type: velocity, linear: [1, 2, 3], angular: [4, 5, 6]}\n"
        "  - {body: '1e5', type: rotation, centre: [1, 2, 3], speed: -2}\n"
        "events: [{time: 3, remove: [f]}, {time: 1, remove: [c, '1e5']}, {time: 1, remove: []}]\n"
        "output: {probes: ['on', '1e5'], contacts: true,\n"
        "         counters: [{name: k, plane: {normal: [1, 2, 3], offset: -7}, of: mass}]}\n"));
}

static void test_overrides_are_written(void **state)
{
    (void)state;
    const char *sets[] = {"solver.iterations=77", "bodies.0.mass=5"};
    scree_scene *scene = parse_with("bodies: [{shapes: [{type: sphere}]}]\n", sets, 2);
    char *text = text_of(scene);
    assert_non_null(strstr(text, "iterations: 77"));
    assert_non_null(strstr(text, "    mass: 5\n"));
    scree_text_free(text);
    assert_round_trip(scene);
}

// Directions of counters are normalised when they are read; a second time must not change them.
static void test_normals_do_not_creep(void **state)
{
    (void)state;
    random_stream stream = {11};
    for (int i = 0; i < 300; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "bodies: [{shapes: [{type: sphere}]}]\n"
                 "output: {counters: [{name: a, plane: {normal: [%.17g, %.17g, %.17g]}}]}\n",
                 random_between(&stream, -9, 9), random_between(&stream, -9, 9), random_between(&stream, -9, 9));
        assert_round_trip(parse(text));
    }
}

static void test_many_bodies(void **state)
{
    (void)state;
    enum { BODIES = 3000 };
    static char text[BODIES * 100];
    size_t size = (size_t)sprintf(text, "bodies:\n");
    for (int i = 0; i < BODIES; i++)
        size += (size_t)sprintf(text + size, "- {name: b%d, position: [%d.1, 0, 0], shapes: [{type: sphere}]}\n", i, i);
    assert_round_trip(parse(text));
}

static void test_shipped_scenes(void **state)
{
    (void)state;
    DIR *directory = opendir(SCREE_SOURCE_DIR "/scenes");
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        char path[2048];
        snprintf(path, sizeof path, "%s/scenes/%s", SCREE_SOURCE_DIR, entry->d_name);
        scree_scene *scene;
        scree_error error;
        scree_status status = scree_scene_load(path, NULL, 0, &scene, &error);
        if (status != SCREE_OK && strstr(error.message, "qhull") && !has_hulls())
            continue;
        if (status != SCREE_OK)
            fail_msg("%s", error.message);
        assert_round_trip(scene);
    }
    closedir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_written),  cmocka_unit_test(test_everything_survives),
        cmocka_unit_test(test_overrides_are_written), cmocka_unit_test(test_normals_do_not_creep),
        cmocka_unit_test(test_many_bodies),           cmocka_unit_test(test_shipped_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
