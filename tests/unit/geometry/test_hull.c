// Convex hulls: topology and mass against closed forms, containment of all points, degenerate input, snapshots.
#include "../../physics/check.h"

#include <string.h>

#include "geometry/hull.h"
#include "geometry/shape.h"
#include "random_pose.h"
#include "solids.h"

#if SCREE_HAVE_QHULL

static scree_geometry *hull_of(const vec3 *points, size_t count)
{
    scree_geometry *geometry;
    scree_error error = {0};
    if (scree_hull_create(points, count, &geometry, &error) != SCREE_OK)
        print_error("%s\n", error.message);
    assert_non_null(geometry);
    return geometry;
}

// What every hull must be: all points within all planes, each corner on its face's plane, rings that name neighbours.
static void assert_sound(const scree_geometry *geometry, const vec3 *points, size_t count, double tolerance)
{
    const hull_geometry *hull = geometry->hull;
    assert_int_equal(hull->vertex_count + hull->face_count, hull->face_start[hull->face_count] / 2 + 2);
    for (size_t f = 0; f < hull->face_count; f++) {
        assert_near(vec3_length(hull->normals[f]), 1, 1e-12);
        for (size_t i = 0; i < count; i++)
            assert_at_most(vec3_dot(hull->normals[f], vec3_sub(points[i], geometry->origin)),
                           hull->offsets[f] + tolerance);
        for (uint32_t i = hull->face_start[f]; i < hull->face_start[f + 1]; i++)
            assert_near(vec3_dot(hull->normals[f], hull->vertices[hull->face_corners[i]]), hull->offsets[f], tolerance);
    }
    for (size_t v = 0; v < hull->vertex_count; v++) {
        assert_true(hull->ring_start[v + 1] >= hull->ring_start[v] + 3);
        assert_at_most(vec3_length(hull->vertices[v]), geometry->radius * (1 + 1e-15));
    }
    assert_near(vec3_length(geometry->solid.centroid), 0, 1e-9 * geometry->radius);
}

static void test_box_has_six_faces(void **state)
{
    (void)state;
    random_stream random = {1};
    for (int trial = 0; trial < 200; trial++) {
        // Rounded to single precision, as mesh files are, and far from the origin.
        vec3 half = {1, 0.5 + random_unit(&random), 2}, at = random_vec(&random, 10), points[8];
        quat turn = random_rotation(&random);
        test_mesh box = mesh_box(half, vec3_make(0, 0, 0));
        for (int i = 0; i < 8; i++)
            points[i] = vec3_from_f(vec3f_from(vec3_add(at, quat_rotate(turn, box.vertices.data[i]))));
        scree_geometry *geometry = hull_of(points, 8);
        assert_int_equal(geometry->hull->vertex_count, 8);
        assert_int_equal(geometry->hull->face_count, 6);
        assert_sound(geometry, points, 8, 1e-5);
        assert_relative(geometry->solid.volume, 8 * half.x * half.y * half.z, 1e-5);
        assert_near(vec3_length(vec3_sub(geometry->origin, at)), 0, 1e-5);
        scree_geometry_release(geometry);
        mesh_drop(&box);
    }
}

// Exact points: mass and inertia to rounding, through the shape as a world sees it.
static void test_mass_of_box(void **state)
{
    (void)state;
    vec3 half = {0.3, 0.7, 1.1}, at = {5, -3, 2};
    test_mesh box = mesh_box(half, at);
    scree_shape_def shape = scree_default_shape_def(), brick = shape;
    shape.type = SCREE_SHAPE_HULL;
    shape.geometry = hull_of(box.vertices.data, 8);
    brick.type = SCREE_SHAPE_BOX;
    brick.half = half;
    brick.position = at;
    double density = 7;
    mass_properties a = shapes_mass_properties(&shape, &density, 1), b = shapes_mass_properties(&brick, &density, 1);
    assert_relative(a.mass, b.mass, 1e-14);
    assert_near(vec3_length(vec3_sub(a.center, b.center)), 0, 1e-14);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(a.inertia.m[i][j], b.inertia.m[i][j], 1e-13);
    assert_near(scree_shape_reach(&shape), scree_shape_reach(&brick), 1e-14);
    scree_geometry_release(shape.geometry);
    mesh_drop(&box);
}

static void test_random_points(void **state)
{
    (void)state;
    enum { MOST = 400 };
    static vec3 points[MOST];
    random_stream random = {2};
    for (int trial = 0; trial < 100; trial++) {
        size_t count = 4 + (size_t)(random_unit(&random) * (MOST - 4));
        vec3 at = random_vec(&random, trial % 3 == 0 ? 1e5 : 1);
        for (size_t i = 0; i < count; i++)
            points[i] = vec3_add(at, trial % 2 ? random_vec(&random, 1) : random_direction(&random));
        scree_geometry *geometry = hull_of(points, count);
        if (trial % 2 == 0)
            assert_int_equal(geometry->hull->vertex_count, count); // points of a ball are all corners
        assert_sound(geometry, points, count, 2e-6);
        scree_geometry_release(geometry);
    }
}

// A fine grid on the faces of a box, each point twice: eight corners are left.
static void test_many_coplanar_points(void **state)
{
    (void)state;
    ARRAY(vec3) points = {0};
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++)
            for (int k = 0; k < 11; k++)
                for (int twice = 0; twice < 2; twice++)
                    assert_true(array_push(&points, vec3_make(0.1 * i, 0.2 * j, 0.3 * k)));
    scree_geometry *geometry = hull_of(points.data, points.count);
    assert_int_equal(geometry->hull->vertex_count, 8);
    assert_int_equal(geometry->hull->face_count, 6);
    assert_relative(geometry->solid.volume, 6.0, 1e-12);
    scree_geometry_release(geometry);
    array_free(&points);
}

static void test_needles_and_flakes(void **state)
{
    (void)state;
    random_stream random = {4};
    for (int exponent = 0; exponent <= 9; exponent++) {
        double thin = pow(10, -exponent);
        for (int needle = 0; needle < 2; needle++) {
            vec3 points[60];
            for (int i = 0; i < 60; i++)
                points[i] = vec3_multiply(random_vec(&random, 1), vec3_make(1, needle ? thin : 1, thin));
            scree_geometry *geometry = hull_of(points, 60);
            assert_sound(geometry, points, 60, fmin(4e-6, 0.01 * thin));
            scree_geometry_release(geometry);
        }
    }
}

static void assert_refused(const vec3 *points, size_t count, const char *word)
{
    scree_geometry *geometry;
    scree_error error = {0};
    assert_int_equal(scree_hull_create(points, count, &geometry, &error), SCREE_ERROR_INVALID);
    assert_null(geometry);
    if (!strstr(error.message, word))
        print_error("'%s' lacks '%s'\n", error.message, word);
    assert_non_null(strstr(error.message, word));
    assert_int_equal(scree_hull_create(points, count, &geometry, NULL), SCREE_ERROR_INVALID);
}

static void test_refusals(void **state)
{
    (void)state;
    vec3 points[20];
    random_stream random = {6};
    for (int i = 0; i < 20; i++)
        points[i] = random_vec(&random, 1);
    assert_refused(points, 3, "four points");
    assert_refused(NULL, 0, "four points");
    points[7].y = CHECK_NAN;
    assert_refused(points, 20, "point 8");
    for (int i = 0; i < 20; i++)
        points[i] = vec3_make(random_unit(&random), random_unit(&random), 0.5);
    assert_refused(points, 20, "one plane");
    quat turn = random_rotation(&random);
    for (int i = 0; i < 20; i++)
        points[i] = quat_rotate(turn, points[i]);
    assert_refused(points, 20, "one plane");
    for (int i = 0; i < 20; i++)
        points[i] = vec3_make(i, i, i);
    assert_refused(points, 20, "plane");
    for (int i = 0; i < 20; i++)
        points[i] = vec3_make(1, 2, 3);
    assert_refused(points, 20, "all the same");
}

static geometry_parts packed(const scree_geometry *geometry)
{
    geometry_parts parts = {0};
    assert_true(geometry_pack(geometry, &parts));
    return parts;
}

static scree_status unpack(const geometry_parts *parts, scree_geometry **geometry)
{
    packed_geometry from = {parts->reals.data, parts->words.data, parts->reals.count, parts->words.count};
    scree_error error = {0};
    scree_status status = geometry_unpack(SCREE_SHAPE_HULL, &from, geometry, &error);
    assert_true((status == SCREE_OK) == (*geometry != NULL) && (status == SCREE_OK) == (error.message[0] == 0));
    return status;
}

static void test_snapshot_has_the_same_bits(void **state)
{
    (void)state;
    vec3 points[100];
    random_stream random = {8};
    for (int i = 0; i < 100; i++)
        points[i] = vec3_add(vec3_make(100, 0, 0), i % 2 ? random_vec(&random, 1) : random_direction(&random));
    scree_geometry *geometry = hull_of(points, 100), *again;
    geometry_parts parts = packed(geometry);
    assert_int_equal(unpack(&parts, &again), SCREE_OK);
    const hull_geometry *a = geometry->hull, *b = again->hull;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->face_count, b->face_count);
    assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
    assert_memory_equal(a->normals, b->normals, a->face_count * sizeof *a->normals);
    assert_memory_equal(a->offsets, b->offsets, a->face_count * sizeof *a->offsets);
    assert_memory_equal(a->face_start, b->face_start, (a->face_count + 1) * sizeof *a->face_start);
    assert_memory_equal(a->ring_start, b->ring_start, (a->vertex_count + 1) * sizeof *a->ring_start);
    assert_memory_equal(a->ring, b->ring, a->ring_start[a->vertex_count] * sizeof *a->ring);
    assert_memory_equal(&geometry->solid, &again->solid, sizeof geometry->solid);
    assert_memory_equal(&geometry->half, &again->half, sizeof geometry->half);
    assert_memory_equal(&geometry->origin, &again->origin, sizeof geometry->origin);
    assert_true(geometry->radius == again->radius);
    scree_geometry_release(geometry);
    scree_geometry_release(again);
    array_free(&parts.reals);
    array_free(&parts.words);
}

// Any word or number may be wrong, and arrays may end early: refused or still a sound hull, never a crash.
static void test_hostile_snapshots(void **state)
{
    (void)state;
    random_stream random = {9};
    vec3 points[30];
    for (int i = 0; i < 30; i++)
        points[i] = random_direction(&random);
    scree_geometry *geometry = hull_of(points, 30), *again;
    geometry_parts parts = packed(geometry);
    enum { TRIALS = CHECK_SANITIZED ? 4000 : 20000 };
    int refused = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        size_t word = random_bits(&random) % parts.words.count, real = random_bits(&random) % parts.reals.count;
        uint32_t kept_word = parts.words.data[word];
        double kept_real = parts.reals.data[real];
        size_t kept_words = parts.words.count, kept_reals = parts.reals.count;
        switch (trial % 4) {
        case 0:
            parts.words.data[word] = (uint32_t)(random_bits(&random) % 64);
            break;
        case 1:
            parts.words.data[word] = (uint32_t)random_bits(&random);
            break;
        case 2:
            parts.reals.data[real] = trial % 8 == 2 ? CHECK_NAN : random_between(&random, -2, 2);
            break;
        default:
            *(trial % 8 == 3 ? &parts.words.count : &parts.reals.count) = trial % 8 == 3 ? word : real;
        }
        refused += unpack(&parts, &again) != SCREE_OK;
        if (again && trial % 4 != 2)
            assert_memory_equal(again->hull->face_corners, geometry->hull->face_corners, sizeof(uint32_t));
        scree_geometry_release(again);
        parts.words.data[word] = kept_word;
        parts.reals.data[real] = kept_real;
        parts.words.count = kept_words;
        parts.reals.count = kept_reals;
    }
    assert_true(refused > TRIALS * 3 / 4);
    assert_int_equal(unpack(&parts, &again), SCREE_OK);
    scree_geometry_release(again);
    scree_geometry_release(geometry);
    array_free(&parts.reals);
    array_free(&parts.words);
}

// Bounds of the turned proxy against its corners, one by one.
static void test_half_extents(void **state)
{
    (void)state;
    random_stream random = {10};
    vec3 points[12];
    for (int i = 0; i < 12; i++)
        points[i] = random_vec(&random, 1);
    scree_geometry *geometry = hull_of(points, 12);
    const scree_geometry *geometries[] = {geometry};
    for (int trial = 0; trial < 100; trial++) {
        local_pose local = {{0, 0, 0}, {1, 0, 0, 0}};
        quat turn = random_rotation(&random);
        vec3 center = {0, 0, 0}, most = {0, 0, 0};
        proxy p = {.geometry = 0, .type = SCREE_SHAPE_HULL};
        proxy_view view = {.proxies = &p,
                           .proxy_count = 1,
                           .locals = &local,
                           .geometries = geometries,
                           .centers = &center,
                           .orientations = &turn};
        for (int i = 0; i < 12; i++) {
            vec3 at = quat_rotate(turn, vec3_sub(points[i], geometry->origin));
            most = vec3_make(fmax(most.x, fabs(at.x)), fmax(most.y, fabs(at.y)), fmax(most.z, fabs(at.z)));
        }
        assert_near(vec3_length(vec3_sub(proxy_half_extents(&view, &p), most)), 0, 1e-12);
    }
    scree_geometry_release(geometry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_has_six_faces),
        cmocka_unit_test(test_mass_of_box),
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_many_coplanar_points),
        cmocka_unit_test(test_needles_and_flakes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_snapshot_has_the_same_bits),
        cmocka_unit_test(test_hostile_snapshots),
        cmocka_unit_test(test_half_extents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_refusal(void **state)
{
    (void)state;
    vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scree_geometry *geometry;
    scree_error error = {0};
    assert_int_equal(scree_hull_create(points, 4, &geometry, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "qhull"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
