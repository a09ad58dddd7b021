// Height fields: samples and triangles where they belong, shared edges against comparing corners, cells, packing.
#include "surfaces.h"

#include "geometry/height.h"
#include "random_pose.h"

static double hills(double x, double y)
{
    return 0.5 * sin(2 * x) + 0.25 * y * y - 0.1 * x * y;
}

static scree_geometry *small_field(size_t columns, size_t rows, float *heights, random_stream *random)
{
    for (size_t i = 0; i < columns * rows; i++)
        heights[i] = (float)random_between(random, -1, 2);
    scree_heightfield_def def = {columns, rows, 3, 5, heights};
    scree_geometry *geometry = NULL;
    surface_ok(scree_heightfield_create(&def, &geometry, error));
    return geometry;
}

static void test_samples_stand_where_given(void **state)
{
    (void)state;
    random_stream random = {3};
    float heights[20];
    scree_geometry *geometry = small_field(5, 4, heights, &random);
    const height_geometry *field = geometry->height;
    for (size_t row = 0; row < 4; row++)
        for (size_t column = 0; column < 5; column++) {
            vec3 at = vec3_add(height_sample(field, column, row), geometry->origin);
            vec3 expected = {-1.5 + 0.75 * (double)column, -2.5 + 5.0 / 3 * (double)row,
                             (double)heights[row * 5 + column]};
            assert_vec3_near(at, expected, 1e-12);
            assert_true(fabs(at.z - geometry->origin.z) <= geometry->half.z * (1 + 1e-12));
        }
    assert_true(geometry->origin.z - geometry->half.z < -5); // ground below
    scree_geometry_release(geometry);
}

// Triangles face up and cover the rectangle once; opposite half edges run between the same two samples.
static void test_triangles(void **state)
{
    (void)state;
    random_stream random = {5};
    const size_t sizes[][2] = {{2, 2}, {2, 5}, {5, 2}, {6, 4}};
    for (size_t s = 0; s < 4; s++) {
        float heights[24];
        scree_geometry *geometry = small_field(sizes[s][0], sizes[s][1], heights, &random);
        const height_geometry *field = geometry->height;
        uint32_t triangles = (uint32_t)(2 * (sizes[s][0] - 1) * (sizes[s][1] - 1));
        double area = 0;
        size_t rim = 0;
        for (uint32_t t = 0; t < triangles; t++) {
            vec3 p[3], q[3];
            height_corners(field, t, p);
            double up = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])).z;
            assert_true(up > 0);
            area += 0.5 * up;
            for (uint32_t e = 0; e < 3; e++) {
                uint32_t other = height_opposite(field, 3 * t + e);
                if (other == MESH_NO_EDGE) {
                    rim++;
                    continue;
                }
                assert_int_equal(height_opposite(field, other), 3 * t + e);
                height_corners(field, other / 3, q);
                assert_vec3_near(q[other % 3], p[(e + 1) % 3], 0);
                assert_vec3_near(q[(other + 1) % 3], p[e], 0);
            }
        }
        assert_relative(area, 15.0, 1e-12);
        assert_int_equal(rim, 2 * (sizes[s][0] + sizes[s][1] - 2));
        scree_geometry_release(geometry);
    }
}

static void test_finding_triangles(void **state)
{
    (void)state;
    random_stream random = {7};
    scree_geometry *geometry = grid_field(23, 2, hills);
    const height_geometry *field = geometry->height;
    for (int trial = 0; trial < 20000; trial++) {
        double x = random_between(&random, -2.2, 2.2), y = random_between(&random, -2.2, 2.2);
        uint32_t found = height_triangle_at(field, x, y);
        bool inside = fabs(x) <= 2 && fabs(y) <= 2;
        assert_int_equal(found != MESH_NO_EDGE, inside);
        if (!inside)
            continue;
        vec3 p[3];
        height_corners(field, found, p);
        for (int e = 0; e < 3; e++) {
            vec3 a = p[e], b = p[(e + 1) % 3];
            assert_true((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > -1e-12);
        }
    }
    height_cells cells;
    assert_true(height_cells_in(field, vec3_make(-9, -0.01, 0), vec3_make(-1.9, 9, 0), &cells));
    assert_int_equal(cells.first_column, 0);
    assert_int_equal(cells.last_column, 0);
    assert_int_equal(cells.first_row, 10);
    assert_int_equal(cells.last_row, 21);
    assert_false(height_cells_in(field, vec3_make(2.1, 0, 0), vec3_make(3, 0, 0), &cells));
    scree_geometry_release(geometry);
}

static void test_packing(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_field(9, 2, hills), *back;
    geometry_parts parts = {0};
    assert_true(geometry_pack(geometry, &parts));
    packed_geometry from = {parts.reals.data, parts.words.data, parts.reals.count, parts.words.count};
    surface_ok(geometry_unpack(SCREE_SHAPE_HEIGHTFIELD, &from, &back, error));
    assert_memory_equal(geometry->height->heights, back->height->heights, 81 * sizeof(float));
    assert_memory_equal(&geometry->origin, &back->origin, sizeof(vec3));
    assert_memory_equal(&geometry->half, &back->half, sizeof(vec3));
    scree_geometry_release(geometry);
    scree_geometry_release(back);
    back = NULL;
    scree_error error = {0};
    for (size_t count = 0; count < parts.words.count; count += 7) {
        from.word_count = count;
        assert_int_equal(geometry_unpack(SCREE_SHAPE_HEIGHTFIELD, &from, &back, &error), SCREE_ERROR_INVALID);
    }
    from.word_count = parts.words.count;
    parts.words.data[5] = 0x7fc00000; // not a number
    assert_int_equal(geometry_unpack(SCREE_SHAPE_HEIGHTFIELD, &from, &back, &error), SCREE_ERROR_INVALID);
    parts.words.data[5] = 0;
    parts.reals.data[0] = -1;
    assert_int_equal(geometry_unpack(SCREE_SHAPE_HEIGHTFIELD, &from, &back, &error), SCREE_ERROR_INVALID);
    assert_null(back);
    array_free(&parts.reals);
    array_free(&parts.words);
}

static void test_refusals(void **state)
{
    (void)state;
    float heights[4] = {0, 0, 0, 0};
    const scree_heightfield_def bad[] = {
        {1, 4, 1, 1, heights}, {2, 0, 1, 1, heights},         {SIZE_MAX, SIZE_MAX, 1, 1, heights},
        {2, 2, 0, 1, heights}, {2, 2, 1, CHECK_NAN, heights}, {2, 2, 1, 1, NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scree_geometry *geometry = NULL;
        scree_error error = {0};
        assert_int_equal(scree_heightfield_create(&bad[i], &geometry, &error), SCREE_ERROR_INVALID);
        assert_true(error.message[0]);
    }
    heights[2] = INFINITY;
    scree_heightfield_def def = {2, 2, 1, 1, heights};
    scree_geometry *geometry = NULL;
    scree_error error = {0};
    assert_int_equal(scree_heightfield_create(&def, &geometry, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "height 0 in row 1 must be finite and within 1e15, not inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_stand_where_given),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_finding_triangles),
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
