// The camera of the window: it is where it was put, goes round its target at one distance, and follows the mouse.
#include "physics/check.h"

#include "base/vec.h"
#include "view/raster/picture.h"
#include "view/world/orbit.h"

static const picture_camera start = {{3, -4, 2.5}, {0.5, 0.25, 1}, {0, 0, 2}, 0.6};

static void assert_same(vec3 a, vec3 b)
{
    assert_near(vec3_length(vec3_sub(a, b)), 0, 1e-9);
}

static void stands_where_it_was_put(void **state)
{
    (void)state;
    const vec3 ups[] = {{0, 0, 1}, {0, 1, 0}, {1, 0.3, -0.2}};
    for (int i = 0; i < 3; i++) {
        picture_camera camera = start;
        camera.up = ups[i];
        orbit_camera orbit = orbit_from(&camera);
        picture_camera placed = orbit_place(&orbit);
        assert_same(placed.position, camera.position);
        assert_same(placed.look_at, camera.look_at);
        assert_near(placed.field_of_view, 0.6, 0);
    }
}

static void goes_round(void **state)
{
    (void)state;
    orbit_camera orbit = orbit_from(&start);
    double distance = orbit.distance;
    for (int i = 0; i < 100; i++) {
        orbit_turn(&orbit, 0.3, 0.1);
        vec3 away = vec3_sub(orbit_place(&orbit).position, start.look_at);
        assert_near(vec3_length(away), distance, 1e-9);
        assert_true(fabs(orbit.elevation) < 1.5707);
    }
    assert_true(orbit_place(&orbit).position.z > start.look_at.z + 0.99 * distance); // as high as it goes
    orbit_zoom(&orbit, 0.5);
    assert_near(vec3_length(vec3_sub(orbit_place(&orbit).position, start.look_at)), 0.5 * distance, 1e-9);
}

// What picture_project shows at a place is the point that orbit_point finds there.
static void points_are_where_pictures_show_them(void **state)
{
    (void)state;
    orbit_camera orbit = orbit_from(&start);
    picture scene = picture_default();
    scene.camera = orbit_place(&orbit);
    const canvas_point places[] = {{640, 360}, {10, 20}, {1200, 700}};
    for (int i = 0; i < 3; i++) {
        vec3 point = orbit_point(&orbit, places[i], (double)scene.width, (double)scene.height, 3.5);
        canvas_point seen;
        assert_true(picture_project(&scene, point, &seen));
        assert_near(seen.x, places[i].x, 1e-3);
        assert_near(seen.y, places[i].y, 1e-3);
    }
}

// A point at the target's depth moves with the mouse.
static void panning_follows_the_mouse(void **state)
{
    (void)state;
    orbit_camera orbit = orbit_from(&start);
    picture scene = picture_default();
    vec3 target = orbit.target;
    orbit_pan(&orbit, 55, -34, (double)scene.height);
    scene.camera = orbit_place(&orbit);
    canvas_point seen;
    assert_true(picture_project(&scene, target, &seen));
    assert_near(seen.x, 640 + 55, 1e-3);
    assert_near(seen.y, 360 - 34, 1e-3);
}

static void flies_ahead(void **state)
{
    (void)state;
    orbit_camera orbit = orbit_from(&start);
    vec3 before = orbit_place(&orbit).position, ahead = vec3_normalize(vec3_sub(start.look_at, before));
    orbit_fly(&orbit, 0.25, 0, 0);
    assert_same(orbit_place(&orbit).position, vec3_add_scaled(before, ahead, 0.25 * orbit.distance));
    orbit_fly(&orbit, 0, 0.5, 0.1);
    vec3 step = vec3_sub(orbit_place(&orbit).position, vec3_add_scaled(before, ahead, 0.25 * orbit.distance));
    assert_near(vec3_dot(step, (vec3){0, 0, 1}), 0.1 * orbit.distance, 1e-9);
    assert_near(vec3_length(step), sqrt(0.26) * orbit.distance, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stands_where_it_was_put), cmocka_unit_test(goes_round),
                                       cmocka_unit_test(points_are_where_pictures_show_them),
                                       cmocka_unit_test(panning_follows_the_mouse), cmocka_unit_test(flies_ahead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
