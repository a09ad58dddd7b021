// Mass properties of closed triangle surfaces against closed forms and Monte Carlo, and the check that they are closed.
#include "../../physics/check.h"

#include <string.h>

#include "geometry/solid.h"
#include "random_pose.h"
#include "solids.h"

static solid_properties solid_of(const test_mesh *mesh)
{
    return solid_of_triangles(mesh->vertices.data, mesh->triangles.data, mesh_triangles(mesh));
}

static scree_status check(const test_mesh *mesh, scree_error *error)
{
    return solid_check(mesh->vertices.data, mesh->triangles.data, mesh_triangles(mesh), "shoe.obj", error);
}

static void assert_solid(const solid_properties *solid, double volume, vec3 centroid, vec3 moments, double tolerance)
{
    assert_relative(solid->volume, volume, tolerance);
    assert_near(vec3_length(vec3_sub(solid->centroid, centroid)), 0, tolerance * cbrt(volume));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(solid->inertia.m[i][j], i == j ? vec3_get(moments, i) : 0, tolerance * vec3_max(moments));
}

static void test_box(void **state)
{
    (void)state;
    const vec3 half = {0.5, 1, 2}, centers[] = {{0, 0, 0}, {3, -2, 7}, {1e5, 1e5, -1e5}};
    vec3 square = vec3_multiply(half, half);
    double volume = 8;
    vec3 moments = vec3_scale(vec3_make(square.y + square.z, square.z + square.x, square.x + square.y), volume / 3);
    for (size_t i = 0; i < 3; i++) {
        test_mesh mesh = mesh_box(half, centers[i]);
        solid_properties solid = solid_of(&mesh);
        assert_solid(&solid, volume, centers[i], moments, i < 2 ? 1e-14 : 1e-9);
        assert_int_equal(check(&mesh, NULL), SCREE_OK);
        mesh_drop(&mesh);
    }
}

// The corner of a cube: V = abc / 6, the centroid a quarter along each edge, about it
// I_xx = 3 V (b^2 + c^2) / 80 and I_xy = V a b / 80.
static void test_tetrahedron(void **state)
{
    (void)state;
    const double a = 1, b = 2, c = 3, volume = a * b * c / 6;
    const vec3 vertices[] = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    solid_properties solid = solid_of_triangles(vertices, triangles, 4);
    assert_near(solid.volume, volume, 1e-15);
    assert_near(vec3_length(vec3_sub(solid.centroid, vec3_make(a / 4, b / 4, c / 4))), 0, 1e-15);
    assert_near(solid.inertia.m[0][0], 3 * volume * (b * b + c * c) / 80, 1e-14);
    assert_near(solid.inertia.m[1][1], 3 * volume * (c * c + a * a) / 80, 1e-14);
    assert_near(solid.inertia.m[2][2], 3 * volume * (a * a + b * b) / 80, 1e-14);
    assert_near(solid.inertia.m[0][1], volume * a * b / 80, 1e-14);
    assert_near(solid.inertia.m[0][2], volume * a * c / 80, 1e-14);
    assert_near(solid.inertia.m[2][1], volume * b * c / 80, 1e-14);
}

// A prism over a regular polygon of n sides: its moments have closed forms.
static void test_regular_prism(void **state)
{
    (void)state;
    enum { SIDES = 7 };
    const double radius = 1.5, height = 0.8;
    double corners[SIDES][2];
    for (int i = 0; i < SIDES; i++) {
        corners[i][0] = radius * cos(2 * PI * i / SIDES);
        corners[i][1] = radius * sin(2 * PI * i / SIDES);
    }
    test_mesh mesh = mesh_prism((const double(*)[2])corners, SIDES, height);
    solid_properties solid = solid_of(&mesh);
    double area = SIDES / 2.0 * radius * radius * sin(2 * PI / SIDES), volume = area * height;
    double polar = volume * radius * radius / 6 * (2 + cos(2 * PI / SIDES)); // of which each axis has half
    double across = polar / 2 + volume * height * height / 12;
    assert_solid(&solid, volume, vec3_make(0, 0, height / 2), vec3_make(across, across, polar), 1e-13);
    assert_int_equal(check(&mesh, NULL), SCREE_OK);
    mesh_drop(&mesh);
}

static void test_ball_converges(void **state)
{
    (void)state;
    double last = 1;
    for (uint32_t rings = 8; rings <= 64; rings *= 2) {
        test_mesh mesh = mesh_ball(1, rings);
        assert_int_equal(check(&mesh, NULL), SCREE_OK);
        solid_properties solid = solid_of(&mesh);
        double off = fabs(solid.volume / (4 * PI / 3) - 1) + fabs(solid.inertia.m[0][0] / (8 * PI / 15) - 1);
        assert_at_most(off, last / 3.8); // second order
        assert_near(vec3_length(solid.centroid), 0, 1e-14);
        last = off;
        mesh_drop(&mesh);
    }
}

// An L of two boxes, which is not convex, by counting random points.
static void test_l_shape_against_monte_carlo(void **state)
{
    (void)state;
    enum { SAMPLES = 400000 };
    static const double corners[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    test_mesh mesh = mesh_prism(corners, 6, 0.5);
    solid_properties solid = solid_of(&mesh);
    assert_near(solid.volume, 2, 1e-14);
    random_stream random = {3};
    solid_properties sum = {0};
    for (int i = 0; i < SAMPLES; i++) {
        vec3 p = {random_between(&random, 0, 2), random_between(&random, 0, 3), random_between(&random, 0, 0.5)};
        if (p.x > 1 && p.y > 1)
            continue;
        double piece = 3.0 / SAMPLES;
        vec3 arm = vec3_sub(p, solid.centroid);
        sum.volume += piece;
        sum.centroid = vec3_add_scaled(sum.centroid, arm, piece);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                sum.inertia.m[r][c] +=
                    piece * ((r == c ? vec3_dot(arm, arm) : 0) - vec3_get(arm, r) * vec3_get(arm, c));
    }
    assert_relative(sum.volume, solid.volume, 0.01);
    assert_near(vec3_length(sum.centroid), 0, 0.02);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            assert_near(sum.inertia.m[r][c], solid.inertia.m[r][c], 0.02 * solid.inertia.m[r][r]);
    mesh_drop(&mesh);
}

static void assert_refused(test_mesh *mesh, const char *word)
{
    scree_error error = {0};
    assert_int_equal(check(mesh, &error), SCREE_ERROR_INVALID);
    assert_ptr_equal(strstr(error.message, "shoe.obj: "), error.message);
    if (!strstr(error.message, word))
        print_error("'%s' lacks '%s'\n", error.message, word);
    assert_non_null(strstr(error.message, word));
    mesh_drop(mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    vec3 half = {1, 1, 1}, zero = {0, 0, 0};
    test_mesh mesh = {0};
    assert_refused(&mesh, "no triangles");
    mesh = mesh_box(half, zero);
    mesh.triangles.count -= 3; // a hole
    assert_refused(&mesh, "belongs to 1 triangle;");
    mesh = mesh_box(half, zero);
    mesh_triangle(&mesh, 0, 2, 3); // one triangle twice
    assert_refused(&mesh, "belongs to 3 triangles");
    mesh = mesh_box(half, zero);
    uint32_t turned = mesh.triangles.data[4];
    mesh.triangles.data[4] = mesh.triangles.data[5];
    mesh.triangles.data[5] = turned;
    assert_refused(&mesh, "both run from vertex");
    mesh = mesh_box(half, zero);
    mesh.triangles.data[7] = mesh.triangles.data[6];
    assert_refused(&mesh, "triangle 3 has a vertex twice");
    mesh = mesh_box(vec3_make(-1, 1, 1), zero); // mirrored: inside out
    assert_refused(&mesh, "volume is -8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_tetrahedron),
        cmocka_unit_test(test_regular_prism),
        cmocka_unit_test(test_ball_converges),
        cmocka_unit_test(test_l_shape_against_monte_carlo),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
