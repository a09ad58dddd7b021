// Queries on surfaces against asking every triangle.
#include "surface_support.h"

enum { QUERIES = CHECK_SANITIZED ? 200 : 2000 };

// Rays through vertices and edges of a closed surface do not slip in between.
static void test_rays_through_edges(void **state)
{
    (void)state;
    random_stream random = {7};
    scree_geometry *geometry = grid_mesh(10, 1, 0.24, 3, waves);
    surface s = surface_of(geometry);
    for (int trial = 0; trial < QUERIES; trial++) {
        uint32_t t = (uint32_t)(random_bits(&random) % triangle_count(geometry));
        vec3 p[3];
        surface_corners(&s, t, p);
        double part = trial % 2 ? random_unit(&random) : 0;
        vec3 target = vec3_add_scaled(p[0], vec3_sub(p[1], p[0]), part);
        if (fabs(target.x) > 0.99 || fabs(target.y) > 0.99)
            continue; // on the rim
        vec3 origin = vec3_add(target, vec3_make(0.3, 0.2, 3));
        surface_hit hit;
        assert_true(surface_ray(&s, origin, vec3_sub(target, origin), 2, &hit));
        assert_near(hit.t, 1, 1e-9);
    }
    scree_geometry_release(geometry);
}

static scree_geometry *query_surface(int kind)
{
    if (kind == 0)
        return grid_mesh(20, 3, 0.24, 5, waves);
    return kind == 1 ? grid_field(21, 3, waves) : box_mesh((vec3){0, 0, 0}, (vec3){1, 2, 0.5}, false, true);
}

static void test_rays(void **state)
{
    (void)state;
    random_stream random = {11};
    for (int kind = 0; kind < 3; kind++) {
        scree_geometry *geometry = query_surface(kind);
        surface s = surface_of(geometry);
        double z = kind == 1 ? geometry->height->highest : 0; // the surface is near the top of its box
        int hits = 0;
        for (int trial = 0; trial < QUERIES; trial++) {
            vec3 origin = vec3_add(random_vec(&random, 4), vec3_make(0, 0, z)), direction = random_vec(&random, 1);
            if (trial % 5 == 0)
                direction = trial % 2 ? vec3_make(0, 0, -1) : vec3_make(trial % 3 - 1, 0, -0.1);
            if (trial % 3 == 0)
                direction = vec3_sub(vec3_add(random_vec(&random, 1), vec3_make(0, 0, z)), origin);
            double limit = trial % 4 ? CHECK_INFINITY : 1.5, brute = CHECK_INFINITY;
            for (uint32_t t = 0; t < triangle_count(geometry); t++) {
                vec3 p[3];
                double at;
                surface_corners(&s, t, p);
                if (triangle_ray(p, origin, direction, &at) && at >= 0 && at <= limit)
                    brute = fmin(brute, at);
            }
            surface_hit hit;
            bool found = surface_ray(&s, origin, direction, limit, &hit);
            assert_int_equal(found, brute < CHECK_INFINITY);
            if (!found)
                continue;
            assert_true(hit.t == brute);
            vec3 p[3];
            surface_corners(&s, hit.triangle, p);
            assert_vec3_near(hit.normal, triangle_normal(p), 0);
            hits++;
        }
        assert_true(hits > QUERIES / 5);
        scree_geometry_release(geometry);
    }
}

static void test_nearest_points(void **state)
{
    (void)state;
    random_stream random = {13};
    for (int kind = 0; kind < 3; kind++) {
        scree_geometry *geometry = query_surface(kind);
        surface s = surface_of(geometry);
        double z = kind == 1 ? geometry->height->highest : 0;
        for (int trial = 0; trial < QUERIES; trial++) {
            vec3 point = vec3_add(random_vec(&random, 4), vec3_make(0, 0, z));
            double limit = trial % 2 ? CHECK_INFINITY : 0.7, brute = CHECK_INFINITY;
            for (uint32_t t = 0; t < triangle_count(geometry); t++) {
                vec3 p[3];
                int features;
                surface_corners(&s, t, p);
                brute = fmin(brute, vec3_length(vec3_sub(point, triangle_nearest(p, point, &features))));
            }
            surface_place place;
            bool found = surface_nearest(&s, point, limit, &place);
            assert_int_equal(found, brute < limit);
            if (!found)
                continue;
            assert_near(fabs(place.distance), brute, 1e-15);
            assert_near(vec3_length(vec3_sub(point, place.point)), brute, 1e-15);
            bool below =
                kind == 1 && fabs(point.x) < 3 && fabs(point.y) < 3 && place.point.z > point.z && place.distance < 0;
            bool inside = kind == 2 && fabs(point.x) < 1 && fabs(point.y) < 2 && fabs(point.z) < 0.5;
            if (kind == 2)
                assert_int_equal(place.distance < 0, inside);
            if (kind == 1 && place.distance < 0)
                assert_true(below || place.normal.z > 0);
        }
        scree_geometry_release(geometry);
    }
}

// The sign near sharp corners of a closed surface: a thin spike, seen from all around.
static void test_sides_of_a_spike(void **state)
{
    (void)state;
    vec3 vertices[4] = {{0, 0, 5}, {0.3, 0, 0}, {-0.1, 0.2, 0}, {-0.1, -0.2, 0}};
    uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    scree_geometry *geometry;
    surface_ok(scree_mesh_create(vertices, 4, triangles, 4, &geometry, error));
    assert_true(geometry->mesh->closed && geometry->solid.volume > 0);
    surface s = surface_of(geometry);
    random_stream random = {17};
    int inside_count = 0;
    for (int trial = 0; trial < 10 * QUERIES; trial++) {
        vec3 at = {random_between(&random, -0.4, 0.4), random_between(&random, -0.4, 0.4),
                   random_between(&random, -1, 6)};
        double inside = CHECK_INFINITY; // least depth below the four planes
        for (uint32_t t = 0; t < 4; t++) {
            vec3 p[3] = {vertices[triangles[3 * t]], vertices[triangles[3 * t + 1]], vertices[triangles[3 * t + 2]]};
            inside = fmin(inside, -vec3_dot(triangle_normal(p), vec3_sub(at, p[0])));
        }
        surface_place place;
        assert_true(surface_nearest(&s, vec3_sub(at, geometry->origin), CHECK_INFINITY, &place));
        if (fabs(inside) > 1e-12)
            assert_int_equal(place.distance<0, inside> 0);
        inside_count += inside > 0;
    }
    assert_true(inside_count > 50);
    scree_geometry_release(geometry);
}

static void test_allowed_directions(void **state)
{
    (void)state;
    // Two faces that meet in the y axis: flat, convex, concave.
    const double rise[3] = {0, -1, 1};
    for (int kind = 0; kind < 3; kind++) {
        vec3 vertices[4] = {{0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, rise[kind]}};
        uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
        scree_geometry *geometry;
        surface_ok(scree_mesh_create(vertices, 4, triangles, 2, &geometry, error));
        surface s = surface_of(geometry);
        double most = kind == 1 ? 0.25 * PI : 0;
        for (double angle = -1.5; angle < 1.5; angle += 0.07) { // from straight up towards +x
            bool allowed = surface_allows(&s, 0, 3, vec3_make(sin(angle), 0, cos(angle)), 1e-9);
            // Triangle 0 itself was touched on its edge: directions towards its inside never come.
            if (angle >= 0)
                assert_int_equal(allowed, kind == 1 && angle <= most);
        }
        assert_int_equal(surface_allows(&s, 0, 3, vec3_make(0, 0, 1), 1e-9), kind < 2);
        assert_true(surface_allows(&s, 0, 7, vec3_make(0, 0, 1), 1e-9));
        assert_true(surface_allows(&s, 0, 5, vec3_make(-0.8, -0.6, 0), 1e-9)); // the rim
        scree_geometry_release(geometry);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_rays_through_edges), cmocka_unit_test(test_rays),
        cmocka_unit_test(test_nearest_points),     cmocka_unit_test(test_sides_of_a_spike),
        cmocka_unit_test(test_allowed_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
