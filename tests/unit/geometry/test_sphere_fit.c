// Sphere sets made from meshes: cover, protrusion and count against distances in closed form and random points.
#include "../../physics/check.h"

#include <string.h>

#include "geometry/fit/closed_surface.h"
#include "geometry/fit/sphere_fit.h"
#include "geometry/solid.h"
#include "random_pose.h"
#include "solids.h"

static const double l_corners[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
static const double l_height = 0.5;

// Distance of a point outside of a box from `low` to `high`; 0 inside.
static double above_box(vec3 p, vec3 low, vec3 high)
{
    return vec3_length(vec3_make(fmax(fmax(low.x - p.x, p.x - high.x), 0), fmax(fmax(low.y - p.y, p.y - high.y), 0),
                                 fmax(fmax(low.z - p.z, p.z - high.z), 0)));
}

typedef double above(vec3 p); // distance outside of the solid, in the frame of the test mesh

static double above_cube(vec3 p)
{
    return above_box(p, vec3_make(-1, -1, -1), vec3_make(1, 1, 1));
}

static double above_l(vec3 p)
{
    return fmin(above_box(p, vec3_make(0, 0, 0), vec3_make(2, 1, l_height)),
                above_box(p, vec3_make(0, 0, 0), vec3_make(1, 3, l_height)));
}

static double above_ball(vec3 p)
{
    return fmax(vec3_length(p) - 1, 0);
}

typedef struct subject {
    test_mesh mesh;
    above *above;
    double slack; // the mesh is not quite what `above` speaks of
} subject;

static test_mesh plain_cube(void)
{
    return mesh_box(vec3_make(1, 1, 1), vec3_make(0, 0, 0));
}

static subject subject_of(int which)
{
    if (which == 0)
        return (subject){plain_cube(), above_cube, 0};
    if (which == 1)
        return (subject){mesh_prism(l_corners, 6, l_height), above_l, 0};
    return (subject){mesh_ball(1, 10), above_ball, 0.025};
}

static triangle_mesh copy_of(const test_mesh *from)
{
    triangle_mesh mesh = {0};
    for (size_t i = 0; i < from->vertices.count; i++)
        assert_true(array_push(&mesh.vertices, from->vertices.data[i]));
    for (size_t i = 0; i < from->triangles.count; i++)
        assert_true(array_push(&mesh.corners, from->triangles.data[i]));
    return mesh;
}

static sphere_fit_report fit_subject(const subject *what, const sphere_fit_options *options, sphere_list *list)
{
    triangle_mesh mesh = copy_of(&what->mesh);
    sphere_fit_report report;
    scree_error error = {0};
    if (sphere_fit("test", &mesh, options, list, &report, &error) != SCREE_OK)
        print_error("%s\n", error.message);
    assert_true(list->balls.count > 0);
    triangle_mesh_free(&mesh);
    return report;
}

// The farthest that random points of the spheres are from the solid.
static double sampled_protrusion(const subject *what, const sphere_list *list, vec3 centroid, random_stream *random)
{
    double most = 0;
    for (size_t b = 0; b < list->balls.count; b++)
        for (int i = 0; i < (CHECK_SANITIZED ? 20 : 200); i++) {
            vec3 p =
                vec3_add_scaled(list->balls.data[b].position, random_direction(random), list->balls.data[b].radius);
            most = fmax(most, what->above(vec3_add(p, centroid)));
        }
    return most;
}

// The farthest that random points of the mesh are from all spheres.
static double sampled_gap(const subject *what, const sphere_list *list, vec3 centroid, random_stream *random)
{
    double most = 0;
    for (size_t t = 0; t < mesh_triangles(&what->mesh); t++)
        for (int i = 0; i < (CHECK_SANITIZED ? 10 : 100); i++) {
            const uint32_t *corner = &what->mesh.triangles.data[3 * t];
            const vec3 *v = what->mesh.vertices.data;
            double s = sqrt(random_unit(random)), u = random_unit(random), least = HUGE_VAL;
            vec3 p = vec3_add_scaled(vec3_scale(v[corner[0]], 1 - s), v[corner[1]], s * (1 - u));
            p = vec3_sub(vec3_add_scaled(p, v[corner[2]], s * u), centroid);
            for (size_t b = 0; b < list->balls.count && least > 0; b++)
                least =
                    fmin(least, vec3_length(vec3_sub(p, list->balls.data[b].position)) - list->balls.data[b].radius);
            most = fmax(most, least);
        }
    return most;
}

static void assert_figures(const subject *what, const sphere_list *list, const sphere_fit_report *report)
{
    random_stream random = {7};
    solid_properties solid =
        solid_of_triangles(what->mesh.vertices.data, what->mesh.triangles.data, mesh_triangles(&what->mesh));
    double out = sampled_protrusion(what, list, solid.centroid, &random);
    double gap = sampled_gap(what, list, solid.centroid, &random);
    assert_at_most(out, report->protrusion.bound + 1e-9);
    assert_at_most(report->protrusion.max, report->protrusion.bound + 1e-9);
    assert_at_least(report->protrusion.max, 0.9 * out - what->slack);
    assert_at_most(report->protrusion.mean, report->protrusion.max);
    assert_at_most(gap, report->gap.bound + 1e-9);
    assert_at_most(report->gap.max, report->gap.bound + 1e-9);
    assert_at_least(report->gap.max, 0.8 * gap - 1e-9);
}

static void test_default_covers(void **state)
{
    (void)state;
    sphere_fit_options options = sphere_fit_default_options();
    for (int which = 0; which < 3; which++) {
        subject what = subject_of(which);
        sphere_list list;
        sphere_fit_report report = fit_subject(&what, &options, &list);
        size_t triangles = mesh_triangles(&what.mesh);
        assert_int_equal(list.balls.count, triangles + 3 * report.sharp_triangles);
        assert_int_equal(report.sharp_triangles, which < 2 ? triangles : report.sharp_triangles);
        assert_true(report.gap.bound == 0);
        assert_figures(&what, &list, &report);
        sphere_list_free(&list);
        mesh_drop(&what.mesh);
    }
}

// As in the thesis: through the corners, at the ratio asked for, submerged.
static void test_ratio(void **state)
{
    (void)state;
    subject what = {mesh_ball(1, 16), above_ball, 0};
    sphere_fit_options options = sphere_fit_default_options();
    for (int i = 0; i < 3; i++) {
        options.ratio = 0.3 * i;
        options.edge_angle = PI;
        sphere_list list;
        fit_subject(&what, &options, &list);
        assert_int_equal(list.balls.count, mesh_triangles(&what.mesh));
        for (size_t b = 0; b < list.balls.count; b++) {
            // Somewhere there is a triangle with its corners on it, above it by the ratio.
            bool found = false;
            for (size_t t = 0; t < list.balls.count && !found; t++) {
                vec3 c[3];
                for (size_t k = 0; k < 3; k++)
                    c[k] = what.mesh.vertices.data[what.mesh.triangles.data[3 * t + k]];
                vec3 normal = vec3_normalize(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
                double r = list.balls.data[b].radius,
                       depth = vec3_dot(vec3_sub(c[0], list.balls.data[b].position), normal);
                int touching = 0;
                for (int k = 0; k < 3; k++)
                    touching += fabs(vec3_length(vec3_sub(c[k], list.balls.data[b].position)) - r) < 1e-9;
                found = touching >= 2 && fabs(depth - options.ratio * r) < 1e-9;
            }
            assert_true(found);
        }
        sphere_list_free(&list);
    }
    mesh_drop(&what.mesh);
}

static void test_count_is_met(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 7, 50, 333};
    sphere_fit_options options = sphere_fit_default_options();
    for (int which = 0; which < 3; which++) {
        subject what = subject_of(which);
        double first = 0, last = 0;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            sphere_list list;
            options.count = counts[i];
            sphere_fit_report report = fit_subject(&what, &options, &list);
            assert_int_equal(list.balls.count, counts[i]);
            assert_true(report.gap.bound == 0);
            assert_figures(&what, &list, &report);
            last = report.protrusion.bound;
            if (i == 0)
                first = last;
            sphere_list_free(&list);
        }
        assert_at_most(last, which == 2 ? first + 0.1 : 0.35 * first); // one sphere stands for a ball well enough
        mesh_drop(&what.mesh);
    }
}

static void test_protrusion_is_limited(void **state)
{
    (void)state;
    sphere_fit_options options = sphere_fit_default_options();
    options.max_protrusion = 0.1;
    for (int which = 0; which < 3; which++) {
        subject what = subject_of(which);
        sphere_list list;
        sphere_fit_report report = fit_subject(&what, &options, &list);
        assert_at_most(report.protrusion.bound, 0.1);
        assert_true(report.gap.bound == 0);
        assert_figures(&what, &list, &report);
        sphere_list_free(&list);
        // With too few spheres the limit holds, and the surface is uncovered instead.
        options.count = 20;
        options.max_protrusion = 0.01;
        report = fit_subject(&what, &options, &list);
        assert_int_equal(list.balls.count, 20);
        assert_at_most(report.protrusion.bound, 0.01 + 1e-12);
        assert_true(report.gap.bound > 0);
        assert_figures(&what, &list, &report);
        sphere_list_free(&list);
        options.count = 0;
        options.max_protrusion = 0.1;
        mesh_drop(&what.mesh);
    }
}

// A million spheres of that size have less than the area of the surface: refused before they are made.
static void test_hopeless_protrusion_is_refused(void **state)
{
    (void)state;
    sphere_fit_options options = sphere_fit_default_options();
    options.max_protrusion = 1e-9;
    subject what = subject_of(0);
    triangle_mesh mesh = copy_of(&what.mesh);
    sphere_list list;
    sphere_fit_report report;
    scree_error error = {.message = ""};
    assert_int_equal(sphere_fit("it", &mesh, &options, &list, &report, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "it: a protrusion of at most 1e-09 needs "));
    triangle_mesh_free(&mesh);
    mesh_drop(&what.mesh);
}

static void test_body_is_the_mesh(void **state)
{
    (void)state;
    subject what = {mesh_box(vec3_make(1, 2, 3), vec3_make(10, 20, 30)), NULL, 0};
    sphere_fit_options options = sphere_fit_default_options();
    sphere_list list, again;
    fit_subject(&what, &options, &list);
    assert_true(list.has_body && list.body.centroid.x == 0);
    assert_near(list.body.volume, 48, 1e-11);
    assert_near(list.body.inertia[0], 48.0 / 3 * 13, 1e-9);
    assert_near(list.body.inertia[3], 0, 1e-9);
    fit_subject(&what, &options, &again); // the same bits
    assert_int_equal(again.balls.count, list.balls.count);
    assert_memory_equal(again.balls.data, list.balls.data, list.balls.count * sizeof *list.balls.data);
    sphere_list_free(&list);
    sphere_list_free(&again);
    mesh_drop(&what.mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    test_mesh box = plain_cube();
    triangle_mesh mesh = copy_of(&box);
    sphere_list list;
    sphere_fit_report report;
    scree_error error = {0};
    sphere_fit_options options = sphere_fit_default_options();
    options.ratio = 1;
    assert_int_equal(sphere_fit("x", &mesh, &options, &list, &report, &error), SCREE_ERROR_INVALID);
    options.ratio = 0.5;
    mesh.corners.count -= 3;
    assert_int_equal(sphere_fit("shoe.obj", &mesh, &options, &list, &report, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "shoe.obj: the edge"));
    triangle_mesh_free(&mesh);
    mesh_drop(&box);
}

// Depth below the surface of an L, which has a concave edge, against the distance to each face in turn.
static void test_depth(void **state)
{
    (void)state;
    test_mesh mesh = mesh_prism(l_corners, 6, l_height);
    closed_surface surface;
    assert_true(closed_surface_make(&surface, mesh.vertices.data, mesh.vertices.count, mesh.triangles.data,
                                    mesh_triangles(&mesh)));
    random_stream random = {4};
    for (int i = 0; i < (CHECK_SANITIZED ? 2000 : 20000); i++) {
        vec3 p = {random_between(&random, -1, 3), random_between(&random, -1, 4), random_between(&random, -1, 1.5)},
             nearest;
        double depth = closed_surface_depth(&surface, p, &nearest), outside = above_l(p);
        if (outside > 0) {
            assert_near(depth, -outside, 1e-12);
        } else {
            double inner = vec3_length(vec3_make(1 - p.x, 1 - p.y, 0)); // to the concave edge
            double in_x = p.y > 1 ? fmin(p.x, 1 - p.x) : fmin(p.x, 2 - p.x);
            double in_y = p.x > 1 ? fmin(p.y, 1 - p.y) : fmin(p.y, 3 - p.y);
            double expected = fmin(fmin(in_x, in_y), fmin(p.z, l_height - p.z));
            if (p.x <= 1 && p.y <= 1)
                expected = fmin(expected, inner);
            assert_near(depth, expected, 1e-12);
        }
        assert_near(vec3_length(vec3_sub(nearest, p)), fabs(depth), 1e-12);
    }
    // Half the thickness of the plate, in the middle of one arm.
    double thickness = closed_surface_half_thickness(&surface, vec3_make(0.5, 2, l_height), vec3_make(0, 0, 1), 10);
    assert_near(thickness, 0.25, 1e-9);
    closed_surface_free(&surface);
    mesh_drop(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_covers),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_count_is_met),
        cmocka_unit_test(test_protrusion_is_limited),
        cmocka_unit_test(test_hopeless_protrusion_is_refused),
        cmocka_unit_test(test_body_is_the_mesh),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
