// Casting in tiles against a slow reference: every ray against every object, in double.
#include "physics/check.h"

#include <stdlib.h>

#include "base/random.h"
#include "view/raster/raster.h"

enum { WIDTH = 150, HEIGHT = 130, SPHERES = 120, BOXES = 40 };

typedef struct world {
    raster_view view;
    struct {
        vec3 center;
        double radius;
    } spheres[SPHERES];
    struct {
        vec3 center, half;
        quat orientation;
    } boxes[BOXES];
    raster_sphere seen_spheres[SPHERES];
    raster_box seen_boxes[BOXES];
} world;

static vec3 random_point(random_stream *random, double size)
{
    double x = random_between(random, -size, size), y = random_between(random, -size, size);
    return vec3_make(x, y, random_between(random, -size, size));
}

static quat random_turn(random_stream *random)
{
    vec3 a = random_point(random, 1), b = random_point(random, 1);
    return quat_normalize((quat){a.x, a.y, a.z, b.x});
}

static void make_world(world *w, uint64_t seed, bool perspective)
{
    random_stream random = {seed};
    vec3 offset = {1000, -2000, 500}; // far from the origin, where floats would be coarse
    mat3 turn = mat3_from_quat(random_turn(&random));
    vec3 forward = {turn.m[2][0], turn.m[2][1], turn.m[2][2]};
    w->view = (raster_view){.origin = vec3_add_scaled(offset, forward, -6),
                            .axes = turn,
                            .perspective = perspective,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .left = perspective ? -0.5f : -2.5f,
                            .top = perspective ? -0.43f : -2.2f,
                            .step = perspective ? 1.0f / WIDTH : 5.0f / WIDTH,
                            .nearest = perspective ? 0.01f : -100.0f};
    for (int i = 0; i < SPHERES; i++) {
        w->spheres[i].center = vec3_add(offset, random_point(&random, 3));
        w->spheres[i].radius = 0.02 * pow(30, random_unit(&random));
        w->seen_spheres[i] = raster_view_sphere(&w->view, w->spheres[i].center, w->spheres[i].radius);
    }
    for (int i = 0; i < BOXES; i++) {
        w->boxes[i].center = vec3_add(offset, random_point(&random, 3));
        w->boxes[i].half = vec3_make(random_between(&random, 0.02, 0.5), random_between(&random, 0.02, 0.5),
                                     random_between(&random, 0.02, 0.5));
        w->boxes[i].orientation = random_turn(&random);
        w->seen_boxes[i] = raster_view_box(&w->view, w->boxes[i].center, w->boxes[i].orientation, w->boxes[i].half);
    }
    w->seen_boxes[7].hidden = true;
}

// The quadratic equation, in the world's own frame.
static double reference_sphere(vec3 start, vec3 direction, vec3 center, double radius)
{
    vec3 d = vec3_sub(start, center);
    double a = vec3_dot(direction, direction), b = vec3_dot(direction, d), c = vec3_dot(d, d) - radius * radius;
    return b * b - a * c > 0 ? (-b - sqrt(b * b - a * c)) / a : HUGE_VAL;
}

// Each face as a rectangle of its own.
static double reference_box(vec3 start, vec3 direction, vec3 center, vec3 half, quat orientation)
{
    vec3 s = quat_rotate_back(orientation, vec3_sub(start, center)), d = quat_rotate_back(orientation, direction);
    double best = HUGE_VAL;
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            double t = (side * vec3_get(half, axis) - vec3_get(s, axis)) / vec3_get(d, axis);
            vec3 p = vec3_add_scaled(s, d, t);
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (fabs(vec3_get(p, u)) <= vec3_get(half, u) && fabs(vec3_get(p, v)) <= vec3_get(half, v))
                best = fmin(best, t);
        }
    return best;
}

static uint32_t reference(const world *w, int x, int y, double *depth)
{
    const raster_view *view = &w->view;
    double px = (double)view->left + (x + 0.5) * (double)view->step;
    double py = (double)view->top + (y + 0.5) * (double)view->step;
    vec3 start = view->origin, direction = vec3_make(0, 0, 1);
    if (view->perspective)
        direction = vec3_make(px, py, 1);
    else
        start = vec3_add(start, mat3_apply_transposed(&view->axes, vec3_make(px, py, 0)));
    direction = mat3_apply_transposed(&view->axes, direction);
    uint32_t found = 0;
    *depth = HUGE_VAL;
    for (uint32_t i = 0; i < SPHERES + BOXES; i++) {
        uint32_t b = i < SPHERES ? 0 : i - SPHERES;
        double t = i < SPHERES
                       ? reference_sphere(start, direction, w->spheres[i].center, w->spheres[i].radius)
                       : reference_box(start, direction, w->boxes[b].center, w->boxes[b].half, w->boxes[b].orientation);
        if ((i < SPHERES || !w->seen_boxes[b].hidden) && t > (double)view->nearest && t < *depth) {
            *depth = t;
            found = i + 1;
        }
    }
    return found;
}

static void agrees_with_the_reference(void **state)
{
    (void)state;
    static world w;
    for (uint64_t trial = 0; trial < 4; trial++) {
        make_world(&w, 11 + trial, trial % 2 == 0);
        raster_objects objects = {
            .spheres = w.seen_spheres, .sphere_count = SPHERES, .boxes = w.seen_boxes, .box_count = BOXES};
        raster out;
        assert_int_equal(raster_cast(&w.view, &objects, 2, &out, NULL), SCREE_OK);
        int covered = 0, wrong = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                double depth;
                uint32_t object = reference(&w, x, y, &depth);
                size_t at = (size_t)(y * WIDTH + x);
                covered += object > 0;
                if (out.object[at] != object)
                    wrong++; // an outline can fall on either side of a ray
                else if (object > 0)
                    assert_near((double)out.depth[at], depth, 2e-3);
                else
                    assert_true(out.depth[at] == RASTER_NOTHING);
            }
        assert_true(covered > WIDTH * HEIGHT / 4);
        assert_at_most(wrong, 0.002 * covered);
        raster_free(&out);
    }
}

static void small_far_spheres_stay_round(void **state)
{
    (void)state;
    // Radius 1 at a distance of 4000: the plain quadratic equation in floats has no digits left here.
    raster_view view = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .perspective = true, .width = 100, .height = 100};
    view.step = 0.025f / 4000;
    view.left = view.top = -50 * view.step;
    view.nearest = 1;
    raster_sphere sphere = raster_view_sphere(&view, vec3_make(0, 0, 4000), 1);
    raster_objects objects = {.spheres = &sphere, .sphere_count = 1, .boxes = NULL, .box_count = 0};
    raster out;
    assert_int_equal(raster_cast(&view, &objects, 1, &out, NULL), SCREE_OK);
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 100; x++) {
            double distance = hypot((x - 49.5) * 0.025, (y - 49.5) * 0.025);
            if (fabs(distance - 1) > 0.01)
                assert_int_equal(out.object[y * 100 + x], distance < 1);
            if (distance < 0.9)
                assert_near((double)out.depth[y * 100 + x], 4000 - sqrt(1 - distance * distance), 2e-3);
        }
    raster_free(&out);
}

static void what_is_behind_the_camera_is_not_seen(void **state)
{
    (void)state;
    raster_view view = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .perspective = true, .width = 64, .height = 64};
    view.step = 1.0f / 64;
    view.left = view.top = -0.5f;
    view.nearest = 0.01f;
    raster_sphere spheres[] = {raster_view_sphere(&view, vec3_make(0, 0, -3), 1),
                               raster_view_sphere(&view, vec3_make(0, 0, 0), 1)}; // around the camera
    raster_box boxes[] = {raster_view_box(&view, vec3_make(0, 0, -3), quat_identity(), vec3_make(1, 1, 1)),
                          raster_view_box(&view, vec3_make(0, 0, 0), quat_identity(), vec3_make(9, 1, 1))};
    raster_objects objects = {.spheres = spheres, .sphere_count = 2, .boxes = boxes, .box_count = 2};
    raster out;
    assert_int_equal(raster_cast(&view, &objects, 1, &out, NULL), SCREE_OK);
    for (int i = 0; i < 64 * 64; i++)
        assert_int_equal(out.object[i], 0);
    raster_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_reference),
        cmocka_unit_test(small_far_spheres_stay_round),
        cmocka_unit_test(what_is_behind_the_camera_is_not_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
