// Meshes: shared edges against comparing all pairs, bounds, volume, packing, and what is refused.
#include "surfaces.h"

#include "geometry/mesh.h"
#include "random_pose.h"
#include "solids.h"

static double waves(double x, double y)
{
    return 0.3 * sin(3 * x) * cos(2 * y);
}

static vec3 corner_of(const mesh_geometry *mesh, uint32_t edge)
{
    return mesh->vertices[mesh->triangles[edge / 3][edge % 3]];
}

static uint32_t next_edge(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static bool same_place(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_opposites(const mesh_geometry *mesh)
{
    uint32_t edges = (uint32_t)(3 * mesh->triangle_count);
    bool closed = true;
    for (uint32_t e = 0; e < edges; e++) {
        vec3 from = corner_of(mesh, e), to = corner_of(mesh, next_edge(e));
        uint32_t expected = MESH_NO_EDGE;
        int users = 0;
        for (uint32_t f = 0; f < edges; f++) {
            vec3 a = corner_of(mesh, f), b = corner_of(mesh, next_edge(f));
            users += (same_place(a, from) && same_place(b, to)) || (same_place(a, to) && same_place(b, from));
            if (same_place(a, to) && same_place(b, from))
                expected = f;
        }
        assert_int_equal(mesh->opposite[e / 3][e % 3], users == 2 ? expected : MESH_NO_EDGE);
        closed = closed && mesh->opposite[e / 3][e % 3] != MESH_NO_EDGE;
    }
    assert_int_equal(mesh->closed, closed);
}

static void test_shared_edges(void **state)
{
    (void)state;
    scree_geometry *made[] = {grid_mesh(8, 1, 0.24, 5, waves), box_mesh((vec3){0, 0, 0}, (vec3){1, 2, 3}, false, false),
                              box_mesh((vec3){0, 0, 0}, (vec3){1, 2, 3}, true, true),
                              box_mesh((vec3){5, 0, 0}, (vec3){1, 2, 3}, false, true)};
    for (size_t i = 0; i < 4; i++) {
        check_opposites(made[i]->mesh);
        scree_geometry_release(made[i]);
    }
}

// Three triangles on one edge; two that run the same way; one with a corner named twice.
static void test_unclean_edges(void **state)
{
    (void)state;
    vec3 vertices[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {1, 0, 1}};
    uint32_t triangles[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 1, 4, 5, 4, 1, 5, 2, 2, 0, 1, 0, 4};
    for (size_t count = 1; count <= 7; count++) {
        scree_geometry *geometry;
        surface_ok(scree_mesh_create(vertices, 6, triangles, count, &geometry, error));
        const mesh_geometry *mesh = geometry->mesh;
        for (uint32_t e = 0; e < 3 * count; e++) {
            uint32_t other = mesh->opposite[e / 3][e % 3];
            if (other == MESH_NO_EDGE)
                continue;
            assert_int_equal(mesh->opposite[other / 3][other % 3], e);
            assert_true(same_place(corner_of(mesh, e), corner_of(mesh, next_edge(other))));
            assert_true(same_place(corner_of(mesh, next_edge(e)), corner_of(mesh, other)));
        }
        if (count == 2)
            assert_int_equal(mesh->opposite[0][0], 3);
        if (count >= 3) // the third on that edge parts the first two
            assert_int_equal(mesh->opposite[0][0], MESH_NO_EDGE);
        scree_geometry_release(geometry);
    }
}

static void test_place_and_size(void **state)
{
    (void)state;
    scree_geometry *closed = box_mesh((vec3){5, -7, 100}, (vec3){1, 2, 3}, false, false);
    assert_vec3_near(closed->origin, vec3_make(5, -7, 100), 1e-13);
    assert_vec3_near(closed->half, vec3_make(1, 2, 3), 1e-12);
    assert_near(closed->radius, sqrt(14), 1e-12);
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_MESH;
    shape.geometry = closed;
    assert_relative(scree_shape_volume(&shape), 48.0, 1e-12);
    scree_geometry *open = box_mesh((vec3){5, -7, 100}, (vec3){1, 2, 3}, true, false);
    shape.geometry = open;
    assert_near(scree_shape_volume(&shape), 0, 0);
    scree_geometry_release(closed);
    scree_geometry_release(open);
}

// Two boxes in an L, whose centroid is not the middle of its box, far from the origin: by the theorem of parallel axes.
static void test_solid_off_center(void **state)
{
    (void)state;
    static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    const double height = 0.5;
    const vec3 sizes[2] = {{2, 1, height}, {1, 2, height}}, middles[2] = {{1, 0.5, height / 2}, {0.5, 2, height / 2}};
    const vec3 place = {40, -30, 7};
    test_mesh prism = mesh_prism(outline, 6, height);
    for (size_t i = 0; i < prism.vertices.count; i++)
        prism.vertices.data[i] = vec3_add(prism.vertices.data[i], place);
    scree_geometry *geometry;
    surface_ok(scree_mesh_create(prism.vertices.data, prism.vertices.count, prism.triangles.data,
                                 mesh_triangles(&prism), &geometry, error));
    vec3 centroid = vec3_scale(vec3_add(middles[0], middles[1]), 0.5); // both have the volume 1
    const solid_properties *solid = &geometry->solid;
    assert_relative(solid->volume, 2.0, 1e-12);
    assert_vec3_near(vec3_add(geometry->origin, solid->centroid), vec3_add(place, centroid), 1e-12);
    assert_true(vec3_length(solid->centroid) > 0.1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 2; k++) {
                vec3 arm = vec3_sub(middles[k], centroid), size = sizes[k];
                double side = vec3_get(size, i), own = (vec3_dot(size, size) - side * side) / 12;
                sum += (i == j ? own + vec3_dot(arm, arm) : 0) - vec3_get(arm, i) * vec3_get(arm, j);
            }
            assert_near(solid->inertia.m[i][j], sum, 1e-12);
        }
    scree_geometry_release(geometry);
    mesh_drop(&prism);
}

static void test_nothing_inside(void **state)
{
    (void)state;
    const vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t inside_out[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    scree_geometry *geometry;
    surface_ok(scree_mesh_create(vertices, 4, inside_out, 4, &geometry, error));
    assert_true(geometry->mesh->closed);
    assert_near(geometry->solid.volume, 0, 0);
    scree_geometry_release(geometry);
}

// A vertex that no triangle uses does not stretch the box.
static void test_unused_vertices(void **state)
{
    (void)state;
    vec3 vertices[4] = {{0, 0, 0}, {1e9, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    uint32_t triangle[3] = {0, 2, 3};
    scree_geometry *geometry;
    surface_ok(scree_mesh_create(vertices, 4, triangle, 1, &geometry, error));
    assert_vec3_near(geometry->half, vec3_make(1, 1, 0), 1e-12);
    scree_geometry_release(geometry);
}

static packed_geometry packed(const geometry_parts *parts)
{
    return (packed_geometry){parts->reals.data, parts->words.data, parts->reals.count, parts->words.count};
}

static void test_packing(void **state)
{
    (void)state;
    scree_geometry *geometry = grid_mesh(12, 3, 0.24, 9, waves), *back;
    geometry_parts parts = {0};
    assert_true(geometry_pack(geometry, &parts));
    packed_geometry from = packed(&parts);
    surface_ok(geometry_unpack(SCREE_SHAPE_MESH, &from, &back, error));
    const mesh_geometry *a = geometry->mesh, *b = back->mesh;
    assert_memory_equal(&geometry->origin, &back->origin, sizeof(vec3));
    assert_memory_equal(&geometry->half, &back->half, sizeof(vec3));
    assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
    assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
    assert_memory_equal(a->opposite, b->opposite, a->triangle_count * sizeof *a->opposite);
    assert_memory_equal(a->tree.nodes.data, b->tree.nodes.data, a->tree.nodes.count * sizeof(bvh_node));
    scree_geometry_release(geometry);
    scree_geometry_release(back);
    array_free(&parts.reals);
    array_free(&parts.words);
}

static void refuse_packed(packed_geometry from)
{
    scree_geometry *geometry = NULL;
    scree_error error = {0};
    assert_int_equal(geometry_unpack(SCREE_SHAPE_MESH, &from, &geometry, &error), SCREE_ERROR_INVALID);
    assert_true(error.message[0]);
    assert_null(geometry);
}

static void test_broken_packs(void **state)
{
    (void)state;
    double reals[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t words[3] = {0, 1, 2};
    packed_geometry good = {reals, words, 12, 3}, bad;
    scree_geometry *geometry;
    surface_ok(geometry_unpack(SCREE_SHAPE_MESH, &good, &geometry, error));
    scree_geometry_release(geometry);
    for (size_t count = 0; count < 12; count++) {
        bad = good;
        bad.real_count = count;
        refuse_packed(bad);
    }
    for (size_t count = 0; count < 3; count++) {
        bad = good;
        bad.word_count = count;
        refuse_packed(bad);
    }
    words[1] = 3;
    refuse_packed(good);
    words[1] = 1;
    for (size_t i = 0; i < 12; i++) {
        double kept = reals[i];
        reals[i] = i % 2 ? CHECK_NAN : CHECK_INFINITY;
        refuse_packed(good);
        reals[i] = kept;
    }
}

static void test_refusals(void **state)
{
    (void)state;
    vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t triangles[3] = {0, 1, 2};
    scree_geometry *geometry = NULL;
    scree_error error = {0};
    assert_int_equal(scree_mesh_create(NULL, 0, triangles, 1, &geometry, &error), SCREE_ERROR_INVALID);
    assert_int_equal(scree_mesh_create(vertices, 3, triangles, 0, &geometry, &error), SCREE_ERROR_INVALID);
    assert_int_equal(scree_mesh_create(vertices, 2, triangles, 1, &geometry, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "triangle 0 of the mesh names vertex 2; there are 2");
    vertices[2] = vec3_make(2, 0, 0);
    assert_int_equal(scree_mesh_create(vertices, 3, triangles, 1, &geometry, &error), SCREE_ERROR_INVALID);
    assert_string_equal(error.message, "no triangle of the mesh has an area");
    vertices[1].y = CHECK_NAN;
    assert_int_equal(scree_mesh_create(vertices, 3, triangles, 1, &geometry, &error), SCREE_ERROR_INVALID);
    assert_null(geometry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_edges),   cmocka_unit_test(test_unclean_edges),
        cmocka_unit_test(test_place_and_size), cmocka_unit_test(test_solid_off_center),
        cmocka_unit_test(test_nothing_inside), cmocka_unit_test(test_unused_vertices),
        cmocka_unit_test(test_packing),        cmocka_unit_test(test_broken_packs),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
