// Sphere sets: mass of the spheres or of what they stand for, and their files.
#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "files/sphere_file.h"
#include "geometry/shape.h"
#include "geometry/sphere_set.h"

static void test_mass(void **state)
{
    (void)state;
    const scree_ball balls[] = {{{1, 0, 0}, 0.5}, {{-1, 2, 0}, 0.25}};
    scree_shape_def set = scree_default_shape_def(), two[2] = {set, set};
    double densities[] = {3, 3};
    scree_geometry *geometry;
    assert_int_equal(scree_spheres_create(balls, 2, NULL, &geometry, NULL), SCREE_OK);
    set.type = SCREE_SHAPE_SPHERES;
    set.geometry = geometry;
    for (int i = 0; i < 2; i++) {
        two[i].position = balls[i].position;
        two[i].radius = balls[i].radius;
    }
    mass_properties a = shapes_mass_properties(&set, densities, 1), b = shapes_mass_properties(two, densities, 2);
    assert_relative(a.mass, b.mass, 1e-14);
    assert_near(vec3_length(vec3_sub(a.center, b.center)), 0, 1e-14);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(a.inertia.m[i][j], b.inertia.m[i][j], 1e-13);
    assert_at_least(scree_shape_reach(&set), fmax(1.5, sqrt(5) + 0.25));
    scree_geometry_release(geometry);

    const scree_solid body = {2, {0.1, 0.2, 0.3}, {1, 2, 3, 0.1, 0.2, 0.3}};
    assert_int_equal(scree_spheres_create(balls, 2, &body, &geometry, NULL), SCREE_OK);
    set.geometry = geometry;
    a = shapes_mass_properties(&set, densities, 1);
    assert_near(a.mass, 6, 1e-14);
    assert_near(vec3_length(vec3_sub(a.center, body.centroid)), 0, 1e-14);
    static const double expected[3][3] = {{1, 0.1, 0.2}, {0.1, 2, 0.3}, {0.2, 0.3, 3}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(a.inertia.m[i][j], 3 * expected[i][j], 1e-13);
    scree_geometry_release(geometry);
}

static void test_refusals(void **state)
{
    (void)state;
    scree_ball ball = {{0, 0, 0}, 1};
    scree_solid body = {1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}};
    scree_geometry *geometry;
    scree_error error = {0};
    assert_int_equal(scree_spheres_create(&ball, 0, NULL, &geometry, &error), SCREE_ERROR_INVALID);
    body.inertia[2] = -1;
    assert_int_equal(scree_spheres_create(&ball, 1, &body, &geometry, &error), SCREE_ERROR_INVALID);
    ball.radius = 0;
    assert_int_equal(scree_spheres_create(&ball, 1, NULL, &geometry, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "radius"));
}

static scree_status read_text(const char *text, sphere_list *list, scree_error *error)
{
    return sphere_file_read("a.txt", text, strlen(text), list, error);
}

static void assert_refused(const char *text, const char *where, const char *word)
{
    sphere_list list;
    scree_error error = {0};
    assert_int_equal(read_text(text, &list, &error), SCREE_ERROR_INVALID);
    if (strncmp(error.message, where, strlen(where)) != 0 || !strstr(error.message, word))
        print_error("'%s' should begin with '%s' and have '%s'\n", error.message, where, word);
    assert_ptr_equal(strstr(error.message, where), error.message);
    assert_non_null(strstr(error.message, word));
}

static void test_file(void **state)
{
    (void)state;
    sphere_list list, again;
    assert_int_equal(read_text("# two\n0 0 0 1\n\n1, 2, 3.5, 0.25 # the other\n", &list, NULL), SCREE_OK);
    assert_int_equal(list.balls.count, 2);
    assert_true(!list.has_body && list.balls.data[1].position.z == 3.5 && list.balls.data[1].radius == 0.25);
    sphere_list_free(&list);
    assert_int_equal(read_text("volume 2\ncentroid 1 2 3\ninertia 1 2 3 4 5 6\n0.1 0.2 0.3 0.7\n", &list, NULL),
                     SCREE_OK);
    assert_true(list.has_body && list.body.centroid.y == 2 && list.body.inertia[5] == 6);
    // What is written reads back as the same bits.
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    sphere_file_write(&list, stream);
    fclose(stream);
    assert_int_equal(sphere_file_read("again", text, size, &again, NULL), SCREE_OK);
    assert_memory_equal(again.balls.data, list.balls.data, sizeof *list.balls.data);
    assert_memory_equal(&again.body, &list.body, sizeof list.body);
    free(text);
    sphere_list_free(&list);
    sphere_list_free(&again);
    assert_refused("", "a.txt:0: ", "no spheres");
    assert_refused("0 0 0\n", "a.txt:1: ", "x y z r");
    assert_refused("0 0 0 1\n0 0 0 -1\n", "a.txt:2: ", "above 0");
    assert_refused("0 0 0 1 2\n", "a.txt:1: ", "x y z r");
    assert_refused("volumes 1\n", "a.txt:1: ", "'volumes'");
    assert_refused("volume 1\nvolume 1\n", "a.txt:2: ", "once");
    assert_refused("volume 1\n0 0 0 1\n", "a.txt:2: ", "go together");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
