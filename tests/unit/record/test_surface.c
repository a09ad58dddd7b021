// Surfaces: closed, facing outwards, of the right volume, in the right place.
#include <math.h>

#include "record/frames/surface.h"
#include "world_support.h"

static const surface_extent unit_extent = {{0, 0, 0}, 1};

// Volume and centroid by the divergence theorem over fans of triangles; negative when faces look inwards.
static double volume_of(const surface *shell, vec3 *centroid)
{
    double volume = 0;
    int32_t from = 0;
    *centroid = vec3_make(0, 0, 0);
    for (size_t p = 0; p < shell->ends.count; p++) {
        const int32_t *corner = shell->corners.data + from;
        vec3 a = shell->points.data[corner[0]];
        for (int32_t i = 1; i + 1 < shell->ends.data[p] - from; i++) {
            vec3 b = shell->points.data[corner[i]], c = shell->points.data[corner[i + 1]];
            double part = vec3_dot(a, vec3_cross(b, c)) / 6;
            volume += part;
            *centroid = vec3_add_scaled(*centroid, vec3_add(a, vec3_add(b, c)), part / 4);
        }
        from = shell->ends.data[p];
    }
    *centroid = vec3_scale(*centroid, 1 / volume);
    return volume;
}

// Every edge of a closed surface is walked once in each direction.
static void assert_closed(const surface *shell)
{
    int32_t from = 0;
    size_t edges = 0, matched = 0;
    ARRAY(int32_t) ends = {0};
    for (size_t p = 0; p < shell->ends.count; from = shell->ends.data[p++]) {
        int32_t count = shell->ends.data[p] - from;
        for (int32_t i = 0; i < count; i++, edges++) {
            assert_true(array_push(&ends, shell->corners.data[from + i]));
            assert_true(array_push(&ends, shell->corners.data[from + (i + 1) % count]));
        }
    }
    for (size_t i = 0; i < edges; i++)
        for (size_t k = 0; k < edges; k++)
            matched += ends.data[2 * i] == ends.data[2 * k + 1] && ends.data[2 * i + 1] == ends.data[2 * k];
    assert_int_equal(matched, edges);
    array_free(&ends);
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g", a, b);
}

static void add_turned(scree_world *world, const scree_shape_def *shapes, size_t count, scree_id *id)
{
    scree_error error;
    scree_body_def def = scree_default_body_def();
    def.shapes = shapes;
    def.shape_count = count;
    def.position = vec3_make(1, -2, 3);
    def.orientation = quat_from_rotation(vec3_make(0.3, -0.4, 1.1));
    def.velocity = vec3_make(0, 3, 4);
    check_ok(scree_world_add_bodies(world, &def, 1, id, &error), error);
}

static void box_is_exact(void **unused)
{
    (void)unused;
    scree_error error;
    surface shell = {0};
    scree_world *world = empty_world(1);
    scree_shape_def box = box_shape(0.5, 0.25, 0.75);
    box.position = vec3_make(0.1, 0.2, 0.3);
    box.orientation = quat_from_rotation(vec3_make(1, 0.5, 0));
    scree_id id;
    vec3 centroid;
    scree_state state;
    add_turned(world, &box, 1, &id);
    check_ok(surface_add_body(&shell, world, id, &unit_extent, &error), error);
    assert_int_equal(shell.ends.count, 6);
    assert_int_equal(shell.points.count, 8);
    assert_closed(&shell);
    assert_near(volume_of(&shell, &centroid), 0.75, 1e-12);
    // A body of one shape has its centre of mass in the shape's centroid.
    check_ok(scree_world_get_states(world, &id, 1, &state, &error), error);
    assert_near(vec3_length(vec3_sub(centroid, state.position)), 0, 1e-12);
    vec3 expected =
        vec3_add(vec3_make(1, -2, 3), quat_rotate(quat_from_rotation(vec3_make(0.3, -0.4, 1.1)), box.position));
    assert_near(vec3_length(vec3_sub(centroid, expected)), 0, 1e-12);
    // The corners lie where a turned box has them.
    quat turn = quat_multiply(quat_from_rotation(vec3_make(0.3, -0.4, 1.1)), quat_from_rotation(vec3_make(1, 0.5, 0)));
    for (int i = 0; i < 8; i++) {
        vec3 local = quat_rotate_back(turn, vec3_sub(shell.points.data[i], expected));
        assert_near(fabs(local.x), 0.5, 1e-12);
        assert_near(fabs(local.y), 0.25, 1e-12);
        assert_near(fabs(local.z), 0.75, 1e-12);
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(shell.ids.data[i], id);
        assert_near((double)shell.speeds.data[i], 5, 1e-6);
    }
    surface_free(&shell);
    scree_world_destroy(world);
}

static void sphere_is_round(void **unused)
{
    (void)unused;
    scree_error error;
    surface shell = {0};
    scree_world *world = empty_world(1);
    scree_shape_def ball = sphere_shape(0.5);
    scree_id id;
    vec3 centroid;
    add_turned(world, &ball, 1, &id);
    check_ok(surface_add_body(&shell, world, id, &unit_extent, &error), error);
    assert_closed(&shell);
    for (size_t i = 0; i < shell.points.count; i++)
        assert_near(vec3_length(vec3_sub(shell.points.data[i], vec3_make(1, -2, 3))), 0.5, 1e-12);
    // Inscribed, so a little less than the ball.
    double volume = volume_of(&shell, &centroid), ball_volume = 4.0 / 3 * 3.14159265358979 * 0.125;
    assert_true(volume < ball_volume && volume > 0.9 * ball_volume);
    assert_near(vec3_length(vec3_sub(centroid, vec3_make(1, -2, 3))), 0, 1e-12);
    surface_free(&shell);
    scree_world_destroy(world);
}

// Of every shape alone in a body: closed, in place, and of its volume less what the corners cut off.
static void every_shape_has_a_surface(void **unused)
{
    (void)unused;
    scree_error error;
    const vec3 corners[] = {{1, 0, 0}, {2, 0, 0}, {1, 1.5, 0}, {1, 0, 1}, {1.8, 1, 1}};
    scree_geometry *hull = NULL;
    bool has_hulls = scree_hull_create(corners, 5, &hull, NULL) == SCREE_OK; // needs qhull
    for (int type = SCREE_SHAPE_SPHERE; type <= SCREE_SHAPE_HULL; type++) {
        if (type == SCREE_SHAPE_HULL && !has_hulls)
            continue;
        surface shell = {0};
        scree_world *world = empty_world(1);
        scree_shape_def shape = sphere_shape(0.5);
        shape.type = (scree_shape_type)type;
        shape.radii = vec3_make(0.5, 0.25, 0.75);
        shape.geometry = type == SCREE_SHAPE_HULL ? hull : NULL;
        shape.position = vec3_make(0.1, 0.2, 0.3);
        shape.orientation = quat_from_rotation(vec3_make(1, 0.5, 0));
        scree_id id;
        scree_state state;
        vec3 centroid;
        add_turned(world, &shape, 1, &id);
        check_ok(surface_add_body(&shell, world, id, &unit_extent, &error), error);
        assert_closed(&shell);
        double share = volume_of(&shell, &centroid) / scree_shape_volume(&shape);
        assert_true(share > 0.9 && share < 1 + 1e-6);
        check_ok(scree_world_get_states(world, &id, 1, &state, &error), error);
        assert_near(vec3_length(vec3_sub(centroid, state.position)), 0, 1e-6);
        surface_free(&shell);
        scree_world_destroy(world);
    }
    scree_geometry_release(hull);
}

// Spheres of a body of many are drawn coarser.
static void sphere_sets_are_spheres(void **unused)
{
    (void)unused;
    scree_error error;
    scree_ball balls[12];
    for (int i = 0; i < 12; i++)
        balls[i] = (scree_ball){{i, 0, 0}, 0.5};
    for (size_t count = 2; count <= 12; count += 10) {
        surface shell = {0};
        scree_world *world = empty_world(1);
        scree_geometry *set;
        scree_shape_def shape = sphere_shape(0.5);
        shape.type = SCREE_SHAPE_SPHERES;
        check_ok(scree_spheres_create(balls, count, NULL, &set, &error), error);
        shape.geometry = set;
        scree_id id;
        vec3 centroid;
        add_turned(world, &shape, 1, &id);
        check_ok(surface_add_body(&shell, world, id, &unit_extent, &error), error);
        assert_closed(&shell);
        assert_int_equal(shell.ends.count, count * (count == 2 ? 16 * 8 : 8 * 4));
        assert_true(volume_of(&shell, &centroid) > 0.75 * scree_shape_volume(&shape));
        surface_free(&shell);
        scree_world_destroy(world);
        scree_geometry_release(set);
    }
}

static void compound_has_all_its_shapes(void **unused)
{
    (void)unused;
    scree_error error;
    surface shell = {0};
    scree_world *world = empty_world(1);
    scree_shape_def shapes[2] = {box_shape(0.1, 0.1, 0.1), box_shape(0.2, 0.2, 0.2)};
    shapes[1].position = vec3_make(1, 0, 0);
    scree_id id;
    vec3 centroid;
    scree_state state;
    add_turned(world, shapes, 2, &id);
    check_ok(surface_add_body(&shell, world, id, &unit_extent, &error), error);
    assert_int_equal(shell.ends.count, 12);
    assert_near(volume_of(&shell, &centroid), 0.008 + 0.064, 1e-7); // sizes are single
    check_ok(scree_world_get_states(world, &id, 1, &state, &error), error);
    assert_near(vec3_length(vec3_sub(centroid, state.position)), 0, 1e-7);
    surface_free(&shell);
    scree_world_destroy(world);
}

static void plane_lies_in_the_plane(void **unused)
{
    (void)unused;
    scree_error error;
    scree_world *world = empty_world(1);
    const vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}, {0.36, 0.48, 0.8}};
    const surface_extent extent = {{5, 6, 7}, 10};
    for (int n = 0; n < 4; n++) {
        surface shell = {0};
        scree_shape_def plane = plane_shape(vec3_scale(normals[n], 2), 0.5);
        scree_id id = add_body(world, &plane, 1, vec3_make(0, 0, 3), true);
        check_ok(surface_add_body(&shell, world, id, &extent, &error), error);
        assert_int_equal(shell.points.count, 4);
        vec3 middle = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            vec3 point = shell.points.data[i];
            assert_near(vec3_dot(normals[n], vec3_sub(point, vec3_make(0, 0, 3))), 0.5, 1e-12);
            middle = vec3_add_scaled(middle, point, 0.25);
        }
        vec3 along = vec3_sub(middle, extent.center);
        assert_near(vec3_length(vec3_cross(along, normals[n])), 0, 1e-12);
        vec3 side = vec3_sub(shell.points.data[1], shell.points.data[0]);
        vec3 next = vec3_sub(shell.points.data[2], shell.points.data[1]);
        assert_near(vec3_length(side), 20, 1e-12);
        assert_near(vec3_dot(side, next), 0, 1e-10);
        assert_true(vec3_dot(vec3_cross(side, next), normals[n]) > 0);
        surface_free(&shell);
    }
    scree_world_destroy(world);
}

static void extent_holds_what_is_bounded(void **unused)
{
    (void)unused;
    scree_error error;
    surface_extent extent;
    scree_world *world = empty_world(1);
    scree_shape_def plane = plane_shape(vec3_make(0, 0, 1), 0), ball = sphere_shape(0.5);
    scree_id ids[3];
    ids[0] = add_body(world, &plane, 1, vec3_make(0, 0, 0), true);
    check_ok(surface_find_extent(world, ids, 1, &extent, &error), error);
    assert_true(extent.radius > 0 && vec3_length(extent.center) == 0);
    ids[1] = add_body(world, &ball, 1, vec3_make(10, 0, 0), false);
    ids[2] = add_body(world, &ball, 1, vec3_make(20, 0, 0), false);
    check_ok(surface_find_extent(world, ids, 3, &extent, &error), error);
    assert_near(vec3_length(vec3_sub(extent.center, vec3_make(15, 0, 0))), 0, 1e-9);
    assert_near(extent.radius, 0.5 * sqrt(11 * 11 + 1 + 1), 1e-6);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_is_exact),
        cmocka_unit_test(sphere_is_round),
        cmocka_unit_test(every_shape_has_a_surface),
        cmocka_unit_test(sphere_sets_are_spheres),
        cmocka_unit_test(compound_has_all_its_shapes),
        cmocka_unit_test(plane_lies_in_the_plane),
        cmocka_unit_test(extent_holds_what_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
