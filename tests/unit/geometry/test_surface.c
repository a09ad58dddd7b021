// Surfaces of shapes: closed, turned outwards, on the true surface, with volumes that tend to the shapes' as the square
// of the sectors' angle.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "geometry/geometry.h"
#include "geometry/surface.h"

// By the divergence theorem over fans of triangles; negative when polygons look inwards.
static double volume_of(const shape_surface *shell)
{
    double volume = 0;
    size_t from = 0;
    for (size_t p = 0; p < shell->ends.count; from = shell->ends.data[p++]) {
        const uint32_t *corner = shell->corners.data + from;
        for (size_t i = 1; i + 1 < shell->ends.data[p] - from; i++)
            volume += vec3_dot(shell->points.data[corner[0]],
                               vec3_cross(shell->points.data[corner[i]], shell->points.data[corner[i + 1]])) /
                      6;
    }
    return volume;
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Every edge of a closed surface is walked once in each direction: sorted, those of both directions are the same list.
static void assert_closed(const shape_surface *shell)
{
    size_t count = shell->corners.count, from = 0, n = 0;
    uint64_t *there = malloc(count * sizeof *there), *back = malloc(count * sizeof *back);
    assert_non_null(there);
    assert_non_null(back);
    for (size_t p = 0; p < shell->ends.count; from = shell->ends.data[p++])
        for (size_t i = from; i < shell->ends.data[p]; i++, n++) {
            uint64_t a = shell->corners.data[i];
            uint64_t b = shell->corners.data[i + 1 < shell->ends.data[p] ? i + 1 : from];
            assert_true(a < shell->points.count && a != b);
            there[n] = a << 32 | b;
            back[n] = b << 32 | a;
        }
    assert_int_equal(n, count);
    qsort(there, count, sizeof *there, compare_edges);
    qsort(back, count, sizeof *back, compare_edges);
    assert_memory_equal(there, back, count * sizeof *there);
    for (size_t i = 1; i < count; i++)
        assert_true(there[i] != there[i - 1]);
    free(there);
    free(back);
}

static shape_surface surface_of(const scree_shape_def *shape, uint32_t sectors)
{
    shape_surface shell = {0};
    assert_true(shape_surface_add(&shell, shape, sectors));
    return shell;
}

static scree_shape_def shape_of(scree_shape_type type)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    shape.radius = 0.3;
    shape.half_length = 0.7;
    shape.half = vec3_make(0.1, 0.2, 0.3);
    shape.radii = vec3_make(0.5, 0.2, 0.9);
    return shape;
}

// How far a point is from the surface of a round shape, in units of about its size.
static double off_surface(const scree_shape_def *shape, vec3 p)
{
    double across = hypot(p.x, p.y), z = p.z, r = shape->radius, h = shape->half_length;
    vec3 scaled = {p.x / shape->radii.x, p.y / shape->radii.y, p.z / shape->radii.z};
    switch (shape->type) {
    case SCREE_SHAPE_SPHERE:
        return vec3_length(p) - r;
    case SCREE_SHAPE_ELLIPSOID:
        return vec3_length(scaled) - 1;
    case SCREE_SHAPE_CAPSULE:
        return hypot(across, fmax(0, fabs(z) - h)) - r;
    case SCREE_SHAPE_CYLINDER:
        return fmax(across - r, fabs(z) - h);
    default: // a cone is narrower by r over its height of 2 h
        return fmax(across - r * (1.5 * h - z) / (2 * h), -0.5 * h - z);
    }
}

static void test_round_shapes(void **state)
{
    (void)state;
    const scree_shape_type types[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CAPSULE,
                                      SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        scree_shape_def shape = shape_of(types[i]);
        double volume = scree_shape_volume(&shape), before = 0;
        for (uint32_t sectors = 16; sectors <= 64; sectors *= 2) {
            shape_surface shell = surface_of(&shape, sectors);
            assert_closed(&shell);
            for (size_t k = 0; k < shell.points.count; k++)
                assert_true(fabs(off_surface(&shape, shell.points.data[k])) < 1e-14);
            double lack = volume - volume_of(&shell); // inscribed
            assert_true(lack > 0 && lack < 20.0 / (sectors * sectors) * volume);
            if (before > 0)
                assert_true(fabs(before / lack - 4) < 0.1);
            before = lack;
            shape_surface_free(&shell);
        }
    }
}

// The least numbers of sectors still give a closed surface, and so does one that four does not divide.
static void test_few_sectors(void **state)
{
    (void)state;
    const uint32_t sectors[] = {4, 6, 10};
    for (int type = SCREE_SHAPE_SPHERE; type <= SCREE_SHAPE_CONE; type++)
        for (size_t i = 0; i < 3; i++) {
            scree_shape_def shape = shape_of((scree_shape_type)type);
            shape_surface shell = surface_of(&shape, sectors[i]);
            assert_closed(&shell);
            assert_true(volume_of(&shell) > 0);
            shape_surface_free(&shell);
        }
}

static void test_boxes_and_hulls_are_exact(void **state)
{
    (void)state;
    scree_shape_def box = shape_of(SCREE_SHAPE_BOX), hull = shape_of(SCREE_SHAPE_HULL);
    shape_surface shell = surface_of(&box, 8);
    assert_int_equal(shell.ends.count, 6);
    assert_closed(&shell);
    assert_true(fabs(volume_of(&shell) - 0.048) < 1e-15);
    shape_surface_free(&shell);
    // A prism on a triangle, away from the origin, with a point inside.
    const vec3 points[] = {{1, 0, 0}, {3, 0, 0}, {1, 2, 0}, {1, 0, 5}, {3, 0, 5}, {1, 2, 5}, {1.5, 0.5, 1}};
    scree_geometry *geometry = NULL;
    scree_error error = {0};
    if (scree_hull_create(points, 7, &geometry, &error) == SCREE_ERROR_INVALID && !geometry)
        skip(); // a build without qhull
    hull.geometry = geometry;
    shell = surface_of(&hull, 8);
    assert_int_equal(shell.ends.count, 5);
    assert_int_equal(shell.points.count, 6);
    assert_closed(&shell);
    assert_true(fabs(volume_of(&shell) - 10) < 1e-12);
    assert_true(fabs(scree_shape_volume(&hull) - 10) < 1e-12);
    for (size_t i = 0; i < shell.points.count; i++) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < 6; k++)
            nearest = fmin(nearest, vec3_length(vec3_sub(points[k], shell.points.data[i])));
        assert_true(nearest < 1e-14);
    }
    shape_surface_free(&shell);
    scree_geometry_release(geometry);
}

static void test_meshes_and_height_fields_are_as_given(void **state)
{
    (void)state;
    const vec3 corners[] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {1, 1, 4}};
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    scree_shape_def shape = shape_of(SCREE_SHAPE_MESH);
    scree_geometry *geometry;
    assert_int_equal(scree_mesh_create(corners, 4, triangles, 4, &geometry, NULL), SCREE_OK);
    shape.geometry = geometry;
    shape_surface shell = surface_of(&shape, 8);
    assert_closed(&shell);
    assert_true(fabs(volume_of(&shell) - 1) < 1e-14);
    shape_surface_free(&shell);
    scree_geometry_release(geometry);

    const float heights[] = {0, 1, 2, 3, 4, 7};
    const scree_heightfield_def def = {.columns = 3, .rows = 2, .width = 4, .depth = 1, .heights = heights};
    assert_int_equal(scree_heightfield_create(&def, &geometry, NULL), SCREE_OK);
    shape.type = SCREE_SHAPE_HEIGHTFIELD;
    shape.geometry = geometry;
    shell = surface_of(&shape, 8);
    assert_int_equal(shell.ends.count, 4);
    assert_int_equal(shell.points.count, 6);
    for (int i = 0; i < 6; i++) {
        vec3 expected = {2 * (i % 3) - 2, i / 3 - 0.5, (double)heights[i]};
        assert_true(vec3_length(vec3_sub(shell.points.data[i], expected)) < 1e-14);
    }
    double seen_from_above = 0;
    for (size_t t = 0; t < 4; t++) {
        const uint32_t *c = shell.corners.data + 3 * t;
        vec3 a = shell.points.data[c[0]], b = shell.points.data[c[1]], d = shell.points.data[c[2]];
        double area = 0.5 * vec3_cross(vec3_sub(b, a), vec3_sub(d, a)).z;
        assert_true(area > 0);
        seen_from_above += area;
    }
    assert_true(fabs(seen_from_above - 4) < 1e-14);
    shape_surface_free(&shell);
    scree_geometry_release(geometry);
}

static void test_sphere_sets_and_planes(void **state)
{
    (void)state;
    const scree_ball balls[] = {{{1, 2, 3}, 0.5}, {{4, 2, 3}, 1}};
    scree_shape_def shape = shape_of(SCREE_SHAPE_SPHERES);
    scree_geometry *geometry;
    assert_int_equal(scree_spheres_create(balls, 2, NULL, &geometry, NULL), SCREE_OK);
    shape.geometry = geometry;
    shape_surface shell = surface_of(&shape, 64);
    assert_closed(&shell);
    for (size_t i = 0; i < shell.points.count; i++) {
        const scree_ball *ball = &balls[i >= shell.points.count / 2];
        assert_true(fabs(vec3_length(vec3_sub(shell.points.data[i], ball->position)) - ball->radius) < 1e-14);
    }
    assert_true(fabs(volume_of(&shell) / (4.0 / 3 * 3.14159265358979 * 1.125) - 1) < 0.01);
    shape_surface_free(&shell);
    scree_geometry_release(geometry);
    shape = shape_of(SCREE_SHAPE_PLANE);
    shell = surface_of(&shape, 8);
    assert_int_equal(shell.points.count, 0);
    assert_int_equal(shell.ends.count, 0);
    shape_surface_free(&shell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_shapes),
        cmocka_unit_test(test_few_sectors),
        cmocka_unit_test(test_boxes_and_hulls_are_exact),
        cmocka_unit_test(test_meshes_and_height_fields_are_as_given),
        cmocka_unit_test(test_sphere_sets_and_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
