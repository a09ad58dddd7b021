// What a scene spans: strays left out, near walls taken in, walls in front told from walls behind.
#include "physics/check.h"

#include "base/random.h"
#include "view/world/extent.h"

enum { GRAINS = 2000 };

static picture_sphere grains[GRAINS];

static picture block_of_grains(void)
{
    random_stream random = {2};
    for (int i = 0; i < GRAINS; i++)
        grains[i] = (picture_sphere){
            {random_between(&random, -1, 1), random_between(&random, -2, 2), random_between(&random, 0, 3)}, 0.1, {0}};
    picture scene = picture_default();
    scene.spheres = grains;
    scene.sphere_count = GRAINS;
    return scene;
}

static void contents_are_measured(void **state)
{
    (void)state;
    picture scene = block_of_grains();
    extent span;
    assert_true(extent_find(&span, &scene));
    assert_vec3_near(span.low, ((vec3){-1.1, -2.1, -0.1}), 0.02);
    assert_vec3_near(span.high, ((vec3){1.1, 2.1, 3.1}), 0.02);
    assert_vec3_near(span.mean, ((vec3){0, 0, 1.5}), 0.1);
    assert_near(span.grain, 0.1, 1e-9);
    assert_near(span.covariance.m[1][1], 4.0 / 3, 0.1); // uniform over [-2, 2]
    assert_near(span.covariance.m[0][1], 0, 0.1);
}

static void strays_are_left_out(void **state)
{
    (void)state;
    picture scene = block_of_grains();
    grains[17].center = (vec3){1e6, 0, 0};
    grains[18].center = (vec3){0, 0, -4000};
    extent span;
    assert_true(extent_find(&span, &scene));
    assert_vec3_near(span.high, ((vec3){1.1, 2.1, 3.1}), 0.02);
    scene.sphere_count = 19; // of a few, each one counts
    assert_true(extent_find(&span, &scene));
    assert_near(span.high.x, 1e6, 1);
    assert_near(span.low.z, -4000, 1);
}

static void near_walls_are_taken_in(void **state)
{
    (void)state;
    picture scene = block_of_grains();
    picture_box walls[] = {{{1.5, 0, 2.5}, {1, 0, 0, 0}, {0.2, 2, 3}, {0}, true},
                           {{0, 0, -1}, {1, 0, 0, 0}, {500, 500, 1}, {0}, true},
                           {{40, 0, 0}, {1, 0, 0, 0}, {1, 1, 1}, {0}, true}};
    scene.boxes = walls;
    scene.box_count = 3;
    extent span;
    assert_true(extent_find(&span, &scene));
    assert_vec3_near(span.high, ((vec3){1.7, 2.1, 5.5}), 0.02);
    assert_vec3_near(span.low, ((vec3){-1.1, -2.1, -0.5}), 0.02);
    scene.sphere_count = 0; // only walls: they are what there is to see
    assert_true(extent_find(&span, &scene));
    assert_near(span.high.x, 500, 1e-9);
    assert_near(span.grain, 0, 0);
    scene.box_count = 0;
    assert_true(extent_find(&span, &scene));
    assert_vec3_near(span.high, ((vec3){0.5, 0.5, 0.5}), 1e-9);
}

static void walls_before_the_grains_are_told(void **state)
{
    (void)state;
    picture scene = block_of_grains();
    extent span;
    assert_true(extent_find(&span, &scene));
    quat turned = quat_from_rotation(vec3_make(0, 0, 1.5707963267948966));
    picture_box front = {{0, -2.3, 1.5}, {1, 0, 0, 0}, {1, 0.1, 2}, {0}, true}, back = front, same = front,
                middle = front;
    back.center.y = 2.3;
    same.orientation = turned; // the same plate, described along other axes
    same.half = (vec3){0.1, 1, 2};
    middle.center.y = 0.2;
    vec3 camera = {3, -10, 4}, opposite = {3, 10, 4};
    assert_true(extent_is_behind(&span, &front, camera));
    assert_true(extent_is_behind(&span, &same, camera));
    assert_false(extent_is_behind(&span, &back, camera));
    assert_false(extent_is_behind(&span, &middle, camera));
    assert_false(extent_is_behind(&span, &front, opposite));
    assert_true(extent_is_behind(&span, &back, opposite));
    picture_box ground = {{0, 0, -0.3}, {1, 0, 0, 0}, {5, 5, 0.2}, {0}, true};
    assert_false(extent_is_behind(&span, &ground, camera));
    assert_true(extent_is_behind(&span, &ground, vec3_make(3, -10, -4)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_measured),
        cmocka_unit_test(strays_are_left_out),
        cmocka_unit_test(near_walls_are_taken_in),
        cmocka_unit_test(walls_before_the_grains_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
