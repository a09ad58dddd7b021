// What culling hides is what the exact cast does not show.
#include "physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "view/raster/cull.h"

enum { COUNT = 4000, WIDTH = 320, HEIGHT = 200 };

static raster_view make_view(bool perspective)
{
    float step = perspective ? 0.005f : 0.1f;
    return (raster_view){.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                         .perspective = perspective,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .left = -0.5f * step * WIDTH,
                         .top = -0.5f * step * HEIGHT,
                         .step = step,
                         .nearest = 0.01f};
}

// A cloud of balls before the view, around it and behind it; dense enough that most are hidden.
static void make_balls(cull_ball *balls, raster_sphere *spheres)
{
    random_stream random = {7};
    for (int i = 0; i < COUNT; i++) {
        float radius = 0.3f + 1.2f * (float)random_unit(&random);
        vec3f at = {24 * (float)random_unit(&random) - 12, 16 * (float)random_unit(&random) - 8,
                    40 * (float)random_unit(&random) - 1};
        balls[i] = (cull_ball){at, radius, radius};
        spheres[i] = (raster_sphere){at, radius};
    }
}

static void compare(bool perspective, size_t cell)
{
    static cull_ball balls[COUNT];
    static raster_sphere spheres[COUNT];
    static uint8_t hidden[COUNT];
    make_balls(balls, spheres);
    raster_view view = make_view(perspective);
    raster seen = {0};
    raster_objects objects = {.spheres = spheres, .sphere_count = COUNT};
    assert_int_equal(raster_cast(&view, &objects, 2, &seen, NULL), SCREE_OK);
    assert_true(cull_find_hidden(&view, balls, COUNT, cell, hidden));
    size_t shown = 0, left_out = 0;
    static bool is_seen[COUNT];
    memset(is_seen, 0, sizeof is_seen);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        if (seen.object[i] > 0) {
            assert_false(hidden[seen.object[i] - 1]);
            is_seen[seen.object[i] - 1] = true;
        }
    for (size_t i = 0; i < COUNT; i++) {
        shown += is_seen[i];
        left_out += hidden[i];
    }
    print_message("%zu of %d are seen, %zu are left out\n", shown, COUNT, left_out);
    assert_true(left_out > (COUNT - shown) / 2); // of what could be left out, most is
    raster_free(&seen);
}

static void hides_nothing_that_is_seen(void **state)
{
    (void)state;
    for (size_t cell = 1; cell <= 4; cell *= 2) {
        compare(true, cell);
        compare(false, cell);
    }
}

static void hides_nothing_behind_hollow_things(void **state)
{
    (void)state;
    raster_view view = make_view(true);
    cull_ball balls[2] = {{{0, 0, 5}, 4, 0}, {{0, 0, 20}, 1, 1}};
    uint8_t hidden[2];
    assert_true(cull_find_hidden(&view, balls, 2, 1, hidden));
    assert_false(hidden[0]);
    assert_false(hidden[1]);
    balls[0].inner = 4;
    assert_true(cull_find_hidden(&view, balls, 2, 1, hidden));
    assert_false(hidden[0]);
    assert_true(hidden[1]);
}

static void hides_what_is_behind_the_camera(void **state)
{
    (void)state;
    raster_view view = make_view(true);
    cull_ball balls[3] = {{{0, 0, -5}, 1, 1}, {{0, 0, 0}, 1, 1}, {{100, 0, 5}, 1, 1}};
    uint8_t hidden[3];
    assert_true(cull_find_hidden(&view, balls, 3, 1, hidden));
    assert_true(hidden[0]);
    assert_false(hidden[1]);
    assert_true(hidden[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hides_nothing_that_is_seen),
                                       cmocka_unit_test(hides_nothing_behind_hollow_things),
                                       cmocka_unit_test(hides_what_is_behind_the_camera)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
